/* natives_builders.c - StringBuilder and StringBuffer; see natives.h. */
#include "reader/execute/natives.h"

static char first_letter(const struct invocation *i) { return i->ref.desc.size > 1 ? i->ref.desc.data[1] : ')'; }

static bool builder_set(struct machine *m, struct made *b, const units_vec *text)
{
    uint16_t *units = arena_array(&m->arena, text->count + 1, sizeof *units);
    if (units == NULL)
        return end_memory(m);
    if (text->count > 0)
        memcpy(units, text->items, text->count * sizeof *units);
    b->units = units;
    b->count = b->cap = (uint32_t)text->count;
    return true;
}

/* The constructor: of nothing, a capacity, or a text. */
bool builder_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *b = made_of(m, i->given[0]);
    units_vec text = { 0 };
    if (b == NULL)
        return end_not_known(m, "a constructor on an object that exists");
    if (i->count > 1 && i->given[1].kind == 'A' && !i->given[1].unknown && i->given[1].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    b->is = MADE_BUILDER;
    *out = (struct jvalue){ .kind = 'V' };
    const bool good =
        (i->count < 2 || first_letter(i) == 'I' || append_text(m, &text, i->given[1], 'L')) && builder_set(m, b, &text);
    vec_free(&text);
    return good;
}

/* Characters take the place of those from `from` to `to`. */
static bool builder_splice(struct machine *m, struct made *b, uint32_t from, uint32_t to, const uint16_t *units,
                           size_t count)
{
    const size_t size = b->count - (to - from) + count;
    if (size > UNITS_MAX)
        return end_limit(m, "a string is too long");
    if (size > b->cap) {
        const size_t cap = 2 * size + 16;
        uint16_t *grown = arena_array(&m->arena, cap, sizeof *grown);
        if (grown == NULL)
            return end_memory(m);
        if (b->count > 0)
            memcpy(grown, b->units, b->count * sizeof *grown);
        b->units = grown;
        b->cap = (uint32_t)cap;
    }
    if (to < b->count && !spend(m, (b->count - to) / STEP_UNITS))
        return false;
    if (to < b->count)
        memmove(b->units + from + count, b->units + to, (b->count - to) * sizeof *units);
    if (count > 0)
        memcpy(b->units + from, units, count * sizeof *units);
    b->count = (uint32_t)size;
    return true;
}

static bool out_of_bounds(struct machine *m) { return throws_unsaid(m, "java.lang.StringIndexOutOfBoundsException"); }

/* Reads two of the arguments, the bounds of a part of what has so many characters; false: ended. */
static bool bounds(struct machine *m, const struct invocation *i, unsigned at, uint32_t size, bool cut,
                   const char *type, int32_t *from, int32_t *to)
{
    if (!int_of(m, i->given[at], from) || !int_of(m, i->given[at + 1], to))
        return false;
    if (cut && *to > (int32_t)size)
        *to = (int32_t)size;
    return *from >= 0 && *to >= *from && *to <= (int32_t)size ? true : throws_unsaid(m, type);
}

/* Argument `at`, whose parameter begins with that letter: an array of characters or what String.valueOf takes. */
static bool given_text(struct machine *m, const struct invocation *i, unsigned at, char letter, units_vec *text)
{
    return letter == '[' ? append_chars(m, text, i->given[at]) : append_text(m, text, i->given[at], letter);
}

/* append of a value, or of a part of characters. */
bool builder_append(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    units_vec text = { 0 };
    int32_t from = 0, to;
    struct made *b = builder_of(m, i->given[0]);
    bool good = b != NULL && given_text(m, i, 1, first_letter(i), &text);
    to = (int32_t)text.count;
    good = good && (i->count < 4 ||
                    bounds(m, i, 2, (uint32_t)text.count, false, "java.lang.IndexOutOfBoundsException", &from, &to));
    good = good && builder_splice(m, b, b->count, b->count, text.items + from, (size_t)(to - from));
    vec_free(&text);
    *out = i->given[0];
    return good;
}

