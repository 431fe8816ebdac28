/* profile_edges.c - see profile_edges.h. */
#include "reader/export/profile_edges.h"

#include <stdlib.h>

static struct profile_edge *edge_of(struct profile_edges *e, uint32_t caller, uint32_t callee)
{
    struct profile_entry *at = map_put(&e->find, ((uint64_t)caller << 32 | callee) + 1);
    if (at == NULL)
        return NULL;
    if (at->value == 0) {
        struct profile_edge *edge = vec_push(&e->list);
        if (edge == NULL)
            return NULL;
        *edge = (struct profile_edge){ caller, callee, 0, { 0 } };
        at->value = (uint32_t)e->list.count;
    }
    return &e->list.items[at->value - 1];
}

static bool runs_outside(const struct profile *p, const struct profile_node *n)
{
    for (uint32_t i = n->parent; i != PROFILE_NONE; i = p->nodes.items[i].parent)
        if (p->nodes.items[i].method == n->method)
            return true;
    return false;
}

static bool add_up(const struct profile *p, struct profile_edges *e)
{
    uint64_t *totals = malloc((p->nodes.count + 1) * sizeof *totals);
    bool room = totals != NULL;
    for (size_t w = 0; room && w < p->weight_count; w++) {
        enum profile_weight weight = p->weights[w];
        profile_totals(p, weight, totals);
        for (size_t i = 0; room && i < p->nodes.count; i++) {
            const struct profile_node *n = &p->nodes.items[i];
            bool outer = !runs_outside(p, n);
            e->own[n->method][weight] += n->own[weight];
            e->inclusive[n->method][weight] += outer ? totals[i] : 0;
            if (n->parent == PROFILE_NONE)
                continue;
            struct profile_edge *edge = edge_of(e, p->nodes.items[n->parent].method, n->method);
            room = edge != NULL;
            if (room && weight == PROFILE_CALLS)
                edge->calls += n->own[PROFILE_CALLS];
            if (room && outer)
                edge->inclusive[weight] += totals[i];
        }
    }
    free(totals);
    return room;
}

static int by_caller(const void *a, const void *b)
{
    const struct profile_edge *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

bool profile_edges_init(struct profile_edges *e, const struct profile *p)
{
    *e = (struct profile_edges){ .own = calloc(p->methods.count + 1, sizeof *e->own),
                                 .inclusive = calloc(p->methods.count + 1, sizeof *e->inclusive) };
    bool room = e->own != NULL && e->inclusive != NULL && add_up(p, e);
    if (room && e->list.count > 1)
        qsort(e->list.items, e->list.count, sizeof *e->list.items, by_caller);
    return room;
}

void profile_edges_done(struct profile_edges *e)
{
    free(e->own);
    free(e->inclusive);
    vec_free(&e->list);
    map_free(&e->find);
}
