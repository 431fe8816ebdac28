/* bytes.c - the slow paths of bytes.h. */
#include "formats/bytes.h"

#include <stdlib.h>

enum { WRITER_FIRST = 256 };

uint64_t read_varint_long(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t b = read_u1(r);
        if (shift == 63 && b > 1)
            break;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return r->bad ? 0 : v;
    }
    r->bad = true;
    return 0;
}

const char *read_text(struct reader *r, size_t *n)
{
    uint64_t len = read_varint(r);
    const char *p = len <= SIZE_MAX ? (const char *)read_span(r, (size_t)len) : NULL;
    *n = p != NULL ? (size_t)len : 0;
    return p;
}

bool writer_reserve(struct writer *w, size_t more)
{
    if (w->bad)
        return false;
    if (w->cap - w->size >= more)
        return true;
    size_t cap = w->cap < WRITER_FIRST ? WRITER_FIRST : w->cap;
    while (cap - w->size < more) {
        if (cap > SIZE_MAX / 2) {
            w->bad = true;
            return false;
        }
        cap *= 2;
    }
    uint8_t *p = realloc(w->data, cap);
    if (p == NULL) {
        w->bad = true;
        w->cap = w->size; /* inline writers must not write on into the old buffer */
        return false;
    }
    w->data = p;
    w->cap = cap;
    return true;
}

void writer_free(struct writer *w)
{
    free(w->data);
    *w = (struct writer){ 0 };
}
