/* natives_fixed.c - collections that cannot be changed: List.of and the like, views, java.util.Collections; see
 * natives.h. */
#include "reader/execute/natives.h"

#define IMMUTABLE "java.util.ImmutableCollections$"

static bool null_given(struct machine *m)
{
    return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
}
static bool is_null(struct machine *m, struct jvalue v) { return !known(m, v) || v.bits == 0; }

/* None is null, and none of the keys is there twice, in the order in which the constructors look. `twice` NULL: that is
 * allowed. `values`: NULL, or of a map. */
static bool checked(struct machine *m, const struct jvalue *keys, const struct jvalue *values, size_t count,
                    bool *twice)
{
    for (size_t k = 0; k < count; k++) {
        int64_t at = -1;
        if (is_null(m, keys[k]) || (values != NULL && is_null(m, values[k])))
            return null_given(m);
        if (twice != NULL && !collection_place(m, keys, k, keys[k], &at))
            return false;
        if (at >= 0)
            return *twice = true;
    }
    return true;
}

static const char *list_type(size_t count) { return count == 1 || count == 2 ? IMMUTABLE "List12" : IMMUTABLE "ListN"; }

bool make_list_of(struct machine *m, const struct jvalue *values, size_t count, struct jvalue *out)
{
    return checked(m, values, NULL, count, NULL) && make_collection(m, list_type(count), values, count, true, out);
}

/* List.of and Set.of of up to ten elements or an array, List.copyOf, Set.copyOf, Arrays.asList. */
bool list_of(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h = { .count = i->count, .values = i->given };
    const bool one = i->count == 1 && i->ref.desc.data[1] == '[', copies = text_is(i->ref.name, "copyOf");
    const bool set = text_is_class(i->ref.owner, "java.util.Set"), as_list = text_is(i->ref.name, "asList");
    if (one || copies) {
        if (is_null(m, i->given[0]))
            return null_given(m);
        if (!(copies && set ? entries_of(m, i->given[0], &h) : elements_of(m, i->given[0], &h)))
            return false;
    }
    bool twice = false;
    if (!as_list && !checked(m, h.values, NULL, h.count, set ? &twice : NULL))
        return false;
    if (as_list) {
        if (!make_values(m, MADE_FIXED_LIST, "java.util.Arrays$ArrayList", h.values, h.count, 'L', out))
            return false;
        made_from(m, *out, i->given[0]);
        return true;
    }
    if (!set)
        return make_collection(m, list_type(h.count), h.values, h.count, true, out);
    if (twice && !copies)
        return throws_unsaid(m, "java.lang.IllegalArgumentException");
    if (!make_collection(m, h.count > 0 && h.count < 3 ? IMMUTABLE "Set12" : IMMUTABLE "SetN", h.values, h.count, true,
                         out))
        return false;
    struct made *made = made_of(m, *out);
    for (size_t k = 1; twice && k < made->count;) {
        int64_t at;
        if (!collection_place(m, made->values, k, made->values[k], &at))
            return false;
        if (at >= 0)
            collection_remove(made, k);
        else
            k++;
    }
    made->unordered = made->count > 1;
    made->changes = 0;
    return true;
}

/* Map.of of up to ten pairs, Map.ofEntries, Map.copyOf. */
bool map_of(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h = { 0 }, entry;
    const bool pairs = text_is(i->ref.name, "of"), copies = text_is(i->ref.name, "copyOf");
    if (!pairs && is_null(m, i->given[0]))
        return null_given(m);
    if (!pairs && !(copies ? entries_of(m, i->given[0], &h) : elements_of(m, i->given[0], &h)))
        return false;
    const size_t count = pairs ? i->count / 2 : h.count;
    struct jvalue *keys = arena_array(&m->arena, 2 * count + 1, sizeof *keys), *values = keys + count;
    bool twice = false;
    if (keys == NULL)
        return end_memory(m);
    for (size_t k = 0; k < count; k++) {
        if (!pairs && !copies && (is_null(m, h.values[k]) || !entries_of(m, h.values[k], &entry)))
            return null_given(m);
        if (!pairs && !copies && entry.keys == NULL)
            return end_not_known(m, "what an entry of a map held");
        keys[k] = pairs ? i->given[2 * k] : copies ? h.keys[k] : entry.keys[0];
        values[k] = pairs ? i->given[2 * k + 1] : copies ? h.values[k] : entry.values[0];
    }
    if (!checked(m, keys, values, count, &twice))
        return false;
    return twice ? throws_unsaid(m, "java.lang.IllegalArgumentException")
                 : make_map(m, count == 1 ? IMMUTABLE "Map1" : IMMUTABLE "MapN", keys, values, count, true, out);
}

