/* api/waits.h - where the threads are at a moment, what each waits for, and deadlocks.
 *
 *     last event MONITOR_ENTER                           waits to enter that monitor
 *     last event CALL of a synchronized woven method,
 *       itself or by a method reference                  waits to enter the receiver's monitor, or the class's
 *     last event CALL of Object.wait                     waits to be notified; it does not hold that monitor meanwhile
 *     last event CALL of Thread.join                     waits for the end of that thread
 *
 * The owner of a monitor is the thread of which a frame holds it. Which thread a Thread object stands for is not known,
 * nor are locks of java.util.concurrent. Needs events of EXEC, CALL and SYNC. */
#ifndef HINDSIGHT_API_WAITS_H
#define HINDSIGHT_API_WAITS_H

#include "classes.h"
#include "events.h"
#include "state.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_wait {
    HS_WAIT_NONE = 0,
    HS_WAIT_ENTER = 1,  /* to enter a monitor */
    HS_WAIT_NOTIFY = 2, /* to be notified (Object.wait) */
    HS_WAIT_JOIN = 3    /* for the end of a thread (Thread.join) */
};
struct hs_thread_state {
    const struct hs_thread *thread;
    const struct hs_event *last; /* its last event up to the moment; NULL: there is none */
    /* the frames that it is in, innermost first; NULL: not known, as of a thread that has ended */
    const struct hs_frame *const *frames;
    size_t frame_count;
    enum hs_wait wait;
    bool timed;      /* it waits no longer than for some time */
    uint64_t since;  /* seq of the event that began to wait, or of the call that it stands in; HS_NO_SEQ: none */
    uint64_t object; /* the monitor, or the Thread; 0: the monitor of a class whose object is not known */
    const struct hs_class *of_class;     /* that class, else NULL */
    const struct hs_thread_state *owner; /* of the monitor; NULL: not known */
    uint64_t held_since;                 /* seq at which the owner entered it; HS_NO_SEQ: not known */
    bool holds;                          /* some monitor */
    /* of the CALL, at `since`, of code that is not woven in which it stands, and what it does there is not known; NULL:
     * none */
    const struct hs_dataid *outside;
};
/* All threads just after event `seq` (HS_NO_SEQ: at the end), by number; rows are kept. A thread whose state cannot be
 * read, and those behind it, have rows without it, and the step behind the last row fails. */
HS_API int hs_thread_states_open(hs_trace *trace, uint64_t seq, hs_cursor **out, struct hs_error *error);
HS_API int hs_thread_state_next(hs_cursor *cursor, const struct hs_thread_state **row, struct hs_error *error);

/* Threads each of which waits to enter a monitor that the next one holds, the last one that of the first. */
struct hs_deadlock {
    size_t thread_count;
    const struct hs_thread_state *const *threads; /* the lowest number first */
};
/* The deadlocks among the threads of a cursor of hs_thread_states_open, each once, by their first threads; rows are
 * kept. Close it before `states`. Fails where a state could not be read. */
HS_API int hs_deadlocks_open(hs_cursor *states, hs_cursor **out, struct hs_error *error);
HS_API int hs_deadlock_next(hs_cursor *cursor, const struct hs_deadlock **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
