/* windows.c - recordings in parts: the periods between a start and a stop of recording, the intervals that were kept,
 * the gaps between them, and the snapshots of the state.
 * stream/numbering.c computes the seqs of their begins and ends. */
#include "formats/search.h"
#include "reader/trace/loading.h"

#include <stdlib.h>
#include <string.h>

static enum status interval_rows(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct error why;
    size_t before = t->intervals.count;
    enum status st = windows_decode(value.data, value.size, &t->intervals, &why);
    if (st == OK &&
        (env_integer(key) != before || (before > 0 && t->intervals.count > before &&
                                        t->intervals.items[before - 1].end > t->intervals.items[before].begin)))
        st = error_set(&why, ERR_FORMAT, "intervals overlap, or some are missing");
    if (st != ERR_FORMAT)
        return st == OK ? OK : error_set(err, st, "%s", why.text);
    t->intervals.count = before;
    trace_damaged(t, &why);
    return OK;
}

static enum status snapshot_row_of(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct error why;
    struct snapshot_row row;
    if (snapshot_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct hs_snapshot *s = vec_push(&t->snapshots);
    const char *type = trace_text(t, row.type, false);
    if (s == NULL || type == NULL)
        return error_memory(err, "%s", t->dir);
    *s = (struct hs_snapshot){ .number = (uint32_t)env_integer(key),
                               .kind = (enum hs_snapshot_kind)row.kind,
                               .saved = row.saved != 0,
                               .stamp = row.stamp,
                               .ns = row.ns,
                               .thread = row.thread,
                               .interval = row.interval,
                               .object = row.object,
                               .type = type };
    return OK;
}

static int by_first_dataid(const void *a, const void *b)
{
    const struct period *x = a, *y = b;
    return x->first_dataid < y->first_dataid ? -1 : x->first_dataid > y->first_dataid;
}

static enum status periods_load(hs_trace *t, struct error *err)
{
    for (size_t i = 0; i < t->info.count; i++) {
        const struct info_pair *pair = &t->info.items[i];
        if (strncmp(pair->key, "period.", 7) != 0)
            continue;
        struct period *p = vec_push(&t->periods);
        if (p == NULL)
            return error_memory(err, "%s", t->dir);
        *p = (struct period){ (uint32_t)strtoul(pair->value, NULL, 10), UINT64_MAX, UINT64_MAX };
    }
    t->late = hs_info(t, "begin") != NULL;
    if (t->periods.count > 1)
        qsort(t->periods.items, t->periods.count, sizeof *t->periods.items, by_first_dataid);
    return OK;
}

size_t dataid_period(const hs_trace *t, uint32_t dataid)
{
    size_t behind; /* the first start after it */
    LOWER_BOUND(behind, t->periods.count, t->periods.items[behind].first_dataid <= dataid);
    return behind;
}

bool trace_is_to_drop(const hs_trace *t)
{
    return (hs_info(t, "tests_to_drop") != NULL || hs_info(t, "outside_to_drop") != NULL) &&
           hs_info(t, "dropped_events") == NULL;
}

enum status windows_load(hs_trace *t, struct error *err)
{
    enum status st = periods_load(t, err);
    if (st == OK)
        st = env_each(&t->env, DB_INTERVAL, interval_rows, t, err);
    if (trace_is_to_drop(t)) {
        t->to_keep = t->intervals;
        t->intervals = (window_vec){ 0 };
    }
    return st == OK ? env_each(&t->env, DB_SNAPSHOT, snapshot_row_of, t, err) : st;
}

void windows_done(hs_trace *t)
{
    vec_free(&t->periods);
    vec_free(&t->intervals);
    vec_free(&t->to_keep);
    vec_free(&t->snapshots);
}

uint64_t gap_behind(const hs_trace *t, uint64_t stamp)
{
    size_t from; /* the first that begins behind */
    LOWER_BOUND(from, t->intervals.count, t->intervals.items[from].begin <= stamp);
    return from < t->intervals.count ? t->intervals.items[from].begin : UINT64_MAX;
}

uint64_t gap_before(const hs_trace *t, uint64_t stamp)
{
    size_t from;
    LOWER_BOUND(from, t->intervals.count, t->intervals.items[from].begin <= stamp);
    return from > 0 ? t->intervals.items[from - 1].begin : 0;
}

static bool find_left(struct reader r, uint32_t thread, struct writer *out)
{
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        const uint64_t number = read_varint(&r), size = read_varint(&r);
        const uint8_t *state = size <= r.size ? read_span(&r, (size_t)size) : NULL;
        if (state == NULL)
            return false;
        if (number != thread)
            continue;
        write_bytes(out, state, (size_t)size);
        return true;
    }
    return false;
}

enum status left_thread(hs_trace *t, size_t interval, size_t least, uint32_t thread, struct writer *out,
                        struct error *err)
{
    struct text row;
    bool found = false;
    enum status st = t->env.has[DB_PASSED] ? env_begin(&t->env, err) : ERR_NOT_FOUND;
    if (st != OK)
        return st;
    for (size_t i = interval + 1; !found && i-- > least && (st == OK || st == ERR_NOT_FOUND);) {
        st = env_get(&t->env, DB_PASSED, PASSED_LEFT | i, &row, err);
        found = st == OK && find_left(reader_of(row.data, row.size), thread, out);
    }
    env_end(&t->env);
    return st == OK && !found ? ERR_NOT_FOUND : st;
}

size_t hs_interval_count(const hs_trace *t) { return t->intervals.count; }

size_t hs_snapshot_count(const hs_trace *t) { return t->snapshots.count; }

int hs_use_snapshot(hs_trace *t, uint32_t number, struct hs_error *error)
{
    struct error err;
    bool found = number == 0;
    for (size_t i = 0; i < t->snapshots.count && !found; i++)
        found = t->snapshots.items[i].number == number && t->snapshots.items[i].saved;
    if (!found)
        return give(error, (error_set(&err, ERR_NOT_FOUND, "%s: there is no snapshot %u%s", t->dir, number,
                                      t->snapshots.count > 0 ? "; info lists them" : ""),
                            &err));
    t->snapshot = number;
    return 0;
}
