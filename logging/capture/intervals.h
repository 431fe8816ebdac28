/* intervals.h - recording in parts: which stretches of the run are kept, and where the state is to be saved
 * (formats/intervals.h).
 *
 * Hooks record as ever. The hook calls of edges come here instead (intervals_event): under one lock the shared counter
 * is raised and the event written, so that an interval begins right before the event that starts it and ends right
 * behind the one that ends it, whatever other threads do. The drain asks what lies inside (intervals_keep) by the
 * stamps alone.
 *
 *     start, end     which event begins, which ends: a counter of open intervals, as SELogger has it: without `nested`
 * one end ends what any number of starts began; with it as many ends are needed. Threads do not matter.
 *
 * Cuts ask the drain to save the state as it was at a stamp: at the end of an interval (logsave=), at a throw
 * (freeze=). Both lists live in TRACE/intervals, a shared mapping, so a kill loses neither. */
#ifndef LOGGING_INTERVALS_H
#define LOGGING_INTERVALS_H

#include <pthread.h>
#include <stdbool.h>

#include "formats/chunk.h"
#include "formats/intervals.h"
#include "logging/journal/journal.h"
#include "logging/journal/regions.h"
#include "logging/store/store.h"

enum interval_save { SAVE_NOTHING, SAVE_SNAPSHOT, SAVE_PARTIAL };
struct interval_options {
    bool starts, ends; /* logstart=, logend= are there; neither: everything is kept */
    bool nested;
    enum interval_save save; /* at the end of each interval */
};

struct intervals {
    struct regions tables;
    struct intervals_head *head;
    struct snapshot_cut *cuts;
    struct interval *list;
    struct interval_options options;
    uint64_t start_ns;     /* clock value of time 0 */
    pthread_mutex_t mutex; /* guards the rest, and adding to the lists */
    uint32_t level;        /* open starts */
    uint32_t stored;       /* intervals that are in the store and will not change */
    uint32_t kept_at;      /* where intervals_keep looked last */
    bool failed;           /* disk full: the recording is to end */
    struct error error;
};

/* Creates the file. `start_ns` is the clock value of time 0. */
enum status intervals_create(struct intervals *v, const char *dir, const struct interval_options *options,
                             uint64_t start_ns, struct error *err);
/* That of a dead recorder, to read: ERR_NOT_FOUND if it had none. What makes no sense is cut off. */
enum status intervals_open(struct intervals *v, const char *dir, struct error *err);
void intervals_close(struct intervals *v);
static inline bool intervals_there(const struct intervals *v) { return v->head != NULL; }

/* The event of an edge: its record, or those of all data IDs of that hook call, and what it means. Any thread, for its
 * own descriptor. */
struct edge_call {
    uint32_t id;
    bool release; /* what follows may release: the counter moves on behind it */
    uint64_t values[JOURNAL_RECORD_EVENTS];
    const uint8_t *kinds, *edges; /* by data ID */
    uint32_t kind_count;
    bool timed;
};
/* True: a cut was asked for; wake the drain. */
bool intervals_event(struct intervals *v, struct journal *j, struct thread_desc *d, const struct edge_call *call);

/* Recording begins or goes on: without logstart= an interval begins. Recording stops: an open one ends. */
void intervals_begin(struct intervals *v, struct journal *j);
void intervals_end(struct intervals *v, struct journal *j);

/* After journal_end: the events of edges that were being written are written. */
void intervals_settle(struct intervals *v);

/* Asks for a snapshot of everything before now. False when there are too many. */
bool intervals_cut(struct intervals *v, struct journal *j, enum snapshot_kind kind, uint32_t thread, uint32_t object,
                   const char *type);

/* Cuts asked for so far. */
uint32_t intervals_cuts(struct intervals *v);
/* Takes out of the columns (events of one thread, in order) what is in no interval. */
void intervals_keep(struct intervals *v, struct chunk_columns *c);
/* The begin of the first interval that begins behind the stamp; UINT64_MAX: none does so far. */
uint64_t intervals_next(struct intervals *v, uint64_t stamp);

/* Puts the rows that changed since the last call; inside a transaction. */
enum status intervals_store(struct intervals *v, struct store *store, struct error *err);

#endif
