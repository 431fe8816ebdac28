/* diagram_text.c - the texts of diagrams: see diagram.h. */
#include "reader/export/diagram.h"

#include <string.h>

/* Bytes of the line that are shown. */
static size_t cut_at(const char *line, size_t n)
{
    size_t characters = 0;
    for (size_t i = 0; i < n; i++)
        if ((line[i] & 0xc0) != 0x80 && characters++ == DIAGRAM_TEXT_MAX)
            return i;
    return n;
}

const char *diagram_text(struct diagram *d)
{
    char *text = d->scratch.data;
    size_t used = 0, all = d->scratch.used;
    for (size_t at = 0; at < all;) {
        const char *end = memchr(text + at, '\n', all - at);
        size_t n = end != NULL ? (size_t)(end - text) - at : all - at, shown = cut_at(text + at, n);
        memmove(text + used, text + at, shown);
        used += shown;
        if (shown < n) { /* there is room: at least one character was left out, and the buffer has more than it holds */
            static const char dots[] = "...";
            size_t k = n - shown < 3 ? n - shown : 3;
            memcpy(text + used, dots, k);
            used += k;
        }
        at += n;
        if (at < all)
            text[used++] = text[at++];
    }
    text[used] = '\0'; /* the buffer is never full: out.h flushes a full one */
    d->scratch.used = 0;
    return text;
}

void diagram_lines(struct diagram *d, const char *text, const struct escape *how, const char *between)
{
    char line[4 * DIAGRAM_TEXT_MAX + 8];
    for (;;) {
        size_t n = strcspn(text, "\n"), shown = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, text, shown);
        line[shown] = '\0';
        out_escaped(d->out, line, how);
        text += n;
        if (*text == '\0')
            return;
        text++;
        out_bytes(d->out, between, strlen(between));
    }
}
