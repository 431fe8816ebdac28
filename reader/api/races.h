/* api/races.h - data races: what two threads touched, one of them by a write, without anything that orders them.
 *
 * Threads are ordered by what the recording shows (JLS 17.4.5): monitors, Object.wait, Thread.start and join,
 * interrupts, volatile fields, class initialisers, and calls of java.util.concurrent. Where an order may be by chance
 * it counts as one: a race may be missed, and none is made up. */
#ifndef HINDSIGHT_API_RACES_H
#define HINDSIGHT_API_RACES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_RACES_MAX = 1 << 20 };
/* A pair of places in the code (data IDs) whose accesses raced. */
struct hs_race {
    uint64_t a,
        b; /* seqs of the first two accesses that raced, the older one first; the data ID of `b` has the field */
    uint64_t count;  /* how often accesses of the two places raced */
    uint64_t object; /* whose field or element it is; 0: a static field */
    uint32_t index;  /* of the element */
    bool element;    /* an element of an array, else a field or collection */
    bool collection; /* calls on a collection of java.util that is not thread-safe */
};
/* By the order in which they were found, at most HS_RACES_MAX of them; rows are kept. Needs events of EXEC, CALL and
 * SYNC of all code that synchronises (without them everything seems to race), and of FIELD or ARRAY. Reads them all,
 * twice. HS_ERR_MEMORY: also where there are more threads and monitors than can be kept in order. */
HS_API int hs_races_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_race_next(hs_cursor *cursor, const struct hs_race **row, struct hs_error *error);
/* Were there more than HS_RACES_MAX? */
HS_API bool hs_races_cut(const hs_cursor *races);

#ifdef __cplusplus
}
#endif

#endif
