/* snapshot_requests.h - serves requests (windows.h) for snapshots of the state at a stamp (logsave=, freeze=).
 *
 * The drain reads the events before the stamp, saves, and continues with the rest. The number of served requests is
 * stored with the positions of buffers (struct sink_storage), in the same transaction as the events, so that recovery
 * continues where a dead recorder stopped. For a format without anything to save (omni keeps everything anyway) only
 * the row is stored. */
#ifndef LOGGING_SNAPSHOT_REQUESTS_H
#define LOGGING_SNAPSHOT_REQUESTS_H

#include "logging/drain/batch.h"

/* Requests served so far. */
uint32_t snapshot_requests_served(struct batch *b);
/* Everything before request `number` (from 0) is drained: saves it. Inside a transaction of store and state. */
enum status snapshot_request_serve(struct batch *b, uint32_t number, struct error *err);
/* Saves the current state, replacing the rows of an earlier save. */
enum status snapshot_save_state(struct batch *b, struct error *err);

#endif
