/* costs.c - times of calls by method: see replay.h. */
#include "reader/replay/replay.h"

#include "formats/dataid_stats.h"

#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

struct hs_cost *costs_of(struct costs *c, uint32_t method)
{
    if (!vec_extend(&c->position, (size_t)method + 1))
        return NULL;
    uint32_t *position = &c->position.items[method];
    if (*position == 0) {
        struct hs_cost *cost = vec_push(&c->list);
        if (cost == NULL)
            return NULL;
        *cost = (struct hs_cost){ .method_id = method, .min_ns = UINT64_MAX };
        *position = (uint32_t)c->list.count;
    }
    return &c->list.items[*position - 1];
}

void costs_clear(struct costs *c)
{
    for (size_t i = 0; i < c->list.count; i++)
        c->position.items[c->list.items[i].method_id] = 0;
    c->list.count = 0;
}

void costs_done(struct costs *c)
{
    vec_free(&c->list);
    vec_free(&c->position);
}

static int by_method(const void *a, const void *b)
{
    const struct hs_cost *x = a, *y = b;
    return x->method_id < y->method_id ? -1 : x->method_id > y->method_id;
}

void costs_sort(struct costs *c)
{
    if (c->list.count > 1)
        qsort(c->list.items, c->list.count, sizeof *c->list.items, by_method);
    for (size_t i = 0; i < c->list.count; i++) {
        uint32_t method = c->list.items[i].method_id;
        if (method < c->position.count) /* methods read from a table may be beyond the array */
            c->position.items[method] = (uint32_t)i + 1;
    }
}

/* ---- calls ---- */

static bool leave(struct costs *c, struct call_stack *s, uint32_t method, uint64_t now, bool threw)
{
    struct call_took took;
    c->left = calls_leave(s, method, now, &took);
    if (!c->left)
        return true;
    c->took = took;
    struct hs_cost *cost = costs_of(c, method);
    if (cost == NULL)
        return false;
    cost->left++;
    cost->exceptions += threw;
    cost->total_ns += took.nested ? 0 : took.total;
    cost->self_ns += took.self;
    cost->min_ns = took.total < cost->min_ns ? took.total : cost->min_ns;
    cost->max_ns = took.total > cost->max_ns ? took.total : cost->max_ns;
    cost->histogram[timing_bucket(took.total)]++;
    return true;
}

uint64_t call_time_ns(hs_trace *t, uint64_t stamp, const uint64_t *time_ns, size_t *clock_at)
{
    uint64_t now = time_ns != NULL ? *time_ns : trace_clock_ns(t, stamp, clock_at);
    return now == HS_NO_TIME ? 0 : now;
}

bool costs_apply(struct costs *c, struct call_stack *s, const struct effect *f, uint64_t stamp, const uint64_t *time_ns)
{
    if (f->op != EFFECT_ENTER && f->op != EFFECT_LEAVE)
        return true;
    if (gap_passed(c->trace, &s->gap, stamp))
        calls_forget(s);
    uint64_t now = call_time_ns(c->trace, stamp, time_ns, &c->clock_at);
    if (f->op == EFFECT_LEAVE)
        return leave(c, s, f->method, now, f->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
    struct hs_cost *cost = costs_of(c, f->method);
    if (cost == NULL)
        return false;
    cost->calls++;
    return calls_enter(s, f->method, now) != NULL;
}
