/* shared_env.h - one LMDB environment per file and process, as LMDB demands: handles on the same file share it.
 *
 * Environments are found by device and inode of the data file. Opening tables of an environment is not safe beside
 * another thread that does so: it happens between shared_env_open and shared_env_opened, which hold a lock. */
#ifndef READER_SHARED_ENV_H
#define READER_SHARED_ENV_H

#include <sys/stat.h>

#include "reader/trace/open_trace.h"

/* Takes the lock and gives the environment of the file, or makes it with `make`. On failure (an LMDB code) the lock is
 * not held. */
typedef int shared_env_make_fn(void *context, MDB_env **out);
int shared_env_open(const struct stat *file, shared_env_make_fn *make, void *context, MDB_env **out);
void shared_env_opened(void);
/* The last one closes it. */
void shared_env_close(MDB_env *env);

#endif
