/* snapshot_requests.h - snapshots of the state as it was at a stamp (logsave=, freeze=): what the drain does with a
 * request (windows.h).
 *
 * The drain drains what lies before the stamp, saves, and goes on with what it left. How many requests were served is
 * kept with the positions of buffers (struct sink_storage), in the same transaction as the events, so that recovery
 * goes on where a dead recorder stopped. Of a format without anything to save (omni keeps everything anyway) only the
 * row is stored. */
#ifndef LOGGING_SNAPSHOT_REQUESTS_H
#define LOGGING_SNAPSHOT_REQUESTS_H

#include "logging/drain/batch.h"

/* Requests served so far. */
uint32_t snapshot_requests_served(struct batch *b);
/* Everything before request `number` (from 0) is drained: saves it. Inside a transaction of store and state. */
enum status snapshot_request_serve(struct batch *b, uint32_t number, struct error *err);
/* The state as it is now, in place of what was saved of it before. */
enum status snapshot_save_state(struct batch *b, struct error *err);

#endif
