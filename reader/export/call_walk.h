/* call_walk.h - a walk over the calls of a trace, and over the events that pass the filter of an export.
 *
 * Two cursors are merged by seq: entries and exits, which keep the stacks, from the first event of the trace on; and
 * the events that pass the filter. So stacks are whole whatever the filter says. Where the filter lets everything pass
 * and no other event is needed, the first one is enough. */
#ifndef READER_EXPORT_CALL_WALK_H
#define READER_EXPORT_CALL_WALK_H

#include "reader/export/export.h"
#include "reader/export/open_calls.h"

/* The functions return false when they failed, after export_fail. */
struct call_walk_fns {
    /* A call began: `step->thread` has it as its innermost one. `wanted`: its METHOD_ENTRY passes the filter */
    bool (*enter)(void *context, const struct hs_event *e, const struct open_calls_step *step, bool wanted);
    /* A call ended. */
    bool (*leave)(void *context, const struct hs_event *e, const struct open_calls_step *step);
    /* An event that passes the filter, of any type; an entry after `enter`, an exit before `leave`. `thread`: the calls
     * that it happened in, NULL: none was seen. The function is NULL where events are not needed */
    bool (*event)(void *context, const struct hs_event *e, const struct thread_calls *thread);
};
/* Fails where the trace keeps no stream of events. */
bool call_walk(struct export_job *x, const struct call_walk_fns *fns, void *context);

#endif
