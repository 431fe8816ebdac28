/* signals.c - numbers of calls and their greatest depth over time, of the whole trace and of each feature. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/cursor/cursor.h"
#include "reader/query/features.h"
#include "reader/query/state.h"
#include "reader/stream/stream.h"

/* How the course of the trace is cut. */
struct buckets {
    bool by_time;
    uint64_t width;
    size_t count;
};
/* By bucket. */
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

/* The seq or time of the last event. */
static int find_end(hs_trace *t, bool by_time, uint64_t *end, struct hs_error *error)
{
    struct hs_event last;
    struct error err;
    uint64_t events = hs_event_count(t);
    *end = events > 0 ? events - 1 : 0;
    if (!by_time || events == 0)
        return 0;
    if (event_at(t, events - 1, &last, &err) != OK)
        return give(error, &err);
    *end = time_of(t, &last);
    return 0;
}

/* By stream. */
struct thread_depth {
    uint64_t gap; /* gap_passed */
    uint32_t depth;
};

/* Follows the depth of the thread; true if the event begins a call. */
static bool enter_or_leave(hs_trace *t, struct thread_depth *thread, const struct hs_event *e)
{
    if (gap_passed(t, &thread->gap, e->stamp))
        thread->depth = 0;
    if (dataid_or_none(t, e->dataid)->event == EVENT_METHOD_ENTRY) {
        thread->depth++;
        return true;
    }
    if (thread->depth > 0) /* else it was entered before the recording */
        thread->depth--;
    return false;
}

/* Counts the calls of all threads in rows[0], and in rows[1 + feature] of the features that are open. */
static int count_calls(hs_trace *t, const struct buckets *s, struct feature_walk *w, const struct row *rows,
                       struct hs_error *error)
{
    unsigned events[EVENT_LIMIT];
    size_t event_count = event_list(USE_ENTER | USE_LEAVE, events);
    struct hs_filter filter = { .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = event_count };
    struct thread_depth *threads = calloc(t->stream_count + 1, sizeof *threads);
    const struct hs_event *e;
    struct walk walk;
    if (threads == NULL)
        return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
    walk_open_filter(&walk, t, &filter);
    while (walk_step(&walk, &e)) {
        struct thread_depth *thread = &threads[positions_stream(t, e->thread)];
        if (!enter_or_leave(t, thread, e))
            continue;
        (void)feature_walk_to(w, e->seq);
        uint64_t at = (s->by_time ? time_of(t, e) : e->seq) / s->width;
        size_t bucket = at < s->count ? (size_t)at : s->count - 1; /* clocks of threads may differ by a little */
        count_call(&rows[0], bucket, thread->depth);
        for (size_t i = 0; i < w->open_count; i++)
            count_call(&rows[1 + w->open[i]], bucket, thread->depth);
    }
    free(threads);
    return walk_finish(&walk, error);
}

/* One row for the whole trace, and one per feature; NULL: out of memory. */
static struct row *make_rows(const struct feature_walk *w, const struct buckets *b, struct arena *a,
                             struct hs_signal **signals)
{
    size_t n = w->count + 1;
    struct row *rows = arena_array(a, n, sizeof *rows);
    *signals = arena_array(a, n, sizeof **signals);
    if (rows == NULL || *signals == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        rows[i] = (struct row){ arena_array(a, b->count, sizeof *rows->calls),
                                arena_array(a, b->count, sizeof *rows->depth) };
        if (rows[i].calls == NULL || rows[i].depth == NULL)
            return NULL;
        (*signals)[i] = (struct hs_signal){ .feature = i > 0 ? w->names[i - 1] : NULL, /* of the trace's arena */
                                            .by_time = b->by_time,
                                            .width = b->width,
                                            .bucket_count = b->count,
                                            .calls = rows[i].calls,
                                            .depth = rows[i].depth };
    }
    return rows;
}

int hs_signals_open(hs_trace *t, size_t bucket_count, bool by_time, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "signals");
    struct error err;
    struct feature_walk w;
    uint64_t end;
    if (bucket_count == 0 || bucket_count > HS_BUCKETS_MAX) {
        (void)error_set(&err, ERR_USAGE, "%zu buckets: expected 1 to %d", bucket_count, HS_BUCKETS_MAX);
        return give(error, &err);
    }
    if (find_end(t, by_time, &end, error) != 0)
        return -1;
    if (feature_walk_begin(t, &w, &err) != OK)
        return give(error, &err);
    struct buckets b = { by_time, end / bucket_count + 1, bucket_count };
    struct hs_signal *signals = NULL;
    struct list_answer *answer = list_answer_new();
    struct row *rows = answer != NULL ? make_rows(&w, &b, &answer->arena, &signals) : NULL;
    int failed;
    if (rows != NULL) {
        failed = count_calls(t, &b, &w, rows, error);
    } else {
        (void)error_memory(&err, "%s", hs_dir(t));
        failed = give(error, &err);
    }
    size_t count = w.count + 1;
    feature_walk_done(&w);
    if (failed != 0) {
        list_answer_free(answer);
        return -1;
    }
    return cursor_over(ROW_signal, signals, sizeof *signals, count, answer, out, error);
}
