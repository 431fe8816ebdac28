/* cmd_timeline.c - `hindsight timeline`: which calls were open, at evenly spaced moments, of each thread.
 *
 * What a picture of the whole run needs is as long as the picture is wide, not as the run: between --from and --to
 * there are `buckets` moments; a call that is open at none of them is not shown. A small part is walked event by event.
 * In a large one the stack is asked at each moment, of all threads together, which costs at most a chunk of each,
 * whatever lies between; with --fast it is that of the nearest stretch of the index, which costs no chunk. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/search.h"
#include "formats/vec.h"
#include "reader/analysis/stretches.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t from, to, buckets, depth;
    const char *thread;
    bool fast;
};
static const struct option_row options[] = {
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "begin at this event" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "end at this event" },
    { "buckets", 'b', "N", OPTION_U64, offsetof(struct args, buckets), "the number of moments (default 100)" },
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread), "number, name or glob (default: all)" },
    { "depth", 'd', "N", OPTION_U64, offsetof(struct args, depth), "calls down to this depth; 0 is the outermost" },
    { "fast", 0, NULL, OPTION_FLAG, offsetof(struct args, fast),
      "take the moments nearest to them that the index holds, at most 4096 events of the thread away" },
    { 0 },
};
const struct usage usage_timeline = {
    .about =
        "Prints the calls that were open at evenly spaced moments between --from and --to, from their first moment "
        "to their last one, as a flame graph over the order of events shows them. entered is where the call began, "
        "if that was recorded. Needs events of the group EXEC.",
    .example = "hindsight timeline --buckets 20 --depth 3",
    .options = options,
};

enum { BUCKETS_DEFAULT = 100, BUCKETS_MAX = 100000, WALK_MAX = 1 << 20 };

struct span {
    uint32_t method_id;
    uint64_t entered; /* HS_NO_SEQ: before the recording, or not known */
    uint64_t entry;   /* of a stretch or sample: position of the entry in the thread, else 0 */
    uint64_t from;    /* inside of what is shown */
};
typedef VEC(struct span) span_vec; /* outermost first */
/* A call that is over, and will be shown. */
struct closed {
    struct span span;
    size_t depth;
    uint64_t to;
};
typedef VEC(struct closed) closed_vec;

struct timeline {
    struct show show;
    const struct args *args;
    uint64_t from, to, step;
    uint32_t thread;
    span_vec open, found;
    closed_vec *closed; /* NULL: they are shown at once */
    bool no_room;       /* in it */
    bool sampled;       /* spans have the entry, not when that was */
    int failed;         /* the search for that, with this error */
    struct hs_error *error;
    uint64_t next; /* of stretches: the next moment */
    uint64_t left; /* rows that may be printed */
    bool headed;   /* the heading is */
};

#define ROWS "reader/answers/spans.def"
#define ROW                                                                                                            \
    const struct span *s, uint32_t thread, size_t depth, uint64_t to, const struct hs_class *c,                        \
        const struct hs_method *m
#include "reader/answers/row.h"

static void show_span(struct timeline *t, const struct span *s, size_t depth, uint64_t to)
{
    struct out *o = t->show.out;
    const struct hs_method *m = hs_method_get(t->show.trace, s->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t->show.trace, m->class_no) : NULL;
    if (m == NULL || c == NULL || t->left == 0)
        return;
    t->left--;
    if (!t->args->common.json) {
        if (!t->headed)
            out_format(o, "%6s %14s %14s  %s\n", "thread", "from", "to", "call");
        t->headed = true;
        out_format(o, "%6u %14llu %14llu  ", t->thread, (unsigned long long)s->from, (unsigned long long)to);
        for (size_t i = 0; i < depth; i++)
            out_text(o, "  ");
        show_method_text(o, c->name, m->name, m->desc, "\n");
        return;
    }
    struct span shown = *s;
    if (t->sampled && s->entry != HS_NO_SEQ && t->failed == 0)
        t->failed = hs_event_seq(t->show.trace, t->thread, s->entry, &shown.entered, t->error);
    spans_json(o, &shown, t->thread, depth, to, c, m);
}

/* Is there a moment in from..to? */
static bool is_seen(const struct timeline *t, uint64_t from, uint64_t to)
{
    uint64_t first = from > t->from ? (from - t->from + t->step - 1) / t->step : 0;
    return t->from + first * t->step <= to;
}

