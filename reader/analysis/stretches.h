/* stretches.h - the stretches of trace.h for a part of a trace of any size: from the index, or from its events. */
#ifndef READER_ANALYSIS_STRETCHES_H
#define READER_ANALYSIS_STRETCHES_H

#include "formats/vec.h"
#include "reader/trace.h"

/* Parts with fewer events are read event by event: stretches are too long for them. */
enum { STRETCHES_LEAST = 64 * HS_STRETCH_EVENTS };
/* A pause is at least this long. */
enum { STRETCHES_PAUSE_NS = 1000000 };

/* False: no more are wanted. */
typedef bool stretch_fn(void *context, const struct hs_stretch *s);
/* Calls `each` for the stretches of these threads (rising) with events from..to, each thread's in their order. In a
 * part of less than STRETCHES_LEAST events, stretches have at most `grain` events, no frames and no depths. */
int stretches_each(hs_trace *trace, const u32_vec *threads, uint64_t from, uint64_t to, uint64_t grain,
                   stretch_fn *each, void *context, struct hs_error *error);

#endif
