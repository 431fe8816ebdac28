/* contents_views.c - changes of a collection through what it gave: iterators, key sets, entries, sublists; see
 * contents.h. Most programs never change one so: whether any of their calls can is asked first. */
#include "reader/query/contents_views.h"

enum { CHANGES_MAX = 100000 };

void contents_add_view(struct contents_calls *c, uint32_t id, enum contents_effect of)
{
    if (id == 0 || map_get(&c->views, id) != NULL)
        return;
    struct contents_view *v = map_put(&c->views, id);
    if (v == NULL) {
        c->no_memory = true;
        return;
    }
    v->of = of;
    v->iterator = of == DO_VIEW_ITERATOR || of == DO_VIEW_BACKWARD;
}

void contents_views_done(struct contents_calls *c) { map_free(&c->views); }

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

/* A call on the view `v`. */
static enum status view_call(struct contents_calls *c, struct contents_view v, const struct hs_event *e,
                             const struct hs_dataid *d, struct error *err)
{
    const char *name = name_of(d), *desc = attribute_text(d, "desc");
    unsigned shapes = v.of == DO_VIEW_OTHER ? SHAPE_LIST | SHAPE_SET | SHAPE_MAP | SHAPE_SORTED : SHAPE_SET;
    enum contents_effect effect = contents_method(shapes, name, desc);
    struct outside_call call;
    if (v.of == DO_VIEW_ENTRIES && effect == DO_READ)
        c->entries_given |= strcmp(name, "contains") != 0;
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
    return OK;
}

static enum status collection_view(struct contents_calls *c, struct contents_view v, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL, EVENT_CALL_PARAM };
    struct walk w;
    struct hs_event e;
    enum status st = OK;
    walk_open_types(&w, c->t, types, 2, (uint32_t)v.id, c->to);
    while (st == OK && !c->full && walk_next(&w, &e) && e.seq <= c->to) {
        const struct hs_dataid *d = hs_dataid_get(c->t, e.dataid);
        if (d != NULL)
            st = d->event == EVENT_CALL ? view_call(c, v, &e, d, err) : contents_given(c, &e, err);
    }
    enum status walked = walk_close(&w, st == OK ? err : NULL);
    return st != OK ? st : walked;
}

/* ---- iterators ---- */

/* The data IDs of calls of a method, of an owner whose name holds this word. */
static bool add_sites(hs_trace *t, const char *name, const char *owner, u32_vec *ids)
{
    size_t count;
    const struct site *sites = sites_named(t, EVENT_CALL, name, &count);
    for (size_t i = 0; i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, sites[i].dataid);
        const char *text = d != NULL ? attribute_text(d, "owner") : NULL;
        if (text == NULL || strstr(text, owner) == NULL || strcmp(name_of(d), name) != 0)
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = sites[i].dataid;
    }
    return true;
}

static int rising(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The key of an entry: what its getKey returned last before this event. An entry of a TreeMap can get another key. */
static bool key_of(hs_trace *t, uint32_t entry, uint64_t seq, struct hs_value *out)
{
    static const unsigned types[] = { EVENT_CALL };
    struct walk w;
    struct hs_event e;
    struct outside_call call;
    bool found = false;
    walk_open_types(&w, t, types, 1, entry, seq);
    walk_seek_after(&w, seq);
    while (!found && walk_previous(&w, &e))
        if (strcmp(name_of(hs_dataid_get(t, e.dataid)), "getKey") == 0 && outside_call_at(t, &e, &call, NULL) == OK &&
            call.returned) {
            *out = (struct hs_value){ call.result.value, call.result.kind };
            found = true;
        }
    (void)walk_close(&w, NULL);
    return found;
}

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
        if (strcmp(name, "previous") == 0) {
            straight = false;
            next = true;
        }
        if (!next && !removes && strncmp(name, "has", 3) != 0 && strcmp(name, "nextIndex") != 0) {
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
            known = last.bits != 0 && last.bits <= UINT32_MAX && key_of(c->t, (uint32_t)last.bits, e.seq, &last);
        op->arguments[0] = last;
        op->argument_count = known;
        removed++;
        known = false;
    }
    enum status walked = walk_close(&w, st == OK ? err : NULL);
    return st != OK ? st : walked;
}