/* Calls from depth `depth` on end at `to`. */
static void close_spans(struct timeline *t, size_t depth, uint64_t to)
{
    while (t->open.count > depth) {
        const struct span *s = &t->open.items[--t->open.count];
        if (t->open.count > t->args->depth || !is_seen(t, s->from, to))
            continue;
        struct closed *kept = t->closed != NULL ? vec_push(t->closed) : NULL;
        if (kept != NULL)
            *kept = (struct closed){ *s, t->open.count, to };
        else if (t->closed != NULL)
            t->no_room = true;
        else
            show_span(t, s, t->open.count, to);
    }
}

static bool is_exit(const struct timeline *t, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(t->show.trace, e->dataid);
    return d != NULL && event_has(d->event, USE_LEAVE);
}

/* The calls that are open at `seq`, into `found`: `last` is the last event of the thread up to there. */
static bool find_stack(struct timeline *t, const struct hs_event *last, uint64_t seq, struct hs_error *error)
{
    hs_cursor *frames;
    const struct hs_frame *f;
    int more = 0;
    t->found.count = 0;
    if (hs_frames_open(t->show.trace, last->seq, &frames, error) != 0)
        return false;
    bool room = true, left = is_exit(t, last) && last->seq < seq; /* the innermost call ended before */
    while (room && (more = hs_frame_next(frames, &f, error)) > 0) {
        struct span *s = left ? NULL : vec_push(&t->found);
        room = s != NULL || left;
        if (s != NULL)
            *s = (struct span){ .method_id = f->method_id, .entered = f->entered };
        left = false;
    }
    hs_cursor_close(frames);
    for (size_t i = 0; i < t->found.count / 2; i++) { /* they came innermost first */
        struct span *a = &t->found.items[i], *b = &t->found.items[t->found.count - 1 - i], kept = *a;
        *a = *b;
        *b = kept;
    }
    return room && more == 0;
}

/* Opens what is found at `seq`, and closes what is not. */
static bool take_stack(struct timeline *t, uint64_t seq)
{
    size_t same = 0;
    while (same < t->open.count && same < t->found.count &&
           t->open.items[same].entered == t->found.items[same].entered &&
           t->open.items[same].entry == t->found.items[same].entry &&
           t->open.items[same].method_id == t->found.items[same].method_id)
        same++;
    close_spans(t, same, seq - 1);
    for (size_t i = same; i < t->found.count; i++) {
        struct span *to = vec_push(&t->open);
        if (to == NULL)
            return false;
        *to = t->found.items[i];
        to->from = seq;
    }
    return true;
}

/* ---- of samples: of several threads together ---- */

enum { TOGETHER = 1024 };
struct sampled {
    span_vec open;
    closed_vec closed;
};

/* What is open in the sample, into `found`. */
static bool take_sample(struct timeline *t, const struct hs_sample *row, struct sampled *s)
{
    t->thread = row->thread;
    t->found.count = 0;
    bool room = true;
    for (size_t i = 0; room && i < row->frame_count; i++) {
        struct span *to = vec_push(&t->found);
        room = to != NULL;
        if (room)
            *to = (struct span){ .method_id = row->methods[i], .entered = HS_NO_SEQ, .entry = row->entries[i] };
    }
    t->open = s->open;
    t->closed = &s->closed;
    room = room && take_stack(t, row->seq) && !t->no_room;
    s->open = t->open;
    t->open = (span_vec){ 0 };
    t->closed = NULL;
    return room;
}

static int take_samples(struct timeline *t, const uint32_t *threads, size_t count, struct sampled *all,
                        struct hs_error *error)
{
    const struct hs_sample *row;
    hs_cursor *samples;
    int more = 0;
    bool room = true;
    if (hs_samples_open(t->show.trace, threads, count, t->from, t->to, t->step, &samples, error) != 0)
        return -1;
    while (room && (more = hs_sample_next(samples, &row, error)) > 0) {
        size_t at;
        LOWER_BOUND(at, count, threads[at] < row->thread);
        room = take_sample(t, row, &all[at]);
    }
    hs_cursor_close(samples);
    return room ? more : -1;
}

