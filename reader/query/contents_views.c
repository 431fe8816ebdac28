/* contents_views.c - changes of a collection through what it gave: iterators, key sets, entries, sublists; see
 * contents.h. Most programs never change one so: whether any of their calls can is asked first. */
#include "reader/query/contents_views.h"

static const char *name_of(const struct hs_dataid *d)
{
    const char *s = d != NULL ? attribute_text(d, "name") : NULL;
    return s != NULL ? s : "";
}

/* ---- collections that are views ---- */

static void add_iterator(struct contents_calls *c, uint32_t id, enum contents_effect of)
{
    contents_add_view(c, id, of == DO_VIEW_OTHER ? DO_VIEW_BACKWARD : of);
    struct contents_view *v = id != 0 ? map_get(&c->views, id) : NULL;
    if (v != NULL)
        v->iterator = true;
}

/* Is it an entry set, or a view that may have one? */
static bool may_give_entries(const struct contents_calls *c, enum contents_effect of)
{
    return of == DO_VIEW_ENTRIES || (of == DO_VIEW_OTHER && (c->class->shapes & SHAPE_MAP) != 0);
}

/* Does the method of an entry set leave its entries in it? */
static bool keeps_entries(const char *name, enum contents_effect effect)
{
    static const char *const names[] = { "contains", "containsAll", "hashCode", "toString", "getClass" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return effect == DO_SIZE || effect == DO_IS_EMPTY || effect == DO_START || effect == DO_REMOVE_MEMBER ||
           effect == DO_VIEW_ITERATOR;
}

/* A call on the view `v`. */
static enum status view_call(struct contents_calls *c, struct contents_view v, const struct hs_event *e,
                             const struct hs_dataid *d, struct error *err)
{
    const char *name = name_of(d), *desc = attribute_text(d, "desc");
    unsigned shapes = v.of == DO_VIEW_OTHER ? SHAPE_LIST | SHAPE_SET | SHAPE_MAP | SHAPE_SORTED : SHAPE_SET;
    enum contents_effect effect = contents_method(shapes, name, desc);
    struct outside_call call;
    c->entries_given |= may_give_entries(c, v.of) && !keeps_entries(name, effect);
    if (effect == DO_READ || effect == DO_SIZE || effect == DO_IS_EMPTY || effect == DO_GET_AT || effect == DO_GET_KEY)
        return OK;
    enum status st = outside_call_whole(c->t, e, &call, err);
    if (st != OK)
        return st;
    if (effect == DO_VIEW_ITERATOR || effect == DO_VIEW_BACKWARD) {
        if (call.returned)
            add_iterator(c, object_of(&call.result), v.of);
        return OK;
    }
    if (v.of == DO_VIEW_OTHER || (effect != DO_START && effect != DO_REMOVE_MEMBER))
        effect =
            effect == DO_IF_TRUE_ANY || effect == DO_REMOVE_ALL || effect == DO_RETAIN_ALL ? DO_IF_TRUE_ANY : DO_LOSE;
    else if (effect == DO_REMOVE_MEMBER && v.of != DO_VIEW_KEYS)
        effect = DO_IF_TRUE_ANY;
    (void)contents_add_call(c, e, &call, effect);
    if (effect == DO_LOSE && call.returned)
        contents_add_holder(c, e, object_of(&call.result));
    return OK;
}

static enum status collection_view(struct contents_calls *c, struct contents_view v, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL, EVENT_CALL_PARAM, EVENT_METHOD_NORMAL_EXIT,
                                      EVENT_INVOKE_DYNAMIC_PARAM };
    struct walk w;
    struct hs_event e;
    enum status st = OK;
    walk_open_types(&w, c->t, types, sizeof types / sizeof *types, (uint32_t)v.id, c->to);
    while (st == OK && !c->full && walk_next(&w, &e) && e.seq <= c->to) {
        const struct hs_dataid *d = hs_dataid_get(c->t, e.dataid);
        if (d == NULL || e.seq < v.from)
            continue;
        if (d->event == EVENT_CALL)
            st = v.of == DO_HANDED ? contents_holder_call(c, &e, d, err) : view_call(c, v, &e, d, err);
        else if (d->event == EVENT_INVOKE_DYNAMIC_PARAM) {
            bool bound = contents_bound(c, &e);
            c->entries_given |= bound && v.of == DO_VIEW_ENTRIES;
        } else
            st = contents_given(c, &e, &v, err);
    }
    enum status walked = walk_close(&w, st == OK ? err : NULL);
    return st != OK ? st : walked;
}

/* ---- iterators ---- */

