/* output_text.c - the bytes that a write of output had, and their text: see output_parts.h. */
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/query/output_parts.h"

void output_bytes(hs_trace *t, const struct output_write *w, struct writer *out, bool *cut)
{
    const struct hs_object *o = hs_object_get(t, (uint32_t)w->event.value);
    if (o == NULL || !o->has_string || o->cut)
        *cut = true;
    if (o == NULL || !o->has_string)
        return;
    if (w->bytes && o->latin1)
        write_bytes(out, o->data, o->data_bytes);
    else if (o->latin1)
        latin1_to_utf8(o->data, o->data_bytes, out);
    else
        utf16le_to_utf8(o->data, o->data_bytes, out);
}

const char *output_charset(hs_trace *t, const struct output_write *w, char name[CHARSET_MAX])
{
    const struct hs_object *o = w->bytes ? hs_object_get(t, (uint32_t)w->charset) : NULL;
    const bool fits = o != NULL && o->has_string && o->latin1 && o->data_bytes < CHARSET_MAX;
    if (!w->bytes)
        return NULL;
    (void)snprintf(name, CHARSET_MAX, "%.*s", fits ? (int)o->data_bytes : 0, fits ? (const char *)o->data : "");
    /* of a hostile trace: no options or paths of iconv_open */
    if (name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:")] != '\0')
        name[0] = '\0';
    return name;
}

static void write_unknown(struct writer *out) { write_bytes(out, "\xef\xbf\xbd", 3); }

/* Text that is UTF-8 but for some bytes. */
static void from_utf8(const uint8_t *s, size_t n, struct writer *out)
{
    while (n > 0) {
        uint32_t c;
        const size_t length = *s < 0x80 ? 1 : utf8_char(s, n, &c);
        if (*s == 0)
            write_bytes(out, "\xc0\x80", 2);
        else if (length == 0)
            write_unknown(out);
        else
            write_bytes(out, s, length);
        s += length != 0 ? length : 1;
        n -= length != 0 ? length : 1;
    }
}

/* Charsets of Java whose units have several bytes, as iconv calls them. Without a mark of their order of bytes, which
 * Java writes once, the first byte of a unit is its highest. */
static const struct wide {
    const char *name, *of_iconv;
    unsigned bytes;
    bool little;
} wides[] = {
    { "UTF-16", "UTF-16BE", 2, false },  { "UTF-16BE", "UTF-16BE", 2, false },
    { "UTF-16LE", "UTF-16LE", 2, true }, { "x-UTF-16LE-BOM", "UTF-16LE", 2, true },
    { "UTF-32", "UTF-32BE", 4, false },  { "UTF-32BE", "UTF-32BE", 4, false },
    { "UTF-32LE", "UTF-32LE", 4, true },
};

static const struct wide *wide_of(const char *charset)
{
    for (size_t i = 0; charset != NULL && i < sizeof wides / sizeof *wides; i++)
        if (strcmp(charset, wides[i].name) == 0)
            return &wides[i];
    return NULL;
}

unsigned output_unit(const char *charset)
{
    const struct wide *w = wide_of(charset);
    return w != NULL ? w->bytes : 1;
}

bool output_is(const uint8_t *unit, const char *charset, uint8_t ascii)
{
    const struct wide *w = wide_of(charset);
    const unsigned n = w != NULL ? w->bytes : 1, at = w != NULL && !w->little ? n - 1 : 0;
    for (unsigned i = 0; i < n; i++)
        if (unit[i] != (i == at ? ascii : 0))
            return false;
    return true;
}

/* A mark of the order of bytes, at the beginning; how many bytes it has. */
static size_t mark_size(const struct wide *w, const uint8_t *s, size_t n)
{
    static const uint8_t big[4] = { 0, 0, 0xfe, 0xff }, little[4] = { 0xff, 0xfe, 0, 0 };
    return n >= w->bytes && memcmp(s, w->little ? little : big + 4 - w->bytes, w->bytes) == 0 ? w->bytes : 0;
}

void output_text(const void *bytes, size_t n, const char *charset, struct writer *out)
{
    const bool utf8 = charset == NULL || strcmp(charset, "UTF-8") == 0;
    const struct wide *wide = wide_of(charset);
    if (wide != NULL) {
        const size_t mark = mark_size(wide, bytes, n);
        bytes = (const uint8_t *)bytes + mark;
        n -= mark;
        charset = wide->of_iconv;
    }
    iconv_t to = utf8 || *charset == '\0' ? (iconv_t)-1 : iconv_open("UTF-8", charset);
    char *in = (char *)(uintptr_t)bytes;
    struct writer text = { 0 };
    if (to == (iconv_t)-1) {
        from_utf8(bytes, n, out);
        return;
    }
    while (n > 0) {
        char buffer[4096], *end = buffer;
        size_t room = sizeof buffer;
        const bool malformed = iconv(to, &in, &n, &end, &room) == (size_t)-1 && end == buffer;
        write_bytes(&text, buffer, (size_t)(end - buffer));
        if (malformed) {
            write_unknown(&text);
            in++;
            n--;
        }
    }
    (void)iconv_close(to);
    from_utf8(text.data, text.size, out);
    out->bad |= text.bad;
    writer_free(&text);
}