static int sample_threads(struct timeline *t, const uint32_t *threads, size_t count, struct hs_error *error)
{
    struct sampled *all = calloc(count, sizeof *all);
    t->sampled = true;
    t->error = error;
    int failed = all != NULL ? take_samples(t, threads, count, all, error) : -1;
    for (size_t i = 0; all != NULL && i < count; i++) {
        struct sampled *s = &all[i];
        t->thread = threads[i];
        for (size_t k = 0; k < s->closed.count && failed == 0; k++)
            show_span(t, &s->closed.items[k].span, s->closed.items[k].depth, s->closed.items[k].to);
        t->open = s->open;
        if (failed == 0)
            close_spans(t, 0, t->to);
        vec_free(&t->open);
        vec_free(&s->closed);
    }
    free(all);
    return failed != 0 ? failed : t->failed;
}

/* ---- from the stretches of the index ---- */

/* What is found is open at the moments up to `seq`. */
static bool take_until(struct timeline *t, uint64_t seq)
{
    uint64_t last = seq < t->to ? seq : t->to;
    if (t->next > last)
        return true;
    if (!take_stack(t, t->next))
        return false;
    uint64_t moments = (last - t->next) / t->step + 1;
    t->next = moments <= (UINT64_MAX - t->next) / t->step ? t->next + moments * t->step : UINT64_MAX;
    return true;
}

static bool end_thread(struct timeline *t)
{
    bool ok = take_until(t, t->to);
    close_spans(t, 0, t->to);
    t->found.count = 0;
    t->next = t->from;
    return ok;
}

static bool take_stretch(void *context, const struct hs_stretch *s)
{
    struct timeline *t = context;
    if (s->thread != t->thread && !end_thread(t))
        return false;
    t->thread = s->thread;
    uint64_t open_at = s->pause != NULL ? s->pause->begin + 1 : s->seq; /* nothing changed in the pause */
    if (open_at > t->from && !take_until(t, open_at - 1))
        return false;
    t->found.count = 0;
    for (size_t i = 0; i < s->frame_count; i++) {
        struct span *to = vec_push(&t->found);
        if (to == NULL)
            return false;
        *to = (struct span){ .method_id = s->methods[i], .entered = HS_NO_SEQ, .entry = s->entries[i] };
    }
    return t->left > 0;
}

static int take_stretches(struct timeline *t, const u32_vec *threads, struct hs_error *error)
{
    t->next = t->from;
    t->thread = threads->items[0];
    if (stretches_each(t->show.trace, threads, t->from, t->to, 0, take_stretch, t, error) != 0)
        return -1;
    return end_thread(t) ? 0 : -1;
}

/* ---- event by event ---- */

/* A call ends; those inside of it that ended without an event do, too. */
static void leave(struct timeline *t, uint32_t method_id, uint64_t seq)
{
    size_t i = t->open.count;
    while (i > 0 && t->open.items[i - 1].method_id != method_id)
        i--;
    if (i > 0)
        close_spans(t, i - 1, seq);
}

/* The calls of a thread that are open where the walk begins. */
static int begin_walk(struct timeline *t, struct hs_error *error)
{
    const struct hs_event *last;
    int more = t->from > 0 ? hs_last_event(t->show.trace, t->thread, t->from - 1, &last, error) : 0;
    return more < 0 || (more > 0 && (!find_stack(t, last, t->from, error) || !take_stack(t, t->from))) ? -1 : 0;
}

static bool apply(struct timeline *t, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(t->show.trace, e->dataid);
    if (d == NULL) /* damage, or no memory: the trace says so in the end */
        return true;
    if (event_has(d->event, USE_LEAVE)) {
        leave(t, d->method_id, e->seq);
        return true;
    }
    struct span *s = vec_push(&t->open);
    if (s != NULL)
        *s = (struct span){ .method_id = d->method_id, .entered = e->seq, .from = e->seq };
    return s != NULL;
}

