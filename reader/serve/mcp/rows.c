/* rows.c - see rows.h. */
#include "reader/serve/mcp/rows.h"

#include <errno.h>
#include <stdlib.h>

void rows_init(struct rows *r, uint64_t skip, uint64_t limit)
{
    *r = (struct rows){ .skip = skip, .limit = limit, .next_seq = UINT64_MAX };
}

void rows_done(struct rows *r)
{
    writer_free(&r->page);
    writer_free(&r->line);
}

/* The number of `{"seq":NUMBER,`; UINT64_MAX: the row begins otherwise. */
static uint64_t seq_of(const struct writer *line)
{
    static const char begin[] = "{\"seq\":";
    char digits[24] = "";
    if (line->size < sizeof begin + 1 || memcmp(line->data, begin, sizeof begin - 1) != 0)
        return UINT64_MAX;
    size_t n = line->size - (sizeof begin - 1);
    memcpy(digits, line->data + sizeof begin - 1, n < sizeof digits - 1 ? n : sizeof digits - 1);
    return strtoull(digits, NULL, 10);
}

/* A row is complete. 0, or ECANCELED: the page is. */
static int add_row(struct rows *r)
{
    if (r->skip > 0) {
        r->skip--;
        r->line.size = 0;
        return 0;
    }
    if (r->count == r->limit || (r->count > 0 && r->page.size + r->line.size > PAGE_BYTES)) {
        r->more = true;
        r->next_seq = seq_of(&r->line);
        return ECANCELED;
    }
    if (r->count++ > 0)
        write_u1(&r->page, ',');
    write_bytes(&r->page, r->line.data, r->line.size);
    r->line.size = 0;
    return r->page.bad ? ENOMEM : 0;
}

int rows_sink(void *rows, const void *bytes, size_t n)
{
    struct rows *r = rows;
    const char *at = bytes;
    while (n > 0) {
        const char *end = memchr(at, '\n', n);
        size_t part = end != NULL ? (size_t)(end - at) : n;
        if (part > ROW_BYTES_MAX - r->line.size) {
            r->too_long = true;
            return EFBIG;
        }
        write_bytes(&r->line, at, part);
        if (r->line.bad)
            return ENOMEM;
        if (end == NULL)
            return 0;
        int ended = add_row(r);
        if (ended != 0)
            return ended;
        at += part + 1;
        n -= part + 1;
    }
    return 0;
}
