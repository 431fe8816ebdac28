/* natives_collections.c - what collections of the JDK answer, from what they held at the moment, and lists that
 * executed code makes; see natives.h. A collection that exists is not changed: what would change it is not known. */
#include "reader/execute/natives.h"

static bool ordered(struct machine *m, const struct held *h)
{
    return h->ordered || h->count < 2 ? true : end_not_known(m, "the order of the entries of a collection");
}

bool collection_size(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h))
        return false;
    *out = int_value(text_is(i->ref.name, "isEmpty") ? h.count == 0 : (int64_t)h.count);
    return true;
}

bool list_get(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h) || !ordered(m, &h) || !known(m, i->given[1]))
        return false;
    const int64_t at = (int32_t)i->given[1].bits;
    if (at < 0 || (uint64_t)at >= h.count)
        return throws(m, "java.lang.IndexOutOfBoundsException", "Index %d out of bounds for length %d", (int)at,
                      (int)h.count);
    *out = h.values[at];
    return true;
}

/* Null is looked for: many collections throw then, and of others it is not known whether they do. */
static bool refuses_null(struct machine *m, struct jvalue in, struct jvalue wanted)
{
    static const struct {
        const char *type;
        bool throws, sure;
    } types[] = {
        { "java.util.ImmutableCollections$ListN", true, false }, /* those of Stream.toList have nulls */
        { "java.util.ImmutableCollections$", true, true },
        { "java.util.concurrent.ConcurrentHashMap", true, true },
        { "java.util.Hashtable", true, true },
        { "java.util.Tree", true, false }, /* a comparator may take it */
    };
    const char *type = machine_type(m, in.bits);
    const struct made *made = made_of(m, in);
    if (!known(m, wanted) || wanted.bits != 0 || type == NULL)
        return m->ended != OUTCOME_VALUE;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(type, types[i].type, strlen(types[i].type)) == 0)
            return types[i].sure || (made != NULL && made->is == MADE_FIXED_LIST)
                   ? (void)throws(m, "java.lang.NullPointerException", NULL),
                   true : (void)end_not_known(m, "whether a collection of %s takes null", type), true;
    return false;
}

/* The first (or last) entry that is equal; -1. */
static bool search(struct machine *m, const struct jvalue *in, size_t count, struct jvalue wanted, bool last,
                   int64_t *at)
{
    *at = -1;
    for (size_t k = 0; k < count && *at < 0; k++) {
        const size_t n = last ? count - 1 - k : k;
        bool equal;
        if (!values_equal(m, wanted, in[n], &equal))
            return false;
        *at = equal ? (int64_t)n : -1;
    }
    return true;
}

/* contains, indexOf, lastIndexOf. */
bool list_searched(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    int64_t at;
    const bool contains = text_is(i->ref.name, "contains");
    if (refuses_null(m, i->given[0], i->given[1]) || !entries_of(m, i->given[0], &h) ||
        (!contains && !ordered(m, &h)) ||
        !search(m, h.values, h.count, i->given[1], text_is(i->ref.name, "lastIndexOf"), &at))
        return false;
    *out = int_value(contains ? at >= 0 : at);
    return true;
}

bool list_contains_all(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h, wanted;
    int64_t at = 0;
    if (!known(m, i->given[1]))
        return false;
    if (i->given[1].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    if (!entries_of(m, i->given[0], &h) || !entries_of(m, i->given[1], &wanted))
        return false;
    for (size_t k = 0; k < wanted.count && at >= 0; k++)
        if (refuses_null(m, i->given[0], wanted.values[k]) ||
            !search(m, h.values, h.count, wanted.values[k], false, &at))
            return false;
    *out = int_value(at >= 0);
    return true;
}

/* peek, element, getFirst, getLast and the others, of a queue whose order is known. */
bool queue_end(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    const struct text name = i->ref.name;
    const char *type = machine_type(m, i->given[0].bits);
    const bool stack = type != NULL && strcmp(type, "java.util.Stack") == 0;
    if (!entries_of(m, i->given[0], &h) || !ordered(m, &h))
        return false;
    if (h.count == 0 && stack)
        return throws(m, "java.util.EmptyStackException", NULL);
    if (h.count == 0 && name.data[0] != 'p')
        return throws(m, "java.util.NoSuchElementException", NULL);
    const bool last = stack || text_is(name, "peekLast") || text_is(name, "getLast");
    *out = h.count == 0 ? null_value() : h.values[last ? h.count - 1 : 0];
    return true;
}

/* get, getOrDefault, containsKey, containsValue. */
bool map_searched(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    int64_t at;
    const bool value = text_is(i->ref.name, "containsValue");
    if (refuses_null(m, i->given[0], i->given[1]) || !entries_of(m, i->given[0], &h) ||
        !search(m, value ? h.values : h.keys, h.count, i->given[1], false, &at))
        return false;
    if (value || text_is(i->ref.name, "containsKey"))
        *out = int_value(at >= 0);
    else
        *out = at >= 0 ? h.values[at] : i->count > 2 ? i->given[2] : null_value();
    return true;
}

/* ---- views and iterators ---- */

bool map_view(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h))
        return false;
    const bool values = text_is(i->ref.name, "values"), keys = text_is(i->ref.name, "keySet");
    if (!make_values(m, MADE_VIEW, values ? "java.util.Collection" : "java.util.Set", values ? h.values : h.keys,
                     h.count, 'L', out))
        return false;
    struct made *view = made_of(m, *out);
    view->unordered = !h.ordered && h.count > 1;
    view->shared = true; /* most maps keep the one that they made first */
    for (size_t k = 0; !values && !keys && k < h.count; k++) {
        const struct jvalue entry[2] = { h.keys[k], h.values[k] };
        if (!make_values(m, MADE_ENTRY, "java.util.Map$Entry", entry, 2, 'L', &view->values[k]))
            return false;
        view = made_of(m, *out);
    }
    return true;
}

