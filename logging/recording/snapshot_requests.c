/* snapshot_requests.c - see snapshot_requests.h. */
#include "logging/recording/snapshot_requests.h"

#include <string.h>

uint32_t snapshot_requests_served(struct batch *b) { return b->sink->storage->get_requests_served(&b->output); }

static enum status put_row(const struct snapshot_request *request, uint32_t number, bool saved, struct store *store,
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
    enum status s =
        w.bad ? error_memory(err, "a snapshot") : store_put(store, DB_SNAPSHOT, number, w.data, w.size, err);
    writer_free(&w);
    return s;
}

/* Clears the state: the next snapshot has only later events. */
static enum status reset(struct batch *b, uint64_t stamp, struct error *err)
{
    struct state *state = b->output.state;
    uint64_t *floor = state_number(state, STATE_REQUEST, REQUESTS_FLOOR);
    if (floor == NULL) {
        *err = state->error;
        return err->status;
    }
    *floor = stamp;
    b->sink->reset(state);
    return OK;
}

enum status snapshot_request_serve(struct batch *b, uint32_t number, struct error *err)
{
    const struct snapshot_request request = b->windows->requests[number];
    struct store *store = b->output.store;
    enum status s = put_row(&request, number + 1, b->sink->save != NULL, store, err);
    if (s != OK || b->sink->save == NULL)
        return s;
    store_save_as(store, number + 1);
    s = b->sink->save(b->output.state, store, err);
    store_save_as(store, 0);
    if (s != OK)
        return s;
    if (request.kind == SNAPSHOT_INTERVAL && b->windows->head->resets) {
        s = reset(b, request.stamp, err);
        if (s != OK)
            return s;
    }
    return b->sink->storage->put_requests_served(&b->output, number + 1, err);
}

enum status snapshot_save_state(struct batch *b, struct error *err)
{
    static const enum schema_db tables[] = { DB_COUNTS, DB_LATEST, DB_TIMING };
    struct store *store = b->output.store;
    if (b->sink->save == NULL)
        return OK;
    bool resets = b->windows != NULL && b->windows->head->resets;
    for (size_t i = 0; resets && i < sizeof tables / sizeof *tables; i++) {
        /* rows of an earlier save may have no successor */
        enum status s = store_delete(store, tables[i], 0, UINT32_MAX, err);
        if (s != OK)
            return s;
    }
    return b->sink->save(b->output.state, store, err);
}
