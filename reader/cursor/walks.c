/* walks.c - see walks.h. */
#include "reader/cursor/cursor.h"

enum status event_beside(hs_trace *t, const struct hs_event *e, int64_t steps, struct hs_event *out, struct error *err)
{
    if (steps < 0 && (uint64_t)-steps > e->position)
        return ERR_NOT_FOUND;
    return positions_event(t, (struct event_position){ positions_stream(t, e->thread), e->position + (uint64_t)steps },
                           out, err);
}

enum status walk_ids(hs_trace *t, const u32_vec *ids, uint32_t object, uint32_t location, uint64_t to, hs_cursor **out,
                     struct error *err)
{
    struct hs_error why;
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = object;
    filter.to = to;
    if (cursor_open_ids(t, &filter, ids->items != NULL ? ids->items : (uint32_t[]){ 0 }, ids->count, location, out,
                        &why) != 0)
        return state_take(&why, err);
    return OK;
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

enum status walk_types(hs_trace *t, const unsigned *types, size_t count, uint32_t object, uint64_t to, hs_cursor **out,
                       struct error *err)
{
    u32_vec ids = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = walk_add_sites(t, types[i], &ids);
    enum status st = ok ? walk_ids(t, &ids, object, 0, to, out, err) : state_memory(t, err);
    vec_free(&ids);
    return st;
}

static enum status step(int more, const struct hs_event *e, const struct hs_error *why, struct hs_event *out,
                        struct error *err)
{
    if (more < 0)
        return state_take(why, err);
    if (more == 0)
        return ERR_NOT_FOUND;
    *out = *e;
    return OK;
}

enum status walk_next(hs_cursor *c, struct hs_event *out, struct error *err)
{
    struct hs_error why = { 0 };
    const struct hs_event *e = NULL;
    int more = hs_cursor_next(c, &e, &why);
    return step(more, e, &why, out, err);
}

enum status walk_previous(hs_cursor *c, struct hs_event *out, struct error *err)
{
    struct hs_error why = { 0 };
    const struct hs_event *e = NULL;
    int more = hs_cursor_previous(c, &e, &why);
    return step(more, e, &why, out, err);
}

enum status walk_seek(hs_cursor *c, uint64_t seq, struct error *err)
{
    struct hs_error why;
    return hs_cursor_seek(c, seq, &why) == 0 ? OK : state_take(&why, err);
}
