/* thread_state.h - where the threads are at a moment: the last event of each, its frames, and what it waits for.
 * waits.h says how that is known. */
#ifndef READER_THREADS_THREAD_STATE_H
#define READER_THREADS_THREAD_STATE_H

#include "formats/vec.h"
#include "reader/trace.h"

enum { NO_STATE = -1 };

struct thread_state {
    const struct hs_thread *thread;
    bool placed; /* it has an event up to the moment: `last` */
    struct hs_event last;
    bool leaving;      /* the last event is the exit of the innermost of `frames`, which it is in no longer */
    hs_cursor *frames; /* struct hs_frame, innermost first; NULL: none, or not known */
    enum hs_wait wait;
    bool timed;      /* it waits no longer than for some time */
    uint64_t since;  /* seq of the event that began to wait */
    uint64_t object; /* the monitor, or the Thread; 0: the monitor of a class whose object is not known */
    const struct hs_class *of_class; /* that class, else NULL */
    int64_t owner;                   /* of the monitor: position of that thread in the list; NO_STATE: not known */
    uint64_t held_since;             /* seq; HS_NO_SEQ: not known */
    bool holds;                      /* some monitor */
    /* The CALL, at `since`, of code that is not woven in which it stands, and what it does there is not known; NULL:
     * none. */
    const struct hs_dataid *outside;
};
/* A monitor that a frame of a thread holds. */
struct thread_held {
    uint64_t key, entered;           /* key: the number of the object, or made from that of the class; entered: seq */
    size_t state;                    /* position of the thread in the list */
    const struct hs_class *of_class; /* the object is not known: its class; else NULL */
};
struct thread_states {
    VEC(struct thread_state) list; /* by thread number */
    VEC(struct thread_held) held;  /* by monitor and thread, and as entered */
};
/* All threads just after event `at` (HS_NO_SEQ: at the end). -1: failed; the list has the threads then, some without
 * their state. thread_states_free in any case. */
int thread_states_read(hs_trace *trace, uint64_t at, struct thread_states *out, struct hs_error *error);
void thread_states_free(struct thread_states *s);
/* The frames that the thread is in: their number; hs_frame_next(s->frames) gives the innermost. 0: none, or not
 * known. */
uint64_t thread_frames_begin(const struct thread_state *s);

#endif
