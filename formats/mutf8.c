/* mutf8.c - text conversion (mutf8.h). */
#include "formats/mutf8.h"

enum { REPLACEMENT = 0xfffd, HIGH_FIRST = 0xd800, LOW_FIRST = 0xdc00, SURROGATES_END = 0xe000 };

static bool is_high(uint32_t c) { return c >= HIGH_FIRST && c < LOW_FIRST; }
static bool is_low(uint32_t c) { return c >= LOW_FIRST && c < SURROGATES_END; }
static uint32_t joined(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - HIGH_FIRST) << 10) + (low - LOW_FIRST);
}

static void put_char(struct writer *w, uint32_t c)
{
    uint8_t b[4];
    size_t n;
    if (c < 0x80) {
        b[0] = (uint8_t)c;
        n = 1;
    } else if (c < 0x800) {
        b[0] = (uint8_t)(0xc0 | c >> 6);
        b[1] = (uint8_t)(0x80 | (c & 0x3f));
        n = 2;
    } else if (c < 0x10000) {
        b[0] = (uint8_t)(0xe0 | c >> 12);
        b[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        b[2] = (uint8_t)(0x80 | (c & 0x3f));
        n = 3;
    } else {
        b[0] = (uint8_t)(0xf0 | c >> 18);
        b[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        b[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        b[3] = (uint8_t)(0x80 | (c & 0x3f));
        n = 4;
    }
    write_bytes(w, b, n);
}

/* Bytes of ASCII (without NUL) at the start of s. */
static size_t ascii_run(const uint8_t *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] - 1u < 0x7f)
        i++;
    return i;
}

bool mutf8_is_ascii(const void *s, size_t n) { return ascii_run(s, n) == n; }

/* One code unit of Modified UTF-8 in 2 or 3 bytes; its length, 0 if malformed. Overlong forms other than c0 80 are
 * taken as the JVM takes them. */
static size_t mutf8_unit(const uint8_t *s, size_t n, uint32_t *unit)
{
    if (n >= 2 && (s[0] & 0xe0) == 0xc0 && (s[1] & 0xc0) == 0x80) {
        *unit = (uint32_t)(s[0] & 0x1f) << 6 | (s[1] & 0x3f);
        return 2;
    }
    if (n >= 3 && (s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
        *unit = (uint32_t)(s[0] & 0x0f) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
        return 3;
    }
    return 0;
}

bool mutf8_to_utf8(const void *text, size_t n, struct writer *out)
{
    const uint8_t *s = text;
    bool good = true;
    for (size_t i = 0; i < n;) {
        size_t run = ascii_run(s + i, n - i);
        if (run != 0) {
            write_bytes(out, s + i, run);
            i += run;
            continue;
        }
        uint32_t c = 0, low = 0;
        size_t length = mutf8_unit(s + i, n - i, &c);
        if (length == 0) {
            good = false;
            c = REPLACEMENT;
            length = 1;
        } else if (is_high(c) && mutf8_unit(s + i + length, n - i - length, &low) == 3 && is_low(low)) {
            c = joined(c, low);
            length += 3;
        }
        put_char(out, c);
        i += length;
    }
    return good;
}

bool mutf8_is(const void *s, size_t n, const char *utf8)
{
    const size_t size = strlen(utf8);
    if (mutf8_is_ascii(s, n))
        return n == size && memcmp(s, utf8, n) == 0;
    struct writer w = { 0 };
    (void)mutf8_to_utf8(s, n, &w);
    const bool same = !w.bad && w.size == size && memcmp(w.data, utf8, size) == 0;
    writer_free(&w);
    return same;
}

void latin1_to_utf8(const void *text, size_t n, struct writer *out)
{
    const uint8_t *s = text;
    for (size_t i = 0; i < n;) {
        size_t run = ascii_run(s + i, n - i);
        if (run != 0)
            write_bytes(out, s + i, run);
        else
            put_char(out, s[i]);
        i += run != 0 ? run : 1;
    }
}

static uint32_t unit_at(const uint8_t *s) { return (uint32_t)s[0] | (uint32_t)s[1] << 8; }

void utf16le_to_utf8(const void *text, size_t n, struct writer *out)
{
    const uint8_t *s = text;
    size_t i = 0;
    for (; n - i >= 2; i += 2) {
        uint32_t c = unit_at(s + i);
        if (is_high(c) && n - i >= 4 && is_low(unit_at(s + i + 2))) {
            c = joined(c, unit_at(s + i + 2));
            i += 2;
        }
        put_char(out, c);
    }
    if (i != n)
        put_char(out, REPLACEMENT);
}

size_t utf8_char(const uint8_t *s, size_t n, uint32_t *c)
{
    size_t length = mutf8_unit(s, n, c);
    if (length == 2)
        return *c >= 0x80 ? 2 : 0;
    if (length == 3)
        return *c >= 0x800 ? 3 : 0;
    if (n < 4 || (s[0] & 0xf8) != 0xf0 || (s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80 || (s[3] & 0xc0) != 0x80)
        return 0;
    *c = (uint32_t)(s[0] & 7) << 18 | (uint32_t)(s[1] & 0x3f) << 12 | (uint32_t)(s[2] & 0x3f) << 6 | (s[3] & 0x3f);
    return *c >= 0x10000 && *c < 0x110000 ? 4 : 0;
}

bool utf8_is_text(const void *text, size_t n)
{
    const uint8_t *s = text;
    for (size_t i = 0, length = 1; i < n; i += length) {
        uint32_t c = 0;
        length = s[i] < 0x80 ? 1 : utf8_char(s + i, n - i, &c);
        if (length == 0 || (length == 1 && (s[i] < 0x20 || s[i] == 0x7f)) || (c >= HIGH_FIRST && c < SURROGATES_END))
            return false;
    }
    return true;
}

bool names_to_utf8(const void *names, size_t n, struct writer *out)
{
    const uint8_t *s = names;
    bool exact = true;
    for (size_t i = 0, length; i < n; i += length) {
        uint32_t c = s[i];
        length = c < 0x80 ? 1 : utf8_char(s + i, n - i, &c);
        if (n - i >= 2 && s[i] == 0xc0 && s[i + 1] == 0x80) {
            length = 2;
            write_u1(out, 0);
        } else if (length == 0 || (c >= 0xd800 && c < 0xe000)) {
            length = length > 0 ? length : 1;
            exact = false;
            write_bytes(out, "\xef\xbf\xbd", 3);
        } else {
            write_bytes(out, s + i, length);
        }
    }
    return exact;
}
