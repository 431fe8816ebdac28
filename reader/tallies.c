/* tallies.c - what the formats without a stream hold (formats/tallies.h): counts, last events, times. */
#include "formats/tallies.h"

#include "formats/journal.h"

#include <stdlib.h>
#include <string.h>

#include "reader/tallies.h"

static enum status each(hs_trace *t, enum schema_db db, env_row_fn *row, void *context, struct error *err)
{
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_each(&t->env, db, row, context, err);
    env_end(&t->env);
    return st;
}

/* ---- counts: COUNTS ---- */

struct counting {
    hs_trace *t;
    uint64_t *counts; /* t->kind_count */
};

static enum status count_row(void *context, struct text key, struct text value, struct error *err)
{
    struct counting *c = context;
    uint64_t first = env_integer(key), block[COUNT_BLOCK];
    struct error why;
    (void)err;
    if (count_block_decode(value.data, value.size, block, &why) != OK) {
        trace_damaged(c->t, &why);
        return OK;
    }
    for (uint64_t i = 0; i < COUNT_BLOCK && first + i < c->t->kind_count; i++)
        c->counts[first + i] = block[i];
    return OK;
}

enum status tallies_counts(hs_trace *t, uint64_t *counts, struct error *err)
{
    struct counting c = { t, counts };
    return each(t, DB_COUNTS, count_row, &c, err);
}

/* ---- last events: LATEST ---- */

struct hs_latest {
    hs_trace *t;
    VEC(struct hs_event) events; /* by data ID, oldest first */
    size_t *first;               /* by data ID: its first one in events; one more than there are data IDs */
};

static enum status latest_row(void *context, struct text key, struct text value, struct error *err)
{
    struct hs_latest *l = context;
    uint64_t id = env_integer(key);
    last_event_vec rows = { 0 };
    struct error why;
    bool timed = hs_info(l->t, "timed") != NULL && strcmp(hs_info(l->t, "timed"), "1") == 0;
    enum status st = id < l->t->kind_count ? last_events_decode(value.data, value.size, &rows, &why)
                                           : error_set(&why, ERR_FORMAT, "last events of data ID %llu, which nobody has", (unsigned long long)id);
    if (st == ERR_FORMAT)
        trace_damaged(l->t, &why);
    for (size_t i = 0; st == OK && i < rows.count; i++) {
        const struct last_event *e = &rows.items[i];
        struct hs_event *out = vec_push(&l->events);
        if (out == NULL)
            st = ERR_MEMORY;
        else
            *out = (struct hs_event){ .dataid = (uint32_t)id, .thread = e->thread, .value = e->value, .stamp = e->stamp, .position = e->number,
                                      .time_ns = timed ? e->time : HS_NO_TIME, .kind = (char)(l->t->kinds[id] & ~KIND_JOINED) };
    }
    vec_free(&rows);
    return st == ERR_MEMORY ? error_set(err, ERR_MEMORY, "out of memory") : OK;
}

/* The last ones of a stream. */
enum { LAST_OF_STREAM = 32 };
static int latest_of_stream(struct hs_latest *l, struct hs_error *error)
{
    struct hs_event *rings = calloc((size_t)l->t->kind_count + 1, LAST_OF_STREAM * sizeof *rings);
    uint64_t *counts = calloc((size_t)l->t->kind_count + 1, sizeof *counts);
    hs_cursor *cursor = NULL;
    const struct hs_event *e;
    struct error err;
    bool ok = rings != NULL && counts != NULL;
    int more = ok ? hs_cursor_open(l->t, NULL, &cursor, error) : 0;
    while (more >= 0 && ok && (more = hs_cursor_next(cursor, &e, error)) > 0)
        rings[(size_t)e->dataid * LAST_OF_STREAM + counts[e->dataid]++ % LAST_OF_STREAM] = *e;
    for (uint32_t id = 0; more == 0 && ok && id < l->t->kind_count; id++)
        for (uint64_t i = counts[id] > LAST_OF_STREAM ? counts[id] - LAST_OF_STREAM : 0; i < counts[id] && ok; i++) {
            struct hs_event *out = vec_push(&l->events);
            ok = out != NULL;
            if (ok)
                *out = rings[(size_t)id * LAST_OF_STREAM + i % LAST_OF_STREAM];
        }
    if (cursor != NULL)
        hs_cursor_close(cursor);
    free(rings);
    free(counts);
    if (!ok) {
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", l->t->dir);
        return give(error, &err);
    }
    return more;
}

