/* clock.c - the coarse clock: pairs of stamp and time, interpolated in between. */
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "reader/trace/loading.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

static enum status clock_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct reader r = reader_of(value.data, value.size);
    uint64_t stamp = env_integer(key), ns = 0;
    size_t cap = t->clock_count;
    while (!r.bad && r.at < r.size) {
        stamp += read_varint(&r);
        ns += read_varint(&r);
        void *points = t->clock;
        if (r.bad)
            break;
        if (!vec_grow_raw(&points, &cap, t->clock_count + 1, sizeof *t->clock))
            return no_memory(t, err);
        t->clock = points;
        if (t->clock_count == 0 ||
            (t->clock[t->clock_count - 1].stamp <= stamp && t->clock[t->clock_count - 1].ns <= ns))
            t->clock[t->clock_count++] = (struct clock_point){ stamp, ns };
    }
    return OK;
}

static void load_clock(hs_trace *t)
{
    struct error err;
    t->clock_loaded = true;
    enum status st = env_begin(&t->env, &err);
    if (st != OK)
        goto out;
    st = env_each(&t->env, DB_CLOCK, clock_row, t, &err);
    env_end(&t->env);
out:
    if (st != OK)
        trace_damaged(t, &err);
}

void clock_done(hs_trace *t) { free(t->clock); }

uint64_t trace_clock_ns(hs_trace *t, uint64_t stamp, size_t *at)
{
    if (!t->clock_loaded)
        load_clock(t);
    size_t n = t->clock_count, low = *at;
    if (n == 0)
        return HS_NO_TIME;
    if (low > n || (low > 0 && t->clock[low - 1].stamp > stamp))
        low = 0;
    for (unsigned steps = 0; low < n && t->clock[low].stamp <= stamp && steps < 4; steps++)
        low++; /* mostly in the same interval as before, or the next one */
    if (low < n && t->clock[low].stamp <= stamp)
        LOWER_BOUND_FROM(low, low, n, t->clock[low].stamp <= stamp);
    *at = low;
    if (low == 0)
        return t->clock[0].ns;
    const struct clock_point *a = &t->clock[low - 1];
    if (low == n || a->stamp == stamp)
        return a->ns;
    const struct clock_point *b = a + 1;
    double part = (double)(stamp - a->stamp) / (double)(b->stamp - a->stamp);
    return a->ns + (uint64_t)(part * (double)(b->ns - a->ns));
}

uint64_t trace_clock_end(hs_trace *t)
{
    if (!t->clock_loaded)
        load_clock(t);
    return t->clock_count > 0 ? t->clock[t->clock_count - 1].stamp : 0;
}

uint64_t hs_clock_ns(hs_trace *t, uint64_t stamp)
{
    size_t at = 0;
    return trace_clock_ns(t, stamp, &at);
}

bool trace_timed(const hs_trace *t)
{
    const char *timed = hs_info(t, "timed");
    return timed != NULL && strcmp(timed, "1") == 0;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The 95th percentile of the intervals between ticks: a busy machine delays some of them, and the interval between two
 * periods is not one. */
uint64_t hs_clock_resolution_ns(hs_trace *t)
{
    enum { SAMPLES = 4096 };
    if (trace_timed(t))
        return 1;
    if (!t->clock_loaded)
        load_clock(t);
    size_t ticks = t->clock_count > 0 ? t->clock_count - 1 : 0, step = ticks / SAMPLES + 1, n = 0;
    uint64_t *sizes = ticks > 0 ? malloc((ticks / step + 1) * sizeof *sizes) : NULL;
    for (size_t i = 0; sizes != NULL && i < ticks; i += step)
        sizes[n++] = t->clock[i + 1].ns - t->clock[i].ns;
    if (n == 0)
        return HS_NO_TIME;
    qsort(sizes, n, sizeof *sizes, by_size);
    uint64_t tick = sizes[(n - 1) * 19 / 20];
    free(sizes);
    return tick > 0 && tick < HS_NO_TIME / 2 ? 2 * tick : 1;
}
