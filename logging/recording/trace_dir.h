/* trace_dir.h - the directory of a trace while it is recorded: claimed once, locked against others, possibly moved or
 * removed when the recording ends.
 *
 * The recorder holds a lock on TRACE/run (run.h): a lock of the open file (fcntl(2), F_OFD_SETLK), which ends with the
 * process however that ends, is not inherited by programs that it starts (close on exec), and is visible from other pid
 * namespaces. So process numbers are not needed; only on a file system without such locks the number in the journal is
 * used. */
#ifndef LOGGING_TRACE_DIR_H
#define LOGGING_TRACE_DIR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/status.h"

struct trace_dir {
    char dir[4096]; /* absolute: the program may change its directory */
    int fd, lock;   /* of the directory, and of TRACE/run; -1: not claimed */
    bool made;      /* the directory did not exist */
    dev_t device;
    ino_t data; /* of TRACE/data.mdb */
};

/* Creates `dir`, or claims an empty one, or with `overwrite` one with a trace and nothing else, which is removed.
 * ERR_EXISTS: there is a trace, which is kept or being recorded; ERR_IO: it has other content. Nothing was changed
 * then. `run` is the name of the run. */
enum status trace_dir_claim(struct trace_dir *t, const char *dir, bool overwrite, const char *run, struct error *err);
/* TRACE/data.mdb exists now: its removal is detected from now on. */
void trace_dir_note_data(struct trace_dir *t);
/* Undoes trace_dir_claim, and removes files created since. */
void trace_dir_abandon(struct trace_dir *t);
/* Releases the lock. */
void trace_dir_release(struct trace_dir *t);

/* True if the trace still exists. It may have been moved: `where` gets its current path. */
bool trace_dir_locate(const struct trace_dir *t, char *where, size_t size);

/* True if a process is recording into this directory. */
bool trace_dir_in_use(const char *dir);
/* For recovery: waits for other processes that recover this trace, and keeps recorders out until the descriptor is
 * closed. -1: it cannot be written, or has no TRACE/run. */
int trace_dir_lock_recovery(const char *dir);

#endif
