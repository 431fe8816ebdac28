/* call_events.h - the chosen events with the calls around them: where calls begin and end, thread by thread.
 *
 *     struct call_events calls;
 *     struct call_step step;
 *     if (!call_events_open(&calls, x))
 *         return false;
 *     while (call_events_next(&calls, &step))
 *         switch (step.kind) ...                 BEGINS f   BEGINS g   INSIDE (an event)   ENDS g   ENDS f
 *     call_events_done(&calls);
 *     return export_ok(x);
 *
 * Every call that begins also ends, and the calls of a thread nest: the one that ends is the innermost.
 *   - A call is chosen when its METHOD_ENTRY passes the filters. It ends where it was left, whichever events are
 * chosen.
 *   - Calls that were open before --from (or before a mark) begin with the first event, if class and method are chosen.
 *   - Calls still open behind the last event, or where the recording has a gap, end there.
 *   - An exit whose entry was not recorded ends nothing; it is an event like others.
 *
 * Times are those of the events, or of the coarse clock; with --time seq, or in a trace without a clock, an event takes
 * one microsecond and the time is its seq. In a thread every step is later than the one before it, by a nanosecond if
 * the clock does not know more: what nests in the trace nests by its times. */
#ifndef READER_EXPORT_CALL_EVENTS_H
#define READER_EXPORT_CALL_EVENTS_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/export/export.h"

enum call_step_kind { CALL_BEGINS, CALL_ENDS, CALL_INSIDE };

struct call_value {
    uint64_t bits;
    char kind; /* enum hs_kind */
};

/* A call that is open. */
struct open_call {
    uint32_t method_id;
    uint32_t dataid;  /* of the latest event seen in it, which has its line; UINT32_MAX: none */
    uint32_t depth;   /* 0 is the outermost of the chosen calls of its thread */
    bool chosen;      /* steps are only of these */
    uint64_t entered; /* seq of its METHOD_ENTRY; HS_NO_SEQ: not recorded */
    uint64_t begun_ns;
    uint64_t inner_ns;          /* in chosen calls that it made and that have ended */
    struct call_value receiver; /* kind HS_KIND_VOID: none */
    size_t first_argument;      /* in call_thread.arguments; up to those of the next call */
};

/* What is kept of a thread. */
struct call_thread {
    uint64_t key;                     /* its number + 1 */
    VEC(struct open_call) calls;      /* outermost first, also those not chosen */
    VEC(struct call_value) arguments; /* of all of them, in the same order */
    uint64_t next_ns;                 /* its next step is not before this */
    uint32_t depth;                   /* chosen calls that are open */
    /* this event and the two before it, for what several events describe: an array, an index, a value */
    struct call_recent {
        uint32_t dataid; /* UINT32_MAX: none */
        struct call_value value;
        uint64_t time_ns; /* of its step */
    } recent[3];
};

struct call_step {
    enum call_step_kind kind;
    uint32_t thread;
    uint64_t time_ns;
    /* BEGINS, ENDS: METHOD_ENTRY and exit; NULL: it begins or ends at the edge of the chosen events. INSIDE: any other
     * event */
    const struct hs_event *event;
    const struct hs_dataid *dataid; /* of the event; NULL: there is none, or the trace does not have it */
    /* BEGINS, ENDS: the call; it is in `in` until the next step. INSIDE: the innermost chosen one; NULL: there is
     * none */
    const struct open_call *call;
    const struct call_thread *in;
    /* ENDS: what its METHOD_PARAM had */
    const struct call_value *arguments;
    size_t argument_count;
};

struct call_events {
    struct export_job *job;
    bool by_seq;              /* times are seqs */
    uint64_t resolution_ns;   /* of the clock */
    hs_cursor *own;           /* entries and exits, whether they are chosen or not; NULL: all events are chosen */
    u64_vec gaps;             /* gaps.h */
    size_t next_gap;          /* the next one of them */
    uint64_t open, last;      /* chosen calls that are open; time of the latest event */
    uint64_t stamp, stamp_ns; /* what the coarse clock has answered last */
    const struct hs_event *next_chosen, *next_own, *event;
    bool used_chosen, used_own, event_chosen, held, ended, failed;
    MAP(struct call_thread) threads;
    size_t opening, opening_call; /* BEGINS of calls that were open before */
    size_t closing;               /* where the calls of all threads are being ended; SIZE_MAX: they are not */
    uint64_t closing_key;         /* of the thread whose calls are being ended, 0: none */
    size_t closing_to;            /* down to so many */
    bool leaves;                  /* the last of them by its own exit: `event` */
};

bool call_events_open(struct call_events *c, struct export_job *x);
/* Is the time between begin and end of the call below what the clock can measure? Then it is no measurement. */
bool call_below_clock(const struct call_events *c, const struct call_step *s);
/* False: there are no more, or it failed; see export_ok. */
bool call_events_next(struct call_events *c, struct call_step *step);
/* Also after a failure. */
void call_events_done(struct call_events *c);

/* Arguments of a call that is open. */
const struct call_value *call_arguments(const struct call_thread *t, const struct open_call *call, size_t *count);
/* The time of a moment as steps have it; `ns` is used unless times are seqs. */
uint64_t call_time_of(const struct call_events *c, uint64_t seq, uint64_t ns);
uint64_t call_time_of_event(struct call_events *c, const struct hs_event *e);

#endif
