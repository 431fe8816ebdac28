/* syncer.h - a thread that syncs the store to disk every few seconds.
 *
 * Syncing has its own thread because in the drain thread it stalled the program once the buffers of the journal were
 * full (fdatasync took 9 to 280 ms here). */
#ifndef LOGGING_SYNCER_H
#define LOGGING_SYNCER_H

#include <pthread.h>
#include <stdbool.h>

#include "logging/store/store.h"

struct syncer {
    struct store *store;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards the fields below */
    pthread_cond_t stopped;
    bool runs, stop;
    struct error error; /* of the first sync that failed: status OK if none did */
};

enum status syncer_start(struct syncer *s, struct store *store, struct error *err);
/* The result of the syncs so far. Any thread, from syncer_start on. */
enum status syncer_status(struct syncer *s, struct error *err);
/* Waits for a sync that is under way. Without a syncer_start before it does nothing. */
void syncer_stop(struct syncer *s);

#endif
