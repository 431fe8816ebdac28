/* natives_made.c - lists, sets and maps that executed code makes; see natives.h. Those that exist are not changed: what
 * a change does to them is not known. The order of hashed ones is not known as soon as they have two entries. */
#include "reader/execute/natives.h"

#define IMMUTABLE "java.util.ImmutableCollections$"

static bool null_given(struct machine *m)
{
    return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
}
static bool is_null(struct machine *m, struct jvalue v) { return !known(m, v) || v.bits == 0; }

bool make_collection(struct machine *m, const char *type, const struct jvalue *values, size_t count, bool fixed,
                     struct jvalue *out)
{
    if (!make_values(m, fixed ? MADE_FIXED_LIST : MADE_LIST, type, values, count, 'L', out))
        return false;
    made_of(m, *out)->unordered = count > 1 && (strcmp(type, "java.util.HashSet") == 0 ||
                                                strncmp(type, IMMUTABLE "Set", sizeof(IMMUTABLE "Set") - 1) == 0);
    return true;
}

bool make_map(struct machine *m, const char *type, const struct jvalue *keys, const struct jvalue *values, size_t count,
              bool unordered, struct jvalue *out)
{
    if (!make_values(m, MADE_MAP, type, NULL, 2 * count, 'L', out))
        return false;
    struct made *map = made_of(m, *out);
    map->count = map->cap = (uint32_t)count;
    for (size_t k = 0; k < count; k++) {
        map->values[k] = keys[k];
        map->values[count + k] = values[k];
    }
    map->unordered = unordered && count > 1;
    return true;
}

/* The entry with that key (or element): its place, or -1. */
bool collection_place(struct machine *m, const struct jvalue *in, size_t count, struct jvalue wanted, int64_t *at)
{
    bool equal = false;
    for (size_t k = 0; k < count && !equal; k++) {
        if (!spend(m, 1) || !values_equal(m, wanted, in[k], &equal))
            return false;
        *at = (int64_t)k;
    }
    if (!equal)
        *at = -1;
    return true;
}

