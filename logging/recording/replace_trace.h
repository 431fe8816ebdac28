/* replace_trace.h - a trace written anew in its place. */
#ifndef LOGGING_REPLACE_TRACE_H
#define LOGGING_REPLACE_TRACE_H

#include "formats/compact.h"
#include "logging/recording/copy_trace.h"

/* Copies the trace, and puts the new data file in the place of the old one when it is complete and on the disk; but for
 * `always` only if it is smaller. `out_dir` of the copy is not used. formats/compact.h says what a failure leaves. */
enum status replace_trace(const struct trace_copy *copy, bool always, struct compact_result *out, struct error *err);

#endif
