/* shared_env.h - one LMDB environment per file and process, as LMDB requires: handles on the same file share it.
 *
 * Environments are found by device and inode of the data file. Opening tables of an environment is not safe beside
 * another thread that does so: it happens between shared_env_open and shared_env_opened, which hold a lock. */
#ifndef READER_SHARED_ENV_H
#define READER_SHARED_ENV_H

#include <sys/stat.h>

#include "reader/trace/open_trace.h"

/* Takes the lock and returns the environment of the file, which `make` creates if it is not open yet. On failure (an
 * LMDB code) the lock is not held. */
typedef int shared_env_make_fn(void *context, MDB_env **out);
int shared_env_open(const struct stat *file, shared_env_make_fn *make, void *context, MDB_env **out);
void shared_env_opened(void);
/* One more user of an open environment. */
void shared_env_use(const MDB_env *env);
/* Closes the environment with its last user. */
void shared_env_close(MDB_env *env);

#endif
