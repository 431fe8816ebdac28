/* copy_trace.h - writes a trace as a new one, row by row, for tools that change some on the way */
#ifndef TEST_COPY_TRACE_H
#define TEST_COPY_TRACE_H

#include "logging/store/store.h"
#include "reader/trace/open_trace.h"

/* Puts the row, or another one, or none, into `out`. */
typedef enum status copy_row_fn(void *context, struct store *out, enum schema_db db, struct text key, struct text value,
                                struct error *err);
/* `to` is a folder that is made. */
enum status copy_trace(hs_trace *in, const char *to, copy_row_fn *row, void *context, struct error *err);
/* Puts the row as it is. */
enum status copy_same(struct store *out, enum schema_db db, struct text key, struct text value, struct error *err);

#endif
