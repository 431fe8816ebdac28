/* throws.h - which steps of the calls (call_events.h) show an exception for the first time: those of `hindsight
 * exceptions`, each once. This is a METHOD_THROW, or, of an exception that code threw which is not woven, the exit of a
 * method or a CATCH. */
#ifndef READER_EXPORT_THROWS_H
#define READER_EXPORT_THROWS_H

#include "reader/export/call_events.h"

struct throws {
    struct export_job *job;
    hs_cursor *rows;  /* of the exceptions, one after the other beside the steps */
    uint64_t thrown;  /* of the row that it stands at; HS_NO_SEQ: of none */
    bool taken, ends; /* a step has shown that row; there is none behind it */
};

/* False: it failed, see export_fail. Sets up what throws_done frees in any case. */
bool throws_init(struct throws *t, struct export_job *x);
/* The steps are given in their order. False also where it failed. */
bool throws_here(struct throws *t, const struct call_step *s);
/* What the exception of the step held; valid until the next step. NULL: not known. */
const struct hs_thrown *throws_held(struct throws *t);
void throws_done(struct throws *t);

#endif
