/* cuts.h - snapshots of the state as it was at a stamp (logsave=, freeze=): what the drain does with a cut
 * (intervals.h).
 *
 * The drain drains what lies before the stamp, saves, and goes on with what it left. How many cuts were served is in
 * the state, in the same transaction as the counts, so that recovery goes on where a dead recorder stopped. Format omni
 * keeps everything anyway: of its cuts only the row is stored. */
#ifndef LOGGING_CUTS_H
#define LOGGING_CUTS_H

#include "logging/drain/drain.h"

/* Cuts served so far. */
uint32_t cuts_served(const struct drain *d, struct store *store);
/* Everything before cut `number` (from 0) is drained: saves it. Inside a transaction of store and state. */
enum status cuts_serve(struct drain *d, struct store *store, uint32_t number, struct error *err);
/* The state as it is now, in place of what was saved of it before. */
enum status cuts_save_state(struct drain *d, struct store *store, struct error *err);

#endif
