/* costs.c - sums over the whole trace: what calls took, how often data IDs came, from when to when objects were shown.
 */
#include <stdlib.h>
#include <string.h>

#include "reader/cursor/cursor.h"

static enum status no_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

static enum status costs_of_thread(struct costs *c, const struct thread_chunks *own, struct error *err)
{
    hs_trace *t = c->trace;
    struct call_stack s = { 0 };
    enum status st = OK;
    for (size_t i = 0; st == OK && i < own->count; i++) {
        struct chunk_columns columns;
        struct error why = { 0 };
        st = trace_decode(t, t->decoder, &own->chunks[i], CHUNK_IDS | CHUNK_STAMPS | CHUNK_TIMES, &columns, &why);
        if (st == ERR_FORMAT) {
            trace_damaged(t, &why);
            st = OK;
            continue;
        }
        if (st != OK) {
            st = error_set(err, st, "%s", why.text);
            break;
        }
        for (uint32_t k = 0; st == OK && k < columns.count; k++)
            if (!costs_apply(c, &s, effects_get(t, columns.ids[k]), columns.stamps[k],
                             columns.times != NULL ? &columns.times[k] : NULL))
                st = no_memory(t, err);
    }
    calls_done(&s);
    return st;
}

/* Hands the sums over, sorted. */
static void give_costs(struct costs *c, struct hs_cost **out, size_t *count)
{
    costs_sort(c);
    for (size_t i = 0; i < c->list.count; i++)
        c->list.items[i].min_ns = c->list.items[i].left > 0 ? c->list.items[i].min_ns : 0;
    *out = c->list.items;
    *count = c->list.count;
    c->list.items = NULL;
    c->list.count = 0;
}

int hs_costs(hs_trace *t, struct hs_cost **out, size_t *count, struct hs_error *error)
{
    struct costs c = { .trace = t };
    struct error err = { 0 };
    enum status st = t->chunk_count > 0 ? index_costs(t, &c, &err) : dataid_stats_costs(t, &c.list, &err);
    if (st == ERR_NOT_FOUND) {
        costs_clear(&c);
        st = effects_ready(t) ? OK : no_memory(t, &err);
        for (size_t i = 0; st == OK && i < t->stream_count; i++)
            st = costs_of_thread(&c, &t->streams[i], &err);
    }
    if (st == OK)
        give_costs(&c, out, count);
    costs_done(&c);
    return st == OK ? 0 : give(error, &err);
}

int hs_costs_between(hs_trace *t, uint64_t from, uint64_t to, struct hs_cost **out, size_t *count,
                     struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = {
        .size = sizeof filter, .from = from, .to = to, .events = events, .event_count = sizeof events / sizeof *events
    };
    struct costs c = { .trace = t };
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct call_stack *stacks = calloc(t->stream_count + 1, sizeof *stacks);
    const struct hs_event *e;
    hs_cursor *cursor = NULL;
    bool ok = stacks != NULL && effects_ready(t);
    int failed = !ok ? give(error, &err) : hs_cursor_open(t, &filter, &cursor, error);
    while (failed == 0 && ok && (failed = hs_cursor_next(cursor, &e, error)) > 0) {
        failed = 0;
        ok = costs_apply(&c, &stacks[positions_stream(t, e->thread)], effects_get(t, e->dataid), e->stamp,
                         e->time_ns != HS_NO_TIME ? &e->time_ns : NULL);
    }
    if (failed == 0 && !ok)
        failed = give(error, &err);
    if (failed == 0)
        give_costs(&c, out, count);
    if (cursor != NULL)
        hs_cursor_close(cursor);
    for (size_t i = 0; stacks != NULL && i < t->stream_count; i++)
        calls_done(&stacks[i]);
    free(stacks);
    costs_done(&c);
    return failed;
}

/* ---- counts ---- */

int hs_count_dataids(hs_trace *t, uint64_t *counts, double *bytes, struct hs_error *error)
{
    struct error err = { 0 };
    uint64_t *shares = calloc((size_t)t->kind_count + 1, sizeof *shares);
    memset(counts, 0, t->kind_count * sizeof *counts);
    enum status st = OK;
    if (shares == NULL)
        st = error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
    else
        st = t->chunk_count > 0 ? index_count_dataids(t, counts, shares, &err) : dataid_stats_counts(t, counts, &err);
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
