/* api/stretches.h - stretches: a long run at a glance.
 *
 * The events of each thread in pieces, from the index alone: what a picture of a billion events can be drawn from. */
#ifndef HINDSIGHT_API_STRETCHES_H
#define HINDSIGHT_API_STRETCHES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_STRETCH_EVENTS = 4096 };
/* A time in which a thread had no event: it waited, or ran code that is not woven. */
struct hs_pause {
    uint64_t ns;     /* at least 1 ms */
    uint64_t begin;  /* seq of the event before, as exact as that of the stretch behind it */
    uint32_t dataid; /* of that event: what the thread waited in */
    uint64_t value;  /* of that event, of this kind (enum hs_kind) */
    char kind;
};
/* At most HS_STRETCH_EVENTS events of one thread that follow each other without a pause; in a part of more than two
 * billion events several such are one stretch (of ten billion five). The last stretch of a thread has none: its calls
 * are those that were open at the end. */
struct hs_stretch {
    uint32_t thread;
    /* of its first event; with several threads estimated, off by at most HS_STRETCH_EVENTS for each other thread */
    uint64_t seq;
    uint64_t position;            /* of its first event in the thread: exact */
    uint64_t begin_ns;            /* of its first event; HS_NO_TIME: no clock */
    uint32_t events, calls;       /* calls: METHOD_ENTRY */
    uint32_t exceptions;          /* METHOD_EXCEPTIONAL_EXIT */
    uint32_t depth, least, most;  /* open calls: before it; of those before each of its events the least and the most */
    const struct hs_pause *pause; /* before it; NULL: none */
    /* the calls open before it, outermost first, at most 1024: method id, and the position of their METHOD_ENTRY in
     * the thread (HS_NO_SEQ: not recorded) */
    size_t frame_count;
    const uint32_t *methods;
    const uint64_t *entries;
    /* seq of its last event, as exact as `seq` (of what lies behind the part asked for, at most its end) */
    uint64_t last;
};
/* The stretches of all threads from seq `from` to `to`, both inclusive, by thread and position; of each thread first
 * the one that `from` lies in, or that is the last before it, whose seq may be anything up to `from`. HS_ERR_NOT_FOUND:
 * the index does not have them, as the recording has not ended, is damaged or has less than four chunks. */
HS_API int hs_stretches_open(hs_trace *trace, uint64_t from, uint64_t to, hs_cursor **out, struct hs_error *error);
HS_API int hs_stretch_next(hs_cursor *cursor, const struct hs_stretch **row, struct hs_error *error);

/* The calls of a thread that are open just after event `seq`, which may be one of another thread: outermost first, of
 * each the method and the position of its METHOD_ENTRY in the thread (hs_event_seq; HS_NO_SEQ: not recorded). A call
 * that ends with that very event is open still. */
struct hs_sample {
    uint32_t thread;
    uint64_t seq;
    size_t frame_count;
    const uint32_t *methods;
    const uint64_t *entries;
};
/* At event `from`, `from` + `step` and so on up to `to`, moment by moment, the threads of `threads` (rising; NULL: all)
 * of which a call can have begun or ended since the moment before; at the first one those that have had an event.
 * Exact; of each thread a chunk, or its stamps, is decoded for a moment. */
HS_API int hs_samples_open(hs_trace *trace, const uint32_t *threads, size_t thread_count, uint64_t from, uint64_t to,
                           uint64_t step, hs_cursor **out, struct hs_error *error);
HS_API int hs_sample_next(hs_cursor *cursor, const struct hs_sample **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
