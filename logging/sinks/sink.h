/* sink.h - what becomes of decoded events, by format. `omni` encodes them (drain.c); the others keep what they need in
 * the state.
 *
 *     SINK(name)   take: events of one thread, in order; called inside a transaction of the state
 *                  save: what the state holds, as rows of the store; at the end, and whenever somebody wants to look
 *
 * The drain decodes for all of them alike, so every format counts and keeps the same events; what hooks keep by
 * themselves (counters.h) is added before it is looked at. */
#ifndef LOGGING_SINK_H
#define LOGGING_SINK_H

#include <stdint.h>

#include "formats/chunk.h"
#include "formats/status.h"
#include "logging/aggregate/state.h"
#include "logging/store/store.h"

/* Consecutive events of one thread. */
struct windows;
struct sink_batch {
    const struct chunk_columns *columns;
    struct windows *windows; /* NULL: no events are missing between two of the thread */
    const uint8_t *roles;    /* by data ID */
    const uint64_t *order;   /* place of each event among those of the thread (sink_order); only where `ordered` */
    uint32_t thread;
};

/* The place of an event with so many before it. Exits that the drain infers (super_calls.h) come before the event that
 * proves them, and are not among the events that the hook counts: they have its number, and a smaller low byte. */
enum { ORDER_BITS = 8, ORDER_EVENT = (1 << ORDER_BITS) - 1 };
static inline uint64_t sink_order(uint64_t number) { return number << ORDER_BITS | ORDER_EVENT; }

struct counter;
struct counter_importer;

struct sink {
    const char *format;
    bool values;   /* it wants to know values: objects get ids, and are described */
    bool timed;    /* it needs a clock value for every event */
    bool counters; /* hooks keep events of frequent data IDs by themselves (counters.h) */
    bool ordered;  /* events are known by their number in the thread */
    enum status (*take)(struct state *s, const struct sink_batch *b, struct error *err);
    /* entries of a counter; NULL: it has none */
    enum status (*import_ring)(const struct counter_importer *h, struct counter *c, struct error *err);
    enum status (*save)(struct state *s, struct store *store, struct error *err);
    void (*done)(struct state *s); /* frees s->scratch; may be NULL */
    /* Recovery: can this block of the heap, of `room` bytes at most, be what BLOCK leads to? NULL: the sink has no
     * blocks. */
    bool (*sane)(const struct state *s, const void *block, uint64_t room);
    /* forgets what was taken, in the transaction (logsave=partial); REQUESTS_FLOOR is set */
    void (*reset)(struct state *s);
};

/* The sink of a format; NULL: it has none (omni, discard). */
const struct sink *sink_of(const char *format);

extern const struct sink sink_freq, sink_latest, sink_timing;

/* Adds to a data ID's count; false when there is no room: s->error. */
bool sink_count(struct state *s, uint32_t id, uint64_t events);
/* Counts by data ID become 0. */
void sink_reset_counts(struct state *s);
/* Stores counts by data ID and events by thread. */
enum status sink_save_counts(struct state *s, struct store *store, struct error *err);

#endif
