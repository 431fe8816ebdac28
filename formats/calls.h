/* calls.h - the calls of a thread that run, and what each took when it is left.
 *
 * The same while recording (logging/sinks/timing.c: methods by the data ID of their METHOD_ENTRY) and while
 * reading (reader/replay/costs.c: by method id). A call whose exit never came is given up when one below it is left.
 * Times are ns of one clock. */
#ifndef FORMATS_CALLS_H
#define FORMATS_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/vec.h"

struct call {
    uint32_t method;
    /* position + 1 of the nearest call of that method below; 0 none: then its time is in no other one's */
    uint32_t below;
    uint64_t entered, inner; /* when it was; ns of the calls it made */
};

/* The innermost call of a method: its position + 1, 0 none any more. */
struct call_top {
    uint32_t method, position;
};

/* Outermost first. Zero is empty. */
struct call_stack {
    VEC(struct call) calls;
    struct call_top *tops; /* a hash table by method; NULL while nothing runs */
    uint32_t room, used;   /* its places, a power of two, and how many of them have a method */
    uint64_t gap;          /* for the caller: before an event with this stamp or a later one, events are missing */
};

/* The call that begins, on top; NULL: out of memory. */
struct call *calls_enter(struct call_stack *s, uint32_t method, uint64_t now);

/* What the innermost call of a method took. */
struct call_took {
    uint64_t total, self; /* self: without the calls it made */
    bool nested;          /* a call of the same method runs below, whose time this one is in */
};
/* False: no call of it runs; it was entered before the recording. */
bool calls_leave(struct call_stack *s, uint32_t method, uint64_t now, struct call_took *took);

/* Nobody knows which calls still run. */
void calls_forget(struct call_stack *s);
void calls_done(struct call_stack *s);

#endif