/* Where a key belongs among sorted ones; `*there`: it is there already. */
static bool sorted_place(struct machine *m, const struct jvalue *in, size_t count, struct jvalue wanted, size_t *at,
                         bool *there)
{
    size_t low = 0, high = count;
    int32_t order;
    *there = false;
    if (count == 0 && !compare_values(m, null_value(), wanted, wanted, &order)) /* as TreeMap, for the type */
        return false;
    while (low < high && !*there) {
        const size_t middle = low + (high - low) / 2;
        if (!compare_values(m, null_value(), wanted, in[middle], &order))
            return false;
        *there = order == 0;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    *at = *there ? high : low;
    return true;
}

/* Room for one more in each of the rows. */
static bool grow(struct machine *m, struct made *made)
{
    const uint32_t rows = made->is == MADE_MAP ? 2 : 1, cap = 2 * made->cap + 8;
    if (made->count < made->cap)
        return true;
    struct jvalue *grown =
        made->count < UNITS_MAX / 4 ? arena_array(&m->arena, (size_t)rows * cap, sizeof *grown) : NULL;
    if (grown == NULL)
        return made->count < UNITS_MAX / 4 ? end_memory(m) : end_limit(m, "a list is too long");
    for (uint32_t row = 0; row < rows && made->count > 0; row++)
        memcpy(grown + (size_t)row * cap, made->values + (size_t)row * made->cap, made->count * sizeof *grown);
    made->values = grown;
    made->cap = cap;
    return m->arena.bytes <= ARENA_MAX ? true : end_limit(m, "it makes too many objects");
}

static bool insert_at(struct machine *m, struct made *made, size_t at, struct jvalue key, struct jvalue value)
{
    if (!grow(m, made) || !spend(m, 1 + (made->count - at) / STEP_UNITS))
        return false;
    for (unsigned row = 0; row < (made->is == MADE_MAP ? 2u : 1u); row++) {
        struct jvalue *in = made->values + (size_t)row * made->cap;
        memmove(in + at + 1, in + at, (made->count - at) * sizeof *in);
        in[at] = row == 0 ? key : value;
    }
    made->count++;
    made->changes++;
    return true;
}

void collection_remove(struct made *made, size_t at)
{
    made->count--;
    made->changes++;
    for (unsigned row = 0; row < (made->is == MADE_MAP ? 2u : 1u); row++) {
        struct jvalue *in = made->values + (size_t)row * made->cap;
        memmove(in + at, in + at + 1, (made->count - at) * sizeof *in);
    }
}

/* Adds to a list or set, or puts into a map; `*old`: the place where the key was; -1. */
static bool put(struct machine *m, struct made *made, struct jvalue key, struct jvalue value, int64_t *old)
{
    const struct made_type *t = made_type(made->type);
    size_t at = made->count;
    bool there = false;
    *old = -1;
    if (!known(m, key))
        return false;
    if (strcmp(made->type, "java.util.ArrayDeque") == 0 && key.bits == 0)
        return null_given(m);
    if (t->sorted ? !sorted_place(m, made->values, made->count, key, &at, &there)
                  : t->is != COLLECTION_LIST && !collection_place(m, made->values, made->count, key, old))
        return false;
    if (there)
        *old = (int64_t)at;
    if (*old >= 0) {
        if (made->is == MADE_MAP)
            made->values[made->cap + (size_t)*old] = value;
        return true;
    }
    if (!insert_at(m, made, at, key, value))
        return false;
    made->unordered = t->unordered && made->count > 1;
    return true;
}

/* The collection that a method changes; NULL: ended. */
static struct made *changed(struct machine *m, struct jvalue v)
{
    static const char refuses[] = "java.lang.UnsupportedOperationException";
    struct made *made = made_of(m, v);
    const char *type = machine_type(m, v.bits);
    if (type != NULL && strncmp(type, IMMUTABLE, sizeof IMMUTABLE - 1) == 0)
        return throws(m, refuses, NULL), NULL;
    if (made == NULL || (made->is != MADE_LIST && made->is != MADE_MAP) || made_type(made->type) == NULL)
        return end_not_known(m, "what a change does to a collection that exists"), NULL;
    return made;
}

/* ---- constructors ---- */

/* Of nothing, a capacity, or another collection or map. */
bool collection_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    struct held h = { 0 };
    int64_t old;
    if (made == NULL || made->is != MADE_UNWOVEN)
        return end_not_known(m, "a constructor on an object that exists");
    const enum collection is = made_collection(made->type);
    if (i->count > 1 && i->given[1].kind == 'A') {
        if (is_null(m, i->given[1]))
            return null_given(m);
        if (!entries_of(m, i->given[1], &h))
            return false;
        if (h.count > 1 && !h.ordered && !made_type(made->type)->unordered && !made_type(made->type)->sorted)
            return end_not_known(m, "the order of the entries of a collection");
        if ((is == COLLECTION_MAP) != (h.keys != NULL && h.shape == HS_CONTENTS_MAP) && h.count > 0)
            return end_not_known(m, "a constructor of %s is not woven", made->type);
    } else if (i->count > 1 && (!known(m, i->given[1]) || (int32_t)i->given[1].bits < 0)) {
        return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.IllegalArgumentException");
    }
    made->is = is == COLLECTION_MAP ? MADE_MAP : MADE_LIST;
    made->element = 'L';
    *out = (struct jvalue){ .kind = 'V' };
    for (size_t k = 0; k < h.count; k++)
        if (is == COLLECTION_MAP ? !put(m, made, h.keys[k], h.values[k], &old)
                                 : !put(m, made, h.values[k], h.values[k], &old))
            return false;
    return true;
}

bool make_set(struct machine *m, const struct jvalue *values, size_t count, struct jvalue *out)
{
    int64_t old;
    if (!make_collection(m, "java.util.HashSet", NULL, 0, false, out))
        return false;
    for (size_t k = 0; k < count; k++)
        if (!put(m, made_of(m, *out), values[k], values[k], &old))
            return false;
    return true;
}

/* ---- changes ---- */

/* add, offer, addLast, push, addFirst, offerFirst */
bool list_added(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int64_t old = -1;
    const struct text name = i->ref.name;
    struct made *made = changed(m, i->given[0]);
    if (made == NULL || !known(m, i->given[1]))
        return false;
    const bool first = text_is(name, "push") || text_is(name, "addFirst") || text_is(name, "offerFirst");
    const bool deque = strcmp(made->type, "java.util.ArrayDeque") == 0;
    if (first && deque && i->given[1].bits == 0)
        return null_given(m);
    if (first ? !insert_at(m, made, 0, i->given[1], i->given[1]) : !put(m, made, i->given[1], i->given[1], &old))
        return false;
    const char returns = i->ref.desc.data[i->ref.desc.size - 1];
    *out = returns == 'V' ? (struct jvalue){ .kind = 'V' } : int_value(old < 0);
    return true;
}

