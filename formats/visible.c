/* visible.c - see visible.h. */
#include "formats/visible.h"

#include <stdio.h>

#include "formats/mutf8.h"

/* Characters that are escaped, ascending. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    { 0x00, 0x1f },     { 0x7f, 0x9f },     /* controls */
    { 0x61c, 0x61c },   { 0x200e, 0x200f }, /* marks of direction */
    { 0x2028, 0x202e }, { 0x2066, 0x206f }, /* separators; embeddings, overrides, isolates */
    { 0xd800, 0xdfff },                     /* surrogates */
};

bool visible_code(uint32_t c)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && c >= hidden[i].first; i++)
        if (c <= hidden[i].last)
            return false;
    return c <= 0x10ffff;
}

/* The character at `s`; its bytes, 0 if there is none. */
static size_t code_at(const uint8_t *s, size_t n, uint32_t *c)
{
    if (s[0] >= 0x80)
        /* c0 80: zero in names of class files */
        return n >= 2 && s[0] == 0xc0 && s[1] == 0x80 ? (*c = 0, (size_t)2) : utf8_char(s, n, c);
    *c = s[0];
    return 1;
}

size_t visible_run(const void *text, size_t n)
{
    const uint8_t *s = text;
    size_t at = 0;
    while (at < n) {
        uint32_t c = 0;
        if (s[at] >= 0x20 && s[at] < 0x7f) {
            at++;
            continue;
        }
        size_t length = code_at(s + at, n - at, &c);
        if (length == 0 || !visible_code(c))
            break;
        at += length;
    }
    return at;
}

enum { VISIBLE_ESCAPE_MAX = 8 };

/* Escapes the character at `text` (n > 0): fills `out` and `length`, returns the bytes of `text` that it replaces. */
static size_t visible_escape(const void *text, size_t n, char out[VISIBLE_ESCAPE_MAX], size_t *length)
{
    static const char letters[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r' };
    const uint8_t *s = text;
    uint32_t c = 0;
    size_t used = code_at(s, n, &c);
    int k = used == 0                               ? snprintf(out, VISIBLE_ESCAPE_MAX, "\\x%02x", s[0])
            : c < sizeof letters && letters[c] != 0 ? snprintf(out, VISIBLE_ESCAPE_MAX, "\\%c", letters[c])
                                                    : snprintf(out, VISIBLE_ESCAPE_MAX, "\\u%04x", c & 0xffff);
    *length = (size_t)k;
    return used == 0 ? 1 : used;
}

void visible_each(const void *text, size_t n, visible_fn *put, void *context)
{
    const char *s = text;
    for (size_t at = 0; at < n;) {
        size_t run = visible_run(s + at, n - at), length;
        char escape[VISIBLE_ESCAPE_MAX];
        if (run > 0)
            put(context, s + at, run);
        at += run;
        if (at == n)
            break;
        at += visible_escape(s + at, n - at, escape, &length);
        put(context, escape, length);
    }
}

static void put_writer(void *context, const char *bytes, size_t n) { write_bytes(context, bytes, n); }

void visible_write(const void *text, size_t n, struct writer *out) { visible_each(text, n, put_writer, out); }
