/* storing.h - transactions of a recording: stores what hooks and agent have written.
 *
 * Full buffers are stored together with pending rows and clock; buffers that threads are still writing are stored too
 * if a thread waits for them. The drain thread (drain_thread.h) decides when. */
#ifndef LOGGING_STORING_H
#define LOGGING_STORING_H

#include "logging/recording/held.h"
#include "logging/recording/recorder.h"

#define NO_REQUEST UINT32_MAX

/* Stores the groups that fill a chunk (all of them with `everything`), `active`, pending rows and clock, in one
 * transaction. With the number of a snapshot request: only events before it, and the snapshot; later events stay held.
 * */
enum status storing_store(struct recorder *r, struct held *h, bool everything, const active_vec *active,
                          uint32_t request, struct error *err);

/* Snapshot requests so far, including all those with stamps up to the events seen before this call. */
uint32_t storing_requests(struct recorder *r);
/* Serves the requests below that number: `h` and `active` hold everything before them. */
enum status storing_serve_requests(struct recorder *r, struct held *h, const active_vec *active, uint32_t wanted,
                                   struct error *err);
/* Saves the state as it is now, in a separate transaction. */
enum status storing_save_state(struct recorder *r, struct error *err);

/* After a failure: are records that threads still write read, and their events counted as lost? Derived events have no
 * record of their own. */
bool storing_counts_records(const struct recorder *r);
/* Counts the events of these buffers as lost. */
void storing_count_lost(struct recorder *r, const struct held *h, const active_vec *active);
/* Counts the events of all held buffers as lost, and gives the buffers back. */
void storing_count_held(struct recorder *r, struct held *h);
/* As storing_count_held, for all buffers that are held, queued or being written; stored events may refer to objects
 * that these buffers describe, so the objects are stored. */
void storing_give_up(struct recorder *r, struct held *h);

/* Rows that are to be stored soon: the file in which they wait is large. */
bool storing_has_pending(const struct recorder *r);

/* After the journal and the drain thread have ended: stores the rest of the buffers, then how the recording ended. */
enum status storing_last(struct recorder *r, struct error *err);
enum status storing_end(struct recorder *r, struct error *err);
/* Events that are missing from the trace; complete after storing_last. */
uint64_t storing_lost(const struct recorder *r);
/* Are those all? Derived events that come before a record are not known where the record got no room. */
bool storing_lost_exactly(const struct recorder *r);

#endif
