/* throw_hits.h - the exceptions that a breakpoint can stop at, in both directions: a window of them is in memory. */
#ifndef READER_SESSION_THROW_HITS_H
#define READER_SESSION_THROW_HITS_H

#include "reader/session/nav.h"

/* Opens the exceptions of the trace, once for a session. */
enum status throw_hits_open(struct nav *nav, struct error *err);
/* The first one from `from` to `to` (or the last one: `ahead` false) that the breakpoint is for, by the seq at which it
 * shows first. `*seq` is left as it is: there is none, or the session was cancelled. */
enum status throw_hits_find(struct nav *nav, const struct nav_break *b, uint64_t from, uint64_t to, bool ahead,
                            uint64_t *seq, struct error *err);
void throw_hits_done(struct nav *nav);

#endif
