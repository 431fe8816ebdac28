/* thread_body.h - did an exception end its thread, by what the events say? */
#ifndef READER_COMMAND_THREAD_BODY_H
#define READER_COMMAND_THREAD_BODY_H

#include "reader/trace.h"

/* It left the outermost method of the thread, from `entry` to `exit`, and that is
 *
 *     main of the first thread
 *     run of a Thread
 *     run of an object that a constructor or a builder of a Thread was given
 *     with `lambdas`: what such a lambda or method reference runs, and the thread has ended and did nothing more
 *
 * and not a method that a pool or other code that is not woven has called. False: that is not known. */
bool thread_ended_by(hs_trace *t, const struct hs_event *entry, const struct hs_event *exit, bool lambdas);

#endif
