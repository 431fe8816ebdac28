/* freq.c - format freq: a count by data ID. */
#include "logging/aggregate/counts.h"
#include "logging/sinks/sink.h"

static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    const uint32_t *ids = b->columns->ids;
    for (uint32_t i = 0, next; i < b->columns->count; i = next) {
        for (next = i + 1; next < b->columns->count && ids[next] == ids[i]; next++) {
        }
        if (!counts_add(out->state, ids[i], next - i)) {
            *err = out->state->error;
            return err->status;
        }
    }
    return OK;
}

const struct sink sink_freq = { .storage = &sink_storage_state,
                                .counters = true,
                                .import_batch = import_batch,
                                .save = counts_save,
                                .reset = counts_reset };
