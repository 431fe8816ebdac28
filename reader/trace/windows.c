/* windows.c - recordings in parts: the intervals that were kept, where events are missing between them, and the
 * snapshots of the state. */
#include "reader/stream/positions.h"
#include "reader/trace/internal.h"

static enum status interval_rows(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct error why;
    size_t before = t->intervals.count;
    enum status st = intervals_decode(value.data, value.size, &t->intervals, &why);
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
        return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
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

enum status windows_load(hs_trace *t, struct error *err)
{
    enum status st = env_each(&t->env, DB_INTERVAL, interval_rows, t, err);
    return st == OK ? env_each(&t->env, DB_SNAPSHOT, snapshot_row_of, t, err) : st;
}

void windows_done(hs_trace *t)
{
    vec_free(&t->intervals);
    vec_free(&t->snapshots);
}

uint64_t gap_behind(const hs_trace *t, uint64_t stamp)
{
    size_t from = 0, to = t->intervals.count;
    while (from < to) { /* the first that begins behind */
        size_t mid = from + (to - from) / 2;
        if (t->intervals.items[mid].begin <= stamp)
            from = mid + 1;
        else
            to = mid;
    }
    return from < t->intervals.count ? t->intervals.items[from].begin : UINT64_MAX;
}

uint64_t gap_before(const hs_trace *t, uint64_t stamp)
{
    size_t from = 0, to = t->intervals.count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (t->intervals.items[mid].begin <= stamp)
            from = mid + 1;
        else
            to = mid;
    }
    return from > 0 ? t->intervals.items[from - 1].begin : 0;
}

size_t hs_interval_count(const hs_trace *t) { return t->intervals.count; }

int hs_interval_at(hs_trace *t, size_t position, struct hs_interval *out, struct hs_error *error)
{
    const struct interval *v = &t->intervals.items[position];
    struct error err;
    *out = (struct hs_interval){ .begin_ns = v->begin_ns,
                                 .end_ns = v->end == UINT64_MAX ? HS_NO_TIME : v->end_ns,
                                 .start_dataid = v->start_id,
                                 .end_dataid = v->end_id,
                                 .start_thread = v->start_thread,
                                 .end_thread = v->end_thread };
    uint64_t end = t->events;
    enum status st = t->chunk_count > 0 ? positions_below(t, v->begin, &out->first, &err) : OK;
    if (st == OK && t->chunk_count > 0 && v->end != UINT64_MAX)
        st = positions_below(t, v->end, &end, &err);
    if (st != OK)
        return give(error, &err);
    out->events = end > out->first ? end - out->first : 0;
    return 0;
}

size_t hs_snapshot_count(const hs_trace *t) { return t->snapshots.count; }

int hs_snapshot_at(hs_trace *t, size_t position, struct hs_snapshot *out, struct hs_error *error)
{
    struct error err;
    *out = t->snapshots.items[position];
    out->seq = HS_NO_SEQ;
    return t->chunk_count == 0 || positions_below(t, out->stamp, &out->seq, &err) == OK ? 0 : give(error, &err);
}

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
