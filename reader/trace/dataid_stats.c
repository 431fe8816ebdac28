/* dataid_stats.c - reads the data of formats without a stream (formats/dataid_stats.h): counts, times. */
#include "formats/dataid_stats.h"

#include "formats/event.h"
#include "formats/format.h"
#include "formats/journal.h"

#include <stdlib.h>
#include <string.h>

#include "reader/trace/open_trace.h"

/* The rows of the database, or those of the selected snapshot. */
enum status dataid_stats_each(hs_trace *t, enum schema_db db, env_row_fn *row, void *context, struct error *err)
{
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    if (t->snapshot == 0) {
        st = env_each(&t->env, db, row, context, err);
    } else {
        uint64_t key = saved_key(t->snapshot, db, 0), end = saved_key(t->snapshot, db, UINT32_MAX);
        struct text value;
        for (;; key++) {
            st = env_at_least(&t->env, DB_SAVED, &key, &value, err);
            if (st != OK || key > end)
                break;
            uint32_t own = (uint32_t)key;
            st = row(context, (struct text){ (const char *)&own, sizeof own }, value, err);
            if (st != OK || key == UINT64_MAX)
                break;
        }
        st = st == ERR_NOT_FOUND ? OK : st;
    }
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
        c->counts[same_place(c->t, (uint32_t)(first + i))] += block[i];
    return OK;
}

enum status dataid_stats_counts(hs_trace *t, uint64_t *counts, struct error *err)
{
    struct counting c = { t, counts };
    return dataid_stats_each(t, DB_COUNTS, count_row, &c, err);
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
    const struct hs_dataid *d = hs_dataid_get(x->t, same_place(x->t, (uint32_t)env_integer(key)));
    if (d == NULL || timing_row_decode(value.data, value.size, &row, &why) != OK) {
        (void)(d == NULL ? error_set(&why, ERR_FORMAT, "times of a method that nobody has") : OK);
        trace_damaged(x->t, &why);
        return OK;
    }
    struct hs_cost *c = vec_push(x->list);
    if (c == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    *c = (struct hs_cost){ .method_id = d->method_id,
                           .calls = row.calls,
                           .exceptions = row.exceptions,
                           .left = row.left,
                           .total_ns = row.total_ns,
                           .self_ns = row.self_ns,
                           .min_ns = row.min_ns,
                           .max_ns = row.max_ns,
                           .hooks_ns = row.hooks_ns };
    memcpy(c->histogram, row.histogram, sizeof c->histogram);
    return OK;
}

/* Calls and exceptions as formats without times have counted them: several rows for a method. */
static enum status costs_of_counts(hs_trace *t, cost_vec *list, struct error *err)
{
    uint64_t *counts = calloc((size_t)t->kind_count + 1, sizeof *counts);
    enum status st = counts != NULL ? dataid_stats_counts(t, counts, err) : error_memory(err, "%s", t->dir);
    for (uint32_t i = 0; st == OK && i < t->kind_count; i++) {
        const struct hs_dataid *d = counts[i] > 0 ? hs_dataid_get(t, i) : NULL;
        if (d == NULL || (d->event != EVENT_METHOD_ENTRY && d->event != EVENT_METHOD_EXCEPTIONAL_EXIT))
            continue;
        struct hs_cost *c = vec_push(list);
        if (c == NULL) {
            st = error_memory(err, "%s", t->dir);
            break;
        }
        *c = (struct hs_cost){ .method_id = d->method_id };
        *(d->event == EVENT_METHOD_ENTRY ? &c->calls : &c->exceptions) = counts[i];
    }
    free(counts);
    return st;
}

enum status dataid_stats_costs(hs_trace *t, cost_vec *list, struct error *err)
{
    if (!format_of_trace(hs_info(t, "format"))->times)
        return costs_of_counts(t, list, err);
    struct timing x = { t, list };
    return dataid_stats_each(t, DB_TIMING, timing_row_of, &x, err);
}
