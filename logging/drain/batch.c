/* batch.c - see batch.h. */
#include "logging/drain/batch.h"

#include <stdlib.h>
#include <string.h>

enum status batch_init(struct batch *b, const struct record_format *format, struct store *store, struct error *err)
{
    struct chunk_columns *c = &b->columns;
    *b = (struct batch){ .format = format, .sink = &sink_omni };
    c->ids = malloc(CHUNK_EVENTS_MAX * sizeof *c->ids);
    c->values = malloc(CHUNK_EVENTS_MAX * sizeof *c->values);
    c->stamps = malloc(CHUNK_EVENTS_MAX * sizeof *c->stamps);
    c->times = format->timed ? malloc(CHUNK_EVENTS_MAX * sizeof *c->times) : NULL;
    b->order = malloc(CHUNK_EVENTS_MAX * sizeof *b->order);
    b->output.store = store;
    enum status s = chunk_writer_init(&b->output.chunks, err);
    if (s != OK)
        return s;
    if (b->order == NULL || c->ids == NULL || c->values == NULL || c->stamps == NULL ||
        (format->timed && c->times == NULL))
        return error_set(err, ERR_MEMORY, "no memory for the drain");
    return OK;
}

void batch_done(struct batch *b)
{
    chunk_writer_done(&b->output.chunks);
    free(b->columns.ids);
    free(b->columns.values);
    free(b->columns.stamps);
    free(b->columns.times);
    free(b->order);
    vec_free(&b->thread_events);
}

static uint64_t *thread_events(struct batch *b, uint32_t thread)
{
    u64_vec *v = &b->thread_events;
    if (thread >= v->count) {
        if (!vec_reserve(v, (size_t)thread + 1))
            return NULL;
        memset(v->items + v->count, 0, (thread + 1 - v->count) * sizeof *v->items);
        v->count = (size_t)thread + 1;
    }
    return &v->items[thread];
}

/* Records in the bound which objects the chunk refers to. */
static bool note_objects(struct batch *b)
{
    const struct chunk_columns *c = &b->columns;
    uint64_t chunk = b->output.chunks.next_chunk;
    for (uint32_t i = 0; i < c->count; i++) {
        uint8_t kind = b->format->kinds.letters[c->ids[i]] & (uint8_t)~KIND_JOINED;
        if (kind != KIND_REF || c->values[i] > UINT32_MAX || c->values[i] == 0)
            continue;
        if (!bound_shows(b->bound, c->values[i], chunk))
            return false;
    }
    return true;
}

static enum status import(struct batch *b, struct error *err)
{
    uint32_t n = b->columns.count;
    uint64_t *before = thread_events(b, b->thread);
    if (before == NULL)
        return error_set(err, ERR_MEMORY, "no memory for thread %u", b->thread);
    if (b->bound != NULL && !note_objects(b))
        return error_set(err, ERR_MEMORY, "no memory for the objects that chunks show");
    for (uint32_t i = 0; i < n && b->sink->ordered && !b->counted; i++)
        b->order[i] = sink_order(*before + i);
    const struct chunk_columns *c = b->deriving ? NULL : &b->columns;
    const struct sink_batch events = { .columns = c,
                                       .count = n,
                                       .first_stamp = c != NULL ? c->stamps[0] : b->first_stamp,
                                       .last_stamp = c != NULL ? c->stamps[n - 1] : b->last_stamp,
                                       .kinds = b->format->kinds,
                                       .roles = b->format->roles,
                                       .order = b->order,
                                       .windows = b->windows,
                                       .thread = b->thread,
                                       .desc = b->desc,
                                       .first_event = *before };
    enum status s = b->sink->import_batch(&b->output, &events, err);
    if (s != OK)
        return s;
    s = b->sink->storage->add_thread_events(&b->output, b->thread, n, err);
    if (s != OK)
        return s;
    if (b->counters != NULL)
        counter_tables_learn(b->counters, b->desc, b->thread, &b->columns, b->format->kinds.letters, b->format->roles);
    *before += n;
    b->events += n;
    return OK;
}

void batch_flush(struct batch *b)
{
    if (b->windows != NULL)
        windows_filter(b->windows, &b->columns);
    if (b->columns.count > 0 && b->use != DRAIN_COUNT && import(b, &b->error) != OK)
        b->use = DRAIN_COUNT;
    if (b->use == DRAIN_COUNT)
        b->lost += b->columns.count;
    b->columns.count = 0;
}

void batch_begin(struct batch *b)
{
    struct deriver *d = b->output.chunks.deriver;
    b->deriving = d != NULL && !b->is_guest && b->use == DRAIN_STORE &&
                  deriver_begin(d, b->thread, b->period, b->format->kinds, b->format->roles);
    if (d != NULL && !b->deriving)
        deriver_gap(d, b->thread);
}

void batch_drop(struct batch *b)
{
    b->columns.count = 0;
    if (b->deriving)
        deriver_gap(b->output.chunks.deriver, b->thread);
}

void batch_lose(struct batch *b, uint64_t events)
{
    batch_flush(b);
    b->lost += events;
    if (b->output.chunks.deriver != NULL)
        deriver_gap(b->output.chunks.deriver, b->thread);
}

void batch_committed(struct batch *b)
{
    b->events_kept = b->events;
    b->imported = 0;
}

void batch_given_up(struct batch *b)
{
    b->lost += b->events - b->events_kept - b->imported;
    b->events = b->events_kept;
    b->imported = 0;
}
