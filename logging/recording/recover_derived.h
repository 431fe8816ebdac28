/* recover_derived.h - recovery of a recording with derive=on: what its deriver knew. */
#ifndef LOGGING_RECOVER_DERIVED_H
#define LOGGING_RECOVER_DERIVED_H

#include "logging/drain/drain.h"

/* Zero is empty. */
struct derived_recovery {
    struct deriver deriver;
    uint32_t *sites;
    uint16_t *pcs;
    uint32_t count;
};

/* Reads the rows of data IDs and the states of the threads, and gives the drain its deriver, if the recording had one.
 * `letters` of the `count` data IDs become those of the records (SITE_VALUELESS). In a transaction of the store, after
 * all rows of the agent are in it. */
enum status derived_resume(struct derived_recovery *x, struct drain *d, struct store *store, uint8_t *letters,
                           uint32_t count, struct error *err);
void derived_done(struct derived_recovery *x);

#endif
