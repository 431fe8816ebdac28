/* wanted.c - see wanted.h. */
#include "reader/cursor/wanted.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/values.h"
#include "reader/code/code.h"
#include "reader/cursor/needle.h"

/* ---- parsing ---- */

static bool parse_number(struct wanted *w, const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    errno = 0;
    w->number = strtoll(text, &end, hex ? 16 : 10);
    w->integer = errno == 0 && end != text && *end == '\0';
    if (hex && *text != '-') {
        errno = 0;
        w->pattern = strtoull(text, &end, 16);
        w->bits = errno == 0 && *end == '\0';
    }
    w->value = strtod(text, &end);
    w->real = end != text && *end == '\0';
    return w->integer || w->bits || w->real;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The character after a backslash; false if it is not an escape. */
static bool parse_escape(struct wanted *w, const unsigned char **at)
{
    static const char letters[] = "btnfr\"\\/'", meanings[] = "\b\t\n\f\r\"\\/'";
    const unsigned char *p = *at;
    const char *letter = *p != '\0' ? strchr(letters, *p) : NULL;
    if (letter != NULL) {
        *at = p + 1;
        needle_write_code(&w->units, (unsigned char)meanings[letter - letters]);
        return true;
    }
    uint32_t unit = 0;
    for (int i = 1; *p == 'u' && i <= 4; i++) {
        int digit = hex_digit((char)p[i]);
        if (digit < 0)
            return false;
        unit = unit << 4 | (uint32_t)digit;
    }
    if (*p != 'u')
        return false;
    *at = p + 5;
    needle_write_code(&w->units, unit);
    return true;
}

/* Sets the units to the text between the quote at `text` and the next such quote. Returns what follows that; NULL if
 * there is no closing quote. */
static const char *parse_quoted(struct wanted *w, const char *text)
{
    const unsigned char *p = (const unsigned char *)text + 1;
    w->units.size = 0;
    while (*p != (unsigned char)*text) {
        if (*p == '\0')
            return NULL;
        if (*p != '\\') {
            needle_write_code(&w->units, needle_next_code(&p));
            continue;
        }
        p++;
        if (!parse_escape(w, &p))
            return NULL;
    }
    return (const char *)p + 1;
}

static uint16_t unit_at(const struct wanted *w, size_t i)
{
    return (uint16_t)(w->units.data[2 * i] | w->units.data[2 * i + 1] << 8);
}

/* 'x', or 'x' (120) as print shows it. Also without escapes: '\' and '''. */
static bool parse_character(struct wanted *w, const char *text)
{
    const char *rest = parse_quoted(w, text);
    bool alone = text[1] != '\0' && text[2] == '\'' && (text[1] == '\\' || text[1] == '\'');
    if (alone && (rest == NULL || w->units.size != 2)) {
        w->units.size = 0;
        needle_write_code(&w->units, (unsigned char)text[1]);
        rest = text + 3;
    }
    if (rest == NULL || w->units.size != 2)
        return false;
    w->unit = unit_at(w, 0);
    w->character = true;
    if (*rest == '\0')
        return true;
    char *end;
    return rest[0] == ' ' && rest[1] == '(' && strtoul(rest + 2, &end, 10) == w->unit && strcmp(end, ")") == 0;
}

/* The id in "#12". */
static bool parse_id(struct wanted *w, const char *hash)
{
    char *end;
    if (hash == NULL || hash[0] != '#' || hash[1] < '0' || hash[1] > '9')
        return false;
    errno = 0;
    unsigned long long id = strtoull(hash + 1, &end, 10);
    w->object = errno == 0 && (*end == '\0' || *end == ' ') && id > 0 && id <= UINT32_MAX;
    w->id = (uint32_t)id;
    return w->object;
}

static bool parse_string(struct wanted *w, const char *text)
{
    const char *rest = parse_quoted(w, text);
    w->string = rest != NULL;
    if (rest == NULL)
        return false;
    w->begins = strncmp(rest, "...", 3) == 0;
    rest += w->begins ? 3 : 0;
    return *rest == '\0' || parse_id(w, rest);
}

/* What is not one of the other forms: a date, path, list, ..., or the name of a constant. */
static bool is_text(const char *text)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";
    const char *dot = strrchr(text, '.'), *name = dot != NULL ? dot + 1 : text;
    bool constant = *name != '\0' && strchr("0123456789", *name) == NULL && strspn(name, capitals) == strlen(name);
    return strchr("\"'", *text) == NULL && strchr(text, '#') == NULL && (constant || strpbrk(text, "-:[{/") != NULL);
}

static bool parse_object(struct wanted *w, const char *text)
{
    const char *hash = strchr(text, '#');
    if (!parse_id(w, hash))
        return false;
    if (hash > text)
        w->type = strndup(text, (size_t)(hash - text));
    return true;
}

/* One character other than a digit; t and f also mean true and false. */
static bool parse_bare(struct wanted *w, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    uint32_t code = *p != '\0' ? needle_next_code(&p) : 0;
    if (code == 0 || *p != '\0' || code > 0xffff || (code >= '0' && code <= '9'))
        return false;
    w->character = true;
    w->unit = (uint16_t)code;
    w->boolean = code == 't' || code == 'f';
    w->truth = code == 't';
    return true;
}

