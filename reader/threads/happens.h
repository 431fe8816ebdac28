/* happens.h - what happened before what, across threads: a vector clock for each thread of a trace.
 *
 *     struct happens h;
 *     bool ok = happens_init(&h, trace);
 *     while (... event e of happens_events, in the global order ...)
 *         ok = happens_event(&h, &e);                  then e happens at h.at, by the clocks of h
 *     happens_done(&h);
 *
 * Threads are ordered by what the recording shows (JLS 17.4.5): monitors of blocks and synchronized methods,
 * Object.wait, Thread.start and join, interrupts, volatile fields, class initialisers. Of library code that is not
 * woven only its calls are seen, by the class that declares the method (target.h). There what could order threads does
 * (`library` in happens_sites.c): calls of java.util.concurrent and of VarHandles on one object, but for plain and
 * opaque accesses; a task and what was handed to a pool before it; what a pool has finished and calls that return
 * behind it; what was given to a future, and all tasks and completions before it. So threads may seem ordered that were
 * so by chance only, which hides a race and never makes one up. A gap of the recording orders everything.
 *
 * Which thread a Thread object became is not recorded. A pass over the events learns it (`happens_begin` begins the
 * next one): a run method of the object that the thread entered first says so; the rest are matched by the order in
 * which they were made, if there is only one way: a thread runs behind its start, and not behind what shows its end.
 * Where that fails every start is before every new thread, and all threads that have ended are before the return of a
 * join.
 *
 * Memory: a clock of as many numbers as there are threads, for each thread, monitor and volatile field; bounded. */
#ifndef READER_THREADS_HAPPENS_H
#define READER_THREADS_HAPPENS_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/trace.h"

/* Where a value was: a field or an element of an object, or a static field. 0 is none. */
typedef uint64_t happens_place;

struct happens_moment {
    uint32_t thread; /* place in the list of the threads seen, not the number of the trace */
    uint32_t clock;  /* of that thread, from 1 on */
};
/* What library code does: calls on one object are in order; it may run tasks in other threads, or wait for them; it
 * runs what was given to a future behind what completed it, in any thread. */
