/* signals.c - the trace as a signal: calls and their depth over its course, of the whole trace and of each feature. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/query/features.h"
#include "reader/stream/stream.h"

struct signals {
    struct hs_signals made;
    struct arena arena;
};
struct row {
    uint64_t *calls;
    uint32_t *depth;
};

static void count_call(const struct row *row, size_t bucket, uint32_t depth)
{
    row->calls[bucket]++;
    if (row->depth[bucket] < depth)
        row->depth[bucket] = depth;
}

static uint64_t time_of(hs_trace *t, const struct hs_event *e)
{
    uint64_t ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(t, e->stamp);
    return ns != HS_NO_TIME ? ns : 0;
}

/* seq or time of the last event. */
static int end_of(hs_trace *t, bool by_time, uint64_t *end, struct hs_error *error)
{
    struct hs_event last;
    uint64_t events = hs_event_count(t);
    *end = events > 0 ? events - 1 : 0;
    if (!by_time || events == 0)
        return 0;
    if (hs_event_at(t, events - 1, &last, error) != 0)
        return -1;
    *end = time_of(t, &last);
    return 0;
}

/* Counts the calls of all threads into rows[0], and into rows[1 + feature] of those that are open. */
static int walk(hs_trace *t, const struct hs_signals *s, struct feature_walk *w, const struct row *rows,
                struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = {
        .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = sizeof events / sizeof *events
    };
    struct {
        uint64_t gap; /* gap_passed */
        uint32_t depth;
    } *threads = calloc(t->stream_count + 1, sizeof *threads); /* by stream */
    const struct hs_event *e;
    hs_cursor *cursor;
    int more;
    if (threads == NULL)
        return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
    if (hs_cursor_open(t, &filter, &cursor, error) != 0) {
        free(threads);
        return -1;
    }
    while ((more = hs_cursor_next(cursor, &e, error)) > 0) {
        unsigned event = hs_dataid_get(t, e->dataid)->event; /* the filter has looked at it */
        uint32_t stream = positions_stream(t, e->thread), *depth = &threads[stream].depth;
        if (gap_passed(t, &threads[stream].gap, e->stamp))
            *depth = 0;
        if (event != EVENT_METHOD_ENTRY) {
            *depth -= *depth > 0; /* entered before the recording */
            continue;
        }
        (void)feature_walk_to(w, e->seq);
        uint64_t at = (s->by_time ? time_of(t, e) : e->seq) / s->width;
        size_t bucket = at < s->buckets ? (size_t)at : s->buckets - 1; /* clocks of threads may differ by a little */
        count_call(&rows[0], bucket, ++*depth);
        for (size_t i = 0; i < w->open_count; i++)
            count_call(&rows[1 + w->open[i]], bucket, *depth);
    }
    hs_cursor_close(cursor);
    free(threads);
    return more;
}

int hs_signals_open(hs_trace *t, size_t buckets, bool by_time, const struct hs_signals **out, struct hs_error *error)
{
    struct error err;
    struct feature_walk w;
    uint64_t end;
    if (buckets == 0 || buckets > HS_BUCKETS_MAX) {
        (void)error_set(&err, ERR_USAGE, "%zu buckets: from 1 to %d are possible", buckets, HS_BUCKETS_MAX);
        return give(error, &err);
    }
    if (end_of(t, by_time, &end, error) != 0)
        return -1;
    if (feature_walk_begin(t, &w, &err) != OK)
        return give(error, &err);
    struct signals *s = calloc(1, sizeof *s);
    size_t n = w.count + 1;
    struct row *rows = s != NULL ? arena_array(&s->arena, n, sizeof *rows) : NULL;
    struct hs_signal *signals = s != NULL ? arena_array(&s->arena, n, sizeof *signals) : NULL;
    bool ok = rows != NULL && signals != NULL;
    for (size_t i = 0; i < n && ok; i++) {
        rows[i] = (struct row){ arena_array(&s->arena, buckets, sizeof *rows->calls),
                                arena_array(&s->arena, buckets, sizeof *rows->depth) };
        ok = rows[i].calls != NULL && rows[i].depth != NULL;
        const char *name = i > 0 ? w.names[i - 1] : NULL; /* of the trace's arena */
        signals[i] = (struct hs_signal){ name, rows[i].calls, rows[i].depth };
    }
    if (!ok)
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", hs_dir(t));
    int failed = ok ? 0 : give(error, &err);
    if (ok) {
        s->made = (struct hs_signals){ by_time, end / buckets + 1, buckets, n, signals };
        failed = walk(t, &s->made, &w, rows, error);
    }
    feature_walk_done(&w);
    if (failed != 0)
        hs_signals_close(s != NULL ? &s->made : NULL);
    else
        *out = &s->made;
    return failed;
}

void hs_signals_close(const struct hs_signals *made)
{
    struct signals *s = (struct signals *)(uintptr_t)made; /* its first member */
    if (s != NULL)
        arena_done(&s->arena);
    free(s);
}