/* Walks over the events of these threads (rising); `open`: of each its calls. */
static int walk_threads(struct timeline *t, const uint32_t *threads, size_t count, span_vec *open,
                        struct hs_error *error)
{
    unsigned types[EVENT_LIMIT];
    hs_cursor *events;
    const struct hs_event *e;
    struct hs_filter filter = HS_FILTER_ALL;
    int more;
    bool room = true;
    for (size_t i = 0; i < count; i++) {
        t->thread = threads[i];
        t->open = open[i];
        int failed = begin_walk(t, error);
        open[i] = t->open;
        t->open = (span_vec){ 0 };
        if (failed != 0)
            return -1;
    }
    filter.from = t->from;
    filter.to = t->to;
    filter.threads = threads;
    filter.thread_count = count;
    filter.events = types;
    for (unsigned event = 0; event < EVENT_LIMIT; event++)
        if (event_has(event, USE_ENTER | USE_LEAVE))
            types[filter.event_count++] = event;
    if (hs_events_open(t->show.trace, &filter, &events, error) != 0)
        return -1;
    while (room && (more = hs_event_next(events, &e, error)) > 0 && t->left > 0) {
        size_t at;
        LOWER_BOUND(at, count, threads[at] < e->thread);
        t->thread = e->thread;
        t->open = open[at];
        room = apply(t, e);
        open[at] = t->open;
        t->open = (span_vec){ 0 };
    }
    hs_cursor_close(events);
    return !room || more < 0 ? -1 : 0;
}

static int walk(struct timeline *t, const uint32_t *threads, size_t count, struct hs_error *error)
{
    span_vec *open = calloc(count, sizeof *open);
    int failed = open != NULL ? walk_threads(t, threads, count, open, error) : -1;
    for (size_t i = 0; open != NULL && i < count; i++) {
        t->thread = threads[i];
        t->open = open[i];
        if (failed == 0)
            close_spans(t, 0, t->to);
        vec_free(&t->open);
    }
    free(open);
    return failed;
}

static int show_threads(struct timeline *t, const u32_vec *threads, struct hs_error *error)
{
    uint64_t events = t->to - t->from;
    if (t->args->fast && events < STRETCHES_LEAST)
        return walk(t, threads->items, threads->count, error);
    if (t->args->fast && take_stretches(t, threads, error) == 0)
        return 0;
    if (t->args->fast && error->code != HS_ERR_NOT_FOUND)
        return -1;
    const size_t together = events < WALK_MAX ? 1 : TOGETHER;
    int failed = 0;
    for (size_t i = 0; i < threads->count && t->left > 0 && failed == 0; i += together) {
        const uint32_t *some = &threads->items[i];
        const size_t count = threads->count - i < together ? threads->count - i : together;
        failed = events < WALK_MAX ? walk(t, some, count, error) : sample_threads(t, some, count, error);
    }
    return failed;
}

static int run(struct session *s, const struct args *a)
{
    struct hs_error error = HS_ERROR_INIT;
    struct timeline t = { .args = a, .from = a->from, .to = a->to, .left = a->common.limit };
    u32_vec threads = { 0 };
    uint64_t events = hs_event_count(s->trace), buckets = a->buckets;
    int status = names_threads(s, a->thread != NULL ? a->thread : "*", &threads), failed = 0;
    if (status != PARSED)
        goto out;
    if (!show_init(&t.show, s->trace, &s->out)) {
        status = cli_fail(EXIT_FAILED, s->context, "out of memory");
        goto out;
    }
    if (events > 0 && t.from < events) {
        t.to = t.to < events ? t.to : events - 1;
        t.step = (t.to - t.from) / buckets + 1;
        failed = show_threads(&t, &threads, &error);
    }
    show_done(&t.show);
out:
    vec_free(&t.open);
    vec_free(&t.found);
    vec_free(&threads);
    if (failed != 0)
        return session_fail(s, "%s", *error.text != '\0' ? error.text : "out of memory");
    if (status == PARSED)
        names_empty_without(s, a->common.limit - t.left, a->common.limit, "call at these moments", USE_ENTER);
    return session_close(s, status == PARSED ? EXIT_DONE : status);
}

int cmd_timeline(struct context *context)
{
    struct args a = { .to = UINT64_MAX, .buckets = BUCKETS_DEFAULT, .depth = UINT64_MAX };
    struct session s;
    int status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    if (a.buckets == 0 || a.buckets > BUCKETS_MAX)
        status = cli_fail(EXIT_USAGE, context, "--buckets wants a number from 1 to %d", BUCKETS_MAX);
    if (status == PARSED)
        status = names_range(&s, a.from, a.to);
    return status == PARSED ? run(&s, &a) : session_close(&s, status);
}
