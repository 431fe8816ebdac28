/* natives_text.c - strings and their builders; see natives.h. Letters beyond ASCII have cases that depend on the
 * release of Unicode, so their case is not known. */
#include <stdio.h>

#include "formats/json.h"
#include "reader/execute/natives.h"

enum { REAL_DIGITS_FLOAT = 8, REAL_DIGITS_DOUBLE = 16 };

bool append_unit(struct machine *m, units_vec *to, uint16_t unit)
{
    uint16_t *at = to->count < UNITS_MAX ? vec_push(to) : NULL;
    if (at == NULL)
        return to->count < UNITS_MAX ? end_memory(m) : end_limit(m, "a string is too long");
    *at = unit;
    return true;
}

bool append_units(struct machine *m, units_vec *to, const uint16_t *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!append_unit(m, to, units[i]))
            return false;
    return true;
}

bool append_ascii(struct machine *m, units_vec *to, const char *text)
{
    for (; *text != '\0'; text++)
        if (!append_unit(m, to, (uint8_t)*text))
            return false;
    return true;
}

bool finish_text(struct machine *m, units_vec *units, struct jvalue *out)
{
    const bool done = make_string(m, units->items, units->count, out);
    vec_free(units);
    return done;
}

/* ---- units ---- */

static const uint16_t *recorded_units(struct machine *m, uint32_t id, uint32_t *count)
{
    const struct hs_object *o = hs_object_get(m->trace, id);
    if (o == NULL || !o->has_string || o->cut || o->length > UNITS_MAX)
        return end_not_known(m, "the string %u was not recorded%s", id, o != NULL && o->cut ? " whole" : ""), NULL;
    uint16_t *units = arena_array(&m->arena, (size_t)o->length + 1, sizeof *units);
    if (units == NULL)
        return end_memory(m), NULL;
    const uint8_t *data = o->data;
    for (size_t i = 0; i < o->length; i++)
        units[i] = o->latin1 ? data[i] : (uint16_t)(data[2 * i] | data[2 * i + 1] << 8);
    *count = (uint32_t)o->length;
    return spend(m, o->length / STEP_UNITS) ? units : NULL;
}

/* A recorded builder is copied when it is first used; `written` then has the copy. */
struct made *builder_of(struct machine *m, struct jvalue v)
{
    static const struct field_site copy = { .member = "(builder)", .letter = 'L' };
    struct made *made = made_of(m, v);
    const char *why = NULL;
    struct jvalue at;
    struct held held;
    if (made != NULL)
        return made;
    if (written_member(m, v, &copy, &at))
        return made_of(m, at);
    if (!m->heap.contents(m->heap.context, (uint32_t)v.bits, &held, &why) || held.text == NULL)
        return end_not_known(m, "%s", why != NULL ? why : "what a builder held is not known"), NULL;
    if (!make_text(m, held.text, strlen(held.text), &at) || !put_member(m, v, &copy, at))
        return NULL;
    made = made_of(m, at);
    made->is = MADE_BUILDER;
    return made;
}

const uint16_t *units_of(struct machine *m, struct jvalue v, uint32_t *count)
{
    const enum nature nature = nature_of(m, v);
    const struct made *made = nature == NATURE_BUILDER ? builder_of(m, v) : made_of(m, v);
    if (nature != NATURE_STRING && nature != NATURE_BUILDER)
        return end_not_known(m, "the characters of an object that is no string"), NULL;
    if (made == NULL)
        return nature == NATURE_STRING ? recorded_units(m, (uint32_t)v.bits, count) : NULL;
    *count = made->count;
    return spend(m, made->count / STEP_UNITS) ? made->units : NULL;
}

/* ---- texts of values ---- */

/* As Double.toString and Float.toString of every JDK give numbers that need no exponent and few digits. */
static bool append_real(struct machine *m, units_vec *to, double value, const char *digits, size_t digits_max)
{
    const double size = value < 0 ? -value : value;
    const bool plain = size == 0 || size != size || (size >= 1e-3 && size < 1e7 && strlen(digits) <= digits_max);
    if (size > 1.7976931348623157e308)
        return append_ascii(m, to, value < 0 ? "-Infinity" : "Infinity");
    return plain ? append_ascii(m, to, digits) : end_not_known(m, "how this JDK writes the number %s", digits);
}