/* As the stream is ordered: order.h. */
static int by_order(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static int by_dataid(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    if (x->dataid != y->dataid)
        return x->dataid < y->dataid ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* An event's seq: the events that are known to lie before it. Of each thread those are as many as its latest kept event
 * says, so with one thread it is the place in the stream. */
static bool number_events(struct hs_latest *l)
{
    u64_vec done = { 0 }; /* by thread: events that lie before, or are, its latest */
    uint64_t total = 0;
    bool ok = true;
    if (l->events.count > 1)
        qsort(l->events.items, l->events.count, sizeof *l->events.items, by_order);
    for (size_t i = 0; i < l->events.count && ok; i++) {
        struct hs_event *e = &l->events.items[i];
        while (done.count <= e->thread && ok) {
            uint64_t *slot = vec_push(&done);
            ok = slot != NULL;
            if (ok)
                *slot = 0;
        }
        if (!ok)
            break;
        total += e->position + 1 - done.items[e->thread];
        done.items[e->thread] = e->position + 1;
        e->seq = total - 1;
    }
    vec_free(&done);
    return ok;
}

int hs_latest_open(hs_trace *t, struct hs_latest **out, struct hs_error *error)
{
    struct error err = { 0 };
    struct hs_latest *l = calloc(1, sizeof *l);
    if (l != NULL) {
        l->t = t;
        l->first = calloc((size_t)t->kind_count + 1, sizeof *l->first);
    }
    enum status st = l == NULL || l->first == NULL ? error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir) : OK;
    if (st == OK && t->chunk_count > 0) {
        if (latest_of_stream(l, error) != 0) {
            hs_latest_close(l);
            return -1;
        }
    } else if (st == OK) {
        st = each(t, DB_LATEST, latest_row, l, &err);
    }
    if (st == OK && t->chunk_count == 0 && !number_events(l))
        st = error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
    if (st != OK) {
        hs_latest_close(l);
        return give(error, &err);
    }
    if (l->events.count > 1)
        qsort(l->events.items, l->events.count, sizeof *l->events.items, by_dataid);
    size_t at = 0;
    for (uint32_t id = 0; id < t->kind_count; id++) {
        l->first[id] = at;
        while (at < l->events.count && l->events.items[at].dataid == id)
            at++;
    }
    l->first[t->kind_count] = at;
    *out = l;
    return 0;
}

void hs_latest_close(struct hs_latest *l)
{
    if (l == NULL)
        return;
    vec_free(&l->events);
    free(l->first);
    free(l);
}

const struct hs_event *hs_latest_get(const struct hs_latest *l, uint32_t dataid, size_t *count)
{
    bool there = dataid < l->t->kind_count;
    *count = there ? l->first[dataid + 1] - l->first[dataid] : 0;
    return *count > 0 ? &l->events.items[l->first[dataid]] : NULL;
}

/* ---- times: TIMING ---- */

struct timing {
    hs_trace *t;
    cost_vec *list;
};

static enum status timing_row_of(void *context, struct text key, struct text value, struct error *err)
{
    struct timing *x = context;
    struct timing_row row;
    struct error why;
    const struct hs_dataid *d = hs_dataid_get(x->t, (uint32_t)env_integer(key));
    if (d == NULL || timing_row_decode(value.data, value.size, &row, &why) != OK) {
        (void)(d == NULL ? error_set(&why, ERR_FORMAT, "times of a method that nobody has") : OK);
        trace_damaged(x->t, &why);
        return OK;
    }
    struct hs_cost *c = vec_push(x->list);
    if (c == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    *c = (struct hs_cost){ .method_id = d->method_id, .calls = row.calls, .exceptions = row.exceptions, .left = row.left,
                           .total_ns = row.total_ns, .self_ns = row.self_ns, .min_ns = row.min_ns, .max_ns = row.max_ns };
    memcpy(c->histogram, row.histogram, sizeof c->histogram);
    return OK;
}

enum status tallies_costs(hs_trace *t, cost_vec *list, struct error *err)
{
    struct timing x = { t, list };
    return each(t, DB_TIMING, timing_row_of, &x, err);
}
