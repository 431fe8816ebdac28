/* super_exits.h - METHOD_EXCEPTIONAL_EXIT of constructors that were left in their this(...) or super(...), inserted
 * where the stream proves that (super_calls.h). */
#ifndef LOGGING_SUPER_EXITS_H
#define LOGGING_SUPER_EXITS_H

#include "logging/drain/batch.h"
#include "logging/drain/super_calls.h"

/* Zero is empty. */
struct super_exits {
    VEC(struct super_calls) threads; /* by thread number */
    bool unsure;                     /* the last inserted exits were proven late: counters may hold events in between */
};

void super_exits_done(struct super_exits *x);

/* The calls of a thread; NULL: no memory. */
struct super_calls *super_exits_of(struct super_exits *x, uint32_t thread);

/* Inserts the exits that the next record proves, before it. The exception is the one that is caught or propagated next,
 * if the stream has it: not when counters may hold earlier events. */
void super_exits_insert(struct super_exits *x, struct super_calls *calls, struct batch *b, const struct record *next);
/* After a CATCH: exits inserted right before its CATCH_LABEL were by this exception. */
void super_exits_complete(const struct super_exits *x, struct batch *b, uint64_t exception);

#endif
