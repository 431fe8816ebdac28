/* natives_words.c - methods of strings that part, join or scan them; see natives.h.
 *
 * Regular expressions are known where they are literal characters, or one character class (\s, \d, \w, [abc], .) alone
 * or with a plus behind it: what people split and replace by. Of others what they match is not known. */
#include "reader/execute/natives.h"

static bool is_null(struct machine *m, struct jvalue v) { return !known(m, v) || v.bits == 0; }
static bool null_given(struct machine *m)
{
    return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
}

/* ---- patterns ---- */

enum { PATTERN_MAX = 64, CLASS_CHARS_MAX = 32 };
struct pattern {
    struct atom {
        char class; /* s d w . [ or 0: a character */
        uint16_t unit;
    } atoms[PATTERN_MAX];
    uint32_t count;
    bool many;                         /* of the only atom: one or more of it */
    uint16_t members[CLASS_CHARS_MAX]; /* of [ */
    uint32_t member_count;
};

static bool unclear(struct machine *m) { return end_not_known(m, "what a regular expression matches"); }

static bool is_letter_or_digit(uint16_t c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z' && c < 128);
}

/* [abc]: of literal characters. `*at` is behind the [. */
static bool read_members(struct machine *m, const uint16_t *units, uint32_t size, uint32_t *at, struct pattern *p)
{
    while (*at < size && units[*at] != ']') {
        const uint16_t c = units[(*at)++];
        if (p->member_count == CLASS_CHARS_MAX || c >= 0x80 || strchr("\\^-[&", (int)c) != NULL)
            return unclear(m);
        p->members[p->member_count++] = c;
    }
    return *at < size && p->member_count > 0 ? ++*at, true : unclear(m);
}

static bool read_pattern(struct machine *m, struct jvalue text, struct pattern *p)
{
    uint32_t size;
    const uint16_t *units = units_of(m, text, &size);
    *p = (struct pattern){ 0 };
    if (units == NULL)
        return false;
    for (uint32_t at = 0; at < size;) {
        struct atom atom = { .unit = units[at++] };
        if (p->count == PATTERN_MAX || p->many || (atom.unit >= 0xd800 && atom.unit < 0xe000))
            return unclear(m);
        if (atom.unit == '\\') {
            if (at == size)
                return unclear(m);
            atom.unit = units[at++];
            const bool named = atom.unit < 128 && strchr("sdw", (int)atom.unit) != NULL && atom.unit != 0;
            const char *control = atom.unit == 't' ? "\t" : atom.unit == 'n' ? "\n" : atom.unit == 'r' ? "\r" : NULL;
            if (named)
                atom.class = (char)atom.unit;
            else if (control != NULL)
                atom.unit = (uint16_t)*control;
            else if (atom.unit > 127 || is_letter_or_digit(atom.unit))
                return unclear(m);
        } else if (atom.unit == '[') {
            atom.class = '[';
            if (!read_members(m, units, size, &at, p))
                return false;
        } else if (atom.unit == '+' && p->count == 1 && at == size) {
            p->many = true;
            continue;
        } else if (atom.unit == '.') {
            atom.class = '.';
        } else if (atom.unit < 128 && strchr("^$*+?()|{}", (int)atom.unit) != NULL) {
            return unclear(m);
        }
        p->atoms[p->count++] = atom;
    }
    if (p->count == 0) /* it matches between all characters */
        return unclear(m);
    for (uint32_t k = 0; k < p->count && p->count > 1; k++)
        if (p->atoms[k].class == '.' || p->atoms[k].class == '[')
            return unclear(m);
    return true;
}

static bool atom_takes(const struct pattern *p, const struct atom *a, uint16_t c)
{
    switch (a->class) {
    case 's': return c == ' ' || (c >= 9 && c <= 13);
    case 'd': return c >= '0' && c <= '9';
    case 'w': return is_letter_or_digit(c) || c == '_';
    case '.': return c != '\n' && c != '\r' && c != 0x85 && c != 0x2028 && c != 0x2029;
    case '[':
        for (uint32_t k = 0; k < p->member_count; k++)
            if (p->members[k] == c)
                return true;
        return false;
    default: return a->unit == c;
    }
}

/* Where the next match is, from `*from` to `*to`; 0: there is none; -1: ended. */
static int next_match(struct machine *m, const struct pattern *p, const uint16_t *units, uint32_t count, uint32_t *from,
                      uint32_t *to)
{
    for (uint32_t at = *from; at + p->count <= count; at++) {
        uint32_t k = 0;
        while (k < p->count && atom_takes(p, &p->atoms[k], units[at + k]))
            k++;
        if (k < p->count) {
            if (at % STEP_UNITS == 0 && !spend(m, p->count))
                return -1;
            continue;
        }
        if (p->atoms[0].class == '.' && units[at] >= 0xd800 && units[at] < 0xe000)
            return (void)unclear(m), -1; /* it takes both units of a character */
        while (p->many && at + k < count && atom_takes(p, &p->atoms[0], units[at + k]))
            k++;
        *from = at;
        *to = at + k;
        return 1;
    }
    return 0;
}

