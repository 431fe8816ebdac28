/* dominators.h - what of a graph is reached from its roots, and the dominators of each node: those on every way to it.
 *
 * Semi-dominators by Lengauer and Tarjan, from them the dominators as Georgiadis does (2005): no recursion, memory of a
 * few numbers for each node and edge. */
#ifndef READER_DOMINATORS_H
#define READER_DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph {
    uint32_t nodes;        /* 0 is what holds the roots: its edges are they */
    const size_t *first;   /* of each node its first edge; nodes + 1 of them */
    const uint32_t *edges; /* to which node */
};
struct dominators {
    uint32_t reached;   /* nodes, with node 0 */
    uint32_t *node;     /* in the order in which they are found, depth first: node[0] is 0 */
    uint32_t *number;   /* of a node its place in this order + 1; 0: it is not reached */
    uint32_t *idom;     /* by place: the place of its dominator; of place 0 itself */
    uint64_t *retained; /* by place: nodes that it dominates, itself counted */
};
/* False: out of memory. dominators_done in any case. */
bool dominators_find(const struct graph *g, struct dominators *out);
/* `node`, `number` and `reached` alone. */
bool dominators_reach(const struct graph *g, struct dominators *out);
void dominators_done(struct dominators *d);

#endif
