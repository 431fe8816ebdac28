/* costs.c - sums over the whole trace: times of calls, counts of data IDs, first and last events of objects. */
#include <stdlib.h>
#include <string.h>

#include "reader/cursor/cursor.h"
#include "reader/query/entries.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- times of calls ---- */

struct cost_walk {
    struct costs *costs;
    struct call_stack *stacks; /* by stream */
};

static bool apply(void *context, const struct entry_or_exit *e)
{
    struct cost_walk *w = context;
    return costs_apply(w->costs, &w->stacks[e->stream], e->effect, e->stamp, e->time_ns);
}

/* By reading the events. */
static int costs_between(hs_trace *t, struct costs *c, uint64_t from, uint64_t to, struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct cost_walk w = { c, calloc(t->stream_count + 1, sizeof *w.stacks) };
    costs_clear(c);
    if (w.stacks == NULL)
        return give(error, &err);
    int failed = entries_each(t, from, to, apply, &w, error);
    for (size_t i = 0; i < t->stream_count; i++)
        calls_done(&w.stacks[i]);
    free(w.stacks);
    return failed;
}

/* As the index or format=timing has them; 1: neither does. */
static int costs_ready(hs_trace *t, struct costs *c, struct hs_error *error)
{
    struct error err;
    enum status st = t->chunk_count > 0 ? index_costs(t, c, &err) : dataid_stats_costs(t, &c->list, &err);
    if (st == ERR_NOT_FOUND)
        return 1;
    return st == OK ? 0 : give(error, &err);
}

static void add_cost(struct hs_cost *to, const struct hs_cost *c)
{
    to->calls += c->calls;
    to->exceptions += c->exceptions;
    to->left += c->left;
    to->total_ns += c->total_ns;
    to->self_ns += c->self_ns;
    to->hooks_ns += c->hooks_ns;
    to->min_ns = c->min_ns < to->min_ns ? c->min_ns : to->min_ns;
    to->max_ns = c->max_ns > to->max_ns ? c->max_ns : to->max_ns;
    for (unsigned i = 0; i < HS_HISTOGRAM_BUCKETS; i++)
        to->histogram[i] += c->histogram[i];
}

static int by_method(const void *a, const void *b)
{
    const struct hs_cost *x = a, *y = b;
    return x->method_id < y->method_id ? -1 : x->method_id > y->method_id;
}

/* One row for each method that has several ids. */
static void join_same(hs_trace *t, struct costs *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->list.count; i++) {
        c->list.items[i].method_id = same_method(t, c->list.items[i].method_id);
        if (c->list.items[i].left == 0)
            c->list.items[i].min_ns = UINT64_MAX;
    }
    if (c->list.count > 1)
        qsort(c->list.items, c->list.count, sizeof *c->list.items, by_method);
    for (size_t i = 0; i < c->list.count; i++) {
        if (kept > 0 && c->list.items[kept - 1].method_id == c->list.items[i].method_id)
            add_cost(&c->list.items[kept - 1], &c->list.items[i]);
        else
            c->list.items[kept++] = c->list.items[i];
    }
    c->list.count = kept;
    for (size_t i = kept = 0; i < c->list.count; i++) /* a method whose entries were not recorded, but counted exits */
        if (c->list.items[i].calls > 0)
            c->list.items[kept++] = c->list.items[i];
    c->list.count = kept;
}

/* Moves the sums, by method id, to the caller. */
static void give_costs(struct costs *c, struct hs_cost **out, size_t *count)
{
    join_same(c->trace, c);
    for (size_t i = 0; i < c->list.count; i++)
        if (c->list.items[i].left == 0)
            c->list.items[i].min_ns = 0;
    *out = c->list.items;
    *count = c->list.count;
    c->list.items = NULL;
    c->list.count = 0;
}

struct costs_answer {
    struct list_answer base;
    struct hs_cost *list;
};

static void costs_answer_done(struct list_answer *base)
{
    struct costs_answer *a = (struct costs_answer *)base;
    free(a->list);
    free(a);
}

int hs_costs_open(hs_trace *t, uint64_t from, uint64_t to, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "costs");
    struct costs c = { .trace = t };
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct costs_answer *answer = calloc(1, sizeof *answer);
    size_t count = 0;
    if (answer == NULL)
        return give(error, &err);
    answer->base.done = costs_answer_done;
    int failed = 1;
    if (from == 0 && to == HS_NO_SEQ)
        failed = costs_ready(t, &c, error);
    if (failed > 0)
        failed = costs_between(t, &c, from, to, error);
    if (failed == 0)
        give_costs(&c, &answer->list, &count);
    costs_done(&c);
    if (failed != 0) {
        list_answer_free(&answer->base);
        return -1;
    }
    return cursor_over(ROW_cost, answer->list, sizeof *answer->list, count, &answer->base, out, error);
}

