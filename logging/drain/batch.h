/* batch.h - collects events of one thread in columns, which the sink gets as a whole. */
#ifndef LOGGING_BATCH_H
#define LOGGING_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/chunk.h"
#include "formats/journal.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "logging/aggregate/counter_tables.h"
#include "logging/capture/windows.h"
#include "logging/drain/percall.h"
#include "logging/drain/record.h"
#include "logging/sinks/sink.h"
#include "logging/store/bound.h"

enum drain_use {
    DRAIN_STORE,
    DRAIN_OBJECTS, /* objects of events are stored, the events are not: recording failed */
    DRAIN_COUNT,   /* nothing is stored: events are counted as lost */
};

struct batch {
    const struct record_format *format;
    const struct sink *sink;
    struct sink_output output;
    struct windows *windows;         /* which events are kept; NULL: all */
    struct counter_tables *counters; /* learns which data IDs are frequent; NULL: hooks have no counters */
    struct percall *percall;         /* which events of a call are left out; NULL: none */
    struct bound *bound;             /* drop-oldest: keeps which objects each chunk refers to; else NULL */
    enum drain_use use;
    struct error error; /* why a group was switched to DRAIN_COUNT */
    struct chunk_columns columns;
    uint64_t *order; /* one more column, for sinks that are `ordered` */
    bool deriving;   /* the events go to the deriver; of the columns, only `count` is valid */
    uint64_t first_stamp, last_stamp;
    uint32_t thread, desc;
    uint32_t period;       /* of the recording, of the buffer that is read */
    bool is_guest;         /* it is of a virtual thread */
    bool counted;          /* the numbers of the thread's records are valid: it is not a virtual thread */
    u64_vec thread_events; /* by thread number: events stored so far */
    uint64_t events, lost;
    uint64_t events_kept; /* of `events`, those of transactions that were committed */
    /* of the others, those imported from counters, which still hold them if the transaction is rolled back */
    uint64_t imported;
};

/* The sink is that of format omni; the owner may set another one. */
enum status batch_init(struct batch *b, const struct record_format *format, struct store *store, struct error *err);
void batch_done(struct batch *b);

/* Hands the events to the sink. If that fails they and all that follow are counted as lost: `use` becomes DRAIN_COUNT.
 * */
void batch_flush(struct batch *b);
/* So many more events of the thread are stored. NULL: no memory. */
uint64_t *batch_thread_events(struct batch *b, uint32_t thread);
/* Events of the thread are missing here. */
void batch_lose(struct batch *b, uint64_t events);
/* Forgets the events since the last flush. */
void batch_drop(struct batch *b);
/* The first event comes next: decides whether the deriver gets it. */
void batch_begin(struct batch *b);
/* Before a record: flushes a batch that could not hold it and the exits inserted before it. */
static inline void batch_make_room(struct batch *b)
{
    if (b->columns.count > DERIVE_CHUNK_FULL)
        batch_flush(b);
    if (b->columns.count == 0)
        batch_begin(b);
}

/* The deriver has taken records, which may have no event; the first one of a chunk alone. */
static inline void batch_derived(struct batch *b)
{
    const struct derive_encoder *e = b->output.chunks.deriver->encoder;
    uint32_t events = derive_events(e);
    if (events == b->columns.count)
        return;
    b->last_stamp = derive_event_stamp(e);
    if (b->columns.count == 0)
        b->first_stamp = b->last_stamp;
    b->columns.count = events;
}
/* The chunk of the deriver is full: begins the next one. */
void batch_next_chunk(struct batch *b);
/* The next event, for the deriver. */
void batch_derive(struct batch *b, uint32_t id, uint64_t value, uint64_t stamp, uint64_t time);
/* The next event, after batch_make_room. `time` and `order` only where there are such columns. */
static inline void batch_put(struct batch *b, uint32_t id, uint64_t value, uint64_t stamp, uint64_t time)
{
    if (b->deriving) {
        batch_derive(b, id, value, stamp, time);
        return;
    }
    uint32_t n = b->columns.count++;
    if (n == 0)
        b->first_stamp = stamp;
    b->last_stamp = stamp;
    b->columns.ids[n] = id;
    b->columns.values[n] = value;
    b->columns.stamps[n] = stamp;
    if (b->format->timed)
        b->columns.times[n] = time;
}

/* The events of a record, after batch_make_room. */
static inline void batch_put_record(struct batch *b, const struct record *rec)
{
    for (uint32_t i = 0; i < rec->count; i++) {
        if (b->counted) /* else the batch numbers them, if the sink wants it */
            b->order[b->columns.count] = sink_order(rec->number + i);
        batch_put(b, rec->id + i, rec->values[i], rec->stamp, rec->time);
    }
}
/* ---- derive=on: the sink of records (formats/derive_write.h) ---- */
/* The fast path, where no constructor is pending: the records at `p`, as long as their stamps are below `below` and
 * their data IDs are `first` or greater. Returns where the next one begins: that comes by itself. *stamp: that of the
 * last one. None are taken with times. */
const uint64_t *batch_derive_many(struct batch *b, uint32_t first, uint64_t below, const uint64_t *p,
                                  const uint64_t *end, uint64_t *stamp);
/* Does the record only say which instruction threw? */
static inline bool batch_is_position(const struct batch *b, const struct record *rec)
{
    return derive_is_position(b->output.chunks.deriver->encoder, rec->id, *rec->words);
}
/* Gives the record to the deriver, which may take more than the record from the words up to `end` into account. False:
 * it wants the events one by one. Else *events of them are in the stream: none, if the record only says which
 * instruction threw. */
bool batch_derive_record(struct batch *b, const struct record *rec, const uint64_t *end, uint32_t *events);

/* Before a record is put, after batch_make_room, where there is a percall. False: it is left out. Else the
 * EVENTS_LEFT_OUT that comes before it is put. */
bool batch_keeps(struct batch *b, const struct record *rec);
/* Is something left to be flushed? */
static inline bool batch_waits(const struct batch *b)
{
    return b->columns.count > 0 || (b->percall != NULL && percall_due(b->percall, b->thread));
}

/* The transaction was committed, or rolled back: then events imported since the last commit are lost. */
void batch_committed(struct batch *b);
void batch_given_up(struct batch *b);

#endif
