/* syncer.h - a thread that tells the kernel, every few seconds, to write the store to its disk.
 *
 * The wait for a disk belongs to no thread that anybody waits for: in the drain thread it was a stall of the program,
 * once the buffers of the journal had filled (fdatasync took 9 to 280 ms here). */
#ifndef LOGGING_SYNCER_H
#define LOGGING_SYNCER_H

#include <pthread.h>
#include <stdbool.h>

#include "logging/store/store.h"

struct syncer {
    struct store *store;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t stopped;
    bool runs, stop;
    struct error error; /* of the first sync that failed: status OK if none did */
};

enum status syncer_start(struct syncer *s, struct store *store, struct error *err);
/* Has the disk refused? Any thread, from syncer_start on. */
enum status syncer_status(struct syncer *s, struct error *err);
/* Waits for a sync that is under way. Without a syncer_start before it does nothing. */
void syncer_stop(struct syncer *s);

#endif
