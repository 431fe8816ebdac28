/* throws.h - which steps of the calls (call_events.h) show an exception for the first time: those of `hindsight
 * exceptions`, each once. This is a METHOD_THROW, or, of an exception that code threw which is not woven, the exit of a
 * method or a CATCH. */
#ifndef READER_EXPORT_THROWS_H
#define READER_EXPORT_THROWS_H

#include "formats/vec.h"
#include "reader/export/call_events.h"

struct throws {
    VEC(uint64_t) seqs; /* of these events, increasing */
    size_t at;          /* the next one */
};

/* False: it failed, see export_fail. Sets up what throws_done frees in any case. */
bool throws_init(struct throws *t, struct export_job *x);
/* The steps are given in their order. */
bool throws_here(struct throws *t, const struct call_step *s);
void throws_done(struct throws *t);

#endif