/* The entries in their order, of a collection or of a view of a map. */
static bool in_order(struct machine *m, struct jvalue v, struct held *h)
{
    const struct made *made = made_of(m, v);
    if (!entries_of(m, v, h) || !ordered(m, h))
        return false;
    return made == NULL || !made->unordered ? true : end_not_known(m, "the order of the entries of a map");
}

bool collection_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    return in_order(m, i->given[0], &h) &&
           make_values(m, MADE_ARRAY, "java.lang.Object[]", h.values, h.count, 'L', out);
}

bool collection_iterator(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    return in_order(m, i->given[0], &h) &&
           make_values(m, MADE_ITERATOR, "java.util.Iterator", h.values, h.count, 'L', out);
}

bool iterator_step(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    if (made == NULL || made->is != MADE_ITERATOR)
        return end_not_known(m, "where an iterator stands");
    if (text_is(i->ref.name, "hasNext"))
        return *out = int_value(made->at < made->count), true;
    if (made->at == made->count)
        return throws(m, "java.util.NoSuchElementException", NULL);
    *out = made->values[made->at++];
    return true;
}

bool entry_part(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h))
        return false;
    if (h.shape != HS_CONTENTS_MAP || h.count != 1)
        return end_not_known(m, "what an entry of a map held");
    *out = text_is(i->ref.name, "getKey") ? h.keys[0] : h.values[0];
    return true;
}

/* ---- Optional ---- */

bool optional_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h))
        return false;
    const bool present = h.count > 0;
    if (text_is(i->ref.name, "isPresent") || text_is(i->ref.name, "isEmpty"))
        return *out = int_value(present == text_is(i->ref.name, "isPresent")), true;
    if (present)
        return *out = h.values[0], true;
    if (text_is(i->ref.name, "orElse"))
        return *out = i->given[1], true;
    return throws(m, "java.util.NoSuchElementException", "No value present");
}

bool optional_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (i->count > 0 && !known(m, i->given[0]))
        return false;
    const bool none = i->count == 0 || i->given[0].bits == 0;
    if (none && text_is(i->ref.name, "of"))
        return throws(m, "java.lang.NullPointerException", NULL);
    return make_values(m, MADE_OPTIONAL, "java.util.Optional", i->given, none ? 0 : 1, 'L', out);
}

/* ---- lists that are made ---- */

bool list_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    struct held h = { 0 };
    if (made == NULL)
        return end_not_known(m, "a constructor on an object that exists");
    if (i->count > 1 && i->given[1].kind == 'A' &&
        (!known(m, i->given[1]) || !entries_of(m, i->given[1], &h) || !ordered(m, &h)))
        return false;
    made->is = MADE_LIST;
    made->values = arena_array(&m->arena, h.count + 1, sizeof *made->values);
    if (made->values == NULL)
        return end_memory(m);
    for (size_t k = 0; k < h.count; k++)
        made->values[k] = h.values[k];
    made->count = made->cap = (uint32_t)h.count;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}

bool list_added(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    if (made == NULL || made->is != MADE_LIST)
        return end_not_known(m, "what a change does to a collection that exists");
    if (made->count == UNITS_MAX)
        return end_limit(m, "a list is too long");
    if (made->count == made->cap) {
        const uint32_t cap = 2 * made->cap + 8;
        struct jvalue *grown = arena_array(&m->arena, cap, sizeof *grown);
        if (grown == NULL)
            return end_memory(m);
        memcpy(grown, made->values, made->count * sizeof *grown);
        made->values = grown;
        made->cap = cap;
    }
    made->values[made->count++] = i->given[1];
    *out = int_value(1);
    return true;
}

/* List.of of up to ten elements, or of an array, as Arrays.asList. */
bool list_of(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue length, v;
    const bool array = i->count == 1 && i->ref.desc.size > 1 && i->ref.desc.data[1] == '[';
    for (unsigned k = 0; !array && k < i->count; k++)
        if (!known(m, i->given[k]) || i->given[k].bits == 0)
            return m->ended == OUTCOME_VALUE && throws(m, "java.lang.NullPointerException", NULL);
    if (!array)
        return make_values(m, MADE_LIST, "java.util.ImmutableCollections$ListN", i->given, i->count, 'L', out) &&
               (made_of(m, *out)->is = MADE_FIXED_LIST, true);
    if (!known(m, i->given[0]))
        return false;
    if (i->given[0].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    if (!array_count(m, i->given[0], &length) || !known(m, length) ||
        !make_values(m, MADE_FIXED_LIST, "java.util.Arrays$ArrayList", NULL, length.bits, 'L', out))
        return false;
    struct made *made = made_of(m, *out);
    for (uint64_t k = 0; k < length.bits; k++) {
        if (!get_element(m, i->given[0], int_value((int64_t)k), 'A', &v))
            return false;
        made->values[k] = v;
    }
    return true;
}
