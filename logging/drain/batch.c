/* batch.c - see batch.h. */
#include "logging/drain/batch.h"

#include <stdlib.h>
#include <string.h>

enum status batch_init(struct batch *b, const struct record_format *format, struct store *store, struct error *err)
{
    struct chunk_columns *c = &b->columns;
    *b = (struct batch){ .format = format, .sink = &sink_omni };
    bool allocated = chunk_columns_init(c, format->timed);
    b->order = malloc(CHUNK_EVENTS_MAX * sizeof *b->order);
    b->output.store = store;
    enum status s = chunk_writer_init(&b->output.chunks, err);
    if (s != OK)
        return s;
    if (b->order == NULL || !allocated)
        return error_set(err, ERR_MEMORY, "no memory for the drain");
    return OK;
}

void batch_done(struct batch *b)
{
    chunk_writer_done(&b->output.chunks);
    chunk_columns_free(&b->columns);
    free(b->order);
    vec_free(&b->thread_events);
}

uint64_t *batch_thread_events(struct batch *b, uint32_t thread)
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

/* Records in the bound which objects the chunk refers to. What follows from its events has no others, since the chunk
 * does not go on from the one before it. */
static bool note_objects(struct batch *b)
{
    const struct chunk_columns *c = b->deriving ? derive_stored(b->output.chunks.deriver->encoder) : &b->columns;
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

/* For recovery: what the deriver knows of the thread. Where the chunk may be dropped, the next one begins anew. */
static enum status put_derived_state(struct batch *b, struct error *err)
{
    struct deriver *d = b->output.chunks.deriver;
    if (d == NULL)
        return OK;
    if (b->bound != NULL)
        deriver_gap(d, b->thread);
    struct writer w = { 0 };
    deriver_put_state(d, b->thread, &w);
    enum status s = w.bad        ? error_memory(err, "thread %u", b->thread)
                    : w.size > 0 ? store_put(b->output.store, DB_DERIVED, b->thread, w.data, w.size, err)
                                 : OK;
    writer_free(&w);
    return s;
}

static enum status import(struct batch *b, struct error *err)
{
    uint32_t n = b->columns.count;
    uint64_t *before = batch_thread_events(b, b->thread);
    if (before == NULL)
        return error_set(err, ERR_MEMORY, "no memory for thread %u", b->thread);
    if (b->bound != NULL && !note_objects(b))
        return error_set(err, ERR_MEMORY, "no memory for the objects that chunks show");
    for (uint32_t i = 0; i < n && b->sink->ordered && !b->counted; i++)
        b->order[i] = sink_order(*before + i);
    struct chunk_columns *c = b->deriving ? NULL : &b->columns;
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
    s = put_derived_state(b, err);
    if (s != OK)
        return s;
    if (b->counters != NULL && b->sink->learn != NULL)
        b->sink->learn(&b->output, b->counters, &events, b->format->start_ns);
    else if (b->counters != NULL && !b->is_guest)
        counter_tables_learn(b->counters, b->desc, b->thread, &b->columns, b->format->kinds.letters, b->format->roles);
    *before += n;
    b->events += n;
    return OK;
}

/* Puts the EVENTS_LEFT_OUT that is due. */
static void put_left_out(struct batch *b)
{
    struct left_out o;
    if (percall_take(b->percall, b->thread, &o))
        batch_put(b, o.id, o.value, o.stamp, o.time);
}

bool batch_keeps(struct batch *b, const struct record *rec)
{
    if (b->is_guest || b->use != DRAIN_STORE)
        return true;
    if (!percall_keeps(b->percall, b->thread, rec, b->format->roles, b->format->kinds.count))
        return false;
    put_left_out(b);
    percall_count(b->percall, b->thread, rec, b->format->roles);
    return true;
}

void batch_flush(struct batch *b)
{
    if (b->percall != NULL)
        put_left_out(b);
    if (b->windows != NULL)
        windows_filter(b->windows, &b->columns);
    if (b->columns.count > 0 && b->use != DRAIN_COUNT && import(b, &b->error) != OK)
        b->use = DRAIN_COUNT;
    if (b->use == DRAIN_COUNT)
        b->lost += b->columns.count;
    b->columns.count = 0;
    if (b->deriving)
        b->lost += derive_take_dropped(b->output.chunks.deriver->encoder);
}

void batch_begin(struct batch *b)
{
    struct deriver *d = b->output.chunks.deriver;
    b->deriving = d != NULL && b->use != DRAIN_OBJECTS &&
                  deriver_begin(d, b->thread, b->period,
                                (struct derive_tables){
                                    .kinds = b->format->kinds, .roles = b->format->roles, .timed = b->format->timed });
    if (d != NULL && !b->deriving) {
        if (b->use == DRAIN_STORE) { /* hooks that record inputs alone give no plain events */
            (void)error_memory(&b->error, "the state of thread %u", b->thread);
            b->use = DRAIN_COUNT;
        }
        deriver_gap(d, b->thread);
    }
}

void batch_next_chunk(struct batch *b)
{
    batch_derived(b);
    batch_flush(b);
    batch_begin(b);
}

void batch_derive(struct batch *b, uint32_t id, uint64_t value, uint64_t stamp, uint64_t time)
{
    struct derive_encoder *e = b->output.chunks.deriver->encoder;
    while (!derive_put(e, id, stamp, &value, 1) && b->deriving)
        batch_next_chunk(b);
    if (b->format->timed)
        derive_time(e, time, 1);
    batch_derived(b);
}

const uint64_t *batch_derive_many(struct batch *b, uint32_t first, uint64_t below, const uint64_t *p,
                                  const uint64_t *end, uint64_t *stamp)
{
    struct derive_encoder *e = b->output.chunks.deriver->encoder;
    if (b->columns.count == 0 || b->format->timed) /* the chunk has not begun, or each record has a time */
        return p;
    const uint64_t *next = derive_put_records(e, first, below, p, end);
    batch_derived(b);
    if (next != p)
        *stamp = derive_stamp(e);
    return next;
}

bool batch_derive_record(struct batch *b, const struct record *rec, const uint64_t *end, uint32_t *events)
{
    struct derive_encoder *e = b->output.chunks.deriver->encoder;
    const uint64_t *taken = derive_put_record(e, rec->id, rec->stamp, rec->words, end);
    while (taken == NULL && derive_full(e)) {
        batch_next_chunk(b);
        taken = b->deriving ? derive_put_record(e, rec->id, rec->stamp, rec->words, end) : NULL;
    }
    if (taken == NULL)
        return false;
    batch_derived(b);
    *events = derive_record_events(e, rec->id, rec->words);
    if (b->format->timed)
        derive_time(e, rec->time, *events);
    return true;
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
