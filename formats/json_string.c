/* json_string.c - see json_string.h. */
#include "formats/json_string.h"

#include <stdbool.h>

#include "formats/mutf8.h"
#include "formats/visible.h"

enum { REPLACEMENT = 0xfffd };

static void put_escape(struct writer *w, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    char b[6] = {
        '\\', 'u', digits[unit >> 12 & 15], digits[unit >> 8 & 15], digits[unit >> 4 & 15], digits[unit & 15]
    };
    write_bytes(w, b, sizeof b);
}

static void put_json_ascii(struct writer *w, uint8_t c)
{
    static const char names[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r' };
    if (c == '"' || c == '\\') {
        write_u1(w, '\\');
        write_u1(w, c);
    } else if (c < sizeof names && names[c] != 0) {
        write_u1(w, '\\');
        write_u1(w, (uint8_t)names[c]);
    } else {
        put_escape(w, c);
    }
}

static bool json_plain(uint8_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void json_write_string(const void *text, size_t n, struct writer *out)
{
    const uint8_t *s = text;
    write_u1(out, '"');
    for (size_t i = 0; i < n;) {
        size_t run = i;
        while (run < n && json_plain(s[run]))
            run++;
        write_bytes(out, s + i, run - i);
        i = run;
        if (i == n)
            break;
        uint32_t c = 0;
        size_t length = 1;
        if (s[i] < 0x80) {
            put_json_ascii(out, s[i]);
        } else if ((length = utf8_char(s + i, n - i, &c)) == 0) {
            put_escape(out, REPLACEMENT);
            length = 1;
        } else if (!visible_code(c)) { /* all of them have 16 bits */
            put_escape(out, c);
        } else {
            write_bytes(out, s + i, length);
        }
        i += length;
    }
    write_u1(out, '"');
}
