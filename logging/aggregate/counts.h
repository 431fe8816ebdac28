/* counts.h - events by data ID and by thread, in the state: what every format without a stream keeps. */
#ifndef LOGGING_COUNTS_H
#define LOGGING_COUNTS_H

#include "logging/aggregate/state.h"
#include "logging/store/store.h"

/* Adds to a data ID's count; false when there is no room: s->error. */
bool counts_add(struct state *s, uint32_t id, uint64_t events);
/* Sets the counts by data ID to 0. */
void counts_reset(struct state *s);
/* Stores counts by data ID and events by thread. */
enum status counts_save(struct state *s, struct store *store, struct error *err);

#endif
