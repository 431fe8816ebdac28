/* json.c - see json.h. */
#include "formats/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"
#include "formats/visible.h"

enum { REPLACEMENT = 0xfffd };

/* ---- strings ---- */

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

size_t json_plain_run(const void *s, size_t n)
{
    const unsigned char *p = s;
    size_t i = 0;
    while (i < n && is_plain(p[i]))
        i++;
    return i;
}

static void write_utf8(json_write_fn *write, void *to, uint32_t c)
{
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    uint8_t bytes[4] = { (uint8_t)(n == 2 ? 0xc0 | c >> 6 : n == 3 ? 0xe0 | c >> 12 : 0xf0 | c >> 18) };
    for (size_t i = 1; i < n; i++)
        bytes[i] = (uint8_t)(0x80 | (c >> (6 * (n - 1 - i)) & 0x3f));
    write(to, bytes, n);
}

static void write_hex(json_write_fn *write, void *to, uint32_t c)
{
    static const char hex[] = "0123456789abcdef";
    char escape[6] = { '\\', 'u', hex[c >> 12 & 15], hex[c >> 8 & 15], hex[c >> 4 & 15], hex[c & 15] };
    write(to, escape, sizeof escape);
}

void json_escape_code(json_write_fn *write, void *to, uint32_t c)
{
    static const char letters[] = "btn.fr"; /* of 8 to 13; 11 has none */
    char pair[2] = { '\\', (char)c };
    if (c == '"' || c == '\\') {
        write(to, pair, 2);
    } else if (c >= 8 && c <= 13 && c != 11) {
        pair[1] = letters[c - 8];
        write(to, pair, 2);
    } else if (!visible_code(c)) { /* all of them are below U+10000 */
        write_hex(write, to, c);
    } else if (c < 0x80) {
        write(to, pair + 1, 1);
    } else {
        write_utf8(write, to, c);
    }
}

/* Decodes one character of UTF-8 or WTF-8; its bytes, 0 if it is malformed. */
static size_t decode(const uint8_t *p, size_t n, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 }; /* by length */
    size_t length = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf8 ? 4 : 0;
    if (length == 0 || length > n)
        return 0;
    uint32_t c = length == 1 ? *p : *p & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    bool nul = length == 2 && c == 0;
    if (c > 0x10ffff || (c < least[length] && !nul))
        return 0;
    *code = c;
    return length;
}

void json_escape(json_write_fn *write, void *to, const void *s, size_t n)
{
    if (n == 0) /* then it may be NULL */
        return;
    const uint8_t *p = s, *end = p + n;
    while (p < end) {
        size_t run = json_plain_run(p, (size_t)(end - p));
        uint32_t code;
        if (run > 0)
            write(to, p, run);
        p += run;
        if (p == end)
            return;
        size_t length = decode(p, (size_t)(end - p), &code);
        if (length > 0)
            json_escape_code(write, to, code);
        else
            write_hex(write, to, REPLACEMENT);
        p += length > 0 ? length : 1;
    }
}

/* ---- numbers ---- */

static const char *special(double v)
{
    if (isnan(v))
        return "NaN";
    if (isinf(v))
        return v < 0 ? "-Infinity" : "Infinity";
    return NULL;
}

static const char *with_point(char digits[JSON_NUMBER_MAX])
{
    if (strpbrk(digits, ".e") == NULL)
        memcpy(digits + strlen(digits), ".0", 3);
    return digits;
}

const char *json_float_digits(uint32_t bits, char digits[JSON_NUMBER_MAX])
{
    float v;
    memcpy(&v, &bits, sizeof v);
    if (special((double)v) != NULL)
        return special((double)v);
    for (int precision = 6; precision <= 9; precision++) {
        (void)snprintf(digits, JSON_NUMBER_MAX, "%.*g", precision, (double)v);
        if (strtof(digits, NULL) == v)
            break;
    }
    return with_point(digits);
}

const char *json_double_digits(uint64_t bits, char digits[JSON_NUMBER_MAX])
{
    double v;
    memcpy(&v, &bits, sizeof v);
    if (special(v) != NULL)
        return special(v);
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(digits, JSON_NUMBER_MAX, "%.*g", precision, v);
        if (strtod(digits, NULL) == v)
            break;
    }
    return with_point(digits);
}

/* ---- nesting ---- */

void json_init(struct json *j, json_write_fn *write, void *to)
{
    *j = (struct json){ .write = write, .to = to, .first = true };
}

void json_to_writer(void *writer, const void *bytes, size_t n) { write_bytes(writer, bytes, n); }

static bool in_object(const struct json *j) { return j->depth > 0 && (j->objects >> (j->depth - 1) & 1) != 0; }

static void put(struct json *j, const char *s) { j->write(j->to, s, strlen(s)); }

/* The comma before a member or an element. */
static void separate(struct json *j)
{
    assert(!j->in_text);
    if (!j->first && j->depth > 0)
        j->write(j->to, ",", 1);
    j->first = false;
}