static bool bad_index(struct machine *m) { return throws_unsaid(m, "java.lang.IndexOutOfBoundsException"); }

/* add(int, E), set(int, E), remove(int) */
bool list_at_changed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int32_t at;
    struct made *made = changed(m, i->given[0]);
    const bool adds = text_is(i->ref.name, "add"), sets = text_is(i->ref.name, "set");
    if (made == NULL || !int_of(m, i->given[1], &at) || (i->count > 2 && !known(m, i->given[2])))
        return false;
    if (made_collection(made->type) != COLLECTION_LIST)
        return end_not_known(m, "an index of a collection that is no list");
    if (at < 0 || (uint32_t)at >= made->count + adds)
        return bad_index(m);
    if (adds)
        return *out = (struct jvalue){ .kind = 'V' }, insert_at(m, made, (uint32_t)at, i->given[2], i->given[2]);
    *out = made->values[at];
    if (sets)
        made->values[at] = i->given[2];
    else
        collection_remove(made, (uint32_t)at);
    return known(m, *out);
}

/* remove(Object) */
bool list_removed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int64_t at;
    struct made *made = changed(m, i->given[0]);
    if (made == NULL || !known(m, i->given[1]) || !collection_place(m, made->values, made->count, i->given[1], &at))
        return false;
    *out = int_value(at >= 0);
    if (at >= 0)
        collection_remove(made, (size_t)at);
    return spend(m, made->count / STEP_UNITS);
}

/* poll, pop, removeFirst, removeLast and the others, which take away one end. */
bool queue_taken(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    struct made *made = changed(m, i->given[0]);
    if (made == NULL)
        return false;
    if (made_collection(made->type) != COLLECTION_LIST)
        return end_not_known(m, "the end of a collection that is no list");
    if (made->count == 0 && !text_is(name, "poll") && !text_is(name, "pollFirst") && !text_is(name, "pollLast"))
        return throws(m, "java.util.NoSuchElementException", NULL);
    *out = null_value();
    if (made->count == 0)
        return true;
    const size_t at = text_is(name, "pollLast") || text_is(name, "removeLast") ? made->count - 1 : 0;
    *out = made->values[at];
    collection_remove(made, at);
    return known(m, *out);
}

/* addAll, putAll: of another collection or map. */
bool collection_added(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    int64_t old;
    struct made *made = changed(m, i->given[0]);
    if (made == NULL)
        return false;
    if (is_null(m, i->given[1]))
        return null_given(m);
    const uint32_t before = made->count;
    if (!entries_of(m, i->given[1], &h))
        return false;
    if (h.count > 1 && !h.ordered && !made_type(made->type)->unordered && !made_type(made->type)->sorted)
        return end_not_known(m, "the order of the entries of a collection");
    struct jvalue *copy = arena_array(&m->arena, 2 * h.count + 1, sizeof *copy); /* it may be the same one */
    if (copy == NULL)
        return end_memory(m);
    for (size_t k = 0; k < h.count; k++) {
        copy[2 * k] = h.keys != NULL && h.shape == HS_CONTENTS_MAP ? h.keys[k] : h.values[k];
        copy[2 * k + 1] = h.values[k];
    }
    for (size_t k = 0; k < h.count; k++)
        if (!put(m, made, copy[2 * k], copy[2 * k + 1], &old))
            return false;
    *out = made->is == MADE_MAP ? (struct jvalue){ .kind = 'V' } : int_value(made->count > before);
    return true;
}

bool collection_cleared(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = changed(m, i->given[0]);
    *out = (struct jvalue){ .kind = 'V' };
    if (made == NULL)
        return false;
    made->count = 0;
    made->unordered = false;
    made->changes++;
    return true;
}

/* put, putIfAbsent, remove of a map. */
bool map_changed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    int64_t at;
    const struct text name = i->ref.name;
    struct made *map = changed(m, i->given[0]);
    if (map == NULL || !known(m, i->given[1]) || (i->count > 2 && !known(m, i->given[2])) ||
        !collection_place(m, map->values, map->count, i->given[1], &at))
        return false;
    *out = at >= 0 ? map->values[map->cap + (size_t)at] : null_value();
    if (!known(m, *out))
        return false;
    if (text_is(name, "remove")) {
        if (at >= 0)
            collection_remove(map, (size_t)at);
        return true;
    }
    return (text_is(name, "putIfAbsent") && out->bits != 0) || put(m, map, i->given[1], i->given[2], &at);
}
