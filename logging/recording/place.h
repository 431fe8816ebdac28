/* place.h - the directory of a trace while it is recorded: taken once, kept from others, and perhaps gone when the
 * recording ends.
 *
 * The recorder holds a lock on TRACE/run (run.h): a lock of the open file (fcntl(2), F_OFD_SETLK), which ends with the
 * process however that ends, which no program that it starts inherits (close on exec), and which is seen from other pid
 * namespaces. So nothing has to be believed of process numbers; only where a file system knows no such locks the number
 * in the journal is asked. */
#ifndef LOGGING_PLACE_H
#define LOGGING_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/status.h"

struct place {
    char dir[4096]; /* absolute: the program may change its directory */
    int fd, lock;   /* of the directory, and of TRACE/run; -1: not taken */
    bool made;      /* the directory was not there */
    dev_t device;
    ino_t data; /* of TRACE/data.mdb */
};

/* Makes `dir`, or takes one that is empty, or with `overwrite` one that holds a trace and nothing else, which is
 * removed. ERR_EXISTS: there is something, or a recorder that lives; then nothing was changed. `run` is the name of the
 * run. */
enum status place_take(struct place *p, const char *dir, bool overwrite, const char *run, struct error *err);
/* TRACE/data.mdb is there: from now on its removal is noticed. */
void place_filled(struct place *p);
/* Undoes place_take, and removes what was put there since. */
void place_abandon(struct place *p);
/* Others may have it now. */
void place_leave(struct place *p);

/* Is the trace still there? It may have been moved: `where` gets its present path. */
bool place_there(const struct place *p, char *where, size_t size);

/* Is somebody recording into this directory? */
bool place_taken(const char *dir);
/* For recovery: waits for others that recover this trace, and keeps recorders out until the descriptor is closed. -1:
 * it cannot be written, or has no TRACE/run. */
int place_recover(const char *dir);

#endif
