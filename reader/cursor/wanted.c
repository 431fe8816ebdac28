/* wanted.c - see wanted.h. */
#include "reader/cursor/wanted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/mutf8.h"
#include "formats/values.h"
#include "reader/code/code.h"
#include "reader/cursor/needle.h"

/* ---- parsing ---- */

/* What is not one of the other forms: a date, path, list, ..., or the name of a constant. */
static bool is_text(const char *text)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";
    const char *dot = strrchr(text, '.'), *name = dot != NULL ? dot + 1 : text;
    bool constant = *name != '\0' && strchr("0123456789", *name) == NULL && strspn(name, capitals) == strlen(name);
    return strchr("\"'", *text) == NULL && strchr(text, '#') == NULL && (constant || strpbrk(text, "-:[{/") != NULL);
}

/* The UTF-16 unit of a text of one character; -1: it is none of one unit. */
static int32_t unit_of(const char *text, size_t size)
{
    const uint8_t *t = (const uint8_t *)text;
    uint32_t c = size > 0 ? t[0] : 0;
    const size_t length = size == 0 ? 0 : c < 0x80 ? 1 : utf8_char(t, size, &c);
    return length > 0 && length == size && c <= UINT16_MAX ? (int32_t)c : -1;
}

/* One character other than a digit; t and f also mean true and false. */
static bool parse_bare(struct wanted *w, const char *text)
{
    const int32_t unit = unit_of(text, strlen(text));
    w->character = unit >= 0 && (unit < '0' || unit > '9');
    w->unit = w->character ? (uint16_t)unit : 0;
    w->boolean = w->character && (unit == 't' || unit == 'f');
    w->truth = unit == 't';
    return w->character;
}

/* 'x', or 'x' (120) as print shows it; also without escapes: '\' and '\''. */
static bool parse_character(struct wanted *w, const char *text, const char *behind)
{
    const struct shown_value *s = &w->shown;
    const bool alone = (text[1] == '\\' || text[1] == '\'') && strcmp(text + 2, "'") == 0;
    const int32_t unit = alone ? (unsigned char)text[1] : *behind == '\0' ? unit_of(s->text, s->size) : -1;
    w->character = unit >= 0;
    w->unit = w->character ? (uint16_t)unit : 0;
    return w->character;
}

enum status wanted_parse(struct wanted *w, const char *text, struct error *err)
{
    const char *at = text, *expected;
    struct shown_value *s = &w->shown;
    *w = (struct wanted){ 0 };
    expected = shown_read(&at, OPERATOR_EQ, s);
    bool ok = expected == NULL;
    if (expected != NULL && *expected == '\0') {
        wanted_done(w);
        return error_set(err, ERR_MEMORY, "out of memory");
    }
    if (strcmp(text, "null") == 0)
        w->null = true;
    else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        w->boolean = true;
        w->truth = *text == 't';
    } else if (*text == '"') {
        ok &= *at == '\0' && (s->quoted || s->is_object);
        w->string = ok;
        w->object = ok && s->is_object;
    } else if (*text == '\'' && text[1] != '\0')
        ok = parse_character(w, text, at);
    else if (parse_bare(w, text))
        ok = true;
    else if (ok && s->is_object)
        w->object = true;
    else {
        w->integer = ok && *at == '\0' && s->integer;
        w->bits = ok && *at == '\0' && s->bits;
        w->real = ok && *at == '\0' && s->real;
        ok = w->integer || w->bits || w->real || is_text(text);
    }
    if (ok && !w->string && !w->object && !w->null)
        w->text = text;
    const unsigned char *p = (const unsigned char *)s->text, *end = p + s->size;
    while (ok && w->string && p < end)
        needle_write_code(&w->units, needle_next_code(&p));
    if (ok && !w->units.bad)
        return OK;
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
    shown_done(&w->shown);
    *w = (struct wanted){ 0 };
}

/* ---- comparing ---- */

static bool same_real(double a, double b) { return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b); }

static bool is_integer(const struct wanted *w, uint8_t kind, uint64_t value)
{
    uint64_t mask = wanted_mask(kind);
    return (w->integer && (int64_t)value == w->shown.number) ||
           (w->bits && w->shown.pattern <= mask && (value & mask) == w->shown.pattern);
}

