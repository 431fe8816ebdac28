/* costs.h - what calls took: entries and exits of one thread after the other, added up by method.
 *
 * The same code runs over all events (costs.c) and while the index is made (index_build.c), which keeps the sums of each segment
 * and the calls that were open behind it. */
#ifndef READER_COSTS_H
#define READER_COSTS_H

#include "reader/facts.h"
#include "reader/tallies.h"

/* A call that is being made. */
struct call {
    uint32_t method;
    uint32_t below;          /* position + 1 of the nearest call of that method below; 0 none: then it counts for total_ns */
    uint64_t entered, inner; /* ns at its entry; ns of the calls it made */
};

/* The open calls of a thread, outermost first. */
struct call_stack {
    VEC(struct call) calls;
    uint32_t *top;     /* by method id: position + 1 of its innermost call; NULL while nothing runs */
    size_t top_count;
    uint64_t gap;      /* gap_passed */
};

/* Sums by method; min_ns is UINT64_MAX until a call was left. */
struct costs {
    hs_trace *trace;
    cost_vec list;
    uint32_t *position;   /* by method id; position in list + 1 */
    size_t methods;
    size_t clock_at;      /* where hs_clock_ns was last answered */
};

/* NULL: out of memory. */
struct hs_cost *costs_of(struct costs *c, uint32_t method);
void costs_clear(struct costs *c); /* no sums, memory kept */
void costs_done(struct costs *c);
/* By method id. */
void costs_sort(struct costs *c);

/* A call begins; without being counted: costs_open, for one that was counted before. */
bool costs_open(struct call_stack *s, const struct call *call);
/* Counts one event of the thread if it is an entry or exit. `times` NULL: the coarse clock. False: out of memory. */
bool costs_apply(struct costs *c, struct call_stack *s, const struct fact *f, uint64_t stamp, const uint64_t *time_ns);
void call_stack_done(struct call_stack *s);

#endif
