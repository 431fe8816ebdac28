/* cut.h - counts of code that an exception has left in its middle (weaver/plan_span.c).
 *
 * Where events are only counted, one counter has all events of a piece of code, and is incremented at its end. An
 * exception inside it comes to a hook that records the pc of the instruction that threw; the events in front of that
 * one are then counted one by one, from a record REC_CUT. */
#ifndef LOGGING_RECORDING_CUT_H
#define LOGGING_RECORDING_CUT_H

#include <stdbool.h>
#include <stdint.h>

/* By data ID; room for all that there can be, of which few pages are in use. */
struct cuts {
    uint64_t *places; /* method << 32 | whether the event comes behind its instruction << 16 | pc; NULL: none */
    uint32_t max;
};
/* False: no memory; then nothing is cut. Never undone: threads run hooks while the JVM ends. */
bool cuts_init(struct cuts *c, uint32_t max);
/* A data ID, before any event of it. */
void cuts_add(struct cuts *c, uint32_t id, uint32_t method, unsigned event, uint32_t pc);
/* The events of the method of `id` that no counter has, if the instruction at `pc` threw: the data ID of the first, and
 * how many there are. `kinds` has KIND_JOINED of the first `count` data IDs. */
uint32_t cuts_find(const struct cuts *c, const uint8_t *kinds, uint32_t count, uint32_t id, uint32_t pc,
                   uint32_t *first);

#endif
