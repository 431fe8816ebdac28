/* natives_arrays.c - java.util.Arrays, and clone of arrays; see natives.h. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

enum { ARRAYS_DEPTH_MAX = 64 };

struct array {
    struct jvalue v;
    char letter; /* of the elements' type */
    uint64_t length;
};

/* False: ended. `out->length` of null is 0. */
static bool array_of(struct machine *m, struct jvalue v, struct array *out)
{
    struct jvalue length = int_value(0);
    const char *type = machine_type(m, v.bits);
    const size_t size = type != NULL ? strlen(type) : 0;
    *out = (struct array){ .v = v };
    if (!known(m, v))
        return false;
    if (v.bits == 0)
        return true;
    if (size < 3 || strcmp(type + size - 2, "[]") != 0)
        return end_not_known(m, "the elements of an object that is no array");
    out->letter = type_letter((struct text){ type, size - 2 });
    if (!array_count(m, v, &length) || !known(m, length))
        return false;
    out->length = length.bits;
    return true;
}

static bool element(struct machine *m, const struct array *a, uint64_t at, struct jvalue *out)
{
    return spend(m, 1) && get_element(m, a->v, int_value((int64_t)at), jvalue_kind(a->letter), out) && known(m, *out);
}

static bool is_array(struct machine *m, struct jvalue v) { return v.bits != 0 && nature_of(m, v) == NATURE_ARRAY; }
static bool too_deep(struct machine *m) { return end_limit(m, "arrays in each other are too deep"); }

/* ---- texts ---- */

static bool array_written(struct machine *m, units_vec *to, struct jvalue v, bool deep, unsigned depth)
{
    struct array a;
    struct jvalue one;
    if (depth > ARRAYS_DEPTH_MAX)
        return too_deep(m);
    if (!array_of(m, v, &a))
        return false;
    if (v.bits == 0)
        return append_ascii(m, to, "null");
    bool good = append_ascii(m, to, "[");
    for (uint64_t k = 0; k < a.length && good; k++) {
        good = (k == 0 || append_ascii(m, to, ", ")) && element(m, &a, k, &one);
        if (good)
            good = deep && a.letter == 'L' && is_array(m, one) ? array_written(m, to, one, deep, depth + 1)
                                                               : append_text(m, to, one, a.letter);
    }
    return good && append_ascii(m, to, "]");
}

/* toString, deepToString */
bool array_text(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    units_vec text = { 0 };
    return array_written(m, &text, i->given[0], text_is(i->ref.name, "deepToString"), 0) ? finish_text(m, &text, out)
                                                                                         : (vec_free(&text), false);
}

/* ---- equals and hashCode ---- */

static bool same_arrays(struct machine *m, struct jvalue x, struct jvalue y, bool deep, unsigned depth, bool *same)
{
    struct array a, b;
    if (depth > ARRAYS_DEPTH_MAX)
        return too_deep(m);
    if (!array_of(m, x, &a) || !array_of(m, y, &b))
        return false;
    *same = x.bits == y.bits;
    if (*same || x.bits == 0 || y.bits == 0)
        return true;
    *same = a.length == b.length && a.letter == b.letter;
    for (uint64_t k = 0; k < a.length && *same; k++) {
        struct jvalue p, q;
        if (!element(m, &a, k, &p) || !element(m, &b, k, &q))
            return false;
        if (a.letter != 'L')
            *same = same_number(p, q);
        else if (deep && is_array(m, p) && is_array(m, q) ? !same_arrays(m, p, q, deep, depth + 1, same)
                                                          : !values_equal(m, p, q, same))
            return false;
    }
    return true;
}

/* equals, deepEquals */
bool arrays_equal(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    bool same;
    if (!same_arrays(m, i->given[0], i->given[1], text_is(i->ref.name, "deepEquals"), 0, &same))
        return false;
    *out = int_value(same);
    return true;
}

static bool array_hash(struct machine *m, struct jvalue v, bool deep, unsigned depth, int32_t *out)
{
    struct array a;
    uint32_t hash = 1;
    if (depth > ARRAYS_DEPTH_MAX)
        return too_deep(m);
    if (!array_of(m, v, &a))
        return false;
    for (uint64_t k = 0; k < a.length; k++) {
        struct jvalue one;
        int32_t h = 0;
        if (!element(m, &a, k, &one))
            return false;
        if (a.letter != 'L')
            h = number_hash(one, a.letter);
        else if (deep && is_array(m, one) ? !array_hash(m, one, deep, depth + 1, &h) : !value_hash(m, one, &h))
            return false;
        hash = 31 * hash + (uint32_t)h;
    }
    *out = v.bits == 0 ? 0 : (int32_t)hash;
    return true;
}

/* Arrays.hashCode, deepHashCode; Objects.hash */
bool array_hashed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t hash;
    if (!array_hash(m, i->given[0], text_is(i->ref.name, "deepHashCode"), 0, &hash))
        return false;
    *out = int_value(hash);
    return true;
}

/* ---- copies ---- */

/* The elements from one index to another; behind the last there are zeros. */
static bool copied(struct machine *m, const struct array *a, uint64_t from, uint64_t count, struct jvalue *out)
{
    if (count > UNITS_MAX)
        return end_limit(m, "its arrays are too long");
    if (!spend(m, count / STEP_UNITS) ||
        !make_values(m, MADE_ARRAY, machine_type(m, a->v.bits), NULL, count, a->letter, out))
        return false;
    struct made *copy = made_of(m, *out);
    for (uint64_t k = 0; k < count && from + k < a->length; k++) /* what is not known is carried along */
        if (!get_element(m, a->v, int_value((int64_t)(from + k)), jvalue_kind(a->letter), &copy->values[k]))
            return false;
    return true;
}

bool array_cloned(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct array a;
    return array_of(m, i->given[0], &a) && copied(m, &a, 0, a.length, out);
}

/* Arrays.copyOf, copyOfRange */
bool array_copied(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct array a;
    int32_t from = 0, to;
    const bool range = i->count > 2;
    if (!array_of(m, i->given[0], &a) || (range && !int_of(m, i->given[1], &from)) ||
        !int_of(m, i->given[i->count - 1], &to))
        return false;
    if (a.letter == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (range && to < from)
        return throws_unsaid(m, "java.lang.IllegalArgumentException");
    if (!range && to < 0)
        return throws_unsaid(m, "java.lang.NegativeArraySizeException");
    if (from < 0 || (uint64_t)from > a.length)
        return throws_unsaid(m, "java.lang.ArrayIndexOutOfBoundsException");
    return copied(m, &a, (uint64_t)from, (uint64_t)(to - from), out);
}