static void before_value(struct json *j)
{
    if (in_object(j)) {
        assert(j->named && !j->in_text);
        j->named = false;
        return;
    }
    separate(j);
}

static void open_level(struct json *j, bool object)
{
    before_value(j);
    assert(j->depth < JSON_DEPTH_MAX);
    uint64_t bit = UINT64_C(1) << j->depth;
    j->objects = object ? j->objects | bit : j->objects & ~bit;
    j->depth++;
    j->first = true;
    j->write(j->to, object ? "{" : "[", 1);
}

void json_object(struct json *j) { open_level(j, true); }
void json_array(struct json *j) { open_level(j, false); }

void json_end(struct json *j)
{
    assert(j->depth > 0 && !j->named && !j->in_text);
    j->write(j->to, in_object(j) ? "}" : "]", 1);
    j->depth--;
    j->first = false;
}

void json_end_line(struct json *j)
{
    json_end(j);
    assert(j->depth == 0);
    j->write(j->to, "\n", 1);
}

void json_name_n(struct json *j, const void *name, size_t n)
{
    assert(in_object(j) && !j->named);
    separate(j);
    j->write(j->to, "\"", 1);
    json_escape(j->write, j->to, name, n);
    j->write(j->to, "\":", 2);
    j->named = true;
}

void json_name(struct json *j, const char *name) { json_name_n(j, name, strlen(name)); }

void json_name_u64(struct json *j, uint64_t name)
{
    char digits[JSON_NUMBER_MAX];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)name);
    json_name(j, digits);
}

/* ---- values ---- */

void json_null(struct json *j)
{
    before_value(j);
    put(j, "null");
}

void json_bool(struct json *j, bool v)
{
    before_value(j);
    put(j, v ? "true" : "false");
}

static void write_digits(struct json *j, uint64_t v, bool negative)
{
    char digits[JSON_NUMBER_MAX], *end = digits + sizeof digits, *p = end;
    before_value(j);
    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    if (negative)
        *--p = '-';
    j->write(j->to, p, (size_t)(end - p));
}

void json_u64(struct json *j, uint64_t v) { write_digits(j, v, false); }
void json_i64(struct json *j, int64_t v) { write_digits(j, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0); }

/* A number, or the name of a special one. */
static void write_number(struct json *j, const char *digits)
{
    bool name = digits[0] == 'N' || digits[0] == 'I' || digits[1] == 'I';
    if (name) {
        json_text(j, digits);
        return;
    }
    before_value(j);
    put(j, digits);
}

void json_float(struct json *j, uint32_t bits)
{
    char digits[JSON_NUMBER_MAX];
    write_number(j, json_float_digits(bits, digits));
}

void json_double(struct json *j, uint64_t bits)
{
    char digits[JSON_NUMBER_MAX];
    write_number(j, json_double_digits(bits, digits));
}

void json_rounded(struct json *j, double v, int precision)
{
    char digits[JSON_NUMBER_MAX];
    (void)snprintf(digits, sizeof digits, "%.*g", precision, v);
    write_number(j, special(v) != NULL ? special(v) : digits);
}

void json_text_begin(struct json *j)
{
    before_value(j);
    j->in_text = true;
    j->write(j->to, "\"", 1);
}

void json_text_part(struct json *j, const void *s, size_t n)
{
    assert(j->in_text);
    json_escape(j->write, j->to, s, n);
}

void json_text_code(struct json *j, uint32_t code)
{
    assert(j->in_text);
    json_escape_code(j->write, j->to, code);
}

void json_text_end(struct json *j)
{
    assert(j->in_text);
    j->in_text = false;
    j->write(j->to, "\"", 1);
}

void json_text_n(struct json *j, const void *s, size_t n)
{
    json_text_begin(j);
    json_text_part(j, s, n);
    json_text_end(j);
}

void json_text(struct json *j, const char *s) { json_text_n(j, s, strlen(s)); }

void json_raw(struct json *j) { before_value(j); }

void json_members(struct json *j, const void *bytes, size_t n)
{
    assert(in_object(j) && !j->named);
    if (n == 0)
        return;
    separate(j);
    j->write(j->to, bytes, n);
}

void json_member_u64(struct json *j, const char *name, uint64_t v)
{
    json_name(j, name);
    json_u64(j, v);
}

void json_member_u64s(struct json *j, const char *name, const uint64_t *values, size_t n)
{
    json_name(j, name);
    json_array(j);
    for (size_t i = 0; i < n; i++)
        json_u64(j, values[i]);
    json_end(j);
}

void json_member_i64(struct json *j, const char *name, int64_t v)
{
    json_name(j, name);
    json_i64(j, v);
}

void json_member_bool(struct json *j, const char *name, bool v)
{
    json_name(j, name);
    json_bool(j, v);
}

void json_member_text(struct json *j, const char *name, const char *s)
{
    json_name(j, name);
    json_text(j, s);
}