bool map_entry(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (is_null(m, i->given[0]) || is_null(m, i->given[1]))
        return null_given(m);
    return make_values(m, MADE_ENTRY, "java.util.KeyValueHolder", i->given, 2, 'L', out);
}

/* subList: a view. */
bool list_part(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    int32_t from, to;
    if (!elements_of(m, i->given[0], &h) || !int_of(m, i->given[1], &from) || !int_of(m, i->given[2], &to))
        return false;
    if (from < 0 || (from <= to && (uint32_t)to > h.count))
        return throws_unsaid(m, "java.lang.IndexOutOfBoundsException");
    if (from > to) { /* of some lists an IndexOutOfBoundsException is first */
        return (uint32_t)to <= h.count && (uint32_t)from <= h.count
                   ? throws_unsaid(m, "java.lang.IllegalArgumentException")
                   : end_not_known(m, "which exception a list throws for such a part");
    }
    if (!make_values(m, MADE_VIEW, "java.util.List", h.values + from, (size_t)(to - from), 'L', out))
        return false;
    made_from(m, *out, i->given[0]);
    return true;
}

/* ---- java.util.Collections ---- */

/* emptyList, singletonList, nCopies and the others, which cannot be changed. */
bool collections_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    int32_t times = (int32_t)i->count;
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    if (text_is(name, "emptyMap") || text_is(name, "singletonMap")) {
        return make_map(
            m, text_is(name, "emptyMap") ? "java.util.Collections$EmptyMap" : "java.util.Collections$SingletonMap",
            i->given, i->given + 1, i->count / 2, false, out);
    }
    if (text_is(name, "nCopies")) {
        if (!int_of(m, i->given[0], &times))
            return false;
        if (times < 0)
            return throws_unsaid(m, "java.lang.IllegalArgumentException");
    }
    if (!make_values(m, MADE_FIXED_LIST,
                     text_is(name, "nCopies")         ? "java.util.Collections$CopiesList"
                     : text_is(name, "emptyList")     ? "java.util.Collections$EmptyList"
                     : text_is(name, "emptySet")      ? "java.util.Collections$EmptySet"
                     : text_is(name, "singletonList") ? "java.util.Collections$SingletonList"
                                                      : "java.util.Collections$SingletonSet",
                     NULL, (size_t)times, 'L', out))
        return false;
    for (int32_t k = 0; k < times; k++)
        made_of(m, *out)->values[k] = i->given[i->count - 1];
    return true;
}

/* unmodifiableList and the others: views, which are what their collection is. */
bool collections_view(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    const struct text name = i->ref.name;
    if (is_null(m, i->given[0]))
        return null_given(m);
    if (!entries_of(m, i->given[0], &h))
        return false;
    const bool map = text_is(name, "unmodifiableMap");
    if (map != (h.shape == HS_CONTENTS_MAP))
        return end_not_known(m, "a view of a collection of another kind");
    const char *type = map                                 ? "java.util.Collections$UnmodifiableMap"
                       : text_is(name, "unmodifiableSet")  ? "java.util.Collections$UnmodifiableSet"
                       : text_is(name, "unmodifiableList") ? "java.util.Collections$UnmodifiableList"
                                                           : "java.util.Collections$UnmodifiableCollection";
    if (!(map ? make_map(m, type, h.keys, h.values, h.count, !h.ordered, out)
              : make_values(m, MADE_VIEW, type, h.values, h.count, 'L', out)))
        return false;
    made_of(m, *out)->unordered = !h.ordered && h.count > 1;
    made_from(m, *out, i->given[0]);
    return true;
}

/* frequency, disjoint */
bool collections_counted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h, other;
    int64_t n = 0, at;
    const bool frequency = text_is(i->ref.name, "frequency");
    if (is_null(m, i->given[0]) || (!frequency && is_null(m, i->given[1])))
        return null_given(m);
    if (!known(m, i->given[1]) || !entries_of(m, i->given[0], &h) ||
        (!frequency && !entries_of(m, i->given[1], &other)))
        return false;
    for (size_t k = 0; k < h.count; k++) {
        bool equal = false;
        if (frequency ? !values_equal(m, i->given[1], h.values[k], &equal)
                      : !collection_place(m, other.values, other.count, h.values[k], &at))
            return false;
        n += frequency ? equal : at >= 0;
    }
    *out = int_value(frequency ? n : n == 0);
    return true;
}