bool builder_inserted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    units_vec text = { 0 };
    int32_t at;
    struct made *b = builder_of(m, i->given[0]);
    const char letter = i->ref.desc.size > 2 ? i->ref.desc.data[2] : ')';
    bool good = b != NULL && int_of(m, i->given[1], &at) && given_text(m, i, 2, letter, &text);
    if (good && (at < 0 || (uint32_t)at > b->count))
        good = out_of_bounds(m);
    good = good && builder_splice(m, b, (uint32_t)at, (uint32_t)at, text.items, text.count);
    vec_free(&text);
    *out = i->given[0];
    return good;
}

/* delete, replace: of the characters from one index to another. */
bool builder_replaced(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t from, to;
    uint32_t count = 0;
    const uint16_t *units = NULL;
    struct made *b = builder_of(m, i->given[0]);
    if (b == NULL || !bounds(m, i, 1, b->count, true, "java.lang.StringIndexOutOfBoundsException", &from, &to))
        return false;
    if (i->count > 3 && (!known(m, i->given[3]) || i->given[3].bits == 0))
        return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
    if (i->count > 3 && (units = units_of(m, i->given[3], &count)) == NULL)
        return false;
    *out = i->given[0];
    return builder_splice(m, b, (uint32_t)from, (uint32_t)to, units, count);
}

/* deleteCharAt, setCharAt */
bool builder_char(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t at, c = 0;
    struct made *b = builder_of(m, i->given[0]);
    const bool sets = i->count > 2;
    if (b == NULL || !int_of(m, i->given[1], &at) || (sets && !int_of(m, i->given[2], &c)))
        return false;
    if (at < 0 || (uint32_t)at >= b->count)
        return out_of_bounds(m);
    const uint16_t unit = (uint16_t)c;
    *out = sets ? (struct jvalue){ .kind = 'V' } : i->given[0];
    return builder_splice(m, b, (uint32_t)at, (uint32_t)at + 1, &unit, sets);
}

bool builder_code_point(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t c;
    struct made *b = builder_of(m, i->given[0]);
    if (b == NULL || !int_of(m, i->given[1], &c))
        return false;
    if (c < 0 || c > 0x10ffff)
        return throws_unsaid(m, "java.lang.IllegalArgumentException");
    const bool pair = c > 0xffff;
    const uint16_t units[2] = { (uint16_t)(pair ? 0xd7c0 + (c >> 10) : c), (uint16_t)(0xdc00 + (c & 0x3ff)) };
    *out = i->given[0];
    return builder_splice(m, b, b->count, b->count, units, pair ? 2 : 1);
}

static bool is_low(uint16_t unit) { return unit >= 0xdc00 && unit < 0xe000; }
static bool is_high(uint16_t unit) { return unit >= 0xd800 && unit < 0xdc00; }

static void swap(uint16_t *units, uint32_t a, uint32_t b)
{
    const uint16_t unit = units[a];
    units[a] = units[b];
    units[b] = unit;
}

/* Two units of one character stay in their order. */
bool builder_reversed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *b = builder_of(m, i->given[0]);
    if (b == NULL || !spend(m, b->count / STEP_UNITS))
        return false;
    for (uint32_t k = 0; k < b->count / 2; k++)
        swap(b->units, k, b->count - 1 - k);
    for (uint32_t k = 0; k + 1 < b->count; k++)
        if (is_low(b->units[k]) && is_high(b->units[k + 1])) {
            swap(b->units, k, k + 1);
            k++;
        }
    *out = i->given[0];
    return true;
}

/* setLength: what is new are NULs. */
bool builder_shortened(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t count;
    struct made *b = builder_of(m, i->given[0]);
    if (b == NULL || !int_of(m, i->given[1], &count))
        return false;
    if (count < 0)
        return out_of_bounds(m);
    if (count > UNITS_MAX)
        return end_limit(m, "a string is too long");
    *out = (struct jvalue){ .kind = 'V' };
    if ((uint32_t)count <= b->count)
        return b->count = (uint32_t)count, true;
    const size_t more = (uint32_t)count - b->count;
    uint16_t *zeros = arena_array(&m->arena, more, sizeof *zeros);
    if (zeros == NULL)
        return end_memory(m);
    memset(zeros, 0, more * sizeof *zeros);
    return builder_splice(m, b, b->count, b->count, zeros, more);
}