enum library { BY_OBJECT = 1, BY_POOL = 2, BY_FUTURE = 4 };
/* What a call on a future may do: give it its result; give it a task to run then. */
enum future { FUTURE_NONE, FUTURE_COMPLETED, FUTURE_CONTINUED };
enum thread_call {
    CALL_OTHER,
    CALL_WAIT,
    CALL_START,     /* of the receiver */
    CALL_START_NEW, /* of the thread that it returns */
    CALL_JOIN,      /* shows, or may show, that the thread has ended: enum shown */
    CALL_INTERRUPT,
    CALL_INTERRUPTED
};
/* When has a thread ended, by what a CALL_JOIN returns? */
enum shown { SHOWN_ALWAYS, SHOWN_BY_TRUE, SHOWN_BY_FALSE, SHOWN_PERHAPS /* it waits for some time */ };
/* What a call with a receiver of one type does. */
struct happens_called {
    uint64_t key; /* data ID and type */
    uint8_t library, call;
    bool known, collection; /* collection: it is one of a collection that is not thread-safe */
};
/* What a data ID is, kept from its first event on. */
struct happens_site {
    unsigned event;                                            /* 0: not known yet */
    bool is_volatile, is_synchronized, is_static, initialiser; /* of the field, or of the method */
    uint32_t field, class_name, method_id;                     /* numbers of the field and of its class; 0: none */
    uint32_t class_object;         /* whose monitor the method takes; 0: none, or no event showed it */
    uint8_t library, call, future; /* of a called method, whatever its receiver: enum library, call, future */
    bool creates, changes;         /* a called method: a constructor; as a method of a collection it changes that */
    bool of_object;                /* a called method: a final one of Object */
    uint8_t shown;                 /* of a CALL_JOIN: enum shown */
    bool gives_part; /* a called method: of a lock, and returns its condition, or its lock for reading or writing */
};
struct happens_name {
    uint64_t hash;
    const char *text;
    uint32_t number;
};
struct happens_lock {
    uint64_t key; /* its kind and what it is of */
    u32_vec clock;
};
struct happens_hold {
    uint64_t lock;
    uint32_t method_id;
};
struct happens_call {
    uint64_t receiver, seq;
    uint32_t depth; /* of the thread */
    uint8_t call, library;
    uint8_t shown;
    bool gives_part;
};
/* A Thread object that was started. */
struct happens_start {
    uint64_t object;
    uint64_t seq;    /* of the first start */
    uint64_t made;   /* seq at which the call that made and started it returned; 0: it was made before its start */
    uint64_t ended;  /* seq at which a thread knew that it has ended, the first one; 0: none did */
    bool plain;      /* no library code has called what started it, so it runs no task of a pool or of a future */
    uint32_t thread; /* its number + 1; 0: not known */
};
struct happens_thread {
    uint64_t key; /* number in the trace + 1 */
    uint32_t slot;
};
struct happens_state {
    u32_vec clock;
    uint32_t depth;                 /* calls of woven methods that are open */
    VEC(struct happens_hold) held;  /* monitors of synchronized methods */
    VEC(struct happens_call) calls; /* of library code, that have not returned */
    uint64_t object, index;         /* of the field or element that the next event is about */
    uint64_t first, last;           /* seqs of its first and latest event */
    uint32_t number;                /* in the trace */
    bool started;                   /* by a call of Thread.start that is known */
    bool plain;                     /* that of a plain thread */
    bool entered;                   /* a method without one around it, but for class initialisers */
    bool left_out;                  /* its last event is EVENTS_LEFT_OUT */
};
enum { HAPPENS_NUMBERS_MAX = 1 << 28 };
struct happens {
    hs_trace *trace;
    struct happens_site *sites; /* by data ID */
    MAP(struct happens_name) names;
    MAP(struct happens_lock) locks;
    MAP(struct happens_thread) threads; /* by number */
    MAP(struct happens_start) starts;   /* Thread objects that were started */
    MAP(struct happens_thread) objects; /* of threads, by number; `slot` is the id */
    MAP(struct happens_thread) started; /* by seq + 1 of a call that started a new thread; `slot` is its object */
    MAP(struct happens_called) called;
    MAP(struct happens_thread) parts;  /* of locks, by id; `slot` is the id of the lock */
    MAP(struct happens_thread) fields; /* by class and name; `slot` is the number of the field */
    VEC(struct happens_state) states;
    hs_cursor *gaps;
    uint64_t gap;       /* seq before which events are missing; HS_NO_SEQ: no more gaps */
    uint64_t start;     /* seq with which recording begins again after a stop; HS_NO_SEQ: no more */
    u32_vec before_gap; /* what all threads had done at the last gap: before all that a new one does */
    uint64_t numbers;   /* in all clocks */
    bool continued;     /* a future has got a task to run when it is completed */
    bool failed;        /* out of memory, or too_many */
    bool too_many;      /* more than HAPPENS_NUMBERS_MAX */
    /* ---- of the last event ---- */
    struct happens_moment at;
    happens_place place; /* what it read or wrote; 0: nothing, or a volatile field */
    uint64_t object;     /* of the place; 0: a static field */
    uint32_t index;      /* of an element */
    bool element, writes;
    bool collection; /* the place is all that a collection holds, and the event a CALL on it */
};

/* What happens_event wants to see. */
extern const unsigned happens_events[];
extern const size_t happens_event_count;

bool happens_init(struct happens *h, hs_trace *trace); /* false: out of memory */
/* Begins another pass, which knows what the one before it has learnt. */
bool happens_begin(struct happens *h); /* false: out of memory */
void happens_done(struct happens *h);
/* The next event in the global order; false: out of memory, or too_many. */
bool happens_event(struct happens *h, const struct hs_event *e);
/* Did the moment happen before the last event? Moments of its thread did. */
bool happens_before(const struct happens *h, struct happens_moment earlier);

/* ---- for happens.c ---- */

/* happens_sites.c: what a CALL does with this receiver (0: none); NULL: out of memory. */
const struct happens_called *happens_called(struct happens *h, const struct hs_event *call, uint64_t receiver);
/* What a data ID is; NULL: the trace does not have it. */
const struct happens_site *happens_site_of(struct happens *h, uint32_t dataid);
/* happens_threads.c: the object that became this thread; 0: not known. */
uint64_t happens_object_of(const struct happens *h, uint32_t thread);
/* Notes that this thread started the object. */
struct happens_start *happens_starts(struct happens *h, const struct happens_state *from, uint64_t object,
                                     uint64_t seq); /* NULL: out of memory */
/* Notes that a thread knows at `seq` that the thread of this object has ended. */
void happens_ended(struct happens *h, uint64_t object, uint64_t seq);
/* Notes that the object became this thread. */
void happens_is_object(struct happens *h, uint32_t thread, struct happens_start *start);
/* Matches what is left of started objects and of threads of the pass, if all of them can be; false: out of memory. */
bool happens_match_threads(struct happens *h);

#endif
