/* natives_sorting.c - comparators, and what sorts by them; see natives.h.
 *
 * MADE_COMPARATOR `at`: how it compares; values[0]: a function or another comparator, values[1]: what decides then. */
#include "reader/execute/natives.h"

enum compares { BY_NATURE, REVERSED, BY_KEY, THEN, BY_INT, BY_LONG, BY_DOUBLE, IGNORING_CASE };

static bool make_comparator(struct machine *m, enum compares how, struct jvalue a, struct jvalue b, struct jvalue *out)
{
    const struct jvalue parts[2] = { a, b };
    if (!make_values(m, MADE_COMPARATOR, "java.util.Comparator", parts, 2, 'L', out))
        return false;
    made_of(m, *out)->at = how;
    made_of(m, *out)->shared = true;
    return true;
}

static bool call(struct machine *m, const char *name, const char *desc, const struct jvalue *given, unsigned count,
                 struct jvalue *out)
{
    const struct invocation i = { .ref = { .name = { name, strlen(name) }, .desc = { desc, strlen(desc) } },
                                  .given = given,
                                  .count = count };
    return m->invoke(m, &i, out) && known(m, *out);
}

static bool compare_naturally(struct machine *m, struct jvalue a, struct jvalue b, int32_t *out)
{
    struct jvalue r;
    const struct jvalue given[2] = { a, b };
    if (!known(m, a) || !known(m, b))
        return false;
    if (a.bits == 0 || b.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!call(m, "compareTo", "(Ljava/lang/Object;)I", given, 2, &r))
        return false;
    *out = (int32_t)r.bits;
    return true;
}

/* The key of a value by the function of a comparator. */
static bool key_of(struct machine *m, const struct made *c, struct jvalue v, struct jvalue *out)
{
    const struct jvalue given[2] = { c->values[0], v };
    const enum compares how = (enum compares)c->at;
    return how == BY_INT      ? call(m, "applyAsInt", "(Ljava/lang/Object;)I", given, 2, out)
           : how == BY_LONG   ? call(m, "applyAsLong", "(Ljava/lang/Object;)J", given, 2, out)
           : how == BY_DOUBLE ? call(m, "applyAsDouble", "(Ljava/lang/Object;)D", given, 2, out)
                              : call(m, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", given, 2, out);
}

/* As Integer.compare and the others. */
static bool compare_numbers(struct machine *m, struct jvalue a, struct jvalue b, int32_t *out)
{
    struct jvalue x, y;
    return make_box(m, a.kind, a.bits, &x) && make_box(m, b.kind, b.bits, &y) && compare_naturally(m, x, y, out);
}

static bool compare_by(struct machine *m, const struct made *c, struct jvalue a, struct jvalue b, int32_t *out)
{
    struct jvalue x, y;
    switch ((enum compares)c->at) {
    case BY_NATURE: return compare_naturally(m, a, b, out);
    case IGNORING_CASE: {
        const struct jvalue given[2] = { a, b };
        if (!call(m, "compareToIgnoreCase", "(Ljava/lang/String;)I", given, 2, &x))
            return false;
        *out = (int32_t)x.bits;
        return true;
    }
    case REVERSED: return compare_values(m, c->values[0], b, a, out);
    case THEN:
        return compare_values(m, c->values[0], a, b, out) && (*out != 0 || compare_values(m, c->values[1], a, b, out));
    case BY_KEY: return key_of(m, c, a, &x) && key_of(m, c, b, &y) && compare_values(m, c->values[1], x, y, out);
    case BY_INT:
    case BY_LONG:
    case BY_DOUBLE: break;
    }
    return key_of(m, c, a, &x) && key_of(m, c, b, &y) && compare_numbers(m, x, y, out);
}

bool compare_values(struct machine *m, struct jvalue comparator, struct jvalue a, struct jvalue b, int32_t *out)
{
    const struct made *c = made_of(m, comparator);
    const struct jvalue given[3] = { comparator, a, b };
    struct jvalue r;
    if (!spend(m, CALL_STEPS) || !known(m, comparator))
        return false;
    if (comparator.bits == 0)
        return compare_naturally(m, a, b, out);
    if (c != NULL && c->is == MADE_COMPARATOR) {
        if (m->calls >= CALLS_MAX)
            return end_limit(m, "it calls too deeply");
        m->calls++;
        const bool done = compare_by(m, c, a, b, out);
        m->calls--;
        return done;
    }
    if (!call(m, "compare", "(Ljava/lang/Object;Ljava/lang/Object;)I", given, 3, &r))
        return false;
    *out = (int32_t)r.bits;
    return true;
}

/* A merge sort: what a comparator sees depends on the algorithm, but not what comes out. */
static bool sort(struct machine *m, struct jvalue comparator, struct jvalue *values, size_t count, struct jvalue *room)
{
    if (count < 2)
        return true;
    const size_t half = count / 2;
    if (!sort(m, comparator, values, half, room) || !sort(m, comparator, values + half, count - half, room))
        return false;
    memcpy(room, values, half * sizeof *room);
    size_t a = 0, b = half, to = 0;
    while (a < half && b < count) {
        int32_t order;
        if (!compare_values(m, comparator, room[a], values[b], &order))
            return false;
        values[to++] = order <= 0 ? room[a++] : values[b++];
    }
    while (a < half)
        values[to++] = room[a++];
    return true;
}

bool sort_values(struct machine *m, struct jvalue comparator, struct jvalue *values, size_t count)
{
    struct jvalue *room = arena_array(&m->arena, count + 1, sizeof *room);
    if (room == NULL)
        return end_memory(m);
    if (count == 1 && values[0].bits == 0) /* whether it is looked at depends on who sorts */
        return end_not_known(m, "sorting of null");
    return sort(m, comparator, values, count, room);
}

/* ---- comparators ---- */

/* naturalOrder, reverseOrder, comparing and the others, with a comparator of keys or not. */
bool comparator_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    const struct jvalue none = null_value();
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]) || (i->given[k].bits == 0 && !text_is(name, "reverseOrder")))
            return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
    if (text_is(name, "naturalOrder"))
        return make_comparator(m, BY_NATURE, none, none, out);
    if (text_is(name, "reverseOrder"))
        return make_comparator(m, REVERSED, i->count > 0 ? i->given[0] : none, none, out);
    const enum compares how = text_is(name, "comparingInt")      ? BY_INT
                              : text_is(name, "comparingLong")   ? BY_LONG
                              : text_is(name, "comparingDouble") ? BY_DOUBLE
                                                                 : BY_KEY;
    return make_comparator(m, how, i->given[0], i->count > 1 ? i->given[1] : none, out);
}

