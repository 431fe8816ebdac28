/* recent.c - the last events of all data IDs as one timeline, with the stacks that they prove.
 *
 * Of a data ID with more events than are kept, those before its first kept one are unknown. So the entries and exits of
 * a method are complete from the latest of these first ones on (`since`): a call that was entered behind it is open
 * until its exit comes. Entries before it prove nothing, since the exit may be among the dropped events. */
#include <stdlib.h>

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/replay/replay.h"

struct complete {
    uint64_t method; /* method id + 1 */
    size_t since;    /* position in `events` */
};

struct known_stack {
    uint64_t thread; /* number + 1 */
    u32_vec methods;
    u64_vec entered;
    uint64_t gap; /* gap_passed */
};

struct recents {
    hs_cursor base;
    hs_trace *t;
    event_vec events; /* by seq */
    size_t at;        /* the next one to be given */
    MAP(struct complete) complete;
    MAP(struct known_stack) stacks;
    bool implicit; /* the frame of the event given last is not a known one, and on the stack for it alone */
    struct hs_recent row;
};

static int no_memory(const struct recents *r, struct hs_error *error)
{
    struct error err;
    (void)state_memory(r->t, &err);
    return give(error, &err);
}

/* ---- reading ---- */

/* Appends what is kept of the data IDs, of which there are n. */
static int add_events(struct recents *r, hs_cursor *latest, uint32_t n, struct hs_error *error)
{
    const struct hs_event *e;
    for (uint32_t id = 0; id < n; id++) {
        size_t kept;
        if (hs_latest_select(latest, id, &kept, error) != 0)
            return -1;
        while (hs_event_next(latest, &e, NULL) > 0) {
            struct hs_event *to = e->seq != HS_NO_SEQ ? vec_push(&r->events) : NULL;
            if (to == NULL && e->seq != HS_NO_SEQ)
                return no_memory(r, error);
            if (to != NULL)
                *to = *e;
        }
    }
    return 0;
}

