/* deriver.h - option derive=on: chunks of format omni without the events that follow from bytecode (formats/derived.h).
 *
 * The events of a thread come in their order, those of virtual threads too (record_reader.positions). Used on the drain
 * thread. */
#ifndef LOGGING_DERIVER_H
#define LOGGING_DERIVER_H

#include "formats/derive_write.h"

/* A thread, and whether the state of its frames is that of the reader. */
struct derived_thread {
    struct derive_thread state;
    uint32_t period; /* of the recording, when its last events were stored */
    bool follows;    /* its events so far are stored, and none are missing */
};

struct deriver {
    struct derive_encoder *encoder;
    struct derive_sites sites;          /* set by the owner, who keeps it up to date */
    const uint16_t *pcs;                /* by data ID; set by the owner, too */
    VEC(struct derived_thread) threads; /* by number */
};

/* Zero is empty. False: no memory. */
bool deriver_init(struct deriver *d);
void deriver_done(struct deriver *d);
/* The thread may be over, or wait for long: memory that it needs no more is released. */
void deriver_rest(struct deriver *d, uint32_t thread);
/* Events of the thread are missing here. */
void deriver_gap(struct deriver *d, uint32_t thread);
/* The row of DB_DERIVED of a thread, and back: for recovery, when the recorder was killed. ERR_FORMAT: it is
 * malformed. */
void deriver_put_state(const struct deriver *d, uint32_t thread, struct writer *w);
enum status deriver_get_state(struct deriver *d, uint32_t thread, const void *data, size_t size, struct error *err);
/* Begins a chunk of the next events of the thread, which are put into the encoder. False: no memory. The tables: all
 * but what the deriver has. */
bool deriver_begin(struct deriver *d, uint32_t thread, uint32_t period, struct derive_tables tables);

#endif
