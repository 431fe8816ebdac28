/* open_calls.h - the calls that run in each thread, as a walk over the entries and exits of a trace meets them.
 *
 *     struct open_calls calls;
 *     struct open_calls_step step;
 *     bool ok = open_calls_init(&calls, trace);
 *     each METHOD_ENTRY and exit, in the global order (or thread by thread):
 *         switch (open_calls_apply(&calls, event, &step)) ...
 *     open_calls_done(&calls);
 *
 * Each open call has a number of the caller's own (open_calls_set). Begin the walk at the first event of the trace:
 * calls entered before it are not known. Where events are missing, between two intervals of a recording in parts, all
 * calls of a thread are forgotten. Memory: open calls only. Times are those of `report`. */
#ifndef READER_EXPORT_OPEN_CALLS_H
#define READER_EXPORT_OPEN_CALLS_H

#include "formats/calls.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/trace.h"

struct thread_calls {
    uint64_t key; /* number of the thread + 1 */
    struct call_stack stack;
    u64_vec marks;   /* the caller's number of each open call, outermost first */
    size_t interval; /* the one whose events it had last */
};
struct open_calls {
    hs_trace *trace;
    MAP(struct thread_calls) threads;
    u64_vec intervals; /* seqs at which one begins; not that of the first one */
    size_t interval;   /* intervals that have begun, without the first one */
};
enum open_calls_result { OPEN_CALLS_NOTHING, OPEN_CALLS_ENTERED, OPEN_CALLS_LEFT, OPEN_CALLS_NO_MEMORY };
struct open_calls_step {
    struct thread_calls *thread; /* until the next step */
    uint32_t method;             /* that was entered or left */
    uint64_t mark;               /* LEFT: the number of the call */
    struct call_took took;       /* LEFT */
    bool threw;                  /* LEFT */
};

/* False: out of memory. */
bool open_calls_init(struct open_calls *o, hs_trace *trace);
/* ENTERED: the innermost call of step->thread began, and its number is 0. LEFT: a call ended, and is no longer there.
 * NOTHING: an event of another type, or the exit of a call that was not seen. */
enum open_calls_result open_calls_apply(struct open_calls *o, const struct hs_event *e, struct open_calls_step *step);
/* The open calls of a thread; NULL: none were seen. */
const struct thread_calls *open_calls_of(const struct open_calls *o, uint32_t thread);
/* Sets the number of the innermost open call. */
void open_calls_set(struct thread_calls *t, uint64_t mark);
void open_calls_done(struct open_calls *o);

#endif