/* compare, reversed, thenComparing: of a comparator, also of a lambda. */
bool comparator_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    struct jvalue then;
    int32_t order;
    for (unsigned k = 1; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    if (text_is(name, "compare")) {
        if (!compare_values(m, i->given[0], i->given[1], i->given[2], &order))
            return false;
        return *out = int_value(order), true;
    }
    if (text_is(name, "reversed"))
        return make_comparator(m, REVERSED, i->given[0], null_value(), out);
    if (i->given[1].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    then = i->given[1];
    const enum compares how = text_is(name, "thenComparingInt")      ? BY_INT
                              : text_is(name, "thenComparingLong")   ? BY_LONG
                              : text_is(name, "thenComparingDouble") ? BY_DOUBLE
                                                                     : BY_KEY;
    if (!text_is(i->ref.desc, "(Ljava/util/Comparator;)Ljava/util/Comparator;") &&
        !make_comparator(m, how, i->given[1], null_value(), &then))
        return false;
    return make_comparator(m, THEN, i->given[0], then, out);
}

/* Objects.compare */
bool objects_compared(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t order = 0;
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    if (i->given[0].bits != i->given[1].bits &&
        (i->given[2].bits == 0 ? !throws_unsaid(m, "java.lang.NullPointerException")
                               : !compare_values(m, i->given[2], i->given[0], i->given[1], &order)))
        return false;
    *out = int_value(order);
    return true;
}

/* Collections.max and min. */
bool collection_extreme(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!known(m, i->given[0]))
        return false;
    if (i->given[0].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!elements_of(m, i->given[0], &h))
        return false;
    if (h.count == 0)
        return throws(m, "java.util.NoSuchElementException", NULL);
    *out = h.values[0];
    for (size_t k = 1; k < h.count; k++) {
        int32_t order;
        if (!compare_values(m, i->count > 1 ? i->given[1] : null_value(), h.values[k], *out, &order))
            return false;
        if (text_is(i->ref.name, "max") ? order > 0 : order < 0)
            *out = h.values[k];
    }
    return known(m, *out);
}

/* sort of a list that was made, Collections.sort, Arrays.sort. */
bool list_sorted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *list = made_of(m, i->given[0]);
    const struct jvalue by = i->count > 1 ? i->given[1] : null_value();
    if (!known(m, i->given[0]) || !known(m, by))
        return false;
    if (i->given[0].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    *out = (struct jvalue){ .kind = 'V' };
    if (list == NULL || (list->is != MADE_LIST && list->is != MADE_ARRAY))
        return end_not_known(m, "what a change does to a collection that exists");
    list->changes++;
    if (list->is == MADE_LIST || list->element == 'L')
        return list->count < 2 || sort_values(m, by, list->values, list->count);
    /* numbers, as their boxes compare */
    struct jvalue *boxes = arena_array(&m->arena, list->count + 1u, sizeof *boxes);
    if (boxes == NULL)
        return end_memory(m);
    for (uint32_t k = 0; k < list->count; k++)
        if (!known(m, list->values[k]) || !make_box(m, list->element, list->values[k].bits, &boxes[k]))
            return false;
    if (!sort_values(m, by, boxes, list->count))
        return false;
    for (uint32_t k = 0; k < list->count; k++)
        list->values[k] = made_of(m, boxes[k])->values[0];
    return true;
}
