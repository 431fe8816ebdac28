/* storing.h - the drain thread's work: what hooks and agent have written, put into the store.
 *
 * Full buffers are held until there are enough of one thread for a full chunk, or until a second has passed, and stored
 * together with pending rows and clock in one transaction. Snapshots, pauses and snapshot requests are served in
 * between: what was written by then into buffers that threads still write is stored too. All of it works on the
 * recorder and reports there (recorder.h: error, failed). */
#ifndef LOGGING_STORING_H
#define LOGGING_STORING_H

#include "logging/recording/recorder.h"

/* The drain thread, from recorder_start to the end of the journal; `recorder` is a struct recorder. Returns NULL. */
void *storing_run(void *recorder);

/* When all threads have ended or been told to, and the drain thread has: what is left in buffers; then how the
 * recording ended. */
enum status storing_last(struct recorder *r, struct error *err);
enum status storing_end(struct recorder *r, struct error *err);
/* Events that happened and are not in the trace; all of them, after storing_end. */
uint64_t storing_lost(const struct recorder *r);

#endif
