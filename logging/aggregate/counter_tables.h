/* counter_tables.h - which data IDs get counters (counters.h): those that the drain sees again and again in the buffers
 * of one thread.
 *
 * Each descriptor of a platform thread may have a table, by data ID, of the addresses of its counters; its hook looks
 * there first. Tables are private memory, reserved and touched only where there are counters; the counters are in the
 * state. When a thread ends (or begins a new period) its table is taken back and its counters serve others. Virtual
 * threads have none: their descriptors change threads at every mount.
 *
 * Data IDs with a role (roles.h) are for the drain, which must know what frames there are. But it needs entries and
 * exits of methods only while a constructor is in its this(...) or super(...): their counters stand in the table
 * negated, and the hook writes them only when it has seen no such call begin (thread_desc.supers). Others with a role
 * never get a counter.
 *
 * All functions but counter_tables_init are the drain thread's. */
#ifndef LOGGING_COUNTER_TABLES_H
#define LOGGING_COUNTER_TABLES_H

#include "formats/chunk.h"
#include "logging/aggregate/counters.h"
#include "logging/aggregate/dataid_stats.h"
#include "logging/journal/journal.h"

struct counter_table {
    int64_t *counters; /* COUNTER_IDS addresses, negated where the hook must look at `supers`; NULL: no table */
    uint32_t thread;
    VEC(struct counter *) used;
};

struct counter_tables {
    struct state *state;
    struct journal *journal;
    const uint8_t *shapes; /* by data ID: record_shape */
    int ring_room;         /* entries of a counter's ring; 1: counters count only; 0: there are no counters */
    bool timed;
    int64_t *none;                /* a table without counters */
    uint64_t reserved;            /* tables that were asked for */
    struct counter_table *tables; /* by descriptor */
    size_t table_count;
    /* by words: may be used again; will be, once the transaction is whole */
    VEC(struct counter *) spare[COUNTER_WORDS_MAX + 1], retired;
    struct dataid_stats seen; /* samples of one batch */
    uint64_t slab, slab_end;  /* room for new counters: offsets in the heap */
};

/* Is there address space for counters? They only make a recording faster. */
bool counter_tables_possible(void);
/* For a recording that has a state. `size`: events to be kept of each data ID, 0 none. Before the first descriptor is
 * taken. */
enum status counter_tables_init(struct counter_tables *h, struct state *s, struct journal *j, const uint8_t *shapes,
                                uint32_t size, bool timed, struct error *err);

/* Events of one thread that came through its buffers. Out of memory or budget, data IDs go without counters. */
void counter_tables_learn(struct counter_tables *h, uint32_t desc, uint32_t thread, const struct chunk_columns *c,
                          const uint8_t *letters, const uint8_t *roles);

/* Takes back the tables of threads that are gone, and harvests their counters for good. */
enum status counter_tables_retire(struct counter_tables *h, struct counter_importer *importer, struct error *err);
/* That transaction is whole. */
void counter_tables_committed(struct counter_tables *h);

#endif
