/* costs.c - sums over the whole trace: times of calls, counts of data IDs, first and last events of objects. */
#include <stdlib.h>
#include <string.h>

#include "reader/cursor/cursor.h"

static enum status no_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

static enum status add_chunk(struct costs *c, struct call_stack *s, const struct chunk_ref *chunk, struct error *err)
{
    hs_trace *t = c->trace;
    struct chunk_columns columns;
    struct error damage = { 0 };
    enum status st = trace_decode(t, t->decoder, chunk, CHUNK_IDS | CHUNK_STAMPS | CHUNK_TIMES, &columns, &damage);
    if (st == ERR_FORMAT) {
        trace_damaged(t, &damage);
        return OK;
    }
    if (st != OK)
        return error_set(err, st, "%s", damage.text);
    for (uint32_t k = 0; k < columns.count; k++) {
        const uint64_t *time_ns = columns.times != NULL ? &columns.times[k] : NULL;
        if (!costs_apply(c, s, effects_get(t, columns.ids[k]), columns.stamps[k], time_ns))
            return no_memory(t, err);
    }
    return OK;
}

static enum status add_thread(struct costs *c, const struct thread_chunks *own, struct error *err)
{
    struct call_stack s = { 0 };
    enum status st = OK;
    for (size_t i = 0; i < own->count; i++) {
        st = add_chunk(c, &s, &own->chunks[i], err);
        if (st != OK)
            break;
    }
    calls_done(&s);
    return st;
}

/* Without an index. */
static enum status add_all_threads(struct costs *c, struct error *err)
{
    hs_trace *t = c->trace;
    costs_clear(c);
    if (!effects_ready(t))
        return no_memory(t, err);
    for (size_t i = 0; i < t->stream_count; i++) {
        enum status st = add_thread(c, &t->streams[i], err);
        if (st != OK)
            return st;
    }
    return OK;
}

/* Moves the sums, sorted, to the caller. */
static void give_costs(struct costs *c, struct hs_cost **out, size_t *count)
{
    costs_sort(c);
    for (size_t i = 0; i < c->list.count; i++)
        if (c->list.items[i].left == 0)
            c->list.items[i].min_ns = 0;
    *out = c->list.items;
    *count = c->list.count;
    c->list.items = NULL;
    c->list.count = 0;
}

static enum status costs_whole(hs_trace *t, struct costs *c, struct error *err)
{
    enum status st = t->chunk_count > 0 ? index_costs(t, c, err) : dataid_stats_costs(t, &c->list, err);
    if (st != ERR_NOT_FOUND)
        return st;
    return add_all_threads(c, err);
}

static int costs_between(hs_trace *t, struct costs *c, uint64_t from, uint64_t to, struct hs_error *error)
{
    unsigned events[EVENT_LIMIT];
    size_t event_count = event_list(USE_ENTER | USE_LEAVE, events);
    struct hs_filter filter = {
        .size = sizeof filter, .from = from, .to = to, .events = events, .event_count = event_count
    };
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct call_stack *stacks = calloc(t->stream_count + 1, sizeof *stacks);
    const struct hs_event *e;
    struct walk w = { 0 };
    int failed = -1;
    if (stacks == NULL || !effects_ready(t)) {
        (void)give(error, &err);
        goto out;
    }
    walk_open_filter(&w, t, &filter);
    while (walk_step(&w, &e)) {
        const uint64_t *time_ns = e->time_ns != HS_NO_TIME ? &e->time_ns : NULL;
        struct call_stack *stack = &stacks[positions_stream(t, e->thread)];
        if (!costs_apply(c, stack, effects_get(t, e->dataid), e->stamp, time_ns)) {
            (void)give(error, &err);
            goto out;
        }
    }
    failed = walk_give(&w, error);
out:
    (void)walk_close(&w, NULL);
    for (size_t i = 0; stacks != NULL && i < t->stream_count; i++)
        calls_done(&stacks[i]);
    free(stacks);
    return failed;
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
    int failed = 0;
    if (from > 0 || to < HS_NO_SEQ)
        failed = costs_between(t, &c, from, to, error);
    else if (costs_whole(t, &c, &err) != OK)
        failed = give(error, &err);
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
    struct life *pages[PAGES];
};

static int next_life(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct life_cursor *c = (struct life_cursor *)base;
    (void)error;
    while (c->id <= UINT32_MAX) {
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
    for (uint32_t i = 0; i < PAGES; i++)
        free(c->pages[i]);
    free(c);
}

static const struct cursor_ops life_ops = {
    .row = ROW_life, .next = next_life, .seek = seek_life, .close = close_lives
};

/* False: out of memory. */
static bool add_life(struct life_cursor *c, const struct hs_event *e)
{
    if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX)
        return true;
    struct life **page = &c->pages[e->value >> OBJECT_PAGE_BITS];
    if (*page == NULL)
        *page = calloc(OBJECT_PAGE_IDS, sizeof **page);
    if (*page == NULL)
        return false;
    struct life *x = &(*page)[e->value & (OBJECT_PAGE_IDS - 1)];
    if (x->first == 0)
        x->first = e->seq + 1;
    x->last = e->seq + 1;
    return true;
}

int hs_lives_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "lives");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    const struct hs_event *e;
    struct walk w;
    struct life_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &err);
    c->base.ops = &life_ops;
    walk_open_filter(&w, t, NULL);
    while (walk_step(&w, &e))
        if (!add_life(c, e)) {
            (void)walk_close(&w, NULL);
            close_lives(&c->base);
            return give(error, &err);
        }
    if (walk_finish(&w, error) != 0) {
        close_lives(&c->base);
        return -1;
    }
    *out = &c->base;
    return 0;
}
