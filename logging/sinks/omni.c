/* omni.c - format omni: every event; a batch is a chunk of the stream. */
#include "logging/sinks/sink.h"

static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    struct chunk_info info = {
        .thread = b->thread,
        .count = b->columns->count,
        .first_stamp = b->columns->stamps[0],
        .last_stamp = b->columns->stamps[b->columns->count - 1],
        .first_event = b->first_event,
        .desc = b->desc,
    };
    if (out->chunks.deriver != NULL && !b->is_guest)
        return chunk_writer_derive(&out->chunks, out->store, b->kinds, b->period, b->columns, &info, err);
    return chunk_writer_put(&out->chunks, out->store, b->kinds, b->columns, &info, err);
}

const struct sink sink_omni = { .storage = &sink_storage_store, .import_batch = import_batch };
