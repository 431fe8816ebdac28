/* thrown.h - what an exception held, from its thrown_row of the object table, and the stack of a throw of
 * format=exceptions, in memory of the caller: a pass over many keeps those of one. */
#ifndef READER_QUERY_THROWN_H
#define READER_QUERY_THROWN_H

#include "reader/trace/open_trace.h"

/* As hs_thrown_get. */
const struct hs_thrown *thrown_read(hs_trace *t, uint32_t id, struct arena *to);
/* As hs_throw_stack_get. */
const struct hs_throw_stack *throw_stack_read(hs_trace *t, const struct hs_event *thrown, struct arena *to);

#endif
