/* clock.h - the recorder's clock: time since the beginning, and pairs of stamp and time to be stored. */
#ifndef LOGGING_CLOCK_H
#define LOGGING_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "formats/status.h"
#include "formats/vec.h"
#include "logging/store/store.h"

struct clock {
    uint64_t start_ns;       /* CLOCK_MONOTONIC of time 0, the clock of System.nanoTime */
    uint64_t start_epoch_ns; /* CLOCK_REALTIME then */
    pthread_mutex_t mutex;   /* guards the next ones */
    uint64_t read_ns;        /* CLOCK_MONOTONIC as it was read last */
    uint64_t behind_ns;      /* how far it has gone back, in all */
    u64_vec pairs;           /* (stamp, ns) not yet stored */
};

/* Time 0 is now. */
void clock_init(struct clock *c);
/* Nanoseconds since time 0; never less than before, whatever the system's clock does. */
uint64_t clock_now(struct clock *c);
/* The time of one of the system's clocks, in nanoseconds. */
uint64_t clock_read(clockid_t id);

/* Records that the shared counter has this value now. */
void clock_add(struct clock *c, uint64_t stamp);
/* Stores the pairs added since the last time; inside a transaction. */
enum status clock_store(struct clock *c, struct store *store, struct error *err);

#endif
