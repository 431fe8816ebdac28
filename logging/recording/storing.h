/* storing.h - transactions of a recording: what hooks and agent have written, put into the store.
 *
 * Full buffers are stored together with pending rows and clock; what was written by then into buffers that threads
 * still write is stored too where somebody waits for it. The drain thread (drain_thread.h) says when. */
#ifndef LOGGING_STORING_H
#define LOGGING_STORING_H

#include "logging/recording/held.h"
#include "logging/recording/recorder.h"

#define NO_REQUEST UINT32_MAX

/* Stores the groups that are worth it (all of them with `everything`), `active`, pending rows and clock, in one
 * transaction. With the number of a snapshot request: only what lies before it, and the snapshot; what lies behind is
 * still held. */
enum status storing_store(struct recorder *r, struct held *h, bool everything, const active_vec *active,
                          uint32_t request, struct error *err);

/* Snapshot requests so far: of events that were seen before, all requests with stamps up to theirs. */
uint32_t storing_requests(struct recorder *r);
/* Serves them up to that number: `h` and `active` hold everything before them. */
enum status storing_serve_requests(struct recorder *r, struct held *h, const active_vec *active, uint32_t wanted,
                                   struct error *err);
/* Saves the state as it is now, in a transaction of its own. */
enum status storing_save_state(struct recorder *r, struct error *err);

/* Of a recording that cannot go on: what is in these buffers happened, and is lost. */
void storing_count_lost(struct recorder *r, const struct held *h, const active_vec *active);
/* The same of all that is held, queued or being written; what is stored may show objects that one of these buffers
 * describes, so the objects are stored. */
void storing_give_up(struct recorder *r, struct held *h);

/* When all threads have ended or been told to, and the drain thread has: what is left in buffers; then how the
 * recording ended. */
enum status storing_last(struct recorder *r, struct error *err);
enum status storing_end(struct recorder *r, struct error *err);
/* Events that happened and are not in the trace; all of them, after storing_end. */
uint64_t storing_lost(const struct recorder *r);

#endif
