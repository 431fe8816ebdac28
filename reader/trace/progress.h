/* progress.h - progress and cancellation of queries: hs_set_progress.
 *
 * A public function that may read much begins a phase; every chunk that is decoded inside of it is a step, which calls
 * the callback. Once the callback has requested to stop, every step of the public call fails, so that no partial result
 * is returned. */
#ifndef READER_PROGRESS_H
#define READER_PROGRESS_H

#include <stdbool.h>

#include "formats/status.h"
#include "reader/trace.h"

struct progress {
    hs_progress_fn *fn; /* NULL: no callback */
    void *context;
    const char *name; /* of the phase; NULL: outside of all phases the callback is not called */
    uint64_t done, total;
    bool cancelled;
};

/* A phase, which ends with the block it is declared in:
 *     struct phase phase PHASE_ENDS = phase_begin(&t->progress, "features", t->chunk_count); */
struct phase {
    struct progress *progress;
    const char *outer_name; /* the outer phase, which continues afterwards */
    uint64_t outer_done, outer_total;
    uint64_t *kept; /* of phase_resume */
};
#define PHASE_ENDS __attribute__((cleanup(phase_end), unused)) /* clang does not count the end as a use */
/* An inner phase is reported instead of the outer one, and cancelling it cancels the outer one. */
struct phase phase_begin(struct progress *p, const char *name, uint64_t total);
/* A step of a cursor: `*done` is the progress of earlier steps, and is updated at the end. Inside another phase it
 * counts as part of that. */
struct phase phase_resume(struct progress *p, const char *name, uint64_t total, uint64_t *done);
void phase_end(struct phase *phase);

/* Counts one chunk as done. ERR_CANCELLED: stop. */
enum status progress_step(struct progress *p, struct error *err);

#endif
