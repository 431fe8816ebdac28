/* order.h - the global order: the streams of all threads merged by (stamp, thread number, position in thread).
 *
 *     thread 0   |--- stamp 7 ---|-- 9 --|------ 12 ------|
 *     thread 3        |- 7 -|----- 8 -----|--- 12 ---|
 *     order       0:7...  3:7  3:8...  0:9  0:12...  3:12...          seq counts the events in that order from 0
 *
 * A position is one number per thread: the events of it that lie before. The merge hands out batches: as many events of
 * one thread as come before the next event of any other thread, so a program of one thread costs no merging at all.
 * Chunks are decoded when they are reached; of threads nobody asked for, only the stamps are. */
#ifndef READER_ORDER_H
#define READER_ORDER_H

#include "reader/trace/internal.h"

struct order;

struct order_batch {
    uint32_t thread, count;
    uint64_t seq;           /* of its first event */
    const uint32_t *ids;    /* NULL when the chunk was not wanted */
    const uint64_t *values; /* NULL when the chunk was not wanted, or only its ids */
    const uint64_t *times;  /* NULL without a clock */
    const uint64_t *stamps; /* NULL: all are first_stamp */
    uint64_t first_stamp;
    const struct chunk_ref *chunk;
    uint32_t first; /* number of its first event in the chunk */
};

/* Which columns of this chunk are wanted: 0, CHUNK_IDS, or CHUNK_IDS | CHUNK_VALUES (and CHUNK_TIMES). Stamps are
 * decoded as the merge needs them. An index that knows a chunk holds nothing of interest answers here. */
typedef unsigned order_want_fn(void *context, uint32_t thread, const struct chunk_ref *chunk);

/* Stands before event 0. `want` NULL: everything of every chunk. */
enum status order_new(hs_trace *t, order_want_fn *want, void *context, struct order **out, struct error *err);
void order_free(struct order *o);
/* Stands before event `seq`; behind the last one if there are fewer. */
enum status order_seek(struct order *o, uint64_t seq, struct error *err);
/* The batch behind the position, of at most `max` events, and moves over it. ERR_NOT_FOUND at the end (`err` left
 * alone). The batch lives until the next call. */
enum status order_next(struct order *o, uint32_t max, struct order_batch *out, struct error *err);
/* The batch before the position (its events still in rising order), and moves before it. */
enum status order_previous(struct order *o, uint32_t max, struct order_batch *out, struct error *err);
uint64_t order_position(const struct order *o);

#endif