static uint16_t unit_at(const struct wanted *w, size_t i)
{
    return (uint16_t)(w->units.data[2 * i] | w->units.data[2 * i + 1] << 8);
}

static bool is_string(const struct wanted *w, const struct hs_object *o)
{
    size_t n = w->units.size / 2, there = o->latin1 ? o->data_bytes : o->data_bytes / 2;
    const uint8_t *p = o->data;
    if (!o->has_string || there < n || (!w->shown.begins && o->length != n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (unit_at(w, i) != (o->latin1 ? p[i] : (uint16_t)(p[2 * i] | p[2 * i + 1] << 8)))
            return false;
    return true;
}

/* Has the object the type that was typed before the #? An unknown type is named `object`. */
static bool is_type(const struct wanted *w, const struct hs_object *o)
{
    if (w->shown.type_length == 0)
        return true;
    char *typed = strndup(w->shown.text, w->shown.type_length);
    const bool same = typed != NULL && hs_class_matches(typed, o != NULL && o->type != NULL ? o->type : "object");
    free(typed);
    return same;
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
    if (w->object && value != w->shown.object)
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

static bool integer_among(const struct wanted *w, uint8_t kind, const struct segment_values *values)
{
    const uint64_t mask = wanted_mask(kind);
    if (w->integer && index_values_have(values, w->shown.number))
        return true;
    if (!w->bits || w->shown.pattern > mask)
        return false;
    return index_values_have(values, (int64_t)w->shown.pattern) ||
           index_values_have(values, (int64_t)(w->shown.pattern | ~mask));
}

static bool truth_among(const struct wanted *w, const struct segment_values *values)
{
    const bool has_false = index_values_have(values, 0);
    return w->boolean && (w->truth ? values->count > 1 || !has_false : has_false);
}

bool wanted_among(const struct wanted *w, uint8_t kind, const struct segment_values *values)
{
    const float single = (float)w->shown.fraction;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &single, sizeof low);
    memcpy(&bits, &w->shown.fraction, sizeof bits);
    switch (kind) {
    case KIND_VOID: return false;
    case KIND_REF:
        return (w->null && index_values_have(values, 0)) || ((w->string || w->object) && index_values_have(values, 1));
    case KIND_BOOLEAN: return truth_among(w, values);
    case KIND_FLOAT: return w->real && (isnan(single) || index_values_have(values, (int64_t)low));
    case KIND_DOUBLE: return w->real && (isnan(w->shown.fraction) || index_values_have(values, (int64_t)bits));
    case KIND_CHAR: return (w->character && index_values_have(values, w->unit)) || integer_among(w, kind, values);
    case KIND_BYTE: return truth_among(w, values) || integer_among(w, kind, values);
    default: return integer_among(w, kind, values);
    }
}

/* Can the text of this form begin as a number does? */
static bool may_be_number(int64_t form)
{
    static const enum value_form others[] = { VALUE_CONSTANT, VALUE_OPTIONAL,  VALUE_PAIR,     VALUE_ONE,   VALUE_LIST,
                                              VALUE_MAP,      VALUE_MAP_ENTRY, VALUE_DURATION, VALUE_PERIOD };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (form == (int64_t)others[i])
            return false;
    return form != VALUE_RECORD;
}

bool wanted_stood_for(const struct wanted *w, uint8_t kind, const struct segment_values *values)
{
    if (w->text == NULL)
        return false;
    if (kind != KIND_REF)
        return wanted_among(w, kind, values);
    const char first = *w->text == '-' ? w->text[1] : *w->text;
    bool may = first < '0' || first > '9' || values->count > VALUES_LISTED;
    for (uint32_t i = 0; !may && i < values->count; i++)
        may = may_be_number(values->keys[i]);
    return may;
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
        return w->real && (same_real(single, w->shown.fraction) || same_real(single, (double)(float)w->shown.fraction));
    case KIND_DOUBLE: memcpy(&real, &value, sizeof real); return w->real && same_real(real, w->shown.fraction);
    case KIND_CHAR: return (w->character && value == w->unit) || is_integer(w, kind, value);
    default: return is_integer(w, kind, value);
    }
}
