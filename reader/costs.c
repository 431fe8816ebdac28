/* costs.c - what calls took, and how long objects were shown: answers of one pass over the events. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/internal.h"
#include "reader/tallies.h"

/* ---- costs ---- */

struct running {
    uint32_t method;
    bool nested;             /* the method is running below as well */
    uint64_t entered, inner; /* ns at its entry; ns of the calls it made */
    uint32_t below;          /* position + 1 of the nearest call of that method below; 0 none */
};

struct stack {
    VEC(struct running) calls;
    uint32_t *top;     /* by method id: position + 1 of its innermost call; NULL while nothing runs */
    size_t top_count;
};

struct costs {
    hs_trace *t;
    cost_vec list;
    uint32_t *position;   /* by method id; position in list + 1 */
    size_t methods;
    struct stack *stacks; /* by thread */
    size_t stack_count;
    uint64_t last_stamp, last_ns;
};

static struct hs_cost *cost_of(struct costs *c, uint32_t method)
{
    if (method >= c->methods) {
        size_t n = (size_t)method + 1024;
        uint32_t *p = realloc(c->position, n * sizeof *p);
        if (p == NULL)
            return NULL;
        memset(p + c->methods, 0, (n - c->methods) * sizeof *p);
        c->position = p;
        c->methods = n;
    }
    if (c->position[method] == 0) {
        struct hs_cost *cost = vec_push(&c->list);
        if (cost == NULL)
            return NULL;
        *cost = (struct hs_cost){ .method_id = method, .min_ns = UINT64_MAX };
        c->position[method] = (uint32_t)c->list.count;
    }
    return &c->list.items[c->position[method] - 1];
}

static struct stack *stack_of(struct costs *c, uint32_t thread)
{
    if (thread >= c->stack_count) {
        size_t n = (size_t)thread + 64;
        struct stack *s = realloc(c->stacks, n * sizeof *s);
        if (s == NULL)
            return NULL;
        memset(s + c->stack_count, 0, (n - c->stack_count) * sizeof *s);
        c->stacks = s;
        c->stack_count = n;
    }
    return &c->stacks[thread];
}

static uint64_t time_of(struct costs *c, const struct hs_event *e)
{
    if (e->time_ns != HS_NO_TIME)
        return e->time_ns;
    if (e->stamp != c->last_stamp || c->last_ns == HS_NO_TIME) {
        c->last_stamp = e->stamp;
        c->last_ns = hs_clock_ns(c->t, e->stamp);
    }
    return c->last_ns == HS_NO_TIME ? 0 : c->last_ns;
}

static bool enter(struct costs *c, struct stack *s, uint32_t method, uint64_t now)
{
    struct hs_cost *cost = cost_of(c, method);
    struct running *r = cost != NULL ? vec_push(&s->calls) : NULL;
    if (r == NULL)
        return false;
    cost->calls++;
    if (method >= s->top_count) {
        size_t n = c->methods;
        uint32_t *top = realloc(s->top, n * sizeof *top);
        if (top == NULL)
            return false;
        memset(top + s->top_count, 0, (n - s->top_count) * sizeof *top);
        s->top = top;
        s->top_count = n;
    }
    *r = (struct running){ .method = method, .entered = now, .nested = s->top[method] != 0, .below = s->top[method] };
    s->top[method] = (uint32_t)s->calls.count;
    return true;
}

static void pop(struct stack *s)
{
    const struct running *r = &s->calls.items[--s->calls.count];
    s->top[r->method] = r->below;
    if (s->calls.count == 0) { /* a hundred thousand short threads keep nothing */
        free(s->top);
        s->top = NULL;
        s->top_count = 0;
    }
}

static void leave(struct costs *c, struct stack *s, uint32_t method, uint64_t now, bool threw)
{
    size_t at = method < s->top_count ? s->top[method] : 0;
    if (at == 0)
        return; /* entered before the recording */
    while (s->calls.count > at)
        pop(s); /* it vanished without an exit */
    const struct running *r = &s->calls.items[at - 1];
    struct hs_cost *cost = cost_of(c, method);
    uint64_t took = now > r->entered ? now - r->entered : 0;
    bool nested = r->nested;
    cost->left++;
    cost->exceptions += threw;
    cost->total_ns += nested ? 0 : took;
    cost->self_ns += took > r->inner ? took - r->inner : 0;
    cost->min_ns = took < cost->min_ns ? took : cost->min_ns;
    cost->max_ns = took > cost->max_ns ? took : cost->max_ns;
    cost->histogram[took < 2 ? 0 : 63 - __builtin_clzll(took)]++;
    pop(s);
    if (s->calls.count > 0)
        s->calls.items[s->calls.count - 1].inner += took;
}

