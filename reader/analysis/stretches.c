/* stretches.c - see stretches.h. */
#include "reader/analysis/stretches.h"

#include "formats/event.h"
#include "formats/search.h"

/* A thread while its events are read. */
struct reading {
    struct hs_stretch now; /* events 0: none yet */
    struct hs_pause pause; /* before it; ns 0: none */
    struct hs_event last;
    uint64_t last_ns; /* HS_NO_TIME: no event yet, or no clock */
};
typedef VEC(struct reading) reading_vec;

struct walk {
    hs_trace *trace;
    const u32_vec *threads;
    reading_vec readings; /* as threads */
    u64_vec gaps;         /* seq of the first event of each interval but the first */
    uint64_t from, grain;
    uint64_t stamp, stamp_ns; /* the last one that was looked up */
    stretch_fn *each;
    void *context;
};

static int no_memory(struct hs_error *error)
{
    if (error != NULL) {
        error->code = HS_ERR_MEMORY;
        error->text[0] = '\0';
    }
    return -1;
}

static bool read_gaps(struct walk *w)
{
    hs_cursor *intervals;
    const struct hs_interval *row;
    bool ok = true;
    if (hs_intervals_open(w->trace, &intervals, NULL) != 0)
        return true;
    while (ok && hs_interval_next(intervals, &row, NULL) > 0) {
        uint64_t *to = row->first > 0 ? vec_push(&w->gaps) : NULL;
        ok = to != NULL || row->first == 0;
        if (to != NULL)
            *to = row->first;
    }
    hs_cursor_close(intervals);
    return ok;
}

/* Are events missing between these two? */
static bool gap_between(const struct walk *w, uint64_t before, uint64_t after)
{
    size_t at;
    LOWER_BOUND(at, w->gaps.count, w->gaps.items[at] <= before);
    return at < w->gaps.count && w->gaps.items[at] <= after;
}

static uint64_t time_of(struct walk *w, const struct hs_event *e)
{
    if (e->time_ns != HS_NO_TIME)
        return e->time_ns;
    if (w->stamp != e->stamp) {
        w->stamp = e->stamp;
        w->stamp_ns = hs_clock_ns(w->trace, e->stamp);
    }
    return w->stamp_ns;
}

static bool give(struct walk *w, struct reading *r)
{
    r->now.last = r->last.seq;
    r->now.pause = r->pause.ns > 0 ? &r->pause : NULL;
    bool more = r->now.events == 0 || w->each(w->context, &r->now);
    r->now.events = 0;
    r->pause.ns = 0;
    return more;
}

/* Counts the event; false: no more are wanted. */
static bool take(struct walk *w, struct reading *r, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(w->trace, e->dataid);
    uint64_t ns = time_of(w, e);
    bool next = (e->seq - w->from) / w->grain != (r->now.seq - w->from) / w->grain;
    bool paused = r->last_ns != HS_NO_TIME && ns != HS_NO_TIME && ns >= r->last_ns + STRETCHES_PAUSE_NS &&
                  !gap_between(w, r->last.seq, e->seq);
    if (r->now.events > 0 && (next || paused || r->now.events == UINT32_MAX) && !give(w, r))
        return false;
    if (r->now.events == 0)
        r->now = (struct hs_stretch){ .thread = e->thread, .seq = e->seq, .position = e->position, .begin_ns = ns };
    if (paused)
        r->pause = (struct hs_pause){ .ns = ns - r->last_ns,
                                      .begin = r->last.seq,
                                      .dataid = r->last.dataid,
                                      .value = r->last.value,
                                      .kind = r->last.kind };
    r->now.events++;
    r->now.calls += d != NULL && event_has(d->event, USE_ENTER);
    r->now.exceptions += d != NULL && d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    r->last = *e;
    r->last_ns = ns;
    return true;
}

static int walk_events(struct walk *w, uint64_t to, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    int more;
    filter.from = w->from;
    filter.to = to;
    filter.threads = w->threads->items;
    filter.thread_count = w->threads->count;
    if (!vec_extend(&w->readings, w->threads->count + 1) || !read_gaps(w))
        return no_memory(error);
    for (size_t i = 0; i < w->readings.count; i++)
        w->readings.items[i].last_ns = HS_NO_TIME;
    if (hs_events_open(w->trace, &filter, &events, error) != 0)
        return -1;
    while ((more = hs_event_next(events, &e, error)) > 0) {
        size_t at;
        LOWER_BOUND(at, w->threads->count, w->threads->items[at] < e->thread);
        if (at == w->threads->count || !take(w, &w->readings.items[at], e))
            break;
    }
    hs_cursor_close(events);
    for (size_t i = 0; more == 0 && i < w->threads->count; i++)
        if (!give(w, &w->readings.items[i]))
            break;
    return more < 0 ? -1 : 0;
}

static int from_index(const struct walk *w, uint64_t to, struct hs_error *error)
{
    const struct hs_stretch *s;
    hs_cursor *stretches;
    int more;
    if (hs_stretches_open(w->trace, w->from, to, &stretches, error) != 0)
        return -1;
    while ((more = hs_stretch_next(stretches, &s, error)) > 0) {
        size_t at;
        LOWER_BOUND(at, w->threads->count, w->threads->items[at] < s->thread);
        if (at < w->threads->count && w->threads->items[at] == s->thread && !w->each(w->context, s))
            break;
    }
    hs_cursor_close(stretches);
    return more < 0 ? -1 : 0;
}

int stretches_each(hs_trace *trace, const u32_vec *threads, uint64_t from, uint64_t to, uint64_t grain,
                   stretch_fn *each, void *context, struct hs_error *error)
{
    struct walk w = { .trace = trace,
                      .threads = threads,
                      .from = from,
                      .grain = grain > 0 ? grain : 1,
                      .stamp = UINT64_MAX,
                      .stamp_ns = hs_clock_ns(trace, UINT64_MAX),
                      .each = each,
                      .context = context };
    if (threads->count == 0)
        return 0;
    int failed = to - from < STRETCHES_LEAST ? walk_events(&w, to, error) : from_index(&w, to, error);
    vec_free(&w.readings);
    vec_free(&w.gaps);
    return failed;
}
