/* locks.h - which steps take and give back a monitor, and from which thread a monitor came.
 *
 * A monitor is taken by MONITOR_ENTER_RESULT and given back by MONITOR_EXIT; a synchronized method takes that of its
 * receiver, or of its class, when it begins and gives it back when it ends. A class whose object no event showed
 * is left out, as are locks of java.util.concurrent. */
#ifndef READER_EXPORT_LOCKS_H
#define READER_EXPORT_LOCKS_H

#include "reader/export/call_events.h"

enum lock_use { LOCK_UNUSED, LOCK_TAKEN, LOCK_GIVEN_BACK };
/* What the step does with a monitor: `object`. */
enum lock_use lock_use_of(hs_trace *trace, const struct call_step *step, uint32_t *object);

/* A monitor that was given back. */
struct lock_release {
    uint32_t object, thread;
    uint64_t time_ns, seq;
    bool taken; /* by the thread that it was handed to: that enters it again without waiting */
};
/* The latest releases: a fixed number of places, so that memory does not grow with the monitors of a program. A release
 * is forgotten when another monitor takes its place; few are held for so long. Zero is empty. */
struct locks {
    struct lock_release *places;
};
bool locks_init(struct locks *l); /* false: out of memory */
void locks_done(struct locks *l);
void locks_given_back(struct locks *l, const struct call_step *step, uint32_t object);
/* The release by which another thread has handed the monitor to the thread of this step; NULL: it was free, its own, or
 * that is not known. */
const struct lock_release *locks_taken_from(struct locks *l, const struct call_step *step, uint32_t object);

#endif
