/* copy_trace.h - writes a trace anew in another directory, with its rows and chunks changed. */
#ifndef LOGGING_COPY_TRACE_H
#define LOGGING_COPY_TRACE_H

#include "logging/recording/store_copy.h"

struct trace_copy {
    const char *trace_dir, *out_dir; /* the second is made; it is removed again after a failure */
    rewrite_chunk_fn *chunk;
    rewrite_row_fn *row; /* NULL: rows stay as they are */
    /* before anything is copied, `from` in a transaction; NULL */
    enum status (*begin)(void *context, struct store *from, struct store *to, struct error *err);
    enum status (*end)(void *context, struct store *to, struct error *err); /* in a transaction, after all; NULL */
    void *context;
    bool small;            /* full pages and large packs */
    compact_step_fn *step; /* of store_copy; NULL: not wanted */
    void *step_context;
    const char *phase;
};
enum status copy_trace(const struct trace_copy *copy, struct error *err);
/* The same into a directory that is there, which stays after a failure. */
enum status copy_trace_into(const struct trace_copy *copy, struct error *err);

#endif