/* ---- counts ---- */

int hs_count_dataids(hs_trace *t, uint64_t *counts, double *bytes, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "counts");
    struct error err = { 0 };
    uint64_t *shares = calloc((size_t)t->kind_count + 1, sizeof *shares);
    enum status st;
    memset(counts, 0, t->kind_count * sizeof *counts);
    if (shares == NULL)
        st = no_memory(t, &err);
    else if (t->chunk_count > 0)
        st = index_count_dataids(t, counts, shares, &err);
    else
        st = dataid_stats_counts(t, counts, &err);
    for (uint32_t i = 0; st == OK && bytes != NULL && i < t->kind_count; i++)
        bytes[i] = (double)shares[i] / (1 << SHARE_KEPT_BITS);
    free(shares);
    return st == OK ? 0 : give(error, &err);
}

/* ---- lives ---- */

enum { PAGES = 1 << (32 - OBJECT_PAGE_BITS) };
struct life {
    uint64_t first, last; /* seq + 1; 0: none */
};
struct life_cursor {
    hs_cursor base;
    uint64_t id; /* the next one to look at */
    struct hs_life row;
    uint32_t page_count; /* behind the last page; the rest is never touched and takes no memory */
    struct life *pages[PAGES];
};

static int next_life(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct life_cursor *c = (struct life_cursor *)base;
    (void)error;
    while (c->id >> OBJECT_PAGE_BITS < c->page_count) {
        const struct life *page = c->pages[c->id >> OBJECT_PAGE_BITS];
        if (page == NULL) {
            c->id = ((c->id >> OBJECT_PAGE_BITS) + 1) << OBJECT_PAGE_BITS;
            continue;
        }
        const struct life *x = &page[c->id & (OBJECT_PAGE_IDS - 1)];
        if (x->first != 0) {
            c->row = (struct hs_life){ (uint32_t)c->id++, x->first - 1, x->last - 1 };
            *row = &c->row;
            return 1;
        }
        c->id++;
    }
    return 0;
}

static int seek_life(hs_cursor *base, uint64_t id, struct hs_error *error)
{
    struct life_cursor *c = (struct life_cursor *)base;
    (void)error;
    c->id = id;
    return 0;
}

static void close_lives(hs_cursor *base)
{
    struct life_cursor *c = (struct life_cursor *)base;
    for (uint32_t i = 0; i < c->page_count; i++)
        free(c->pages[i]);
    free(c);
}

static const struct cursor_ops life_ops = {
    .row = ROW_life, .next = next_life, .seek = seek_life, .close = close_lives
};

static unsigned ids_and_values(void *context, uint32_t thread, const struct chunk_ref *chunk)
{
    (void)context;
    (void)thread;
    (void)chunk;
    return CHUNK_IDS | CHUNK_VALUES;
}

/* The life of an object; NULL: out of memory. */
static struct life *life_of(struct life_cursor *c, uint64_t id)
{
    uint32_t at = (uint32_t)(id >> OBJECT_PAGE_BITS);
    struct life **page = &c->pages[at];
    if (at >= c->page_count)
        c->page_count = at + 1;
    if (*page == NULL)
        *page = calloc(OBJECT_PAGE_IDS, sizeof **page);
    return *page != NULL ? &(*page)[id & (OBJECT_PAGE_IDS - 1)] : NULL;
}

static bool add_lives(struct life_cursor *c, const hs_trace *t, const struct order_batch *b)
{
    for (uint32_t i = 0; i < b->count; i++) { /* the decoder has checked the ids against the kinds */
        uint64_t id = b->values[i];
        if ((t->kinds[b->ids[i]] & 0x7f) != KIND_REF || id == 0 || id > UINT32_MAX)
            continue;
        struct life *x = life_of(c, id);
        if (x == NULL)
            return false;
        x->last = b->seq + i + 1;
        if (x->first == 0)
            x->first = x->last;
    }
    return true;
}

/* Adds all events, a batch of the merge at a time: nothing else is needed of an event than its value and its seq. */
static enum status read_lives(struct life_cursor *c, hs_trace *t, struct error *err)
{
    struct order *order = NULL;
    struct order_batch batch;
    enum status st = order_new(t, ids_and_values, NULL, &order, err);
    while (st == OK) {
        st = order_next(order, UINT32_MAX, &batch, err);
        if (st == OK && batch.ids != NULL && batch.values != NULL && !add_lives(c, t, &batch))
            st = no_memory(t, err);
    }
    order_free(order);
    return st == ERR_NOT_FOUND ? OK : st;
}

int hs_lives_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "lives");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct life_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &err);
    c->base.ops = &life_ops;
    if (read_lives(c, t, &err) != OK) {
        close_lives(&c->base);
        return give(error, &err);
    }
    *out = &c->base;
    return 0;
}
