/* counters.h - counters that hooks write without records, in the formats freq and latest.
 *
 * A record costs the hook half a nanosecond and the drain five. For frequent data IDs (chosen in
 * logging/aggregate/counter_tables.h) the hook therefore writes no records: each has, per thread, a counter in the heap
 * of the state, which the hook of that thread alone writes. It survives the process like the rest of the state.
 *
 *     entry | entry | ...            entry:  stamp  number  [time]  value...
 *
 * The entries are a ring: entry n (from 0) is at index n % room. There is room for one more than is kept, so that the
 * entry being written is never one of the kept ones. The number is written last, and `position` moves behind the entry
 * then, or later: loops have it in local variables (weaver/ring.c). Numbers ascend, so entries behind `position`
 * differ from those that are older by a round, as long as the entry before `position` is there: it moves up to the
 * last entry of the ring before that one gets its number. In format freq there are no entries.
 *
 * Importing adds the counters to the counts and rings that the drain keeps, exactly once (state_touch); nothing else
 * depends on counters. */
#ifndef LOGGING_COUNTERS_H
#define LOGGING_COUNTERS_H

#include "formats/chunk.h"
#include "logging/aggregate/state.h"
#include "logging/hook/shared.h"

enum { COUNTER_WORDS_MAX = 8, COUNTER_THREADS_MAX = 1 << 24 };

/* Entries that the ring has room for. */
static inline uint64_t counter_room(const struct counter *c) { return c->bytes / (UINT64_C(8) * c->words); }
static inline uint64_t *counter_entry(const struct state *s, const struct counter *c, uint64_t n)
{
    return (uint64_t *)state_block(s, c->ring - s->head->heap + n % counter_room(c) * c->words * 8);
}
/* Records so far, also those behind `position`, which a loop moves later. */
uint64_t counter_count(const struct state *s, const struct counter *c);

/* Adds counters to the counts and rings of the state, inside its transaction. */
struct counter_importer {
    struct state *state;
    /* copies the entries of a counter into the rings; NULL: the format has none */
    enum status (*import_ring)(const struct counter_importer *h, struct counter *c, struct error *err);
    struct kind_table kinds;
    uint64_t start_ns;  /* clock value of time 0 */
    uint64_t events;    /* number of imported events is added here */
    uint64_t malformed; /* counters_import: malformed counters, in a damaged file */
    /* also import entries, not only counts: then the counters must not change (journal_freeze_counters, or their thread
     * has ended) */
    bool rings;
};
/* Imports what was added to a counter, or to all of them, since the last time. Malformed counters are skipped. */
enum status counter_import(struct counter_importer *h, struct counter *c, struct error *err);
enum status counters_import(struct counter_importer *h, struct error *err);

/* Events in counters that were not imported. */
uint64_t counters_pending(struct state *s, struct kind_table kinds);

#endif
