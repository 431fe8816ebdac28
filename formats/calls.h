/* calls.h - the running calls of a thread, and the time that each took when it returns.
 *
 * Used while recording (logging/sinks/timing.c: methods by the data ID of their METHOD_ENTRY) and while
 * reading (reader/replay/costs.c: by method id). A call whose exit was not recorded is dropped when a call below it
 * returns. Times are ns of one clock. */
#ifndef FORMATS_CALLS_H
#define FORMATS_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/vec.h"

struct call {
    uint32_t method;
    /* position + 1 of the next outer call of the same method; 0 none: then its total counts */
    uint32_t below;
    uint64_t entered, inner; /* time of entry; ns in the calls it made */
};

/* The innermost call of a method: its position + 1, 0 if none runs. */
struct call_top {
    uint32_t method, position;
};

/* Outermost first. Zero is empty. */
struct call_stack {
    VEC(struct call) calls;
    struct call_top *tops; /* a hash table by method; NULL while nothing runs */
    uint32_t room, used;   /* slots, a power of two, and how many of them have a method */
    uint64_t gap; /* set by the caller: events are missing before the first one with this stamp or a later one */
};

/* Pushes a call. NULL: out of memory. */
struct call *calls_enter(struct call_stack *s, uint32_t method, uint64_t now);

/* Times of a call that returned. */
struct call_took {
    uint64_t total, self; /* self: without the calls it made */
    bool nested;          /* an outer call of the same method runs, and its time includes this call */
};
/* Pops the innermost call of the method. False: no call of it runs; it was entered before the recording. */
bool calls_leave(struct call_stack *s, uint32_t method, uint64_t now, struct call_took *took);

/* True if calls run above the innermost one of the method: *top is the innermost of all. */
bool calls_above(const struct call_stack *s, uint32_t method, struct call *top);
/* Drops the innermost call, whose exit was not recorded. */
void calls_drop(struct call_stack *s);

/* Drops all calls, because events are missing: it is not known which of them still run. */
void calls_forget(struct call_stack *s);
void calls_done(struct call_stack *s);

#endif
