/* stream.h - the public header of this folder: the events of a trace as streams, one per thread, and their global
 * order.
 *
 * order.c merges the streams, for queries that read many events, whose chunks other threads decode ahead (hs_set_jobs);
 * positions.c reads single events of one thread and counts their seq, for queries of state and causes; sequence.c has
 * the seq of very many events; numbering.c gives marks, intervals and snapshots their seq. */
#ifndef READER_STREAM_H
#define READER_STREAM_H

#include "reader/derive/derive.h"
#include "reader/trace/open_trace.h"

/* ---- order.c ----
 *
 * The global order: the streams of all threads merged by (stamp, thread number, position in thread).
 *
 *     thread 0   |--- stamp 7 ---|-- 9 --|------ 12 ------|
 *     thread 3        |- 7 -|----- 8 -----|--- 12 ---|
 *     order       0:7...  3:7  3:8...  0:9  0:12...  3:12...          seq counts the events in that order from 0
 *
 * A position is one number per thread: its events before the position. The merge returns batches, each as many events
 * of one thread as come before the next event of any other thread, so with one thread there is nothing to merge. Chunks
 * are decoded when they are reached; of threads that are not wanted only the stamps. */
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
 * decoded as the merge needs them. */
typedef unsigned order_want_fn(void *context, uint32_t thread, const struct chunk_ref *chunk);

/* Stands before event 0. `want` NULL: everything of every chunk. */
enum status order_new(hs_trace *t, order_want_fn *want, void *context, struct order **out, struct error *err);
/* With everything, and data IDs as they are stored (trace/weavings.c): for fsck. */
enum status order_new_stored(hs_trace *t, struct order **out, struct error *err);
void order_free(struct order *o);
/* Chunks in which none of these data IDs occurs (a bitmap, borrowed, which may lose bits) come as if they were not
 * wanted. */
void order_probe(struct order *o, const uint64_t *ids, uint32_t count);
/* Stands before event `seq`; after the last one if there are fewer. */
enum status order_seek(struct order *o, uint64_t seq, struct error *err);
/* The batch after the position, of at most `max` events; moves after it. ERR_NOT_FOUND at the end (`err` is not set).
 * The batch lives until the next call. */
enum status order_next(struct order *o, uint32_t max, struct order_batch *out, struct error *err);
/* The batch before the position (its events in ascending order); moves before it. */
enum status order_previous(struct order *o, uint32_t max, struct order_batch *out, struct error *err);
uint64_t order_position(const struct order *o);

/* ---- positions.c ----
 *
 * Random access to events: by thread and position, and between that and the global order.
 *
 *     event position   (stream, position): the position-th event of one thread; streams are numbered as in
 *                      hs_trace.streams
 *     seq              number of the event in the global order (above)
 *
 * Queries of state and causes read one thread, mostly within a chunk or two, and need the seq of few events. So the
 * chunks used last are kept decoded (kept.c: 40, more of many threads, at most 128), and a seq is counted: chunks
 * wholly below the event's stamp by a prefix sum over the directory, chunks that straddle it by their stamps. Where
 * that takes as long as a merge of all threads, they are merged once (sequence.c). */
struct event_position {
    uint32_t stream;
    uint64_t position;
};

/* Columns of one chunk; borrowed until 40 others were loaded, or it was left: check `chunk` before using it again. */
struct loaded {
    const struct chunk_ref *chunk;
    unsigned have;  /* enum chunk_want */
    uint32_t count; /* 0 if the chunk cannot be read (hs_damage) */
    uint32_t *ids;
    uint64_t *values, *stamps, *times;
    bool timed;
    uint64_t used;
};

enum status positions_load(hs_trace *t, const struct chunk_ref *chunk, unsigned want, const struct loaded **out,
                           struct error *err);

/* The same if it is kept already, with all that is wanted; NULL: it is not, or cannot be read. Decodes nothing. */
const struct loaded *positions_kept(const hs_trace *t, const struct chunk_ref *chunk, unsigned want);

/* A walk in this direction (1 forwards, -1 backwards) has come to the stamp: the chunks that it has passed, in all
 * streams, are the first to be replaced. A walk through very many chunks would replace all that is kept in any case;
 * so it does with the memory of few. */
void positions_leave(hs_trace *t, uint64_t stamp, int direction);

/* The chunk of a stream that holds the position; NULL after its end. */
const struct chunk_ref *positions_chunk(const hs_trace *t, struct event_position at);

/* The event at a position, without its seq (UINT64_MAX). ERR_NOT_FOUND: there is none, or its chunk cannot be read. */
enum status positions_event(hs_trace *t, struct event_position at, struct hs_event *out, struct error *err);
/* The stamp of an event; that at which its chunk begins if it cannot be read. */
enum status positions_stamp(hs_trace *t, struct event_position at, uint64_t *stamp, struct error *err);
/* Position of the event `seq`. ERR_NOT_FOUND after the end (`err` is filled). */
enum status positions_find(hs_trace *t, uint64_t seq, struct event_position *out, struct error *err);
/* How many events a stream has up to event `seq` of any thread, inclusive: behind positions_find it takes the stamps of
 * a chunk of the stream, at most. */
enum status positions_up_to(hs_trace *t, uint64_t seq, uint32_t stream, uint64_t *count, struct error *err);
/* seq of an event, from its position and stamp. */
enum status positions_seq(hs_trace *t, struct event_position at, uint64_t stamp, uint64_t *seq, struct error *err);
/* numbering.c: t->marks, t->periods get their seqs. */
enum status marks_number(hs_trace *t, struct error *err);
enum status periods_number(hs_trace *t, struct error *err);
/* The period (start of recording, from 0 on) of an event with this stamp; 0 if that cannot be read (hs_damage). */
size_t period_of(hs_trace *t, uint64_t stamp);
/* The events of all threads with a stamp below this one: the seq of the first event at or after it. */
enum status positions_below(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err);
/* Fills in e->seq. */
enum status positions_number(hs_trace *t, struct hs_event *e, struct error *err);

/* Number of the stream of a thread; UINT32_MAX if it has no events. */
uint32_t positions_stream(const hs_trace *t, uint32_t thread);

#endif
