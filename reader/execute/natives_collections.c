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

/* Lists that read their array without a look at the index throw what that throws. */
static bool no_entry(struct machine *m, struct jvalue list, int at, int count)
{
    static const char *const bare[] = { "java.util.ImmutableCollections$ListN", "java.util.Arrays$ArrayList" };
    const char *type = machine_type(m, list.bits), *thrown = "java.lang.IndexOutOfBoundsException";
    if (type != NULL && strcmp(type, "java.util.ImmutableCollections$List12") == 0)
        return throws_unsaid(m, thrown);
    if (type != NULL && strcmp(type, "java.util.Collections$UnmodifiableList") == 0)
        return end_not_known(m, "which exception the list of a view throws");
    for (size_t k = 0; k < sizeof bare / sizeof *bare; k++)
        if (type != NULL && strcmp(type, bare[k]) == 0)
            thrown = "java.lang.ArrayIndexOutOfBoundsException";
    return throws(m, thrown, "Index %d out of bounds for length %d", at, count);
}

bool list_get(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h) || !ordered(m, &h) || !known(m, i->given[1]))
        return false;
    const int64_t at = (int32_t)i->given[1].bits;
    if (at < 0 || (uint64_t)at >= h.count)
        return no_entry(m, i->given[0], (int)at, (int)h.count);
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
                   ? (void)throws_unsaid(m, "java.lang.NullPointerException"),
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

/* What is not there by equals may be there by the comparator of a sorted collection. */
static bool sure_miss(struct machine *m, struct jvalue in, size_t count, struct jvalue wanted)
{
    const char *type = machine_type(m, in.bits);
    const bool sorted = type != NULL && (strncmp(type, "java.util.Tree", 14) == 0 ||
                                         strncmp(type, "java.util.concurrent.ConcurrentSkip", 35) == 0);
    const enum nature nature = wanted.bits != 0 ? nature_of(m, wanted) : NATURE_OTHER;
    if (!sorted || count == 0 || (made_of(m, in) != NULL && (nature == NATURE_STRING || nature == NATURE_BOX)))
        return true;
    return end_not_known(m, "whether a sorted collection has it in its own order");
}

/* contains, indexOf, lastIndexOf. */
bool list_searched(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    int64_t at;
    const bool contains = text_is(i->ref.name, "contains");
    if (refuses_null(m, i->given[0], i->given[1]) || !entries_of(m, i->given[0], &h) ||
        (!contains && !ordered(m, &h)) ||
        !search(m, h.values, h.count, i->given[1], text_is(i->ref.name, "lastIndexOf"), &at) ||
        (at < 0 && !sure_miss(m, i->given[0], h.count, i->given[1])))
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
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!entries_of(m, i->given[0], &h) || !entries_of(m, i->given[1], &wanted))
        return false;
    for (size_t k = 0; k < wanted.count && at >= 0; k++)
        if (refuses_null(m, i->given[0], wanted.values[k]) ||
            !search(m, h.values, h.count, wanted.values[k], false, &at) ||
            (at < 0 && !sure_miss(m, i->given[0], h.count, wanted.values[k])))
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
    const bool last = stack || text_is(name, "peekLast") || text_is(name, "getLast") || text_is(name, "last");
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
        !search(m, value ? h.values : h.keys, h.count, i->given[1], false, &at) ||
        (at < 0 && !value && !sure_miss(m, i->given[0], h.count, i->given[1])))
        return false;
    if (value || text_is(i->ref.name, "containsKey"))
        *out = int_value(at >= 0);
    else
        *out = at >= 0 ? h.values[at] : i->count > 2 ? i->given[2] : null_value();
    return true;
}

/* firstKey, lastKey */
bool map_end(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h) || !ordered(m, &h))
        return false;
    if (h.count == 0)
        return throws(m, "java.util.NoSuchElementException", NULL);
    *out = h.keys[text_is(i->ref.name, "lastKey") ? h.count - 1 : 0];
    return known(m, *out);
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
    made_from(m, *out, i->given[0]);
    view->shared = true; /* most maps keep the one that they made first */
    for (size_t k = 0; !values && !keys && k < h.count; k++) {
        const struct jvalue entry[2] = { h.keys[k], h.values[k] };
        if (!make_values(m, MADE_ENTRY, "java.util.Map$Entry", entry, 2, 'L', &view->values[k]))
            return false;
        view = made_of(m, *out);
    }
    return true;
}

static bool in_order(struct machine *m, struct jvalue v, struct held *h)
{
    return entries_of(m, v, h) && ordered(m, h);
}

bool elements_of(struct machine *m, struct jvalue v, struct held *out)
{
    struct jvalue length;
    if (nature_of(m, v) != NATURE_ARRAY)
        return in_order(m, v, out);
    if (!array_count(m, v, &length) || !known(m, length) || !spend(m, length.bits))
        return false;
    struct jvalue *values = arena_array(&m->arena, length.bits + 1, sizeof *values);
    *out = (struct held){ .shape = HS_CONTENTS_LIST, .ordered = true, .count = length.bits, .values = values };
    for (uint64_t k = 0; values != NULL && k < length.bits; k++)
        if (!get_element(m, v, int_value((int64_t)k), 'A', &values[k]))
            return false;
    return values != NULL ? true : end_memory(m);
}

bool collection_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    struct jvalue length = int_value(0);
    const char *type = "java.lang.Object[]";
    if (i->count > 1) {
        type = machine_type(m, i->given[1].bits);
        if (!known(m, i->given[1]) || type == NULL || !array_count(m, i->given[1], &length) || !known(m, length))
            return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
    }
    if (!in_order(m, i->given[0], &h))
        return false;
    if (length.bits > 0 && length.bits >= h.count)
        return end_not_known(m, "what toArray does with an array that has room");
    for (size_t k = 0; k < h.count && i->count > 1 && strcmp(type, "java.lang.Object[]") != 0; k++) {
        char element[256];
        const size_t size = strlen(type) - 2;
        const char *own = machine_type(m, h.values[k].bits);
        if (size >= sizeof element)
            return end_not_known(m, "a type with so long a name");
        memcpy(element, type, size);
        element[size] = '\0';
        if (!known(m, h.values[k]))
            return false;
        if (h.values[k].bits != 0 &&
            (own == NULL || is_subtype(m, own, class_of_object(m, h.values[k]), element) != SURE_YES))
            return end_not_known(m, "whether an array of %s takes the elements", element);
    }
    return make_values(m, MADE_ARRAY, type, h.values, h.count, 'L', out);
}

bool collection_iterator(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!in_order(m, i->given[0], &h) ||
        !make_values(m, MADE_ITERATOR, "java.util.Iterator", h.values, h.count, 'L', out))
        return false;
    made_from(m, *out, i->given[0]);
    return true;
}

bool iterator_step(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    if (made == NULL || made->is != MADE_ITERATOR)
        return end_not_known(m, "where an iterator stands");
    if (is_outdated(made))
        return end_not_known(m, "an iterator of a collection that was changed");
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
