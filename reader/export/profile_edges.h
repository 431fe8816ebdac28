/* profile_edges.h - a profile by method: what each one took itself and with all that it called, and who called it.
 *
 * The weights of a call that runs inside another call of its method are in those of the outer one, so that a method
 * adds up to no more than the whole; such calls are counted, and cost nothing. */
#ifndef READER_EXPORT_PROFILE_EDGES_H
#define READER_EXPORT_PROFILE_EDGES_H

#include "reader/export/profile.h"

struct profile_edge {
    uint32_t caller, callee; /* positions in the methods of the profile */
    uint64_t calls, inclusive[PROFILE_WEIGHTS];
};
struct profile_edges {
    VEC(struct profile_edge) list; /* by caller, then callee */
    MAP(struct profile_entry) find;
    uint64_t (*own)[PROFILE_WEIGHTS], (*inclusive)[PROFILE_WEIGHTS]; /* by method */
};
/* False: out of memory. In both cases profile_edges_done ends it. */
bool profile_edges_init(struct profile_edges *e, const struct profile *p);
void profile_edges_done(struct profile_edges *e);

#endif