/* ---- split ---- */

typedef VEC(struct jvalue) values_vec;

static bool add_part(struct machine *m, values_vec *parts, const uint16_t *units, size_t count)
{
    struct jvalue *to = parts->count < UNITS_MAX ? vec_push(parts) : NULL;
    return to != NULL ? make_string(m, units, count, to) : end_limit(m, "a list is too long");
}

static bool split_into(struct machine *m, const struct pattern *p, const uint16_t *units, uint32_t count, int32_t limit,
                       values_vec *parts)
{
    uint32_t begin = 0, from = 0, to = 0;
    int found = 0;
    while ((limit <= 0 || parts->count + 1 < (size_t)limit) &&
           (found = next_match(m, p, units, count, &from, &to)) > 0) {
        if (!add_part(m, parts, units + begin, from - begin))
            return false;
        begin = from = to;
    }
    if (found < 0 || !add_part(m, parts, units + begin, count - begin))
        return false;
    while (limit == 0 && parts->count > 1 && made_of(m, parts->items[parts->count - 1])->count == 0)
        parts->count--;
    /* "," gives nothing, "" itself */
    if (limit == 0 && parts->count == 1 && count > 0 && made_of(m, parts->items[0])->count == 0)
        parts->count = 0;
    return true;
}

bool text_split(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct pattern p;
    uint32_t count;
    int32_t limit = 0;
    values_vec parts = { 0 };
    if (is_null(m, i->given[1]))
        return null_given(m);
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || (i->count > 2 && !int_of(m, i->given[2], &limit)) || !read_pattern(m, i->given[1], &p))
        return false;
    const bool good = split_into(m, &p, units, count, limit, &parts) &&
                      make_values(m, MADE_ARRAY, "java.lang.String[]", parts.items, parts.count, 'L', out);
    vec_free(&parts);
    return good;
}

/* replaceAll, replaceFirst, matches */
bool text_matched(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct pattern p;
    uint32_t count, by_count = 0, begin = 0, from = 0, to = 0;
    const uint16_t *by = NULL;
    units_vec text = { 0 };
    const bool matches = text_is(i->ref.name, "matches"), first = text_is(i->ref.name, "replaceFirst");
    for (unsigned k = 1; k < i->count; k++)
        if (is_null(m, i->given[k]))
            return null_given(m);
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || !read_pattern(m, i->given[1], &p) ||
        (!matches && (by = units_of(m, i->given[2], &by_count)) == NULL))
        return false;
    if (matches) {
        const int found = next_match(m, &p, units, count, &from, &to);
        *out = int_value(found > 0 && from == 0 && to == count);
        return found >= 0;
    }
    for (uint32_t k = 0; k < by_count; k++)
        if (by[k] == '$' || by[k] == '\\')
            return end_not_known(m, "a replacement with groups");
    bool good = true;
    int found = 0;
    while (good && (found = next_match(m, &p, units, count, &from, &to)) > 0) {
        good = append_units(m, &text, units + begin, from - begin) && append_units(m, &text, by, by_count);
        begin = from = to;
        if (first)
            break;
    }
    good = good && found >= 0 && append_units(m, &text, units + begin, count - begin);
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

/* ---- join ---- */

/* String.join: of an array or a collection. */
bool text_join(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    units_vec text = { 0 };
    bool good = true;
    if (is_null(m, i->given[0]) || is_null(m, i->given[1]))
        return null_given(m);
    if (!elements_of(m, i->given[1], &h))
        return false;
    for (size_t k = 0; k < h.count && good; k++)
        good = (k == 0 || append_text(m, &text, i->given[0], 'L')) && append_text(m, &text, h.values[k], 'L');
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

/* ---- characters ---- */

/* The characters as values of a kind. */
static bool text_units(struct machine *m, const struct invocation *i, enum made_is is, const char *type, char kind,
                       struct jvalue *out)
{
    uint32_t count;
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL || !make_values(m, is, type, NULL, count, kind, out))
        return false;
    for (uint32_t k = 0; k < count; k++)
        made_of(m, *out)->values[k] = int_value(units[k]);
    return true;
}

bool text_chars(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    return text_units(m, i, MADE_STREAM, "java.util.stream.IntStream", 'I', out);
}

