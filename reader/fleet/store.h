/* store.h - the folder of a fleet: one directory for each run, which never changes.
 *
 *     DIR/runs/ID/data.mdb run            the trace. ID: XXH3 of both files, 128 bits as 32 hexadecimal digits
 *                 catalogue.db runs.parquet calls.parquet ...     what can be asked of many runs (catalogue.h)
 *     DIR/tmp/...                         runs that are being pushed or removed
 *     DIR/identity                        a number by chance
 *
 * A run appears and disappears by one rename of its directory, so it is whole or not there, and the same trace has one
 * name: two pushes of it make one run. Whoever fills or empties a directory of tmp/ holds a lock on it; one without a
 * lock was left by a process that died, and may be removed. Any number of processes may push, ask and prune at once, on
 * a file system that has flock(2). The hash finds damage, it is no proof against forgery. */
#ifndef READER_FLEET_STORE_H
#define READER_FLEET_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <xxhash.h>

#include "formats/status.h"
#include "formats/vec.h"

enum { RUN_ID_CHARS = 32 };
struct run_id {
    char text[RUN_ID_CHARS + 1];
};
typedef VEC(struct run_id) run_ids;
#define CATALOGUE_FILE "catalogue.db"
enum { READ_MAX_BYTES = 1 << 30 }; /* of a catalogue; a larger one is none */
struct stored_run {
    struct run_id id;
    uint64_t bytes, pushed_ns;              /* of all its files; since 1970 */
    uint64_t catalogue_bytes, catalogue_ns; /* size and time of its catalogue */
    uint32_t owner;                         /* of its catalogue, in a folder: the user */
};
typedef VEC(struct stored_run) stored_runs;
/* What is in the place of runs and is none, or cannot be read: sentences, the first ODD_MAX. */
enum { ODD_CHARS = 240, ODD_SHOWN = 20, ODD_MAX = 100000 };
struct oddity {
    char text[ODD_CHARS];
};
typedef VEC(struct oddity) oddities;
bool odd_add(oddities *odd, const char *name, const char *what); /* false: out of memory */
void stored_runs_sort(stored_runs *runs);                        /* the oldest first */
bool run_id_is(const char *name);
/* In the order of names; NULL: it is not among them. */
const struct run_id *run_ids_find(const run_ids *ids, const char *name);
void run_ids_sort(run_ids *ids);
void run_id_set(struct run_id *id, XXH128_hash_t hash);

/* Modes of a fleet that a group shares. The set-group-ID bit gives what is made below the group of the folder.
 * Everybody of the group makes and renames in `runs`, `tmp` and `tables`, the sticky bit keeps what belongs to others;
 * a run is read by the group, and changed by nobody. */
enum { SHARED_DIR = 02750, SHARED_FILE = 0640, SHARED_PLACE = 03770 };
bool dir_is_shared(int dir);

struct fleet {
    const char *path;
    int dir, runs, tmp; /* -1: not open */
};
/* Opens the folder; `make`: it may be new. fleet_close in any case. */
enum status fleet_open(struct fleet *f, const char *path, bool make, struct error *err);
void fleet_close(struct fleet *f);
/* Makes the folder, or that of which it is one already; `group` (NULL: this user alone): its users may read all runs,
 * push, and remove their own. Runs that are there keep their modes. */
enum status fleet_init(const char *path, const char *group, struct error *err);
/* Gives the folder a number by chance, in the file `identity`, unless it has one, or this user cannot write there. */
enum status fleet_identify(const struct fleet *f, struct error *err);
/* What distinguishes the fleet from others, also from a copy of the folder; the same for all that share it, if it has
 * such a file. */
uint64_t fleet_identity(const struct fleet *f);
/* What is asked of each run: its name alone, what is said of its catalogue, when it was pushed, or that and the size of
 * all its files, which is slower. */
enum list_detail { LIST_NAMES, LIST_CATALOGUES, LIST_TIMES, LIST_SIZES };
/* All runs, the oldest first; `odd` (NULL: not wanted) gets what is none. */
enum status fleet_list(const struct fleet *f, enum list_detail detail, stored_runs *out, oddities *odd,
                       struct error *err);
/* The size of all its files; 0 if it is gone. */
uint64_t fleet_run_bytes(const struct fleet *f, const struct run_id *id);
/* Opens a directory of the folder; `make`: it may be new. -1 with errno. */
int open_below(const struct fleet *f, const char *name, bool make);
/* All bytes of a file of a run, to be freed; whatever is no file is not opened. ERR_NOT_FOUND: it is not there. */
enum status fleet_read(const struct fleet *f, const struct run_id *id, const char *name, char **bytes, size_t *n,
                       struct error *err);
bool fleet_has(const struct fleet *f, const struct run_id *id);
enum status fleet_remove(const struct fleet *f, const struct run_id *id, struct error *err);
/* Removes what processes that died have left. */
void fleet_sweep(const struct fleet *f);
/* Makes the directory of a run, empty, in a folder of this process alone; -1 with errno. The caller closes it. */
int fleet_make_run(const struct fleet *f, const struct run_id *id);
/* Removes such a folder with all that is in it. */
void fleet_delete(const struct fleet *f);

/* A run that is being pushed: begin, copy, the catalogue into `dir`, and publish; push_end in any case. */
struct push {
    const struct fleet *fleet;
    char name[32], path[PATH_MAX]; /* below tmp/; the whole path */
    int dir;                       /* -1: none */
    struct run_id id;
    uint64_t bytes;
};
enum status push_begin(struct push *p, const struct fleet *f, struct error *err);
enum status push_copy(struct push *p, const char *trace, struct error *err); /* sets id and bytes */
/* Copies a trace that is being recorded, without a name. */
enum status push_running(struct push *p, const char *trace, struct error *err);
/* The recording that a pushed trace is of, which all pushes of it have: a hash of its file `run`, which names the
 * process, and of when it started. */
enum status push_recording(const struct push *p, const char *started, struct run_id *out, struct error *err);
/* Is what has its name in the folder this run: a catalogue, and a trace of these sizes? ERR_EXISTS: and of other
 * contents. */
enum status push_is_there(const struct push *p, bool *there, struct error *err);
enum status run_differs(const char *place, const struct run_id *id, struct error *err); /* ERR_EXISTS, as it says */
/* *added false: the run was there already. What is there and is not whole is replaced. */
enum status push_publish(struct push *p, bool *added, struct error *err);
/* The directory takes the place of the run that is there. */
enum status push_replace(struct push *p, struct error *err);
/* The directory becomes one with that name below `into`; one that is there stays, or is replaced. */
enum status push_into(struct push *p, int into, const char *name, bool replace, struct error *err);
/* The files of its directory are on the disk, and have the modes of the fleet. */
bool push_sync(const struct push *p);
void push_end(struct push *p);

/* Copies the trace of a run to the new directory `output`, and proves that it is the one of that name. */
enum status fleet_copy_out(const struct fleet *f, const struct run_id *id, const char *output, struct error *err);

#endif
