/* api/threads.h - threads, and the time that events have: the clock, marks, the parts of a recording, snapshots. */
#ifndef HINDSIGHT_API_THREADS_H
#define HINDSIGHT_API_THREADS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- threads ---- */

struct hs_thread {
    uint32_t thread;
    uint64_t tid;             /* Thread.threadId(); 0 unknown */
    const char *name, *group; /* "" unknown */
    bool known;               /* false: events of it were seen, its row was not */
    bool daemon, is_virtual;
    uint64_t start_ns, end_ns; /* end HS_NO_TIME while it lives */
    uint64_t object_id;        /* of the Thread object, 0 unknown */
    uint64_t events;
};
/* Threads in the order of their numbers; rows are kept. */
HS_API int hs_threads_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_thread_next(hs_cursor *cursor, const struct hs_thread **row, struct hs_error *error);
HS_API size_t hs_thread_count(const hs_trace *trace);
HS_API const struct hs_thread *hs_thread_get(const hs_trace *trace, uint32_t thread);

/* ---- the clock ---- */

/* The recorder's coarse clock: ns since the start at a stamp, interpolated; HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_ns(hs_trace *trace, uint64_t stamp);
/* Times between two events below this are not known: 1 if every event has a clock value, else two ticks of the coarse
 * clock (an event may lie anywhere between two); HS_NO_TIME if the trace has no clock. */
HS_API uint64_t hs_clock_resolution_ns(hs_trace *trace);
/* Until when the recording is known to have gone on with every event, by the clock of hs_clock_ns; 0: no clock. */
HS_API uint64_t hs_recording_end_ns(hs_trace *trace);

/* ---- marks ---- */

/* An interval that was given a name while the program ran (`hindsight mark`). Intervals nest and overlap, and one name
 * may have several. Inside are the `events` events from seq `first` on, of all threads. */
struct hs_mark {
    const char *name;
    uint64_t first, events; /* without events, `first` is the seq of the next event after it */
    /* since the start; end HS_NO_TIME: not ended: it reaches to the end of the trace */
    uint64_t begin_ns, end_ns;
};
/* All marks in the order in which they began; rows are kept. */
HS_API int hs_marks_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_mark_next(hs_cursor *cursor, const struct hs_mark **row, struct hs_error *error);

/* ---- recordings in parts ---- */

/* What was recorded when logstart= and logend= say which stretches of the run are kept: `events` events from seq
 * `first` on, of all threads (0 and 0 in formats without a stream). What lies between two intervals is not known: calls
 * that were open may have been left, others entered. */
struct hs_interval {
    uint64_t first, events;
    uint64_t begin_ns, end_ns; /* since the start; end HS_NO_TIME: not ended */
    /* of the events that began and ended it; UINT32_MAX: recording began, or stopped */
    uint32_t start_dataid, end_dataid;
    uint32_t start_thread, end_thread;
};
/* The intervals in their order; rows are kept. */
HS_API int hs_intervals_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_interval_next(hs_cursor *cursor, const struct hs_interval **row, struct hs_error *error);
HS_API size_t hs_interval_count(const hs_trace *trace);
/* The seq of the first event behind `seq` with which recording began again after a stop; HS_NO_SEQ: there is none. What
 * lies before it is not known, and threads have other numbers from it on. */
HS_API uint64_t hs_next_start(hs_trace *trace, uint64_t seq);

/* The counts, last values and times of formats without a stream as they were at one moment (logsave=, freeze=). */
enum hs_snapshot_kind { HS_SNAPSHOT_INTERVAL = 0, HS_SNAPSHOT_THROW = 1, HS_SNAPSHOT_UNCAUGHT = 2 };
struct hs_snapshot {
    uint32_t number; /* from 1 */
    enum hs_snapshot_kind kind;
    bool saved;   /* false: format omni, where the stream has it all */
    uint64_t seq; /* events before this one had happened; HS_NO_SEQ without a stream */
    uint64_t ns, stamp;
    uint32_t thread;
    uint32_t interval; /* INTERVAL: its position */
    uint32_t object;   /* THROW, UNCAUGHT: id of the exception, 0 not known */
    const char *type;  /* its type as in Java source, or "" */
};
/* The snapshots by number; rows are kept. */
HS_API int hs_snapshots_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_snapshot_next(hs_cursor *cursor, const struct hs_snapshot **row, struct hs_error *error);
HS_API size_t hs_snapshot_count(const hs_trace *trace);
/* From now on hs_count_dataids, hs_latest_open and hs_costs_open answer from that snapshot; 0: from the end of the
 * recording again. HS_ERR_NOT_FOUND: the trace has no such snapshot. */
HS_API int hs_use_snapshot(hs_trace *trace, uint32_t number, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
