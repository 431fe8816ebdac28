/* snapshot_requests.c - see snapshot_requests.h. */
#include "logging/aggregate/snapshot_requests.h"

uint32_t snapshot_requests_served(const struct drain *d, struct store *store)
{
    uint64_t last = 0;
    if (d->sink != NULL)
        return (uint32_t)state_number_value(d->state, STATE_REQUEST, REQUESTS_SERVED);
    return store_last_key(store, DB_SNAPSHOT, &last, NULL) == OK ? (uint32_t)last : 0;
}

static enum status put_row(const struct snapshot_cut *request, uint32_t number, bool saved, struct store *store,
                           struct error *err)
{
    struct writer w = { 0 };
    struct snapshot_row row = { .kind = (uint8_t)request->kind,
                                .saved = saved,
                                .stamp = request->stamp,
                                .ns = request->ns,
                                .thread = request->thread,
                                .interval = request->interval,
                                .object = request->object,
                                .type = { request->type, strnlen(request->type, sizeof request->type) } };
    snapshot_row_encode(&row, &w);
    enum status s = w.bad ? error_set(err, ERR_MEMORY, "no memory for a snapshot")
                          : store_put(store, DB_SNAPSHOT, number, w.data, w.size, err);
    writer_free(&w);
    return s;
}

/* What was kept is gone: the next snapshot has only what comes from now on. */
static bool reset(struct state *state, const struct sink *sink, uint64_t stamp)
{
    uint64_t *floor = state_number(state, STATE_REQUEST, REQUESTS_FLOOR);
    if (floor == NULL)
        return false;
    *floor = stamp;
    sink->reset(state);
    return true;
}

enum status snapshot_request_serve(struct drain *d, struct store *store, uint32_t number, struct error *err)
{
    const struct snapshot_cut request = d->windows->requests[number];
    enum status s = put_row(&request, number + 1, d->sink != NULL, store, err);
    if (s != OK || d->sink == NULL)
        return s;
    store_save_as(store, number + 1);
    s = d->sink->save(d->state, store, err);
    store_save_as(store, 0);
    uint64_t *served = s == OK ? state_number(d->state, STATE_REQUEST, REQUESTS_SERVED) : NULL;
    if (s == OK && (served == NULL || (request.kind == SNAPSHOT_INTERVAL && d->windows->head->resets &&
                                       !reset(d->state, d->sink, request.stamp))))
        s = (*err = d->state->error).status;
    if (s == OK)
        *served = number + 1;
    return s;
}

enum status snapshot_save_state(struct drain *d, struct store *store, struct error *err)
{
    static const enum schema_db tables[] = { DB_COUNTS, DB_LATEST, DB_TIMING };
    enum status s = OK;
    if (d->sink == NULL)
        return OK;
    for (size_t i = 0; s == OK && d->windows != NULL && d->windows->head->resets && i < sizeof tables / sizeof *tables;
         i++)
        s = store_delete(store, tables[i], 0, UINT32_MAX, err); /* what an earlier save put may be gone */
    return s == OK ? d->sink->save(d->state, store, err) : s;
}
