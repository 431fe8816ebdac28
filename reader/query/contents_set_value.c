/* contents_set_value.c - changes of a map by Map.Entry.setValue; see contents.h.
 *
 *     CALL #7.entrySet -> #8   CALL #8.iterator -> #9   CALL #9.next -> #10   CALL #10.setValue
 *
 * An entry whose first event is that of an iterator of the map is one of the map. Where the map has given its entries
 * away (a copy of its entry set, a stream of it), one that came from elsewhere may be, too. */
#include <stdlib.h>

#include "reader/query/contents_views.h"

static bool is_get_key(const struct hs_dataid *d)
{
    const char *name = d != NULL ? attribute_text(d, "name") : NULL;
    return name != NULL && strcmp(name, "getKey") == 0;
}

bool contents_key_of(hs_trace *t, uint32_t entry, uint64_t seq, struct hs_value *out)
{
    static const unsigned types[] = { EVENT_CALL };
    struct walk w;
    struct hs_event e;
    struct outside_call call;
    bool found = false;
    walk_open_types(&w, t, types, 1, entry, seq);
    walk_seek_after(&w, seq);
    while (!found && walk_previous(&w, &e))
        if (is_get_key(hs_dataid_get(t, e.dataid)) && outside_call_at(t, &e, &call, NULL) == OK && call.returned) {
            *out = (struct hs_value){ call.result.value, call.result.kind };
            found = true;
        }
    (void)walk_close(&w, NULL);
    return found;
}

/* The call that returned the object first; false: it is not known. */
static bool first_returned(hs_trace *t, uint32_t id, uint64_t to, struct outside_call *out)
{
    static const unsigned types[] = { EVENT_CALL_RETURN };
    struct walk w;
    struct hs_event first;
    if (id == 0)
        return false;
    walk_open_types(&w, t, types, 1, id, to);
    bool found = walk_next(&w, &first) && outside_call_of(t, &first, out, NULL) == OK;
    (void)walk_close(&w, NULL);
    return found;
}

/* Does the iterator go through the entry set of another map, which is no view of this one? */
static bool of_another_map(struct contents_calls *c, uint32_t iterator, uint64_t to)
{
    struct outside_call call;
    if (!first_returned(c->t, iterator, to, &call) || strcmp(outside_call_name(&call), "iterator") != 0 ||
        !first_returned(c->t, object_of(&call.call), to, &call) || strcmp(outside_call_name(&call), "entrySet") != 0)
        return false;
    uint32_t map = object_of(&call.call);
    const struct contents_class *k = map != 0 && map != c->contents->id ? contents_class_of(c->t, map) : NULL;
    return k != NULL && (k->shapes & SHAPE_MAP) != 0;
}

enum origin { NOT_OURS, OURS, MAY_BE_OURS };

static enum origin origin_of(struct contents_calls *c, uint32_t entry, uint64_t to)
{
    struct outside_call call;
    bool found = first_returned(c->t, entry, to, &call), next = found && strcmp(outside_call_name(&call), "next") == 0;
    uint32_t giver = found ? object_of(&call.call) : 0;
    const struct contents_view *v = giver != 0 ? map_get(&c->views, giver) : NULL;
    if (v != NULL && v->of == DO_VIEW_ENTRIES)
        return next ? OURS : MAY_BE_OURS;
    if (v != NULL && v->of != DO_VIEW_KEYS && v->of != DO_VIEW_VALUES)
        return MAY_BE_OURS;
    return c->entries_given && !(next && of_another_map(c, giver, to)) ? MAY_BE_OURS : NOT_OURS;
}

static enum status set_value(struct contents_calls *c, const struct hs_event *e, struct error *err)
{
    struct outside_call call;
    struct hs_value key;
    uint32_t entry = object_of(e);
    enum origin origin = entry != 0 ? origin_of(c, entry, e->seq) : NOT_OURS;
    if (origin == NOT_OURS)
        return OK;
    enum status st = outside_call_whole(c->t, e, &call, err);
    if (st != OK || !call.returned)
        return st;
    bool known = origin == OURS && contents_key_of(c->t, entry, e->seq, &key) && call.argument_count > 0;
    struct contents_op *op = contents_add_call(c, e, &call, known ? DO_PUT : DO_LOSE);
    if (op != NULL && known) {
        op->arguments[1] = op->arguments[0];
        op->arguments[0] = key;
        op->argument_count = 2;
        op->in_place = true;
    }
    return OK;
}

enum status contents_set_values(struct contents_calls *c, struct error *err)
{
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = contents_add_sites(c->t, "setValue", "Entry", &ids) ? OK : state_memory(c->t, err);
    if (st == OK && ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, u32_order);
        walk_open_ids(&w, c->t, &ids, 0, c->to);
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
