/* omni.c - format omni: every event; a batch is a chunk of the stream. */
#include "logging/sinks/sink.h"

static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    struct chunk_info info = {
        .thread = b->thread,
        .count = b->count,
        .first_stamp = b->first_stamp,
        .last_stamp = b->last_stamp,
        .first_event = b->first_event,
        .desc = b->desc,
    };
    if (b->columns == NULL)
        return chunk_writer_derive(&out->chunks, out->store, b->kinds, &info, err);
    return chunk_writer_put(&out->chunks, out->store, b->kinds, b->columns, &info, err);
}

const struct sink sink_omni = { .storage = &sink_storage_store, .import_batch = import_batch };