/* Marks the iterators that were told to change something. */
static enum status find_changing(struct contents_calls *c, struct error *err)
{
    static const char *const names[] = { "remove", "set", "add" };
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && st == OK; i++)
        if (!add_sites(c->t, names[i], "Iterator", &ids))
            st = state_memory(c->t, err);
    if (st == OK && ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, rising);
        walk_open_ids(&w, c->t, &ids, 0, 0, c->to);
        for (int i = 0; walk_next(&w, &e) && e.seq <= c->to; i++) {
            struct contents_view *v = e.value != 0 ? map_get(&c->views, e.value) : NULL;
            if (v != NULL)
                v->changes = true;
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

/* ---- entries ---- */

/* Map.Entry.setValue: on an entry that an iterator of this map gave. */
static enum status set_value(struct contents_calls *c, const struct hs_event *e, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL_RETURN };
    struct walk w;
    struct hs_event first;
    struct outside_call origin, call;
    struct hs_value key;
    uint32_t entry = object_of(e);
    const struct contents_view *v = NULL;
    bool seen = false;
    if (entry == 0)
        return OK;
    walk_open_types(&w, c->t, types, 1, entry, e->seq);
    if (walk_next(&w, &first) && outside_call_of(c->t, &first, &origin, NULL) == OK) {
        seen = strcmp(outside_call_name(&origin), "next") == 0;
        v = object_of(&origin.call) != 0 ? map_get(&c->views, object_of(&origin.call)) : NULL;
    }
    enum status st = walk_close(&w, err);
    if (st != OK || (seen ? v == NULL : !c->entries_given))
        return st;
    st = outside_call_whole(c->t, e, &call, err);
    if (st != OK || !call.returned)
        return st;
    bool known = seen && key_of(c->t, entry, e->seq, &key) && call.argument_count > 0;
    struct contents_op *op = contents_add_call(c, e, &call, known ? DO_PUT : DO_LOSE);
    if (op != NULL && known) {
        op->arguments[1] = op->arguments[0];
        op->arguments[0] = key;
        op->argument_count = 2;
        op->in_place = true;
    }
    return OK;
}

static enum status set_values(struct contents_calls *c, struct error *err)
{
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = add_sites(c->t, "setValue", "Entry", &ids) ? OK : state_memory(c->t, err);
    if (st == OK && ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, rising);
        walk_open_ids(&w, c->t, &ids, 0, 0, c->to);
        for (int i = 0; st == OK && walk_next(&w, &e) && e.seq <= c->to; i++) {
            st = set_value(c, &e, err);
            if (i == CHANGES_MAX) {
                contents_overflow(c, &e, CHANGES_MAX, "calls of setValue of entries of maps");
                break;
            }
        }
        enum status walked = walk_close(&w, st == OK ? err : NULL);
        st = st != OK ? st : walked;
    }
    vec_free(&ids);
    return st;
}

enum status contents_view_calls(struct contents_calls *c, struct error *err)
{
    enum status st = OK;
    bool entries = false, iterators = false;
    u64_vec ids = { 0 };
    for (size_t i = 0; i < c->views.cap; i++)
        if (c->views.slots[i].id != 0 && !c->views.slots[i].iterator) {
            uint64_t *to = vec_push(&ids);
            if (to == NULL) {
                st = state_memory(c->t, err);
                break;
            }
            *to = c->views.slots[i].id;
            entries |= c->views.slots[i].of == DO_VIEW_ENTRIES;
        }
    for (size_t i = 0; st == OK && i < ids.count; i++)
        st = collection_view(c, *map_get(&c->views, ids.items[i]), err); /* which adds iterators */
    vec_free(&ids);
    for (size_t i = 0; i < c->views.cap; i++)
        iterators |= c->views.slots[i].id != 0 && c->views.slots[i].iterator;
    if (st == OK && iterators)
        st = find_changing(c, err);
    for (size_t i = 0; st == OK && i < c->views.cap; i++)
        if (c->views.slots[i].id != 0 && c->views.slots[i].changes)
            st = iterator_calls(c, c->views.slots[i], err);
    if (st == OK && entries)
        st = set_values(c, err);
    return st;
}
