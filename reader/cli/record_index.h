/* record_index.h - `hindsight record --index now`, `--pack`: the indexes of the traces of a run, or their files of
 * `pack`, made when the program has ended.
 *
 * By the recording command and not by the agent, which is a guest in the program and must not delay its end; and not
 * while recording, when the time of the last events, and so the sums of calls, are not known yet. */
#ifndef READER_CLI_RECORD_INDEX_H
#define READER_CLI_RECORD_INDEX_H

#include <signal.h>

#include "reader/cli/recorded.h"

/* Until one of the signals, which are blocked, arrives: what is there then is kept, and the first question makes the
 * rest. */
void record_index(const struct recorded_run *run, const sigset_t *until);
/* Writes each trace DIR as DIR.hst, or says why not. */
void record_pack(const struct recorded_run *run, const sigset_t *until);

#endif
