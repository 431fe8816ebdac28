/* page.c - see page.h. */
#include "reader/serve/mcp/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/serve/mcp/mcp.h"

static const char ellipsis[] = "...";

void page_init(struct page *p, uint64_t skip, size_t room)
{
    *p = (struct page){ .skip = skip, .room = room, .first = UINT64_MAX, .last = UINT64_MAX };
}

void page_done(struct page *p)
{
    writer_free(&p->text);
    writer_free(&p->line);
}

size_t page_fit(const void *text, size_t size, size_t n)
{
    const unsigned char *bytes = text;
    if (size <= n)
        return size;
    while (n > 0 && (bytes[n] & 0xc0) == 0x80)
        n--;
    return n;
}

/* The number that a line begins with, behind blanks; UINT64_MAX: none. */
static uint64_t number_of(const struct writer *line)
{
    char digits[24] = "";
    size_t at = 0, n = 0;
    while (at < line->size && line->data[at] == ' ')
        at++;
    while (at + n < line->size && n < sizeof digits - 1 && line->data[at + n] >= '0' && line->data[at + n] <= '9')
        n++;
    if (n == 0 || n == sizeof digits - 1 || at + n == line->size || line->data[at + n] != ' ')
        return UINT64_MAX;
    memcpy(digits, line->data + at, n);
    return strtoull(digits, NULL, 10);
}

static bool is_chosen(const struct page *p)
{
    char word[32] = "";
    if (p->words == NULL)
        return true;
    for (size_t n = 0; n < p->line.size && n < sizeof word - 1 && p->line.data[n] != ' '; n++)
        word[n] = (char)p->line.data[n];
    return word_in(p->words, word);
}

/* A line is complete. 0, or an error of errno. */
static int add_line(struct page *p)
{
    const size_t left = p->room - p->text.size, need = p->line.size + 1;
    if (!is_chosen(p)) {
        p->line.size = 0;
        return 0;
    }
    if (p->skip > 0) {
        p->skip--;
        p->line.size = 0;
        return 0;
    }
    if ((p->most > 0 && p->lines == p->most) || (p->lines > 0 && need > left)) {
        p->more = true;
        return ECANCELED;
    }
    const uint64_t seq = number_of(&p->line);
    if (seq != UINT64_MAX) {
        p->first = p->first == UINT64_MAX ? seq : p->first;
        p->last = seq;
    }
    if (need > left) {
        p->cut = true;
        p->line.size = page_fit(p->line.data, p->line.size, left - sizeof ellipsis);
        write_bytes(&p->line, ellipsis, sizeof ellipsis - 1);
    }
    p->lines++;
    write_bytes(&p->text, p->line.data, p->line.size);
    write_u1(&p->text, '\n');
    p->line.size = 0;
    return p->text.bad ? ENOMEM : 0;
}

int page_sink(void *page, const void *bytes, size_t n)
{
    struct page *p = page;
    const char *at = bytes;
    while (n > 0) {
        const char *end = memchr(at, '\n', n);
        const size_t part = end != NULL ? (size_t)(end - at) : n, left = p->room + 1 - p->line.size;
        write_bytes(&p->line, at, part < left ? part : left);
        if (p->line.bad)
            return ENOMEM;
        if (end == NULL)
            return 0;
        const int ended = add_line(p);
        if (ended != 0)
            return ended;
        at += part + 1;
        n -= part + 1;
    }
    return 0;
}
