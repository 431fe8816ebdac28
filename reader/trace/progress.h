/* progress.h - how far a question is, and being stopped: hs_set_progress.
 *
 * A public function that may read much begins a phase; every chunk that is decoded inside of it is a step, which calls
 * the callback. Once that has asked to stop, every step of the public call fails, so that nothing goes on half-way. */
#ifndef READER_PROGRESS_H
#define READER_PROGRESS_H

#include <stdbool.h>

#include "formats/status.h"
#include "reader/trace.h"

struct progress {
    hs_progress_fn *fn; /* NULL: nobody asks */
    void *context;
    const char *name; /* of the phase; NULL: outside of all phases nothing is told */
    uint64_t done, total;
    bool cancelled;
};

/* A phase, which ends with the block it is declared in:
 *     struct phase phase PHASE_ENDS = phase_begin(&t->progress, "features", t->chunk_count); */
struct phase {
    struct progress *progress;
    const char *outer_name; /* what goes on when it has ended */
    uint64_t outer_done, outer_total;
    uint64_t *kept; /* of phase_resume */
};
#define PHASE_ENDS __attribute__((cleanup(phase_end)))
/* An inner phase is shown instead of the outer one, and stops it when it is stopped. */
struct phase phase_begin(struct progress *p, const char *name, uint64_t total);
/* A step of a cursor: `*done` pieces were done by the steps before, and is brought up to date at the end. Inside of
 * another phase it is a part of that. */
struct phase phase_resume(struct progress *p, const char *name, uint64_t total, uint64_t *done);
void phase_end(struct phase *phase);

/* One more piece is done. ERR_CANCELLED: stop. */
enum status progress_step(struct progress *p, struct error *err);

#endif
