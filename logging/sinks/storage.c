/* storage.c - the two kinds of struct sink_storage: the state, and the store's own tables. */
#include "logging/sinks/sink.h"

/* ---- in the state ---- */

static enum status state_get_position(struct sink_output *out, uint32_t desc, uint64_t *position, struct error *err)
{
    (void)err;
    *position = state_number_value(out->state, STATE_DESC, desc);
    return OK;
}

/* A number of the state, ready to be changed; NULL with `err` set. */
static uint64_t *number(struct sink_output *out, enum state_region region, uint64_t row, struct error *err)
{
    uint64_t *n = state_number(out->state, region, row);
    if (n == NULL)
        *err = out->state->error;
    return n;
}

static enum status state_put_position(struct sink_output *out, uint32_t desc, uint64_t position, struct error *err)
{
    uint64_t *n = number(out, STATE_DESC, desc, err);
    if (n == NULL)
        return err->status;
    *n = position;
    return OK;
}

static enum status state_get_thread_events(struct sink_output *out, u64_vec *events, struct error *err)
{
    for (uint64_t thread = 0; thread < out->state->head->rows[STATE_THREAD]; thread++) {
        uint64_t *slot = vec_push(events);
        if (slot == NULL)
            return error_memory(err, "thread %llu", (unsigned long long)thread);
        *slot = state_number_value(out->state, STATE_THREAD, thread);
    }
    return OK;
}

static enum status state_add_thread_events(struct sink_output *out, uint32_t thread, uint64_t events, struct error *err)
{
    uint64_t *n = number(out, STATE_THREAD, thread, err);
    if (n == NULL)
        return err->status;
    *n += events;
    return OK;
}

static uint32_t state_get_requests_served(struct sink_output *out)
{
    return (uint32_t)state_number_value(out->state, STATE_REQUEST, REQUESTS_SERVED);
}

static enum status state_put_requests_served(struct sink_output *out, uint32_t served, struct error *err)
{
    uint64_t *n = number(out, STATE_REQUEST, REQUESTS_SERVED, err);
    if (n == NULL)
        return err->status;
    *n = served;
    return OK;
}

const struct sink_storage sink_storage_state = {
    .uses_state = true,
    .get_position = state_get_position,
    .put_position = state_put_position,
    .get_thread_events = state_get_thread_events,
    .add_thread_events = state_add_thread_events,
    .get_requests_served = state_get_requests_served,
    .put_requests_served = state_put_requests_served,
};

/* ---- in the store ---- */

static enum status store_get_position(struct sink_output *out, uint32_t desc, uint64_t *position, struct error *err)
{
    const void *data;
    size_t size;
    *position = 0;
    enum status s = store_get(out->store, DB_DRAINED, desc, &data, &size, err);
    if (s == ERR_NOT_FOUND)
        return OK;
    if (s != OK)
        return s;
    for (size_t i = size; i-- > 0;)
        *position = *position << 8 | ((const uint8_t *)data)[i];
    return OK;
}

static enum status store_put_position(struct sink_output *out, uint32_t desc, uint64_t position, struct error *err)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(position >> 8 * i);
    return store_put(out->store, DB_DRAINED, desc, bytes, sizeof bytes, err);
}

static enum status add_chunk_events(void *context, uint64_t key, const void *data, size_t size)
{
    enum { THREADS_MAX = 1 << 24 };
    u64_vec *events = context;
    struct chunk_info info;
    (void)key;
    if (chunk_info_decode(data, size, &info) != OK || info.thread > THREADS_MAX)
        return ERR_FORMAT;
    while (events->count <= info.thread) {
        uint64_t *slot = vec_push(events);
        if (slot == NULL)
            return ERR_MEMORY;
        *slot = 0;
    }
    events->items[info.thread] = info.first_event + info.count; /* the first ones may have been dropped */
    return OK;
}

static enum status store_get_thread_events(struct sink_output *out, u64_vec *events, struct error *err)
{
    return store_each(out->store, DB_CHUNKDIR, add_chunk_events, events, err);
}

/* Nothing to do: the chunk directory has them. */
static enum status store_add_thread_events(struct sink_output *out, uint32_t thread, uint64_t events, struct error *err)
{
    (void)out, (void)thread, (void)events, (void)err;
    return OK;
}

static uint32_t store_get_requests_served(struct sink_output *out)
{
    uint64_t last = 0;
    return store_last_key(out->store, DB_SNAPSHOT, &last, NULL) == OK ? (uint32_t)last : 0;
}

/* Nothing to do: it is the number of the last row. */
static enum status store_put_requests_served(struct sink_output *out, uint32_t served, struct error *err)
{
    (void)out, (void)served, (void)err;
    return OK;
}

const struct sink_storage sink_storage_store = {
    .get_position = store_get_position,
    .put_position = store_put_position,
    .get_thread_events = store_get_thread_events,
    .add_thread_events = store_add_thread_events,
    .get_requests_served = store_get_requests_served,
    .put_requests_served = store_put_requests_served,
};
