/* costs.h - what calls took: entries and exits of one thread after the other, added up by method.
 *
 * The same code runs over all events (costs.c) and while the index is made (build.c), which keeps the sums of
 * each segment and the calls that were open behind it. */
#ifndef READER_COSTS_H
#define READER_COSTS_H

#include "formats/calls.h"
#include "reader/code/effects.h"
#include "reader/trace/dataid_stats.h"

/* Sums by method; min_ns is UINT64_MAX until a call was left. */
struct costs {
    hs_trace *trace;
    cost_vec list;
    uint32_t *position; /* by method id; position in list + 1 */
    size_t methods;
    size_t clock_at; /* where hs_clock_ns was last answered */
};

/* NULL: out of memory. */
struct hs_cost *costs_of(struct costs *c, uint32_t method);
void costs_clear(struct costs *c); /* no sums, memory kept */
void costs_done(struct costs *c);
/* By method id. */
void costs_sort(struct costs *c);

/* Counts one event of the thread if it is an entry or exit. `times` NULL: the coarse clock. False: out of memory. */
bool costs_apply(struct costs *c, struct call_stack *s, const struct effect *f, uint64_t stamp,
                 const uint64_t *time_ns);

#endif
