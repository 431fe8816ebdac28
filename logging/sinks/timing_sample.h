/* timing_sample.h - the times of a method of which only some calls are timed, and all are counted.
 *
 * A call that takes less than reading the clock twice costs a recording of all times many times what it takes itself.
 * Methods that are short and called often are therefore timed in windows (logging/sinks/timing.c): outside, hooks count
 * them. What the calls of a window took on the average is taken for those that were counted since the window before,
 * and what these took is taken off the time that their callers, which are timed, seem to have spent themselves. */
#ifndef LOGGING_TIMING_SAMPLE_H
#define LOGGING_TIMING_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/calls.h"
#include "formats/dataid_stats.h"

enum {
    TIMING_EXITS_MAX = 64,
    TIMING_CALLERS = 8,
    TIMING_WINDOW_CALLS = 16, /* that a window has at least */
    /* In a call that takes so long the thread has waited, or something rare has happened: not as often as there are
     * calls. Its time is its own, and not that of others. */
    TIMING_LONG_NS = 1 << 17,
    TIMING_SHORT_BUCKETS = 17,
};

/* A caller that is always timed: what calls of the method took in it, since the last look; in the last window; what
 * those took that were counted. */
struct timing_caller {
    uint32_t method; /* data ID of its entry; 0: none */
    uint64_t ns, window_ns, counted_ns;
};

/* In the heap of the state, by data ID of the METHOD_ENTRY. */
struct timing_kept {
    struct timing_row row;          /* of the calls that were timed */
    uint64_t exits;                 /* bit n: the n-th data ID behind the entry is one. 0: all calls are timed */
    uint32_t exceptional;           /* data ID of the exit by an exception; 0: there is none */
    bool constructor;               /* may be left by an exception without an exit, in this(...) or super(...) */
    uint64_t seen_calls, seen_left; /* at the last look: calls, the counted ones too; calls that were timed */
    struct timing_times {
        uint64_t left, total_ns, self_ns, histogram[TIMING_SHORT_BUCKETS];
    } now, window,
        counted; /* timed calls below TIMING_LONG_NS since the last look; in the last window; those counted */
    uint64_t counted_below_ns; /* of calls that it made, and that were counted */
    uint64_t error_ns;         /* of its own time: what the window before each would make of it */
    struct timing_caller callers[TIMING_CALLERS];
};

/* Its calls may be counted from now on; there were so many. */
void timing_sample_begin(struct timing_kept *k, uint64_t calls);
/* A call of the method was timed, that this caller made (0: one that may be counted, or none). */
void timing_sample_add(struct timing_kept *k, uint32_t caller, const struct call_took *took);
/* There have been so many calls by now: what those took that were not timed. `add` is given what they took in each
 * caller. */
void timing_sample_look(struct timing_kept *k, uint64_t calls, void (*add)(void *context, uint32_t caller, uint64_t ns),
                        void *context);
/* By so much the counted calls of the method seem to take longer than its callers themselves did: a window in which the
 * thread was interrupted makes all of them too long. `find` gives a caller, or NULL. Callers that run are left out. */
uint64_t timing_sample_beyond(const struct timing_kept *k,
                              const struct timing_kept *(*find)(const void *context, uint32_t caller),
                              const void *context);
/* The own and whole time of counted calls without what is beyond. */
struct timing_times timing_sample_counted(const struct timing_kept *k, uint64_t beyond_ns);
/* All calls, after a look. */
struct timing_row timing_sample_row(const struct timing_kept *k, const struct timing_times *counted, uint64_t calls,
                                    uint64_t left, uint64_t exceptions);

#endif
