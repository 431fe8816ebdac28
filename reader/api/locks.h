/* api/locks.h - monitors: each time that one was held, how long all were held and waited for, in which order threads
 * entered them.
 *
 *     hs_locks_open(trace, &locks, &error);          one row a monitor
 *     hs_lock_edges_open(locks, &edges, &error);     which was entered while which other was held
 *     hs_inversions_open(locks, &circles, &error);   monitors that threads entered in different orders
 *
 * Monitors of synchronized blocks and methods; locks of java.util.concurrent are not known. Needs events of EXEC and
 * SYNC: a synchronized method whose class is not woven is not seen. */
#ifndef HINDSIGHT_API_LOCKS_H
#define HINDSIGHT_API_LOCKS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One time that a thread held a monitor. */
struct hs_hold {
    uint64_t
        object; /* whose monitor it is; 0: of a class whose object no event showed, that of the method of `dataid` */
    uint32_t thread;
    uint32_t dataid;  /* of the event `entered` */
    uint64_t asked;   /* seq of the MONITOR_ENTER; HS_NO_SEQ of a synchronized method */
    uint64_t entered; /* seq of the MONITOR_ENTER_RESULT, or of the METHOD_ENTRY of a synchronized method */
    /* seq of the MONITOR_EXIT, or of the exit of the method; HS_NO_SEQ: not known, or held when the recording ended */
    uint64_t left;
    uint64_t wait_ns, hold_ns; /* from asked to entered, from entered to left; HS_NO_TIME: not known */
    bool again;                /* the thread held it already */
};
/* The holds of these threads (`threads` NULL: of all), by their ends; those without an end at the end of the trace or
 * of the part of it that was recorded. The cursor only goes forward; it reads all entries and exits of methods and
 * monitors. */
HS_API int hs_holds_open(hs_trace *trace, const uint32_t *threads, size_t thread_count, hs_cursor **out,
                         struct hs_error *error);
HS_API int hs_hold_next(hs_cursor *cursor, const struct hs_hold **row, struct hs_error *error);

struct hs_lock {
    uint64_t object;        /* 0: of a class whose object no event showed */
    const char *class_name; /* then the name of that class, else NULL */
    uint64_t entered;       /* times; the thread may have held it already */
    uint64_t contended;     /* of `entered`: another thread held it when it was asked for */
    uint64_t wait_ns, hold_ns;
    /* of `entered`: where it is not known whether it was waited for (synchronized methods; 0 of a monitor that is not
     * shared), and how long it was held */
    uint64_t waits_unknown, holds_unknown;
    uint64_t still_held, still_waiting; /* when the recording ended: holds, threads that waited */
    bool shared;                        /* several threads entered it */
};
/* The monitors, by the first end of a hold; what is held or waited for when the recording ends counts up to there.
 * From sums in the index (hs_index_build), else it reads what hs_holds_open reads and keeps the sums in an index that
 * has all chunks; rows are kept. */
HS_API int hs_locks_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_lock_next(hs_cursor *cursor, const struct hs_lock **row, struct hs_error *error);

/* A monitor that was entered, or waited for, while the same thread held another, with nothing entered between them. */
struct hs_lock_edge {
    const struct hs_lock *from, *to; /* the one that was held; the one that was entered */
    uint64_t count;
    uint64_t outer, inner; /* seqs at which they were entered, the first time */
    bool circle;           /* lies on a circle of such edges, of which not all are of one thread */
};
/* Of what the pass of hs_locks_open has found, by the place of `from` among the monitors and by `inner`; rows are kept.
 * Close it before `locks`. */
HS_API int hs_lock_edges_open(hs_cursor *locks, hs_cursor **out, struct hs_error *error);
HS_API int hs_lock_edge_next(hs_cursor *cursor, const struct hs_lock_edge **row, struct hs_error *error);

/* Monitors that threads entered in different orders: a circle. Threads that go round it at the same time wait for each
 * other. */
struct hs_inversion {
    size_t edge_count;
    const struct hs_lock_edge *const *edges; /* each begins with the monitor that the one before it leads to */
};
/* A circle for each edge on one, from its monitor with the lowest place on, the shortest way back. A row lives until
 * the next step; the cursor only goes forward. Close it before `locks`. */
HS_API int hs_inversions_open(hs_cursor *locks, hs_cursor **out, struct hs_error *error);
HS_API int hs_inversion_next(hs_cursor *cursor, const struct hs_inversion **row, struct hs_error *error);

/* The object whose monitor a synchronized method enters: that of its class if it is static, else its receiver; 0: it
 * enters none, or it is not known. */
HS_API uint64_t hs_method_monitor(hs_trace *trace, uint32_t method_id, uint64_t receiver);

#ifdef __cplusplus
}
#endif

#endif
