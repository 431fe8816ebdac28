/* entries.h - a walk over entries and exits, for queries that follow the calls of all threads. */
#ifndef READER_QUERY_ENTRIES_H
#define READER_QUERY_ENTRIES_H

#include "reader/replay/replay.h"

struct entry_or_exit {
    uint32_t stream;             /* number of the thread's stream */
    const struct effect *effect; /* EFFECT_ENTER or EFFECT_LEAVE */
    uint64_t stamp;
    const uint64_t *time_ns; /* NULL: without a clock per event */
};
/* False: out of memory. */
typedef bool entry_fn(void *context, const struct entry_or_exit *e);

/* Those from seq `from` to `to`, both inclusive; of each thread in order. The whole trace (0 to HS_NO_SEQ) is read
 * thread by thread, a part of it in the global order. */
int entries_each(hs_trace *t, uint64_t from, uint64_t to, entry_fn *each, void *context, struct hs_error *error);

#endif