static int by_method(const void *a, const void *b)
{
    const struct hs_cost *x = a, *y = b;
    return x->method_id < y->method_id ? -1 : x->method_id > y->method_id;
}

/* From the stream. -1: *error says why. */
static int gather(struct costs *c, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = { .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = sizeof events / sizeof *events };
    const struct hs_event *e;
    hs_cursor *cursor;
    struct error err;
    bool ok = true;
    int more = 0;
    if (hs_cursor_open(c->t, &filter, &cursor, error) != 0)
        return -1;
    while (ok && (more = hs_cursor_next(cursor, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(c->t, e->dataid);
        struct stack *s = stack_of(c, e->thread);
        if (s == NULL)
            ok = false;
        else if (d != NULL && d->event == EVENT_METHOD_ENTRY)
            ok = enter(c, s, d->method_id, time_of(c, e));
        else if (d != NULL)
            leave(c, s, d->method_id, time_of(c, e), d->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
    }
    hs_cursor_close(cursor);
    for (size_t i = 0; i < c->stack_count; i++) {
        vec_free(&c->stacks[i].calls);
        free(c->stacks[i].top);
    }
    free(c->stacks);
    free(c->position);
    if (!ok) {
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", c->t->dir);
        more = give(error, &err);
    }
    return more;
}

int hs_costs(hs_trace *t, struct hs_cost **out, size_t *count, struct hs_error *error)
{
    struct costs c = { .t = t, .last_ns = HS_NO_TIME };
    struct error err;
    int failed = t->chunk_count > 0 ? gather(&c, error) : tallies_costs(t, &c.list, &err) != OK ? give(error, &err) : 0;
    if (failed != 0) {
        vec_free(&c.list);
        return -1;
    }
    if (c.list.count > 1)
        qsort(c.list.items, c.list.count, sizeof *c.list.items, by_method);
    for (size_t i = 0; i < c.list.count; i++)
        c.list.items[i].min_ns = c.list.items[i].left > 0 ? c.list.items[i].min_ns : 0;
    *out = c.list.items;
    *count = c.list.count;
    return 0;
}

/* ---- lives ---- */

enum { PAGES = 1 << (32 - OBJECT_PAGE_BITS) };
struct life {
    uint64_t first, last; /* seq + 1; 0: none */
};
struct hs_lives {
    struct life *pages[PAGES];
};

void hs_lives_close(hs_lives *l)
{
    for (uint32_t i = 0; l != NULL && i < PAGES; i++)
        free(l->pages[i]);
    free(l);
}

bool hs_lives_get(const hs_lives *l, uint32_t id, uint64_t *first, uint64_t *last)
{
    const struct life *page = l->pages[id >> OBJECT_PAGE_BITS];
    const struct life *x = page != NULL ? &page[id & (OBJECT_PAGE_IDS - 1)] : NULL;
    if (x == NULL || x->first == 0)
        return false;
    *first = x->first - 1;
    *last = x->last - 1;
    return true;
}

int hs_lives_open(hs_trace *t, hs_lives **out, struct hs_error *error)
{
    const struct hs_event *e;
    hs_cursor *cursor = NULL;
    struct error err;
    int more = 1;
    hs_lives *l = calloc(1, sizeof *l);
    bool ok = l != NULL;
    if (ok && hs_cursor_open(t, NULL, &cursor, error) != 0) {
        hs_lives_close(l);
        return -1;
    }
    while (ok && (more = hs_cursor_next(cursor, &e, error)) > 0) {
        if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX)
            continue;
        struct life **page = &l->pages[e->value >> OBJECT_PAGE_BITS];
        if (*page == NULL && (*page = calloc(OBJECT_PAGE_IDS, sizeof **page)) == NULL) {
            ok = false;
            break;
        }
        struct life *x = &(*page)[e->value & (OBJECT_PAGE_IDS - 1)];
        x->first = x->first == 0 ? e->seq + 1 : x->first;
        x->last = e->seq + 1;
    }
    hs_cursor_close(cursor);
    if (!ok) {
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
        more = give(error, &err);
    }
    if (more != 0) {
        hs_lives_close(l);
        return -1;
    }
    *out = l;
    return 0;
}