bool append_text(struct machine *m, units_vec *to, struct jvalue v, char letter)
{
    char digits[JSON_NUMBER_MAX];
    float single;
    double real;
    const uint32_t low = (uint32_t)v.bits;
    if (!known(m, v))
        return false;
    switch (letter) {
    case 'F':
        memcpy(&single, &low, sizeof single);
        return append_real(m, to, (double)single, json_float_digits(low, digits), REAL_DIGITS_FLOAT);
    case 'D':
        memcpy(&real, &v.bits, sizeof real);
        return append_real(m, to, real, json_double_digits(v.bits, digits), REAL_DIGITS_DOUBLE);
    case 'Z': return append_ascii(m, to, v.bits != 0 ? "true" : "false");
    case 'C': return append_unit(m, to, (uint16_t)v.bits);
    case 'B':
    case 'S':
    case 'I':
    case 'J':
        (void)snprintf(digits, sizeof digits, "%lld", (long long)(int64_t)v.bits);
        return append_ascii(m, to, digits);
    default: break;
    }
    if (v.bits == 0)
        return append_ascii(m, to, "null");
    struct jvalue text = v;
    uint32_t count;
    if (nature_of(m, v) != NATURE_STRING) {
        const struct invocation call = {
            .ref = { .name = TEXT_OF("toString"), .desc = TEXT_OF("()Ljava/lang/String;") }, .given = &v, .count = 1
        };
        if (!m->invoke(m, &call, &text))
            return false;
        if (!known(m, text))
            return false;
        if (text.bits == 0)
            return append_ascii(m, to, "null");
    }
    const uint16_t *units = units_of(m, text, &count);
    return units != NULL && append_units(m, to, units, count);
}

/* The letter of the descriptor's only parameter. */
static char first_letter(const struct invocation *i) { return i->ref.desc.size > 1 ? i->ref.desc.data[1] : ')'; }

bool text_value_of(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    units_vec units = { 0 };
    return append_text(m, &units, i->given[0], first_letter(i)) ? finish_text(m, &units, out)
                                                                : (vec_free(&units), false);
}

bool text_itself(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (nature_of(m, i->given[0]) == NATURE_STRING)
        return *out = i->given[0], units != NULL;
    return units != NULL && make_string(m, units, count, out);
}

/* ---- questions ---- */

bool int_of(struct machine *m, struct jvalue v, int32_t *out)
{
    *out = (int32_t)v.bits;
    return known(m, v);
}

bool text_length(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    if (units_of(m, i->given[0], &count) == NULL)
        return false;
    *out = int_value(text_is(i->ref.name, "isEmpty") ? count == 0 : count);
    return true;
}

bool text_char_at(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    int32_t at;
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || !int_of(m, i->given[1], &at))
        return false;
    if (at < 0 || (uint32_t)at >= count)
        return throws_unsaid(m, "java.lang.StringIndexOutOfBoundsException");
    *out = int_value(units[at]);
    return true;
}

static uint16_t lower(uint16_t c) { return c >= 'A' && c <= 'Z' ? (uint16_t)(c + 32) : c; }
static uint16_t upper(uint16_t c) { return c >= 'a' && c <= 'z' ? (uint16_t)(c - 32) : c; }

static bool all_ascii(const uint16_t *units, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (units[i] > 127)
            return false;
    return true;
}

/* Is `b`, which has characters, there? Comparing long ones counts as instructions, which may end it. */
static bool is_at(struct machine *m, const uint16_t *a, const uint16_t *b, uint32_t size)
{
    return a[0] == b[0] && spend(m, size / STEP_UNITS) && memcmp(a, b, size * sizeof *b) == 0;
}

