/* locks.c - hs_locks_open: the monitors of a trace, their order and its inversions, from lock_order.h. */
#include <stdlib.h>

#include "reader/cursor/cursor.h"
#include "reader/threads/lock_order.h"

struct locks {
    struct list_answer base;
    struct lock_order order;
    struct hs_lock *locks;      /* as order.locks */
    struct hs_lock_edge *edges; /* as order.edges */
};

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

static void locks_done(struct list_answer *base)
{
    struct locks *l = (struct locks *)base;
    lock_order_free(&l->order);
    arena_done(&base->arena);
    free(l);
}

static struct hs_lock lock_row(const struct lock_use *u)
{
    const bool shared = u->thread == LOCK_MANY_THREADS;
    return (struct hs_lock){ .object = u->object,
                             .class_name = u->class_name,
                             .entered = u->entered,
                             .contended = u->contended,
                             .wait_ns = u->wait_ns,
                             .hold_ns = u->hold_ns,
                             .waits_unknown = shared ? u->waits_unknown : 0,
                             .holds_unknown = u->holds_unknown,
                             .still_held = u->still_held,
                             .still_waiting = u->still_waiting,
                             .shared = shared };
}

static bool make_rows(struct locks *l)
{
    const struct lock_order *o = &l->order;
    l->locks = arena_array(&l->base.arena, o->locks.count + 1, sizeof *l->locks);
    l->edges = arena_array(&l->base.arena, o->edges.count + 1, sizeof *l->edges);
    if (l->locks == NULL || l->edges == NULL)
        return false;
    for (size_t i = 0; i < o->locks.count; i++)
        l->locks[i] = lock_row(&o->locks.items[i]);
    for (size_t i = 0; i < o->edges.count; i++) {
        const struct lock_edge *e = &o->edges.items[i];
        l->edges[i] =
            (struct hs_lock_edge){ &l->locks[e->from], &l->locks[e->to], e->count, e->outer, e->inner, e->circle };
    }
    return true;
}

int hs_locks_open(hs_trace *trace, hs_cursor **out, struct hs_error *error)
{
    struct locks *l = calloc(1, sizeof *l);
    if (l == NULL)
        return no_memory(error);
    l->base.done = locks_done;
    int failed = 0;
    if (!locks_kept(trace, &l->base.arena, &l->order)) {
        failed = lock_order_read(&l->order, trace, error);
        if (failed == 0 && !trace->no_index)
            locks_keep(trace, &l->order);
    }
    if (failed != 0 || !make_rows(l)) {
        list_answer_free(&l->base);
        return failed != 0 ? -1 : no_memory(error);
    }
    return cursor_over(ROW_lock, l->locks, sizeof *l->locks, l->order.locks.count, &l->base, out, error);
}

/* The answer behind a cursor over monitors; NULL, and `error`, if it is another. */
static struct locks *locks_behind(hs_cursor *locks, struct hs_error *error)
{
    struct list_answer *base = cursor_answer(locks, ROW_lock);
    if (base == NULL)
        (void)give(error, &(struct error){ .status = ERR_USAGE, .text = "this cursor does not give monitors" });
    return (struct locks *)base;
}

int hs_lock_edges_open(hs_cursor *locks, hs_cursor **out, struct hs_error *error)
{
    const struct locks *l = locks_behind(locks, error);
    return l != NULL ? cursor_over(ROW_lock_edge, l->edges, sizeof *l->edges, l->order.edges.count, NULL, out, error)
                     : -1;
}

/* ---- inversions ---- */

struct inversions {
    hs_cursor base;
    const struct locks *locks;
    size_t at; /* the next edge */
    const struct lock_edge **way;
    const struct hs_lock_edge **edges;
    struct hs_inversion row;
};

/* A circle is given from its monitor with the lowest place on: edge `i` and the shortest way back. False: it begins
 * none. */
static bool find_circle(struct inversions *v, size_t i)
{
    const struct lock_order *o = &v->locks->order;
    v->way[0] = &o->edges.items[i];
    const size_t n =
        v->way[0]->circle ? lock_order_way(o, v->way[0]->to, v->way[0]->from, v->way + 1, o->locks.count) : 0;
    for (size_t k = 1; k <= n; k++)
        if (v->way[k]->from <= v->way[0]->from)
            return false;
    for (size_t k = 0; k <= n; k++)
        v->edges[k] = &v->locks->edges[v->way[k] - o->edges.items];
    v->row = (struct hs_inversion){ n + 1, v->edges };
    return n > 0;
}

static int inversions_next(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct inversions *v = (struct inversions *)base;
    (void)error;
    *row = &v->row;
    while (v->at < v->locks->order.edges.count)
        if (find_circle(v, v->at++))
            return 1;
    return 0;
}

static void inversions_close(hs_cursor *base)
{
    struct inversions *v = (struct inversions *)base;
    free(v->way);
    free(v->edges);
    free(v);
}

static const struct cursor_ops inversion_ops = { .row = ROW_inversion,
                                                 .next = inversions_next,
                                                 .close = inversions_close };

int hs_inversions_open(hs_cursor *locks, hs_cursor **out, struct hs_error *error)
{
    const struct locks *l = locks_behind(locks, error);
    struct inversions *v = l != NULL ? calloc(1, sizeof *v) : NULL;
    if (l == NULL)
        return -1;
    if (v == NULL)
        return no_memory(error);
    v->base.ops = &inversion_ops;
    v->locks = l;
    v->way = calloc(l->order.locks.count + 1, sizeof *v->way); /* a circle comes to each monitor once */
    v->edges = calloc(l->order.locks.count + 1, sizeof *v->edges);
    if (v->way == NULL || v->edges == NULL) {
        inversions_close(&v->base);
        return no_memory(error);
    }
    *out = &v->base;
    return 0;
}
