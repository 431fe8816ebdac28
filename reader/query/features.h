/* features.h - which features are open at an event, for passes over the events in global order.
 *
 *     marks      a |-----------|        b |----|            edges   +a  +b   -a +c  -b -c
 *                       c         |--------|                open    a   ab   b c        -
 *
 * A feature is all marks of one name; it is open while at least one of them is. */
#ifndef READER_FEATURES_H
#define READER_FEATURES_H

#include "reader/trace/open_trace.h"

struct feature_walk {
    struct arena arena;
    const char **names;        /* of the features, by their first marks */
    uint64_t *marks, *unended; /* by feature: marks, and those of them that were not ended */
    size_t count;
    struct feature_edge {
        uint64_t seq; /* the first event that it applies to */
        uint32_t feature;
        int step; /* 1 a mark begins, -1 it has ended */
    } * edges;    /* by seq */
    size_t edge_count, next;
    uint32_t *opened; /* by feature: marks that are open */
    uint32_t *open;   /* the open features, ascending */
    size_t open_count;
};

enum status feature_walk_begin(hs_trace *t, struct feature_walk *w, struct error *err);
void feature_walk_done(struct feature_walk *w);
/* Applies all edges up to the event `seq`. Always true. */
bool feature_walk_change(struct feature_walk *w, uint64_t seq);
/* Moves forward to the event `seq`. True if the open features may have changed. */
static inline bool feature_walk_to(struct feature_walk *w, uint64_t seq)
{
    return w->next < w->edge_count && w->edges[w->next].seq <= seq && feature_walk_change(w, seq);
}

#endif
