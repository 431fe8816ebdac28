/* recorder.h - a recording without a JVM: combines journal, pending rows, store, the drain thread and the ticker.
 *
 * recorder_open -> (program records through the journal) -> recorder_close. Everything in between may be called from
 * any thread. A failure (disk full, no memory) ends the recording, never the program: see `failed`. */
#ifndef LOGGING_RECORDER_H
#define LOGGING_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "logging/aggregate/counter_tables.h"
#include "logging/capture/windows.h"
#include "logging/drain/drain.h"
#include "logging/journal/journal.h"
#include "logging/recording/clock.h"
#include "logging/recording/cut.h"
#include "logging/recording/trace_dir.h"
#include "logging/store/bound.h"
#include "logging/store/pendinglog.h"
#include "logging/store/syncer.h"

/* A mark that has begun and not ended. */
struct open_mark {
    uint32_t number;
    char *name;
    uint64_t begin_stamp, begin_ns;
};

/* Where to create the trace: see trace_dir.h. */
struct recorder_target {
    const char *dir;
    bool overwrite;
    const char *run; /* NULL: a run of this process alone */
};

struct recorder {
    struct trace_dir trace;
    const char *dir; /* of the trace, absolute */
    struct journal journal;
    struct pendinglog pending;
    struct store *store;
    struct drain drain; /* used by the drain thread only */
    pthread_t drain_thread, ticker_thread;
    struct syncer syncer;
    pthread_mutex_t snapshot_mutex; /* guards the next two, and the ticks */
    pthread_cond_t snapshot_done;
    uint64_t snapshots_wanted, snapshots_done;
    bool drain_over;                /* the drain thread serves no more snapshots */
    struct state state;             /* of formats without a stream: drain.batch.output.state */
    struct counter_tables counters; /* of formats whose hooks write counters: drain.batch.counters */
    struct bound bound;             /* set up by recorder_use_bound */
    struct deriver deriver;         /* set up by recorder_use_deriver */
    struct cuts cuts;               /* set up by recorder_count_only */
    uint32_t *sites;                /* by data ID: rows of derived.h, reserved as `kinds` are; NULL: not derived */
    uint16_t *pcs;                  /* with them, by data ID */
    struct windows windows;         /* set up by recorder_use_windows */
    uint32_t requests_served;       /* snapshot requests; used by the drain thread only */
    void (*ended_early)(void);      /* NULL, or called by the drain thread, once, when the recording fails */
    bool threads_run;
    /* by data ID: letters, roles, record_shape (counter_tables.h), enum edge; reserved once, never move */
    uint8_t *kinds, *roles, *record_shapes, *triggers;
    uint32_t kinds_max;  /* data IDs that the reserved address space can hold */
    uint32_t kind_count; /* grows under kinds_mutex; read by the drain with acquire */
    pthread_mutex_t kinds_mutex;
    struct clock clock;
    bool stop_ticker;
    pthread_cond_t ticker_stops;
    bool few_ticks;              /* recorder_tick tells the times of events */
    pthread_mutex_t marks_mutex; /* guards the next two */
    VEC(struct open_mark) marks; /* open ones, in order of their beginning: marks.c */
    uint32_t mark_count;         /* marks ever begun */
    _Atomic uint64_t refused;    /* events for which there was no room after a failure */
    uint64_t lost_at_end;        /* part of storing_lost that the drain has not counted */
    atomic_bool failed;          /* written by the drain thread and by the thread that sets up; read by all */
    struct error error;          /* why, if failed */
};

enum { DATAIDS_MAX = 1u << 30 };

/* Creates the trace; on failure it is removed. */
enum status recorder_open(struct recorder *r, const struct recorder_target *where, bool timed, struct error *err);
/* Undoes recorder_open when nothing is recorded after all. */
void recorder_abandon(struct recorder *r);
/* Sets the sink (sink.h) and its `size`, if it has one; with `counters` hooks may use counters if the sink supports
 * them. After recorder_open, before anything is recorded. */
enum status recorder_use_sink(struct recorder *r, const struct sink *sink, uint32_t size, bool counters,
                              struct error *err);