enum status wanted_parse(struct wanted *w, const char *text, struct error *err)
{
    *w = (struct wanted){ 0 };
    bool ok = true;
    if (strcmp(text, "null") == 0)
        w->null = true;
    else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        w->boolean = true;
        w->truth = *text == 't';
    } else if (*text == '"')
        ok = parse_string(w, text);
    else if (*text == '\'' && text[1] != '\0')
        ok = parse_character(w, text);
    else
        ok = parse_bare(w, text) || parse_number(w, text) || parse_object(w, text) || is_text(text);
    if (ok && !w->string && !w->object && !w->null)
        w->text = text;
    if (ok && !w->units.bad)
        return OK;
    ok = w->units.bad;
    wanted_done(w);
    if (ok)
        return error_set(err, ERR_MEMORY, "out of memory");
    return error_set(
        err, ERR_USAGE,
        "value %.100s: expected a number (42, 0x2a, -1.5, NaN, Infinity), true, false, null, a character ('x'), "
        "a string (\"text\", \"begin\"..., or \"text\"#12) or an object (Type#12, or what it is shown as: 2026-01-02, "
        "HALF_UP)",
        text);
}

void wanted_done(struct wanted *w)
{
    writer_free(&w->units);
    free(w->type);
}

/* ---- comparing ---- */

static bool same_real(double a, double b) { return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b); }

static unsigned width_bits(uint8_t kind)
{
    switch (kind) {
    case KIND_BYTE: return 8;
    case KIND_SHORT:
    case KIND_CHAR: return 16;
    case KIND_LONG: return 64;
    default: return 32;
    }
}

static bool is_integer(const struct wanted *w, uint8_t kind, uint64_t value)
{
    uint64_t mask = UINT64_MAX >> (64 - width_bits(kind));
    return (w->integer && (int64_t)value == w->number) ||
           (w->bits && w->pattern <= mask && (value & mask) == w->pattern);
}

static bool is_string(const struct wanted *w, const struct hs_object *o)
{
    size_t n = w->units.size / 2, there = o->latin1 ? o->data_bytes : o->data_bytes / 2;
    const uint8_t *p = o->data;
    if (!o->has_string || there < n || (!w->begins && o->length != n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (unit_at(w, i) != (o->latin1 ? p[i] : (uint16_t)(p[2 * i] | p[2 * i + 1] << 8)))
            return false;
    return true;
}

/* Has the object the type that was typed before the #? An unknown type is named `object`. */
static bool is_type(const struct wanted *w, const struct hs_object *o)
{
    const char *type = o != NULL && o->type != NULL ? o->type : "object";
    return hs_class_matches(w->type, type);
}

/* Is this what the object stands for? */
static bool is_value(const struct wanted *w, hs_trace *t, uint32_t id)
{
    struct writer text = { 0 };
    struct value v;
    bool same = false;
    if (objects_value(t, id).size > 0 && value_put(t, id, 0, NULL, &v, &text) && !text.bad) {
        size_t n = strlen(w->text);
        const char *dot = v.form == VALUE_CONSTANT ? strrchr(w->text, '.') : NULL;
        same = v.kind != 0 ? wanted_is(w, t, (uint8_t)v.kind, v.bits)
                           : text.size == n && memcmp(text.data, w->text, n) == 0;
        if (dot != NULL && text.size == strlen(dot + 1) && memcmp(text.data, dot + 1, text.size) == 0) {
            const struct hs_object *o = hs_object_get(t, id);
            char *type = strndup(w->text, (size_t)(dot - w->text)),
                 *own = o != NULL && o->type != NULL ? strndup(o->type, value_enum_length(o->type)) : NULL;
            same = type != NULL && own != NULL && hs_class_matches(type, own);
            free(type);
            free(own);
        }
    }
    writer_free(&text);
    return same;
}

static bool is_reference(const struct wanted *w, hs_trace *t, uint64_t value)
{
    if (value != 0 && w->text != NULL && value <= UINT32_MAX)
        return is_value(w, t, (uint32_t)value);
    if (value == 0 || (!w->string && !w->object))
        return w->null && value == 0;
    if (w->object && value != w->id)
        return false;
    const struct hs_object *o = value <= UINT32_MAX ? hs_object_get(t, (uint32_t)value) : NULL;
    if (w->object && !is_type(w, o))
        return false;
    return !w->string || (o != NULL && is_string(w, o));
}

bool wanted_possible(const struct wanted *w, uint8_t kind)
{
    switch (kind) {
    case KIND_VOID: return false;
    case KIND_REF: return w->null || w->string || w->object || w->text != NULL;
    case KIND_BOOLEAN: return w->boolean;
    case KIND_FLOAT:
    case KIND_DOUBLE: return w->real;
    case KIND_CHAR: return w->character || w->integer || w->bits;
    default: return w->integer || w->bits;
    }
}

bool wanted_is(const struct wanted *w, hs_trace *t, uint8_t kind, uint64_t value)
{
    float single;
    double real;
    uint32_t low = (uint32_t)value;
    switch (kind) {
    case KIND_VOID: return false;
    case KIND_REF: return is_reference(w, t, value);
    case KIND_BOOLEAN: return w->boolean && (value != 0) == w->truth;
    case KIND_FLOAT:
        memcpy(&single, &low, sizeof single);
        return w->real && (same_real(single, w->value) || same_real(single, (double)(float)w->value));
    case KIND_DOUBLE: memcpy(&real, &value, sizeof real); return w->real && same_real(real, w->value);
    case KIND_CHAR: return (w->character && value == w->unit) || is_integer(w, kind, value);
    default: return is_integer(w, kind, value);
    }
}
