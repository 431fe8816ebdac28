/* trace_dir.h - the directory of a trace while it is recorded: taken once, kept from others, and perhaps gone when the
 * recording ends.
 *
 * The recorder holds a lock on TRACE/run (run.h): a lock of the open file (fcntl(2), F_OFD_SETLK), which ends with the
 * process however that ends, which no program that it starts inherits (close on exec), and which is seen from other pid
 * namespaces. So nothing has to be believed of process numbers; only where a file system knows no such locks the number
 * in the journal is asked. */
#ifndef LOGGING_TRACE_DIR_H
#define LOGGING_TRACE_DIR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/status.h"

struct trace_dir {
    char dir[4096]; /* absolute: the program may change its directory */
    int fd, lock;   /* of the directory, and of TRACE/run; -1: not taken */
    bool made;      /* the directory was not there */
    dev_t device;
    ino_t data; /* of TRACE/data.mdb */
};

/* Makes `dir`, or takes one that is empty, or with `overwrite` one that holds a trace and nothing else, which is
 * removed. ERR_EXISTS: there is something, or a recorder that lives; then nothing was changed. `run` is the name of the
 * run. */
enum status trace_dir_claim(struct trace_dir *t, const char *dir, bool overwrite, const char *run, struct error *err);
/* TRACE/data.mdb is there: from now on its removal is noticed. */
void trace_dir_note_data(struct trace_dir *t);
/* Undoes trace_dir_claim, and removes what was put there since. */
void trace_dir_abandon(struct trace_dir *t);
/* Others may have it now. */
void trace_dir_release(struct trace_dir *t);

/* Is the trace still there? It may have been moved: `where` gets its present path. */
bool trace_dir_locate(const struct trace_dir *t, char *where, size_t size);

/* Is somebody recording into this directory? */
bool trace_dir_in_use(const char *dir);
/* For recovery: waits for others that recover this trace, and keeps recorders out until the descriptor is closed. -1:
 * it cannot be written, or has no TRACE/run. */
int trace_dir_lock_recovery(const char *dir);

#endif
