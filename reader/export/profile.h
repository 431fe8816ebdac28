/* profile.h - calls merged by their stack, with weights: what collapsed, speedscope, callgrind, pprof and call graphs
 * are made of.
 *
 * A node stands for all calls of one method with the same methods above them, of all threads. Its weights are its own,
 * without those of the calls it made. An event counts when it passes the filter:
 *
 *     calls    METHOD_ENTRY events that pass
 *     time     self time, in ns, of calls whose METHOD_ENTRY passes, and that were left
 *     events   all events that pass; those outside of any known call belong to no node (outside)
 *
 * Stacks are whole whatever the filter says. A parent stands before its children. The tree is cut at PROFILE_DEPTH_MAX
 * and PROFILE_NODES_MAX: what is beyond counts as the weight of the last node that is there (`cut`). */
#ifndef READER_EXPORT_PROFILE_H
#define READER_EXPORT_PROFILE_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/export/export.h"

enum { PROFILE_DEPTH_MAX = 1000, PROFILE_NODES_MAX = 1 << 20 };
#define PROFILE_NONE UINT32_MAX

enum profile_weight { PROFILE_CALLS, PROFILE_TIME, PROFILE_EVENTS, PROFILE_WEIGHTS };

struct profile_node {
    uint32_t method; /* position in methods */
    uint32_t parent; /* PROFILE_NONE: outermost */
    uint32_t depth;  /* 0 is outermost */
    uint64_t own[PROFILE_WEIGHTS];
};
struct profile_method {
    uint32_t method_id;
    struct spot spot; /* of its first entry */
};
struct profile_entry {
    uint64_t key; /* of a map */
    uint32_t value;
};
struct profile {
    struct export_job *job;
    VEC(struct profile_node) nodes;
    VEC(struct profile_method) methods;           /* each once, in the order of their first call */
    MAP(struct profile_entry) node_of;            /* parent and method */
    MAP(struct profile_entry) method_of;          /* method id + 1 */
    enum profile_weight weights[PROFILE_WEIGHTS]; /* those that were counted, the chosen one first */
    size_t weight_count;
    uint64_t outside[PROFILE_WEIGHTS];
    uint64_t cut; /* calls beyond the bounds */
};
/* How a weight is called, and its unit as speedscope and pprof know it. */
struct profile_weight_text {
    const char *option, *name, *unit;
};
extern const struct profile_weight_text profile_weight_texts[PROFILE_WEIGHTS];
/* What stands where a method would, for the weights `outside`. */
extern const char profile_outside[];

/* Reads the trace. In both cases profile_done ends it. False: it failed. */
bool profile_read(struct profile *p, struct export_job *x);
void profile_done(struct profile *p);
/* Adds to the weights of each node those of all nodes below it; `totals` has nodes.count items. */
void profile_totals(const struct profile *p, enum profile_weight weight, uint64_t *totals);
/* "calls", or "self time; times below 20.0 ms are not known ..." */
enum { PROFILE_NOTE_MAX = 200 };
const char *profile_note(const struct profile *p, enum profile_weight weight, char text[PROFILE_NOTE_MAX]);

#endif
