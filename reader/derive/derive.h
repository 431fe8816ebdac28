/* derive.h - the header of this folder for the rest of the reader: derived chunks (formats/derived.h) of an open trace.
 *
 * program.c translates a method to steps, replay_thread.c executes the chunks of a thread, derive.c keeps for each
 * thread the state between two chunks, so that a chunk can be reached without executing the thread from its begin. */
#ifndef READER_DERIVE_H
#define READER_DERIVE_H

#include "formats/expand.h"
#include "reader/trace/open_trace.h"

/* For `hindsight expand`: how many chunks are derived; the source of formats/expand.h, whose context is the trace. */
uint64_t derive_count(const hs_trace *t);
struct expand_source derive_source(hs_trace *t);

#endif
