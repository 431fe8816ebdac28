/* sink.h - stores decoded events: one sink for each row of formats.def.
 *
 * The drain decodes the same way for all of them, so every format counts and keeps the same events; counters of hooks
 * (counters.h) are imported before their data is read. All functions are called on the drain thread (or by recovery),
 * inside a transaction of the store. */
#ifndef LOGGING_SINK_H
#define LOGGING_SINK_H

#include <stdint.h>

#include "formats/chunk.h"
#include "formats/format.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "logging/aggregate/counter_tables.h"
#include "logging/aggregate/state.h"
#include "logging/sinks/chunk_writer.h"
#include "logging/store/store.h"

struct windows;

/* Consecutive events of one thread. */
struct sink_batch {
    struct chunk_columns *columns; /* NULL: the deriver has the events. The sink may exchange the arrays for others */
    uint32_t count;
    uint64_t first_stamp, last_stamp;
    struct kind_table kinds;
    const uint8_t *roles;    /* by data ID */
    const uint64_t *order;   /* of each event among those of the thread (sink_order); only where `ordered` */
    struct windows *windows; /* NULL: no events are missing between two of the thread */
    uint32_t thread, desc;
    uint64_t first_event; /* events of the thread before these */
};

/* The order of an event of a thread, from the number of events before it. Exits that the drain infers (super_exits.h)
 * come before the event that proves them, and the hook does not number them: they have the number of that event and a
 * smaller low byte. */
enum { ORDER_BITS = 8, ORDER_EVENT = (1 << ORDER_BITS) - 1 };
static inline uint64_t sink_order(uint64_t number) { return number << ORDER_BITS | ORDER_EVENT; }

/* Where sinks write; set by the owner of the drain. */
struct sink_output {
    struct store *store;
    struct state *state;        /* of formats that keep theirs there, else NULL */
    struct chunk_writer chunks; /* of omni */
};

/* Where a format keeps its data, and with it how far the journal's buffers are stored. */
struct sink_storage {
    bool uses_state; /* TRACE/state: its transaction ends with that of the store */
    /* position (drain.h) of a descriptor; 0: nothing is stored */
    enum status (*get_position)(struct sink_output *out, uint32_t desc, uint64_t *position, struct error *err);
    enum status (*put_position)(struct sink_output *out, uint32_t desc, uint64_t position, struct error *err);
    /* recovery: events stored of each thread */
    enum status (*get_thread_events)(struct sink_output *out, u64_vec *events, struct error *err);
    enum status (*add_thread_events)(struct sink_output *out, uint32_t thread, uint64_t events, struct error *err);
    /* snapshots that were saved */
    uint32_t (*get_requests_served)(struct sink_output *out);
    enum status (*put_requests_served)(struct sink_output *out, uint32_t served, struct error *err);
};
extern const struct sink_storage sink_storage_state, sink_storage_store;

struct sink {
    const struct sink_storage *storage;
    bool counters; /* hooks count frequent data IDs in counters (counters.h) */
    bool ordered;  /* events are identified by their number in the thread */
    /* events of one thread, in order; NULL: buffers are freed unread */
    enum status (*import_batch)(struct sink_output *out, const struct sink_batch *b, struct error *err);
    /* with counters: which data IDs get them, from a batch that was imported; NULL: frequent ones
     * (counter_tables_learn). And once a round of the drain; NULL: nothing to do. `now` is a time as events have it, 0
     * the clock value `start_ns` */
    void (*learn)(struct sink_output *out, struct counter_tables *tables, const struct sink_batch *b,
                  uint64_t start_ns);
    void (*look_again)(struct sink_output *out, struct counter_tables *tables, uint64_t now);
    /* entries of a counter; NULL: it has none */
    enum status (*import_ring)(const struct counter_importer *h, struct counter *c, struct error *err);
    /* writes the state as rows of the store, at the end and for a snapshot; NULL: nothing to save */
    enum status (*save)(struct state *s, struct store *store, struct error *err);
    void (*done)(struct state *s); /* frees s->scratch; may be NULL */
    /* recovery: true if this block of the heap, of `room` bytes at most, is a valid target of BLOCK; NULL: the sink has
     * no blocks */
    bool (*sane)(const struct state *s, const void *block, uint64_t room);
    /* drops everything imported, in the transaction (logsave=partial); REQUESTS_FLOOR is set */
    void (*reset)(struct state *s);
};

/* One a row of formats.def: sink_omni, ... */
#define sink_exceptions                                                         sink_omni /* a stream, too */
#define FORMAT(id, name, alias, stream, values, times, snapshots, groups, help) extern const struct sink sink_##name;
#include "formats/formats.def"
#undef FORMAT

const struct sink *sink_of(enum format_id format);

#endif