/* The calls of an iterator that has changed the collection. */
static enum status iterator_calls(struct contents_calls *c, struct contents_view v, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    struct walk w;
    struct hs_event e;
    struct hs_value last = { 0 };
    struct outside_call call;
    uint64_t given = 0, removed = 0;
    bool straight = v.of != DO_VIEW_BACKWARD, known = false;
    enum status st = OK;
    walk_open_types(&w, c->t, types, 1, (uint32_t)v.id, c->to);
    while (st == OK && !c->full && walk_next(&w, &e) && e.seq <= c->to) {
        const struct hs_dataid *d = hs_dataid_get(c->t, e.dataid);
        const char *name = name_of(d);
        bool next = strcmp(name, "next") == 0, removes = strcmp(name, "remove") == 0;
        if (strcmp(name, "previous") == 0 || strcmp(name, "forEachRemaining") == 0) {
            straight = false;
            next = strcmp(name, "previous") == 0;
            known = false;
        }
        if (!next && !removes && strncmp(name, "has", 3) != 0 && strcmp(name, "nextIndex") != 0 &&
            strcmp(name, "forEachRemaining") != 0) {
            (void)contents_add(c, &e, d, DO_LOSE);
            continue;
        }
        if (!next && !removes)
            continue;
        st = outside_call_whole(c->t, &e, &call, err);
        if (st != OK || !call.returned)
            continue;
        if (next) {
            last = (struct hs_value){ call.result.value, call.result.kind };
            known = true;
            given++;
            continue;
        }
        struct contents_op *op = contents_add_call(c, &e, &call, DO_VIEW_REMOVE);
        if (op == NULL)
            continue;
        op->view = v.of;
        op->has_index = straight && given > removed;
        op->index = given - removed - 1;
        if (v.of == DO_VIEW_ENTRIES && known)
            known =
                last.bits != 0 && last.bits <= UINT32_MAX && contents_key_of(c->t, (uint32_t)last.bits, e.seq, &last);
        op->arguments[0] = last;
        op->argument_count = known;
        removed++;
        known = false;
    }
    enum status walked = walk_close(&w, st == OK ? err : NULL);
    return st != OK ? st : walked;
}

/* A call of an iterator that may change the collection, or gives its elements away. */
static void iterator_event(struct contents_calls *c, const struct hs_event *e)
{
    struct contents_view *v = e->value != 0 ? map_get(&c->views, e->value) : NULL;
    if (v == NULL || !v->iterator)
        return;
    if (strcmp(name_of(hs_dataid_get(c->t, e->dataid)), "forEachRemaining") == 0)
        c->entries_given |= v->of == DO_VIEW_ENTRIES;
    else
        v->changes = true;
}

/* Marks the iterators on which a changing method was called. */
static enum status find_changing(struct contents_calls *c, struct error *err)
{
    static const char *const names[] = { "remove", "set", "add", "forEachRemaining" };
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && st == OK; i++)
        if (!contents_add_sites(c->t, names[i], "Iterator", &ids))
            st = state_memory(c->t, err);
    if (st == OK && ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, u32_order);
        walk_open_ids(&w, c->t, &ids, 0, c->to);
        for (int i = 0; walk_next(&w, &e) && e.seq <= c->to; i++) {
            iterator_event(c, &e);
            if (i == CHANGES_MAX) {
                contents_overflow(c, &e, CHANGES_MAX, "calls of remove, set and add of iterators");
                break;
            }
        }
        st = walk_close(&w, err);
    }
    vec_free(&ids);
    return st;
}

/* Those of c->found from `*from` on; finds more of them, and iterators. */
static enum status collection_views(struct contents_calls *c, size_t *from, struct error *err)
{
    enum status st = OK;
    for (; st == OK && !c->full && *from < c->found.count; ++*from) {
        const struct contents_view v = *map_get(&c->views, c->found.items[*from]);
        if (!v.iterator)
            st = collection_view(c, v, err);
    }
    return st;
}

enum status contents_view_calls(struct contents_calls *c, struct error *err)
{
    bool entries = false, iterators = false;
    size_t from = 0;
    enum status st = collection_views(c, &from, err);
    for (size_t i = 0; i < c->views.cap; i++)
        if (c->views.slots[i].id != 0) {
            iterators |= c->views.slots[i].iterator;
            entries |= may_give_entries(c, c->views.slots[i].of);
        }
    if (st == OK && iterators)
        st = contents_bound_iterators(c, err);
    if (st == OK)
        st = contents_unbound(c, err);
    if (st == OK)
        st = collection_views(c, &from, err);
    if (st == OK && iterators)
        st = find_changing(c, err);
    for (size_t i = 0; st == OK && i < c->views.cap; i++)
        if (c->views.slots[i].id != 0 && c->views.slots[i].changes)
            st = iterator_calls(c, c->views.slots[i], err);
    if (st == OK && entries)
        st = contents_set_values(c, err);
    return st;
}
