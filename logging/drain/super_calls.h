/* super_calls.h - infers exits of constructors that no handler can record: exceptions that leave this(...) or
 * super(...).
 *
 * HotSpot accepts no handler around such a call in class files from version 50 on (weaver/build.c), so
 * METHOD_EXCEPTIONAL_EXIT of the calling constructor cannot be woven. It follows from the stream: while the call runs,
 * its constructor has no events of its own; the first event that is neither of a method entered since nor the call's
 * return, or of a handler around it, proves that the constructor was left. The drain inserts the missing event there.
 * Events have roles (formats/roles.h) for this; most have none and cost one byte comparison.
 *
 * A method that is entered during the call may have no exit either, near the end of the stack. So an exit or a catch is
 * compared with the methods that were entered: it is of the innermost frame of its method. */
#ifndef LOGGING_SUPER_CALLS_H
#define LOGGING_SUPER_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/roles.h"
#include "formats/vec.h"

/* A constructor in its this(...) or super(...). */
struct pending_super {
    uint32_t call_id; /* data ID of the call's last event */
    uint32_t first;   /* frames that were there when it began, of super_calls.entered */
};

enum { SUPER_KNOWN = 16 };

/* Of one thread. Zero is empty. Besides, what else the decoder knows of the event before. */
struct super_calls {
    VEC(struct pending_super) stack;
    u32_vec entered; /* METHOD_ENTRY of frames that were entered since the outermost call and not left */
    struct {
        uint32_t id, entry;
    } known[SUPER_KNOWN];       /* of super_calls_meet; by id */
    uint64_t last_stamp;        /* of the event before */
    uint64_t next_number;       /* of the next event, if the hook keeps none before it (counters.h) */
    int64_t last_ns, behind_ns; /* its time; how far the clock went back until then */
};

void super_calls_done(struct super_calls *f);

/* The event with this data ID comes: forgets frames of which it shows that they were left. `roles`: of all data IDs. */
void super_calls_meet(struct super_calls *f, const uint8_t *roles, uint32_t id);

/* True if an event of this role proves that the innermost pending constructor has been left. */
static inline bool super_calls_left(const struct super_calls *f, uint8_t role)
{
    return f->stack.count > 0 && f->stack.items[f->stack.count - 1].first == f->entered.count && role != ROLE_ENTER &&
           role != ROLE_SUPER_DONE && role != ROLE_NEUTRAL;
}

/* super_calls_left for an event: that another constructor's call returned proves it, too. The caller then records the
 * exit, calls super_calls_pop, and checks again, from super_calls_meet on. */
bool super_calls_left_by(struct super_calls *f, const uint8_t *roles, uint32_t id);

static inline uint32_t super_calls_top(const struct super_calls *f)
{
    return f->stack.items[f->stack.count - 1].call_id;
}

/* Removes the innermost pending constructor. */
void super_calls_pop(struct super_calls *f);

/* Updates the calls with the event. False: out of memory. */
bool super_calls_apply(struct super_calls *f, uint32_t id, uint8_t role);

#endif
