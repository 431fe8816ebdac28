/* walks.c - see cursor.h. */
#include "reader/cursor/cursor.h"

enum status event_beside(hs_trace *t, const struct hs_event *e, int64_t steps, struct hs_event *out, struct error *err)
{
    if (steps < 0 && (uint64_t)-steps > e->position)
        return ERR_NOT_FOUND;
    return positions_event(t, (struct event_position){ positions_stream(t, e->thread), e->position + (uint64_t)steps },
                           out, err);
}

bool walk_add_sites(hs_trace *t, unsigned type, u32_vec *ids)
{
    const site_vec *sites = sites_of(t, type);
    for (size_t i = 0; i < sites->count; i++) {
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = sites->items[i].dataid;
    }
    return true;
}

/* ---- opening ---- */

static void open_ids(struct walk *w, hs_trace *t, const u32_vec *ids, const struct hs_filter *filter)
{
    static const uint32_t none[1];
    *w = (struct walk){ .error = HS_ERROR_INIT };
    (void)cursor_open_ids(t, filter, ids->items != NULL ? ids->items : none, ids->count, &w->cursor, &w->error);
}

void walk_open_ids_from(struct walk *w, hs_trace *t, const u32_vec *ids, uint32_t object, uint64_t from, uint64_t to)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = object;
    filter.from = from;
    filter.to = to;
    open_ids(w, t, ids, &filter);
}

void walk_open_ids(struct walk *w, hs_trace *t, const u32_vec *ids, uint32_t object, uint64_t to)
{
    walk_open_ids_from(w, t, ids, object, 0, to);
}

void walk_set_keys(struct walk *w, const struct index_key *keys, size_t count)
{
    if (w->cursor != NULL)
        cursor_set_keys(w->cursor, keys, count);
}

void walk_open_types(struct walk *w, hs_trace *t, const unsigned *types, size_t count, uint32_t object, uint64_t to)
{
    walk_open_types_from(w, t, types, count, object, 0, to);
}

/* Others have no object as value; chunks are not looked for because of them. */
static void keep_references(const hs_trace *t, u32_vec *ids)
{
    size_t left = 0;
    for (size_t i = 0; i < ids->count; i++)
        if ((t->kinds[ids->items[i]] & 0x7f) == KIND_REF)
            ids->items[left++] = ids->items[i];
    ids->count = left;
}

void walk_open_types_from(struct walk *w, hs_trace *t, const unsigned *types, size_t count, uint32_t object,
                          uint64_t from, uint64_t to)
{
    u32_vec ids = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = walk_add_sites(t, types[i], &ids);
    if (object != 0)
        keep_references(t, &ids);
    if (ok) {
        walk_open_ids_from(w, t, &ids, object, from, to);
    } else {
        struct error err = { 0 };
        (void)state_memory(t, &err);
        *w = (struct walk){ .error = HS_ERROR_INIT };
        (void)give(&w->error, &err);
    }
    vec_free(&ids);
}

void walk_open_object(struct walk *w, hs_trace *t, uint32_t object)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = object;
    walk_open_filter(w, t, &filter);
}

void walk_open_filter(struct walk *w, hs_trace *t, const struct hs_filter *filter)
{
    *w = (struct walk){ .error = HS_ERROR_INIT };
    (void)hs_events_open(t, filter, &w->cursor, &w->error);
}

/* ---- walking ---- */

static bool can_step(const struct walk *w) { return w->cursor != NULL && w->error.code == HS_OK; }

void walk_seek(struct walk *w, uint64_t seq)
{
    if (can_step(w))
        (void)hs_cursor_seek(w->cursor, seq, &w->error);
}

void walk_seek_after(struct walk *w, uint64_t seq) { walk_seek(w, seq < UINT64_MAX ? seq + 1 : seq); }

bool walk_step(struct walk *w, const struct hs_event **out)
{
    return can_step(w) && hs_event_next(w->cursor, out, &w->error) > 0;
}

bool walk_next(struct walk *w, struct hs_event *out)
{
    const struct hs_event *e;
    if (!walk_step(w, &e))
        return false;
    *out = *e;
    return true;
}

bool walk_previous(struct walk *w, struct hs_event *out)
{
    const struct hs_event *e;
    if (!can_step(w) || hs_event_previous(w->cursor, &e, &w->error) <= 0)
        return false;
    *out = *e;
    return true;
}

enum status walk_status(const struct walk *w, struct error *err)
{
    return w->error.code == HS_OK ? OK : state_take(&w->error, err);
}

enum status walk_close(struct walk *w, struct error *err)
{
    hs_cursor_close(w->cursor);
    w->cursor = NULL;
    return walk_status(w, err);
}

enum status walk_end(struct walk *w, enum status st, struct error *err)
{
    const enum status walked = walk_close(w, st == OK ? err : NULL);
    return st != OK ? st : walked;
}

int walk_give(const struct walk *w, struct hs_error *error)
{
    if (w->error.code == HS_OK)
        return 0;
    if (error != NULL && error->size == sizeof *error)
        *error = w->error;
    return -1;
}

int walk_finish(struct walk *w, struct hs_error *error)
{
    hs_cursor_close(w->cursor);
    w->cursor = NULL;
    return walk_give(w, error);
}
