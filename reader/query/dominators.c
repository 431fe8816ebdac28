/* dominators.c - see dominators.h. */
#include "reader/query/dominators.h"

#include <stdlib.h>

/* While they are looked for; all by place in the order. */
struct search {
    const struct graph *graph;
    struct dominators *out;
    uint32_t *parent;      /* of the depth-first tree */
    uint32_t *semi, *best; /* semi-dominator; the place with the least one on the way up to `above` */
    uint32_t *above;       /* towards the root of its part of the forest; itself: it is one */
    uint32_t *stack;       /* of eval */
    size_t *first;         /* of each place its first edge backwards */
    uint32_t *from;        /* places that the edges backwards lead to */
};

/* Depth first: `next` has of each open node the edge to follow. `parent` NULL: it is not asked for. */
static bool reach(const struct graph *g, struct dominators *out, uint32_t *parent)
{
    size_t *next = calloc((size_t)g->nodes + 1, sizeof *next);
    uint32_t *open = calloc((size_t)g->nodes + 1, sizeof *open), depth = 1;
    out->node = calloc((size_t)g->nodes + 1, sizeof *out->node);
    out->number = calloc((size_t)g->nodes + 1, sizeof *out->number);
    const bool fits = next != NULL && open != NULL && out->node != NULL && out->number != NULL;
    if (fits) {
        out->number[0] = out->reached = 1;
        next[0] = g->first[0];
    }
    while (fits && depth > 0) {
        const uint32_t from = open[depth - 1];
        if (next[from] == g->first[from + 1]) {
            depth--;
            continue;
        }
        const uint32_t to = g->edges[next[from]++];
        if (out->number[to] != 0)
            continue;
        if (parent != NULL)
            parent[out->reached] = out->number[from] - 1;
        out->node[out->reached++] = to;
        out->number[to] = out->reached;
        next[to] = g->first[to];
        open[depth++] = to;
    }
    free(next);
    free(open);
    return fits;
}

bool dominators_reach(const struct graph *g, struct dominators *out)
{
    *out = (struct dominators){ 0 };
    return reach(g, out, NULL);
}

/* The edges backwards, by place. */
static bool turn_edges(struct search *s)
{
    const struct graph *g = s->graph;
    const struct dominators *d = s->out;
    size_t *fill = calloc((size_t)d->reached + 1, sizeof *fill);
    s->first = calloc((size_t)d->reached + 1, sizeof *s->first);
    if (fill == NULL || s->first == NULL) {
        free(fill);
        return false;
    }
    for (uint32_t i = 0; i < d->reached; i++)
        for (size_t e = g->first[d->node[i]]; e < g->first[d->node[i] + 1]; e++)
            s->first[d->number[g->edges[e]]]++; /* of the place behind */
    for (uint32_t i = 0; i < d->reached; i++)
        s->first[i + 1] += s->first[i];
    s->from = calloc(s->first[d->reached] + 1, sizeof *s->from);
    for (uint32_t i = 0; s->from != NULL && i < d->reached; i++)
        for (size_t e = g->first[d->node[i]]; e < g->first[d->node[i] + 1]; e++) {
            const uint32_t to = d->number[g->edges[e]] - 1;
            s->from[s->first[to] + fill[to]++] = i;
        }
    free(fill);
    return s->from != NULL;
}

/* The place with the least semi-dominator on the way up from `v`; shortens the way. */
static uint32_t eval(struct search *s, uint32_t v)
{
    uint32_t depth = 0;
    for (uint32_t at = v; s->above[at] != at && s->above[s->above[at]] != s->above[at]; at = s->above[at])
        s->stack[depth++] = at;
    while (depth > 0) {
        const uint32_t at = s->stack[--depth], up = s->above[at];
        if (s->semi[s->best[up]] < s->semi[s->best[at]])
            s->best[at] = s->best[up];
        s->above[at] = s->above[up];
    }
    return s->best[v];
}

static void find_semi(struct search *s)
{
    const uint32_t n = s->out->reached;
    for (uint32_t i = 0; i < n; i++)
        s->semi[i] = s->best[i] = s->above[i] = i;
    for (uint32_t w = n; w-- > 1;) {
        for (size_t e = s->first[w]; e < s->first[w + 1]; e++) {
            const uint32_t u = eval(s, s->from[e]);
            if (s->semi[u] < s->semi[w])
                s->semi[w] = s->semi[u];
        }
        s->above[w] = s->parent[w];
    }
}

static void find_dominators(struct search *s)
{
    struct dominators *d = s->out;
    for (uint32_t w = 1; w < d->reached; w++) {
        uint32_t up = s->parent[w];
        while (up > s->semi[w])
            up = d->idom[up];
        d->idom[w] = up;
    }
    for (uint32_t w = d->reached; w-- > 0;) {
        d->retained[w]++;
        if (w > 0)
            d->retained[d->idom[w]] += d->retained[w];
    }
}

bool dominators_find(const struct graph *g, struct dominators *out)
{
    struct search s = { .graph = g, .out = out, .parent = calloc((size_t)g->nodes + 1, sizeof *s.parent) };
    *out = (struct dominators){ 0 };
    bool fits = s.parent != NULL && reach(g, out, s.parent);
    const size_t n = (size_t)out->reached + 1;
    if (fits) {
        s.semi = calloc(n, sizeof *s.semi);
        s.best = calloc(n, sizeof *s.best);
        s.above = calloc(n, sizeof *s.above);
        s.stack = calloc(n, sizeof *s.stack);
        out->idom = calloc(n, sizeof *out->idom);
        out->retained = calloc(n, sizeof *out->retained);
        fits = s.semi != NULL && s.best != NULL && s.above != NULL && s.stack != NULL && out->idom != NULL &&
               out->retained != NULL && turn_edges(&s);
    }
    if (fits) {
        find_semi(&s);
        find_dominators(&s);
    }
    free(s.parent);
    free(s.semi);
    free(s.best);
    free(s.above);
    free(s.stack);
    free(s.first);
    free(s.from);
    return fits;
}

void dominators_done(struct dominators *d)
{
    free(d->node);
    free(d->number);
    free(d->idom);
    free(d->retained);
    *d = (struct dominators){ 0 };
}