/* Bounds the size of the trace (bound.h). After recorder_use_sink, before anything is recorded. */
void recorder_use_bound(struct recorder *r, uint64_t bytes, bool drop_oldest);
/* Recording in parts, or snapshots at throws (windows.h). After recorder_open, before recorder_start. */
enum status recorder_use_windows(struct recorder *r, const struct window_options *options, struct error *err);
/* Before recorder_start, of a format that only counts: records have no values. */
void recorder_count_only(struct recorder *r);
/* Then: the exception of the instruction at `pc`, in the method of the data ID `id`, has come to a handler or leaves
 * the method. */
void recorder_record_cut(struct recorder *r, struct thread_desc *d, uint32_t id, uint32_t pc);
/* Option derive=on, for a sink with a stream. After recorder_use_sink; false: no memory, all events are stored. */
bool recorder_use_deriver(struct recorder *r);
/* Records a trigger's hook call; requests a snapshot at a throw. Any thread. */
void recorder_record_trigger(struct recorder *r, struct thread_desc *d, uint32_t id, bool release,
                             const struct record_values *values);
bool recorder_request_snapshot(struct recorder *r, enum snapshot_kind kind, uint32_t thread, uint32_t object,
                               const char *type);
/* Called when a hook got no room for the record that begins with this data ID; `d` may be NULL. If recording has failed
 * its events are counted as lost. */
void recorder_count_refused(struct recorder *r, const struct thread_desc *d, uint32_t id);
/* True if recording ended for lack of space, and events lost since then are still counted. */
bool recorder_counts_lost(const struct recorder *r);
/* What is recorded next has the time of now. Any thread. */
void recorder_tick(struct recorder *r);
/* Starts drain and ticker. Not before the JVM may have threads. */
enum status recorder_start(struct recorder *r, struct error *err);
/* Stops recording; recorder_resume continues with a new period (formats/journal.h). Everything of the period is stored
 * before it returns: false if that failed. The JVM keeps running, and woven code stays woven. */
bool recorder_pause(struct recorder *r);
void recorder_resume(struct recorder *r);
/* Stores everything recorded so far, so that another process can read it. Any thread, after recorder_start; false:
 * recording has failed. */
bool recorder_snapshot(struct recorder *r);

/* Reserves data IDs: fills in the kind letters and makes them visible to the drain. Returns the first, or UINT32_MAX.
 * Hold kinds_mutex from recorder_first_dataid to this call. */
uint32_t recorder_first_dataid(const struct recorder *r);
/* `triggers` may be NULL. recorder_add_sites before it, with a row (derived.h) and the pc for each of them. */
void recorder_add_sites(struct recorder *r, const uint32_t *rows, const uint16_t *pcs, uint32_t count);
bool recorder_add_dataids(struct recorder *r, const uint8_t *letters, const uint8_t *roles, const uint8_t *triggers,
                          uint32_t count);

/* Marks (mark_row in rows.h): from now on everything recorded is inside a mark of that name (UTF-8), until it is
 * ended. Persistent at once, even if the process is killed. Any thread. Not after recorder_close. recorder_mark is
 * false when the name is not allowed (mark_name_fits), there is no memory or recording has ended. recorder_unmark ends
 * the innermost open mark of the name, or with NULL all open ones; the result is how many. */
bool recorder_mark(struct recorder *r, const char *name);
size_t recorder_unmark(struct recorder *r, const char *name);

/* Events in the trace by now: without those that onfull=drop-oldest has removed. Any thread. */
uint64_t recorder_events(const struct recorder *r);

/* Ends recording, stores everything, writes end state, closes the store and removes journal and pending file. */
struct recorder_totals {
    uint64_t events, lost, bytes; /* events in the trace; events that are missing from it */
    uint64_t dropped;             /* others, the oldest, that onfull=drop-oldest removed */
    bool at_least;                /* more may be missing */
    char where[4096];             /* the trace may have been moved */
};
#define RECORDER_REMOVED "the trace was removed while it was recorded"
void recorder_close(struct recorder *r, struct recorder_totals *out);

#endif
