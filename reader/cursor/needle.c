/* needle.c - see needle.h. */
#include "reader/cursor/needle.h"

#include <string.h>

#include "reader/code/code.h"

uint32_t needle_next_code(const unsigned char **at)
{
    const unsigned char *p = *at;
    unsigned n = *p < 0xc0 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
    uint32_t c = n == 0 ? *p : *p & (0x3fu >> n);
    for (unsigned i = 1; i <= n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *at = p + 1;
            return *p;
        }
        c = c << 6 | (p[i] & 0x3f);
    }
    *at = p + n + 1;
    return c;
}

static void write_unit(struct writer *w, uint32_t unit)
{
    write_u1(w, unit & 0xff);
    write_u1(w, unit >> 8 & 0xff);
}

void needle_write_code(struct writer *w, uint32_t code)
{
    if (code >= 0x10000) {
        write_unit(w, 0xd800 + ((code - 0x10000) >> 10 & 0x3ff));
        code = 0xdc00 + (code & 0x3ff);
    }
    write_unit(w, code);
}

bool needle_init(struct needle *n, const char *text)
{
    *n = (struct needle){ .fits_latin1 = true };
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        uint32_t c = needle_next_code(&p);
        n->fits_latin1 = n->fits_latin1 && c < 0x100;
        write_u1(&n->latin1, c & 0xff);
        needle_write_code(&n->utf16, c);
    }
    write_bytes(&n->utf8, text, strlen(text));
    bool ok = !n->latin1.bad && !n->utf16.bad && !n->utf8.bad;
    if (!ok)
        needle_done(n);
    return ok;
}

void needle_done(struct needle *n)
{
    writer_free(&n->latin1);
    writer_free(&n->utf16);
    writer_free(&n->utf8);
}

bool needle_in(const struct needle *n, const struct hs_object *o)
{
    if (!o->has_string || n->utf16.size == 0)
        return o->has_string;
    if (o->latin1)
        return n->fits_latin1 && o->data_bytes > 0 &&
               memmem(o->data, o->data_bytes, n->latin1.data, n->latin1.size) != NULL;
    const char *first = o->data, *at = first, *end = first + o->data_bytes;
    while (at < end) {
        at = memmem(at, (size_t)(end - at), n->utf16.data, n->utf16.size);
        if (at == NULL)
            return false;
        if ((at - first) % 2 == 0) /* a match must begin at a unit */
            return true;
        at++;
    }
    return false;
}

bool needle_in_object(const struct needle *n, hs_trace *t, uint32_t id)
{
    const struct hs_object *o = hs_object_get(t, id);
    struct writer text = { 0 };
    struct value v;
    if (o == NULL || o->has_string)
        return o != NULL && needle_in(n, o);
    bool found = objects_value(t, id).size > 0 && value_put(t, id, 0, NULL, &v, &text) && text.size >= n->utf8.size &&
                 (n->utf8.size == 0 || memmem(text.data, text.size, n->utf8.data, n->utf8.size) != NULL);
    writer_free(&text);
    return found;
}

bool hs_string_contains(const struct hs_object *object, const char *text)
{
    struct needle n;
    if (!needle_init(&n, text))
        return false;
    bool found = needle_in(&n, object);
    needle_done(&n);
    return found;
}