/* Where `b` is in `a` from `from` on; -1. `step` -1: the last one up to there. */
static int32_t find(struct machine *m, const uint16_t *a, uint32_t n, const uint16_t *b, uint32_t size, int64_t from,
                    int step)
{
    if (step > 0 && from < 0)
        from = 0;
    if (step > 0 && size == 0 && from > n) /* as the last place */
        from = n;
    if (step < 0 && from > (int64_t)n - size)
        from = (int64_t)n - size;
    for (int64_t at = from; at >= 0 && at + size <= n && m->ended == OUTCOME_VALUE; at += step)
        if (size == 0 || is_at(m, a + at, b, size))
            return (int32_t)at;
    return -1;
}

/* Both are strings; an argument that is null throws. */
static bool two(struct machine *m, const struct invocation *i, const uint16_t *units[2], uint32_t count[2])
{
    for (unsigned k = 0; k < 2; k++) {
        if (!known(m, i->given[k]))
            return false;
        if (i->given[k].bits == 0)
            return throws_unsaid(m, "java.lang.NullPointerException");
        units[k] = units_of(m, i->given[k], &count[k]);
        if (units[k] == NULL)
            return false;
    }
    return true;
}

bool text_compared(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const uint16_t *units[2];
    uint32_t count[2], k = 0;
    const bool equals = text_is(i->ref.name, "equalsIgnoreCase"),
               ignore = equals || text_is(i->ref.name, "compareToIgnoreCase");
    if (equals && !i->given[1].unknown && i->given[1].bits == 0)
        return *out = int_value(0), true;
    if (!two(m, i, units, count))
        return false;
    if (ignore && (!all_ascii(units[0], count[0]) || !all_ascii(units[1], count[1])))
        return end_not_known(m, "the case of letters beyond ASCII");
    while (k < count[0] && k < count[1] &&
           (units[0][k] == units[1][k] || (ignore && lower(units[0][k]) == lower(units[1][k]))))
        k++;
    if (equals)
        *out = int_value(k == count[0] && k == count[1]);
    else if (k == count[0] || k == count[1])
        *out = int_value((int64_t)count[0] - (int64_t)count[1]);
    else
        *out = int_value(ignore ? lower(units[0][k]) - lower(units[1][k]) : units[0][k] - units[1][k]);
    return true;
}

/* contains, startsWith, endsWith, indexOf, lastIndexOf: of a string or a character. */
bool text_searched(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const uint16_t *units[2];
    uint32_t count[2];
    int32_t from = 0, c;
    uint16_t pair[2];
    if (first_letter(i) == 'I') {
        units[0] = units_of(m, i->given[0], &count[0]);
        if (units[0] == NULL || !int_of(m, i->given[1], &c))
            return false;
        pair[0] = (uint16_t)(c > 0xffff ? 0xd7c0 + (c >> 10) : c);
        pair[1] = (uint16_t)(0xdc00 + (c & 0x3ff));
        units[1] = pair;
        count[1] = c > 0xffff ? 2 : 1;
        if (c < 0 || c > 0x10ffff) /* is nowhere */
            return *out = int_value(-1), i->count < 3 || known(m, i->given[2]);
    } else if (!two(m, i, units, count)) {
        return false;
    }
    if (i->count > 2 && !int_of(m, i->given[2], &from))
        return false;
    if (text_is(i->ref.name, "contains"))
        *out = int_value(find(m, units[0], count[0], units[1], count[1], 0, 1) >= 0);
    else if (text_is(i->ref.name, "startsWith"))
        *out = int_value(from >= 0 && (uint32_t)from + count[1] <= count[0] &&
                         memcmp(units[0] + from, units[1], count[1] * sizeof(uint16_t)) == 0);
    else if (text_is(i->ref.name, "endsWith"))
        *out = int_value(count[1] <= count[0] &&
                         memcmp(units[0] + count[0] - count[1], units[1], count[1] * sizeof(uint16_t)) == 0);
    else if (text_is(i->ref.name, "lastIndexOf"))
        *out = int_value(find(m, units[0], count[0], units[1], count[1], i->count > 2 ? from : (int64_t)count[0], -1));
    else
        *out = int_value(find(m, units[0], count[0], units[1], count[1], from, 1));
    return m->ended == OUTCOME_VALUE;
}

