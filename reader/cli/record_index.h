/* record_index.h - `hindsight record --index now`, `--pack`: the indexes of the traces of a run, or their files of
 * `pack`.
 *
 * By the recording command and not by the agent, which is a guest in the program and must not delay its end. While the
 * program runs a child of this process indexes what is stored, when a core is idle; the rest is made when the program
 * has ended. */
#ifndef READER_CLI_RECORD_INDEX_H
#define READER_CLI_RECORD_INDEX_H

#include <signal.h>
#include <sys/types.h>

#include "reader/cli/recorded.h"

/* A process that indexes while the program runs; 0: there is none. `run`: its context, output and name. */
pid_t index_maker_begin(const struct recorded_run *run);
void index_maker_end(pid_t pid);
/* From now on this process only runs when a core has nothing else to do. */
void index_when_idle(void);

/* Drops what passed tests did (keep=). */
void record_drop(const struct recorded_run *run, const sigset_t *until);
/* Until one of the signals, which are blocked, arrives: what is there then is kept, and the first question makes the
 * rest. */
void record_index(const struct recorded_run *run, const sigset_t *until);
/* Writes each trace DIR as DIR.hst, or says why not. */
void record_pack(const struct recorded_run *run, const sigset_t *until);

#endif
