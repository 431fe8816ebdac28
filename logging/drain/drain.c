/* drain.c - see drain.h. */
#include "logging/drain/drain.h"

enum status drain_init(struct drain *d, struct store *store, bool timed, struct error *err)
{
    *d = (struct drain){ .format = { .timed = timed } };
    d->reader = (struct record_reader){ .format = &d->format,
                                        .batch = &d->batch,
                                        .objects = &d->objects,
                                        .exits = &d->exits,
                                        .until = UINT64_MAX,
                                        .positions = &d->positions };
    return batch_init(&d->batch, &d->format, store, err);
}

void drain_done(struct drain *d)
{
    batch_done(&d->batch);
    object_records_done(&d->objects);
    super_exits_done(&d->exits);
    percall_done(&d->percall);
    vec_free(&d->places);
    vec_free(&d->positions);
}

void drain_limit_calls(struct drain *d, uint32_t most)
{
    d->percall.most = most;
    d->batch.percall = most > 0 ? &d->percall : NULL;
}

enum status drain_put_left_out(struct drain *d, struct error *err)
{
    const struct percall *p = &d->percall;
    struct store *store = d->batch.output.store;
    if (p->most == 0)
        return OK;
    enum status s = store_put_number(store, "left_out", p->events, err);
    return s == OK ? store_put_number(store, "left_out_calls", p->calls, err) : s;
}

bool drain_resume(struct drain *d, uint32_t desc, uint64_t position)
{
    if (!vec_extend(&d->positions, (size_t)desc + 1) || !vec_extend(&d->places, (size_t)desc + 1))
        return false;
    d->positions.items[desc] = position;
    return true;
}

/* Reads the rest of a buffer, if there is any. */
static enum status read_buffer(struct drain *d, uint64_t position, const struct drain_buffer *b, struct error *err)
{
    uint64_t sequence = position >> 16, words = position & 0xffff;
    if (b->head->thread >= RECORDS_THREADS_MAX) {
        d->batch.lost++;
        return OK;
    }
    if (sequence > b->head->sequence)
        return OK;
    uint64_t done = sequence == b->head->sequence ? words : 0;
    if (done * sizeof(uint64_t) >= b->used)
        return OK;
    struct record_place *place = &d->places.items[d->batch.desc];
    enum status s = records_read(&d->reader, b, done, place, err);
    const uint64_t end = d->reader.stopped ? d->reader.stopped_at : b->used;
    *place = (struct record_place){ journal_position(b->head->sequence, end), d->reader.stamp, d->batch.thread };
    return s;
}

/* Reads all buffers, or up to where the reader stops. *position: the end of what was read. */
static enum status read_buffers(struct drain *d, const struct drain_buffer *buffers, size_t count, uint64_t *position,
                                struct error *err)
{
    const uint64_t before = *position;
    d->reader.stopped = false;
    for (d->whole = 0; d->whole < count; d->whole++) {
        const struct drain_buffer *b = &buffers[d->whole];
        enum status s = read_buffer(d, before, b, err);
        if (s != OK)
            return s;
        if (d->reader.stopped) {
            *position = journal_position(b->head->sequence, d->reader.stopped_at);
            return OK;
        }
        *position = journal_position(b->head->sequence, b->used);
    }
    return OK;
}

static enum status store_objects(struct drain *d, struct error *err)
{
    const struct sink_output *out = &d->batch.output;
    return object_records_store(&d->objects, out->store, d->batch.bound, out->chunks.next_chunk, err);
}

enum status drain_group(struct drain *d, uint32_t desc, const struct drain_buffer *buffers, size_t count,
                        struct error *err)
{
    struct batch *b = &d->batch;
    if (b->sink->import_batch == NULL) {
        d->whole = count;
        return OK;
    }
    b->desc = desc;
    if (desc >= d->positions.count && !drain_resume(d, desc, 0))
        return error_set(err, ERR_MEMORY, "no memory for descriptor %u", desc);
    object_records_resume(&d->objects, desc);
    uint64_t position = d->positions.items[desc];
    enum status s = read_buffers(d, buffers, count, &position, err);
    if (s == OK && !object_records_carry(&d->objects, desc))
        s = error_set(err, ERR_MEMORY, "no memory for a long string");
    if (s != OK) {
        batch_drop(b);
        return s;
    }
    batch_flush(b);
    d->moved |= position != d->positions.items[desc];
    d->positions.items[desc] = position; /* also set if the following steps fail, so that nothing is counted twice */
    if (b->use == DRAIN_COUNT) {
        object_records_clear(&d->objects);
        if (b->error.status != OK)
            *err = b->error;
        return b->error.status;
    }
    s = store_objects(d, err);
    if (s != OK || count == 0)
        return s;
    return b->sink->storage->put_position(&b->output, desc, position, err);
}

enum status drain_rest(struct drain *d, struct error *err)
{
    const struct sink_output *out = &d->batch.output;
    return object_records_store_carried(&d->objects, out->store, d->batch.bound, out->chunks.next_chunk, err);
}
