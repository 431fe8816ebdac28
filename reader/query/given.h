/* given.h - which objects are given to code that is not woven, while the events of a thread pass in order: what
 * is_handover (handover.h) searches for one event.
 *
 *     CALL System.arraycopy  CALL_PARAM a ...  CALL_RETURN       no METHOD_ENTRY of the callee: a is given
 *     METHOD_NORMAL_EXIT a                                       and no CALL_RETURN of that method: a is given */
#ifndef READER_GIVEN_H
#define READER_GIVEN_H

#include "reader/code/code.h"

/* Of one thread; zero at first, vec_free(&t->ids) at the end. */
struct given_thread {
    u32_vec ids;     /* of the call or the exit under way */
    uint32_t dataid; /* of the last CALL_PARAM, or of the METHOD_NORMAL_EXIT */
    uint32_t inside; /* calls that are open in between: the JVM loads or initializes the class of the callee */
    bool leaves;
};
typedef void given_fn(void *context, uint32_t object);
/* Applies the next event. False: out of memory. */
bool given_step(hs_trace *t, struct given_thread *thread, const struct hs_event *e, const struct effect *f,
                given_fn *given, void *context);
/* Events are missing, or there are no more: what is under way counts as given. */
void given_flush(struct given_thread *thread, given_fn *given, void *context);

#endif
