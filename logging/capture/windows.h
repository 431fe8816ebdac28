/* windows.h - recording in parts: which parts of the run are kept, and when the state is saved (formats/windows.h).
 *
 * Hooks record as usual, except the hook calls of triggers (windows_record_trigger): under one lock the shared counter
 * is incremented and the event written, so that a window begins right before the event that starts it and ends right
 * behind the one that ends it, whatever other threads do. The drain drops events outside windows (windows_filter) by
 * their stamps alone. Starts and ends are counted across all threads, as SELogger does: without `nested` one end ends
 * what any number of starts began; with it as many ends are needed.
 *
 * Snapshot requests ask the drain to save the state as it was at a stamp: at the end of a window (logsave=), at a throw
 * (freeze=). Both lists live in TRACE/intervals, a shared mapping, so a kill loses neither. */
#ifndef LOGGING_WINDOWS_H
#define LOGGING_WINDOWS_H

#include <pthread.h>
#include <stdbool.h>

#include "formats/chunk.h"
#include "formats/windows.h"
#include "logging/capture/test_parts.h"
#include "logging/journal/journal.h"
#include "logging/journal/regions.h"
#include "logging/store/store.h"

enum window_save { SAVE_NOTHING, SAVE_SNAPSHOT, SAVE_PARTIAL };
struct window_options {
    bool starts, ends; /* logstart=, logend= are given; neither: everything is kept */
    bool later;        /* the events outside are dropped when the recording has ended (formats/drop.h) */
    bool nested;
    enum window_save save; /* at the end of each interval */
    enum keep keep;        /* of tests; not with starts */
};

struct windows {
    struct regions tables;
    struct windows_head *head;
    struct snapshot_request *requests;
    struct window *list;
    struct window_options options;
    uint64_t start_ns;     /* clock value of time 0 */
    int64_t last_ns;       /* the time of the last window or request */
    pthread_mutex_t mutex; /* guards the rest, and adding to the lists */
    uint32_t level;        /* open starts */
    uint32_t stored;       /* windows that are in the store and will not change */
    uint32_t kept_at;      /* window that windows_filter used last */
    struct test_parts tests;
    bool failed; /* disk full: the recording is to end */
    struct error error;
};

/* Creates the file. `start_ns` is the clock value of time 0. */
enum status windows_create(struct windows *v, const char *dir, const struct window_options *options, uint64_t start_ns,
                           struct error *err);
/* That of a dead recorder, to read: ERR_NOT_FOUND if it had none. Malformed entries at the end are dropped. */
enum status windows_open(struct windows *v, const char *dir, struct error *err);
void windows_close(struct windows *v);
static inline bool windows_present(const struct windows *v) { return v->head != NULL; }

/* A hook call with triggers: its record and its data IDs. Any thread, for its own descriptor. */
struct trigger_call {
    uint32_t id;
    bool release; /* what follows may release: the shared counter is incremented behind it */
    struct record_values values;
    const uint8_t *kinds, *triggers; /* by data ID */
    uint32_t kind_count;
    bool timed;
};
/* True: a snapshot was requested; wake the drain. */
bool windows_record_trigger(struct windows *v, struct journal *j, struct thread_desc *d,
                            const struct trigger_call *call);

/* Recording starts or resumes: without logstart= a window begins. Recording stops: an open window ends. */
void windows_begin(struct windows *v, struct journal *j);
void windows_end(struct windows *v, struct journal *j);

/* After journal_end: waits until events of triggers that are being written are complete. */
void windows_finish(struct windows *v);

/* Requests a snapshot of everything before now. False when there are too many. */
bool windows_request_snapshot(struct windows *v, struct journal *j, enum snapshot_kind kind, uint32_t thread,
                              uint32_t object, const char *type);

/* Requests so far. */
uint32_t windows_request_count(struct windows *v);
/* Removes the events that are in no window from the columns (events of one thread, in order). */
void windows_filter(struct windows *v, struct chunk_columns *c);
/* The begin of the first window that begins behind the stamp; UINT64_MAX: none does so far. */
uint64_t windows_next_begin(struct windows *v, uint64_t stamp);

/* keep=failed: tests so far whose events are to be dropped. */
uint64_t windows_tests_dropped(struct windows *v);

/* Puts the rows that changed since the last call; inside a transaction. */
enum status windows_store(struct windows *v, struct store *store, struct error *err);

#endif
