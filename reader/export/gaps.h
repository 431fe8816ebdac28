/* gaps.h - the seqs in front of which events are missing: recording began again there, after it was stopped (stop,
 * start) or between two parts of it (logstart=, logend=). */
#ifndef READER_EXPORT_GAPS_H
#define READER_EXPORT_GAPS_H

#include "formats/vec.h"
#include "reader/trace.h"

/* Appends them, rising. False: `*error` says why. */
bool gaps_read(hs_trace *trace, u64_vec *out, struct hs_error *error);

#endif
