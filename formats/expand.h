/* expand.h - writes a trace of option derive=on with all its events. Implemented by logging/ (with the store's writer),
 * called by the command line; declared here because reader/ includes no logging/. */
#ifndef FORMATS_EXPAND_H
#define FORMATS_EXPAND_H

#include "formats/chunk.h"

/* The events of a chunk; they live until the next call. */
typedef enum status expand_chunk_fn(void *context, uint64_t chunk, struct chunk_columns *out, struct error *err);

/* Appends what the thread of a derived chunk is in the middle of before it, as a row of DB_STATE. */
typedef enum status expand_state_fn(void *context, uint64_t chunk, struct writer *out, struct error *err);

struct expand_source {
    const char *trace_dir;
    struct kind_table kinds;
    expand_chunk_fn *chunk;
    expand_state_fn *state;
    void *context;
};
/* Writes the trace into the new directory `out_dir`, which is removed again after a failure. The trace must not be
 * recorded any more. */
enum status expand_trace(const struct expand_source *source, const char *out_dir, struct error *err);

#endif