bool text_char_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    return text_units(m, i, MADE_ARRAY, "char[]", 'C', out);
}

/* lines(): parted by \n, \r, \r\n; an end of a line at the end of the text begins none. */
bool text_lines(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count, begin = 0;
    const uint16_t *units = units_of(m, i->given[0], &count);
    values_vec lines = { 0 };
    bool good = units != NULL;
    while (good && begin < count) {
        uint32_t end = begin;
        while (end < count && units[end] != '\n' && units[end] != '\r')
            end++;
        good = add_part(m, &lines, units + begin, end - begin);
        begin = end + 1 + (end + 1 < count && units[end] == '\r' && units[end + 1] == '\n');
    }
    good = good && make_values(m, MADE_STREAM, "java.util.stream.Stream", lines.items, lines.count, 'L', out);
    vec_free(&lines);
    return good;
}

static bool is_pair(const uint16_t *units, uint32_t count, uint32_t at)
{
    return at + 1 < count && units[at] >= 0xd800 && units[at] < 0xdc00 && units[at + 1] >= 0xdc00 &&
           units[at + 1] < 0xe000;
}

/* codePointAt, codePointCount */
bool text_code_point(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count;
    int32_t from, to = 0;
    const uint16_t *units = units_of(m, i->given[0], &count);
    const bool counts = i->count > 2;
    if (units == NULL || !int_of(m, i->given[1], &from) || (counts && !int_of(m, i->given[2], &to)))
        return false;
    if (counts && (from < 0 || to < from || (uint32_t)to > count))
        return throws_unsaid(m, "java.lang.IndexOutOfBoundsException");
    if (!counts && (from < 0 || (uint32_t)from >= count))
        return throws_unsaid(m, "java.lang.StringIndexOutOfBoundsException");
    if (!counts) {
        *out = int_value(is_pair(units, count, (uint32_t)from)
                             ? ((units[from] - 0xd800) << 10) + (units[from + 1] - 0xdc00) + 0x10000
                             : units[from]);
        return true;
    }
    int64_t n = 0;
    for (int32_t k = from; k < to; k++, n++)
        k += is_pair(units, (uint32_t)to, (uint32_t)k);
    *out = int_value(n);
    return spend(m, (uint64_t)(to - from) / STEP_UNITS);
}

/* contentEquals: of a string or builder. */
bool text_content_equal(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t a, b;
    if (is_null(m, i->given[1]))
        return null_given(m);
    const uint16_t *x = units_of(m, i->given[0], &a), *y = x != NULL ? units_of(m, i->given[1], &b) : NULL;
    if (y == NULL)
        return false;
    *out = int_value(a == b && memcmp(x, y, a * sizeof *x) == 0);
    return true;
}

/* ---- strings that are made ---- */

bool append_chars(struct machine *m, units_vec *to, struct jvalue array)
{
    struct jvalue length, v;
    const char *type = machine_type(m, array.bits);
    if (is_null(m, array))
        return null_given(m);
    if (type == NULL || strcmp(type, "char[]") != 0)
        return end_not_known(m, "the characters of an array of another type");
    if (!array_count(m, array, &length) || !known(m, length))
        return false;
    for (uint64_t k = 0; k < length.bits; k++)
        if (!get_element(m, array, int_value((int64_t)k), 'I', &v) || !known(m, v) ||
            !append_unit(m, to, (uint16_t)v.bits))
            return false;
    return spend(m, length.bits / STEP_UNITS);
}

/* String.valueOf and copyValueOf of an array of characters. */
bool text_of_chars(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    units_vec text = { 0 };
    return append_chars(m, &text, i->given[0]) ? finish_text(m, &text, out) : (vec_free(&text), false);
}

/* new String: of nothing, characters, another one or a builder. */
bool text_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    units_vec text = { 0 };
    struct jvalue string;
    uint32_t count = 0;
    const uint16_t *units = NULL;
    if (made == NULL || made->is != MADE_UNWOVEN)
        return end_not_known(m, "a constructor on an object that exists");
    const bool chars = i->count > 1 && i->ref.desc.data[1] == '[';
    bool good = i->count < 2 || chars || !is_null(m, i->given[1]) || null_given(m);
    if (good && i->count > 1)
        good = chars ? append_chars(m, &text, i->given[1])
                     : (units = units_of(m, i->given[1], &count)) != NULL && append_units(m, &text, units, count);
    good = good && make_string(m, text.items, text.count, &string);
    vec_free(&text);
    if (!good)
        return false;
    made = made_of(m, i->given[0]);
    const struct made *from = made_of(m, string);
    made->is = MADE_STRING;
    made->units = from->units;
    made->count = from->count;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}
