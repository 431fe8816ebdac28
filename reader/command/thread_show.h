/* thread_show.h - the state of a thread (api/waits.h) as text and as JSON, for `threads` and `deadlocks`. */
#ifndef READER_COMMAND_THREAD_SHOW_H
#define READER_COMMAND_THREAD_SHOW_H

#include "reader/command/show.h"

/* thread 4 back */
void thread_name_text(struct out *o, const struct hs_thread *t);
/* "waits to enter Account#6 since 199, held by thread 4 back since 186"; nothing if it does not wait. */
void thread_wait_text(struct show *s, const struct hs_thread_state *t);
/* "waits":{"for":"enter","object":{..},"since":199,"timed":false,"owner":4,"held":186}, with "class" for "object" if it
 * is the monitor of a class whose object is not known; no member if it does not wait. */
void thread_wait_json(struct show *s, const struct hs_thread_state *t);
/* The innermost `max` frames: a line each behind `indent`, with the monitors that they hold. */
void thread_stack_text(struct show *s, const struct hs_thread_state *t, uint64_t max, const char *indent);
/* "stack":[{"class","method","desc","line","pc","entered","monitors"}], no member if no frames are known. */
void thread_stack_json(struct show *s, const struct hs_thread_state *t, uint64_t max);

#endif