/* ---- other strings ---- */

bool text_part(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    int32_t from, to;
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || !int_of(m, i->given[1], &from))
        return false;
    to = (int32_t)count;
    if (i->count > 2 && !int_of(m, i->given[2], &to))
        return false;
    if (from < 0 || to < from || (uint32_t)to > count)
        return throws_unsaid(m, "java.lang.StringIndexOutOfBoundsException");
    return make_string(m, units + from, (size_t)(to - from), out);
}

bool text_joined(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const uint16_t *units[2];
    uint32_t count[2];
    units_vec text = { 0 };
    if (!two(m, i, units, count) || !append_units(m, &text, units[0], count[0]) ||
        !append_units(m, &text, units[1], count[1]))
        return vec_free(&text), false;
    return finish_text(m, &text, out);
}

bool text_repeated(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    int32_t times;
    units_vec text = { 0 };
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || !int_of(m, i->given[1], &times))
        return false;
    if (times < 0)
        return throws(m, "java.lang.IllegalArgumentException", "count is negative: %d", (int)times);
    for (int32_t k = 0; k < times && count > 0; k++)
        if (!append_units(m, &text, units, count))
            return vec_free(&text), false;
    return finish_text(m, &text, out);
}

/* What trim takes away, or strip (Character.isWhitespace) of ASCII. */
static bool is_blank(uint16_t unit, bool trim)
{
    return trim ? unit <= ' ' : (unit >= 9 && unit <= 13) || (unit >= 28 && unit <= 32);
}

/* toLowerCase, toUpperCase, trim, strip and its parts, isBlank. */
bool text_changed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count, from = 0;
    units_vec text = { 0 };
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL)
        return false;
    const bool down = text_is(i->ref.name, "toLowerCase"), up = text_is(i->ref.name, "toUpperCase");
    if (!all_ascii(units, count) && !text_is(i->ref.name, "trim"))
        return end_not_known(m, "the case or kind of letters beyond ASCII");
    uint32_t to = count;
    if (!down && !up) {
        const bool trim = text_is(i->ref.name, "trim");
        while (!text_is(i->ref.name, "stripLeading") && to > 0 && is_blank(units[to - 1], trim))
            to--;
        while (!text_is(i->ref.name, "stripTrailing") && from < to && is_blank(units[from], trim))
            from++;
    }
    if (text_is(i->ref.name, "isBlank"))
        return *out = int_value(from == to), true;
    for (uint32_t k = from; k < to; k++)
        if (!append_unit(m, &text, down ? lower(units[k]) : up ? upper(units[k]) : units[k]))
            return vec_free(&text), false;
    return finish_text(m, &text, out);
}

/* replace, of characters or strings. */
bool text_replaced(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const uint16_t *units[3];
    uint32_t count[3];
    uint16_t chars[3] = { 0 };
    units_vec text = { 0 };
    for (unsigned k = 0; k < 3; k++) {
        int32_t c;
        if (k > 0 && first_letter(i) == 'C') {
            if (!int_of(m, i->given[k], &c))
                return false;
            chars[k] = (uint16_t)c;
            units[k] = &chars[k];
            count[k] = 1;
            continue;
        }
        if (i->given[k].unknown || i->given[k].bits == 0)
            return known(m, i->given[k]) && throws_unsaid(m, "java.lang.NullPointerException");
        units[k] = units_of(m, i->given[k], &count[k]);
        if (units[k] == NULL)
            return false;
    }
    if (count[1] == 0)
        return end_not_known(m, "replace of an empty string");
    bool good = true;
    for (uint32_t at = 0; at < count[0] && good;) {
        const bool here = at + count[1] <= count[0] && is_at(m, units[0] + at, units[1], count[1]);
        good = m->ended != OUTCOME_VALUE ? false
               : here                    ? append_units(m, &text, units[2], count[2])
                                         : append_unit(m, &text, units[0][at]);
        at += here ? count[1] : 1;
    }
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}
