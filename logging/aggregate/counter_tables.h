/* counter_tables.h - decides which data IDs get counters (counters.h): those that are frequent in the buffers of one
 * thread.
 *
 * Each descriptor may have a table, by data ID, of the addresses of its thread's counters; its hook looks there first.
 * Tables are private memory, reserved and touched only where there are counters; the counters are in the state. When a
 * thread ends (or begins a new period) its table is retired and its counters are reused, once the thread has ended:
 * until then one of its loops may have the address of one (weaver/ring.c).
 *
 * A virtual thread has one only where the sink chooses, which has no such loops, and no calls that are open in
 * `supers`: until another one records on its carrier, whose descriptor then has no table (journal_serve).
 *
 * Data IDs with a role (roles.h) must reach the drain, which tracks frames. But it needs entries and exits of methods
 * only while a constructor is in its this(...) or super(...): their addresses are negated in the table, and the hook
 * uses such a counter only when no such call is open (thread_desc.supers); where these are not marked, as they are
 * (counter_tables_use). Others with a role never get a counter.
 *
 * All functions except counter_tables_init are called on the drain thread. */
#ifndef LOGGING_COUNTER_TABLES_H
#define LOGGING_COUNTER_TABLES_H

#include "formats/chunk.h"
#include "logging/aggregate/counters.h"
#include "logging/aggregate/dataid_stats.h"
#include "logging/journal/journal.h"

struct counter_table {
    int64_t *counters; /* COUNTER_IDS addresses, negated where the hook must look at `supers`; NULL: no table */
    uint32_t thread;
    uint64_t owner; /* of the descriptor (journal_owner) */
    VEC(struct counter *) used;
    VEC(struct counter *) old; /* of earlier periods of that owner */
};

/* A counter of a table that was retired. */
struct retired_counter {
    struct counter *c;
    size_t table;    /* its index */
    bool same_owner; /* who may still write it */
};

struct counter_tables {
    struct state *state;
    struct journal *journal;
    const uint8_t *shapes; /* by data ID: record_shape */
    int ring_room;         /* entries of a counter, a power of two; 1: counters count only; 0: there are none */
    bool timed;
    int64_t *none;                /* a table without counters */
    void *nowhere;                /* where hooks write when the pages with their counters are gone */
    uint64_t reserved;            /* tables that were reserved */
    struct counter_table *tables; /* by descriptor */
    size_t table_count;
    VEC(struct counter *) spare[COUNTER_WORDS_MAX + 1]; /* by words: free counters */
    VEC(struct retired_counter) retired;                /* those that are retired with the commit */
    uint64_t started;                                   /* counters with a ring so far */
    struct dataid_stats seen;                           /* samples of one batch */
    struct {
        uint64_t at, end;           /* offsets in the heap */
    } slabs[COUNTER_WORDS_MAX + 1]; /* by words: room for new entries; at 0 for counters */
};

/* True if there is address space for counters. They are optional: they only make a recording faster. */
bool counter_tables_possible(void);
/* For a recording that has a state. `size`: events to be kept of each data ID, 0 none. Before the first descriptor is
 * taken. */
enum status counter_tables_init(struct counter_tables *h, struct state *s, struct journal *j, const uint8_t *shapes,
                                uint32_t size, bool timed, struct error *err);

/* Learns from events of one thread that came through its buffers. Without memory or budget data IDs get no counters. */
void counter_tables_learn(struct counter_tables *h, uint32_t desc, uint32_t thread, const struct chunk_columns *c,
                          const uint8_t *letters, const uint8_t *roles);

/* Where the sink chooses (sink.h). May this data ID have a counter? */
bool counter_tables_may(const struct counter_tables *h, uint32_t id, const uint8_t *letters, const uint8_t *roles);
/* Does the thread look into its table? Sees to it that it will. */
bool counter_tables_ready(struct counter_tables *h, uint32_t desc, uint32_t thread);
/* Adds a counter to such a table, of a data ID with a role, for use from the next counter_tables_use on. False: there
 * is one already, or no room. */
bool counter_tables_add(struct counter_tables *h, uint32_t desc, uint32_t id);
bool counter_tables_any(const struct counter_tables *h);
/* Hooks count all of them, or write records. */
void counter_tables_use(struct counter_tables *h, bool on);

/* Retires the tables of threads that have ended, after a last import of their counters. */
enum status counter_tables_retire(struct counter_tables *h, struct counter_importer *importer, struct error *err);
/* The transaction was committed. */
void counter_tables_committed(struct counter_tables *h);

#endif