static int by_seq(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int read_events(struct recents *r, struct hs_error *error)
{
    uint32_t n = r->t->kind_count;
    uint32_t *ids = malloc(((size_t)n + 1) * sizeof *ids);
    hs_cursor *latest = NULL;
    if (ids == NULL)
        return no_memory(r, error);
    for (uint32_t id = 0; id < n; id++)
        ids[id] = id;
    int failed = hs_latest_open(r->t, &latest, error);
    if (failed == 0)
        failed = hs_latest_read(latest, ids, n, true, error);
    if (failed == 0)
        failed = add_events(r, latest, n, error);
    hs_cursor_close(latest);
    free(ids);
    if (r->events.count > 1)
        qsort(r->events.items, r->events.count, sizeof *r->events.items, by_seq);
    return failed;
}

/* Since when the entries and exits of each method are complete. */
static int find_complete(struct recents *r, struct hs_error *error)
{
    uint64_t *dropped = calloc((size_t)r->t->kind_count + 1, sizeof *dropped);
    int failed = dropped != NULL ? hs_count_dataids(r->t, dropped, NULL, error) : no_memory(r, error);
    for (size_t i = 0; i < r->events.count && failed == 0; i++)
        dropped[r->events.items[i].dataid] -= dropped[r->events.items[i].dataid] > 0;
    for (size_t i = 0; i < r->events.count && failed == 0; i++) {
        const struct effect *f = effects_get(r->t, r->events.items[i].dataid);
        if (f->op != EFFECT_ENTER && f->op != EFFECT_LEAVE)
            continue;
        struct complete *c = map_put(&r->complete, (uint64_t)f->method + 1);
        if (c == NULL)
            failed = no_memory(r, error);
        else if (dropped[r->events.items[i].dataid] > 0)
            c->since = i;
        dropped[r->events.items[i].dataid] = 0; /* only the first one counts */
    }
    for (uint32_t id = 0; id < r->t->kind_count && failed == 0; id++) {
        const struct effect *f = dropped[id] > 0 ? effects_get(r->t, id) : NULL;
        if (f == NULL || (f->op != EFFECT_ENTER && f->op != EFFECT_LEAVE))
            continue;
        struct complete *c = map_put(&r->complete, (uint64_t)f->method + 1); /* not one is kept */
        if (c == NULL)
            failed = no_memory(r, error);
        else
            c->since = SIZE_MAX;
    }
    free(dropped);
    return failed;
}

/* ---- stacks ---- */

static void cut_stack(struct known_stack *s, size_t count) { s->methods.count = s->entered.count = count; }

static bool push_frame(struct known_stack *s, uint32_t method, uint64_t entered)
{
    if (!vec_reserve(&s->methods, s->methods.count + 1) || !vec_reserve(&s->entered, s->entered.count + 1))
        return false;
    s->methods.items[s->methods.count++] = method;
    s->entered.items[s->entered.count++] = entered;
    return true;
}

/* What the event given last did to its stack, once it is no longer shown. */
static void settle(struct recents *r)
{
    if (r->at == 0)
        return;
    const struct hs_event *e = &r->events.items[r->at - 1];
    struct known_stack *s = map_get(&r->stacks, (uint64_t)e->thread + 1);
    const struct effect *f = effects_get(r->t, e->dataid);
    if (r->implicit || f->op == EFFECT_LEAVE)
        cut_stack(s, s->methods.count - 1); /* the frame of the event */
    r->implicit = false;
}

/* The stack at the event: with its own frame on top. False: out of memory. */
static bool show_frame(struct recents *r, struct known_stack *s, size_t at, const struct hs_event *e)
{
    const struct effect *f = effects_get(r->t, e->dataid);
    const struct hs_dataid *d = dataid_or_none(r->t, e->dataid);
    const struct complete *c = map_get(&r->complete, (uint64_t)f->method + 1);
    size_t count = s->methods.count;
    if (gap_passed(r->t, &s->gap, e->stamp))
        cut_stack(s, count = 0);
    if (f->op == EFFECT_ENTER) {
        r->implicit = c == NULL || at < c->since;
        return push_frame(s, f->method, e->seq);
    }
    if (f->op == EFFECT_LEAVE && c != NULL && at >= c->since) {
        while (count > 0 && s->methods.items[count - 1] != f->method)
            count--;
        if (count > 0) { /* calls above it, if any, were left as well */
            cut_stack(s, count);
            return true;
        }
        count = s->methods.count;
    }
    uint32_t method = d != NULL ? d->method_id : HS_NO_METHOD;
    if (f->op != EFFECT_LEAVE && count > 0 && s->methods.items[count - 1] == method)
        return true;
    r->implicit = true;
    return push_frame(s, method, HS_NO_SEQ);
}

static int next_recent(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct recents *r = (struct recents *)base;
    settle(r);
    if (r->at == r->events.count)
        return 0;
    const struct hs_event *e = &r->events.items[r->at];
    struct known_stack *s = map_put(&r->stacks, (uint64_t)e->thread + 1);
    if (s == NULL || !show_frame(r, s, r->at, e))
        return no_memory(r, error);
    r->at++;
    r->row = (struct hs_recent){ e, s->methods.items, s->entered.items, s->methods.count };
    *row = &r->row;
    return 1;
}

static void clear_stacks(struct recents *r)
{
    for (size_t i = 0; i < r->stacks.cap; i++) {
        vec_free(&r->stacks.slots[i].methods);
        vec_free(&r->stacks.slots[i].entered);
    }
    map_free(&r->stacks);
}

/* Stacks follow from the events before, so they are walked over again. */
static int seek_recent(hs_cursor *base, uint64_t seq, struct hs_error *error)
{
    struct recents *r = (struct recents *)base;
    const void *row;
    clear_stacks(r);
    r->at = 0;
    r->implicit = false;
    while (r->at < r->events.count && r->events.items[r->at].seq < seq)
        if (next_recent(base, &row, error) < 0)
            return -1;
    return 0;
}

static void close_recents(hs_cursor *base)
{
    struct recents *r = (struct recents *)base;
    clear_stacks(r);
    vec_free(&r->events);
    map_free(&r->complete);
    free(r);
}

static const struct cursor_ops recent_ops = {
    .row = ROW_recent, .next = next_recent, .seek = seek_recent, .close = close_recents
};

int hs_recents_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct error err;
    struct recents *r = calloc(1, sizeof *r);
    if (r == NULL || !effects_ready(t)) {
        free(r);
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    r->base.ops = &recent_ops;
    r->t = t;
    int failed = read_events(r, error);
    if (failed == 0)
        failed = find_complete(r, error);
    if (failed != 0) {
        close_recents(&r->base);
        return -1;
    }
    *out = &r->base;
    return 0;
}
