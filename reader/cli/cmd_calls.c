/* cmd_calls.c - `hindsight calls C.m`: every call of a method as a row. */
#include <stdlib.h>
#include <string.h>

#include "reader/cli/call_rows.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *where, *thread, *sort;
    uint64_t from, to, slowest, open;
    bool csv;
};
static const struct option_row options[] = {
    { "where", 0, "EXPR", OPTION_TEXT, offsetof(struct args, where),
      "only calls of which this is true as they end, a Java expression: result, exception, args[0], caller, stack, "
      "parameters, fields" },
    { "sort", 0, "begin|end|duration|events|result|caller|thread", OPTION_CHOICE, offsetof(struct args, sort),
      "by this column; the greatest duration, events or result first" },
    { "slowest", 0, "N", OPTION_U64, offsetof(struct args, slowest),
      "the N calls that took longest; of those that the clock cannot distinguish, those with most events" },
    { "thread", 0, "N", OPTION_TEXT, offsetof(struct args, thread), "only this thread: its number or name" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "first event that counts" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "last event that counts" },
    { "open", 0, "BEGIN", OPTION_U64, offsetof(struct args, open),
      "what a call did, that begins with this event or in which it lies: its lines with the values written and the "
      "calls made" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_calls = {
    .source = true,
    .about = "Every call of Class.method (or Class.method(int, String), or a glob): arguments as passed, result or "
             "exception, time, caller, thread. Rows come in the order in which calls ended, those that were not left "
             "last. A duration that the clock cannot know is - (see report).",
    .example = "hindsight calls Main.half --where 'args[0] > 1 || exception != null'",
    .options = options,
};

#define ROWS "reader/answers/called.def"
#define ROW  struct show *show, const struct called_row *x
#include "reader/answers/row.h"

#define ROWS "reader/answers/called.def"
#define ROW  const struct called_row *x
#include "reader/answers/plain_row.h"

enum { KEPT_MAX = 1 << 19 }; /* calls that are sorted */

struct view {
    const struct args *args;
    struct session *session;
    struct show show;
    struct plain_row plain; /* of --csv */
    struct arena arena;
    VEC(struct called_row) kept;
    int (*order)(const void *a, const void *b);
    uint64_t shown, undecided;
    bool full;
};

/* ---- orders ---- */

#define RISING(x, y) (((x) > (y)) - ((x) < (y)))

static int by_begin(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    return x->begin != y->begin ? RISING(x->begin, y->begin) : RISING(x->end, y->end);
}
static int by_end(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    return RISING(x->end, y->end);
}
static int by_events(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    const uint64_t m = x->events != HS_NO_SEQ ? x->events : 0, n = y->events != HS_NO_SEQ ? y->events : 0;
    return m != n ? RISING(n, m) : by_begin(a, b);
}
static int by_duration(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    const uint64_t m = x->known_ns ? x->ns : 0, n = y->known_ns ? y->ns : 0;
    return m != n ? RISING(n, m) : by_events(a, b);
}
static double number_of(const struct called_row *x)
{
    union {
        uint64_t bits;
        double d;
    } wide = { .bits = x->result.bits };
    union {
        uint32_t bits;
        float f;
    } narrow = { .bits = (uint32_t)x->result.bits };
    if (!x->has_result)
        return x->threw ? -1e308 : -1.7e308;
    return x->result.kind == 'D'   ? wide.d
           : x->result.kind == 'F' ? (double)narrow.f
           : x->result.kind == 'L' ? (double)x->result.bits
                                   : (double)(int64_t)x->result.bits;
}
static int by_result(const void *a, const void *b)
{
    const double x = number_of(a), y = number_of(b);
    return x < y || x > y ? RISING(y, x) : by_begin(a, b);
}
static int by_caller(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    const int order = strcmp(x->caller != NULL ? x->caller : "", y->caller != NULL ? y->caller : "");
    return order != 0                         ? order
           : x->caller_line != y->caller_line ? RISING(x->caller_line, y->caller_line)
                                              : by_begin(a, b);
}
static int by_thread(const void *a, const void *b)
{
    const struct called_row *x = a, *y = b;
    return x->thread != y->thread ? RISING(x->thread, y->thread) : by_begin(a, b);
}

static const struct {
    const char *name;
    int (*order)(const void *a, const void *b);
} orders[] = {
    { "begin", by_begin },   { "end", by_end },       { "duration", by_duration }, { "events", by_events },
    { "result", by_result }, { "caller", by_caller }, { "thread", by_thread },
};

/* ---- rows ---- */

static void show_row(struct view *v, const struct called_row *x)
{
    v->show.at = x->end;
    v->show.bare_boxes = true;
    if (v->args->common.json) {
        called_json(v->show.out, &v->show, x);
    } else if (v->args->csv) {
        v->plain.show.at = x->end;
        called_plain(&v->plain, x);
        plain_csv(v->show.out, &v->plain);
    } else {
        called_text(v->show.out, &v->show, x);
    }
    v->shown++;
}

/* Of --slowest only the slowest so far are kept: from time to time the others are dropped. */
static void drop_fast(struct view *v, uint64_t keep)
{
    if (v->kept.count > 0)
        qsort(v->kept.items, v->kept.count, sizeof *v->kept.items, v->order);
    if (v->kept.count <= keep)
        return;
    struct arena kept = { 0 };
    v->kept.count = (size_t)keep;
    for (size_t i = 0; i < v->kept.count; i++)
        v->full |= !called_row_keep(&v->kept.items[i], &kept);
    arena_done(&v->arena);
    v->arena = kept;
}

static void take(struct view *v, const struct called_row *x)
{
    const uint64_t slowest = v->args->slowest;
    if (v->order == NULL) {
        show_row(v, x);
        return;
    }
    if (slowest > 0 && slowest < KEPT_MAX / 2 && v->kept.count >= 2 * slowest + 1000)
        drop_fast(v, slowest);
    struct called_row *to = v->kept.count < KEPT_MAX ? vec_push(&v->kept) : NULL;
    v->full |= to == NULL;
    if (to != NULL)
        *to = *x;
}

/* The arena of a row that is not kept is free again. */
static void forget(struct view *v)
{
    if (v->order == NULL) {
        arena_done(&v->arena);
        v->arena = (struct arena){ 0 };
    }
}

static bool wants_more(const struct view *v)
{
    return !v->full && v->show.out->failed == 0 && (v->order != NULL || v->shown < v->args->common.limit);
}

static int take_ended(struct view *v, const struct hs_watch_options *o, struct hs_error *error)
{
    const struct hs_watched *row;
    struct called_row x;
    hs_cursor *watch;
    int more = 0;
    if (hs_watch_open(v->show.trace, o, &watch, error) != 0)
        return -1;
    if (v->args->csv) {
        called_plain_names(&v->plain);
        plain_csv_heading(v->show.out, &v->plain);
    } else if (!v->args->common.json) {
        called_heading(v->show.out);
    }
    while (wants_more(v) && (more = hs_watched_next(watch, &row, error)) > 0) {
        const int found = called_row_at(v->show.trace, row->event, &v->arena, &x, error);
        if (found > 0)
            take(v, &x);
        forget(v);
        if (found < 0) {
            more = -1;
            break;
        }
    }
    v->undecided = hs_watch_undecided(watch);
    hs_cursor_close(watch);
    return more < 0 ? -1 : 0;
}

/* Is it the method of the place? */
static bool is_method(hs_trace *t, const struct hs_frame *f, const char *class_glob, const char *method_glob)
{
    const struct hs_method *m = hs_method_get(t, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL && hs_class_matches(class_glob, c->name) && hs_method_matches(method_glob, m->name, m->desc);
}

/* The calls of a thread that run at event `last`. */
static int take_open_at(struct view *v, uint64_t last, const char *class_glob, const char *method_glob,
                        struct hs_error *error)
{
    VEC(const struct hs_frame *) all = { 0 };
    const struct hs_frame *frame, **to;
    struct called_row x;
    hs_cursor *frames;
    int more;
    if (hs_frames_open(v->show.trace, last, &frames, error) != 0)
        return -1;
    while ((more = hs_frame_next(frames, &frame, error)) > 0 && (to = vec_push(&all)) != NULL)
        *to = frame;
    for (size_t i = 0; more == 0 && i < all.count && wants_more(v); i++) {
        if (!is_method(v->show.trace, all.items[i], class_glob, method_glob) || all.items[i]->entered < v->args->from ||
            (all.items[i]->entered > v->args->to))
            continue;
        if (called_row_of(v->show.trace, all.items[i], i + 1 < all.count ? all.items[i + 1] : NULL, &v->arena, &x) &&
            x.c != NULL)
            take(v, &x);
        forget(v);
    }
    vec_free(&all);
    hs_cursor_close(frames);
    return more < 0 ? -1 : 0;
}

static bool is_chosen(const struct hs_watch_options *o, uint32_t thread)
{
    for (size_t i = 0; i < o->thread_count; i++)
        if (o->threads[i] == thread)
            return true;
    return o->thread_count == 0;
}

/* The calls that were not left: those in the frames of each thread at its last event. */
static int take_open(struct view *v, const struct hs_watch_options *o, const char *class_glob, const char *method_glob,
                     struct hs_error *error)
{
    hs_trace *t = v->show.trace;
    const struct hs_thread *thread;
    const struct hs_event *last;
    hs_cursor *threads;
    int more = 0, failed = 0;
    if (v->args->where != NULL) /* it is asked as calls end */
        return 0;
    if (hs_threads_open(t, &threads, error) != 0)
        return -1;
    while (failed == 0 && wants_more(v) && (more = hs_thread_next(threads, &thread, error)) > 0) {
        if (thread->events == 0 || !is_chosen(o, thread->thread))
            continue;
        const int found = hs_last_event(t, thread->thread, HS_NO_SEQ, &last, error);
        const struct hs_dataid *d = found > 0 ? hs_dataid_get(t, last->dataid) : NULL;
        failed = found < 0;
        if (d != NULL && !event_has(d->event, USE_LEAVE))
            failed = take_open_at(v, last->seq, class_glob, method_glob, error);
    }
    hs_cursor_close(threads);
    return failed != 0 || more < 0 ? -1 : 0;
}

static int show_kept(struct view *v)
{
    const uint64_t most = v->args->slowest > 0 ? v->args->slowest : UINT64_MAX;
    if (v->order == NULL)
        return 0;
    drop_fast(v, most);
    for (size_t i = 0; i < v->kept.count && v->shown < v->args->common.limit; i++)
        show_row(v, &v->kept.items[i]);
    return 0;
}

static int run(struct session *s, const struct args *a, struct hs_watch_options *o,
               int (*order)(const void *, const void *))
{
    struct view v = { .args = a, .session = s, .order = order };
    struct hs_error error = HS_ERROR_INIT;
    char *class_glob = strdup(o->place);
    const bool has_plain = class_glob != NULL && plain_init(&v.plain, s->trace);
    if (!has_plain || !show_init(&v.show, s->trace, &s->out)) {
        if (has_plain)
            plain_done(&v.plain);
        free(class_glob);
        return session_fail(s, "out of memory");
    }
    size_t dot = strcspn(class_glob, "(");
    while (dot > 0 && class_glob[dot - 1] != '.' && class_glob[dot - 1] != '#')
        dot--;
    if (dot > 0)
        class_glob[dot - 1] = '\0';
    int failed = take_ended(&v, o, &error);
    if (failed == 0 && wants_more(&v))
        failed = take_open(&v, o, class_glob, class_glob + dot, &error);
    if (failed == 0 && !v.full)
        failed = show_kept(&v);
    show_done(&v.show);
    plain_done(&v.plain);
    arena_done(&v.arena);
    vec_free(&v.kept);
    free(class_glob);
    if (failed != 0 && error.code == HS_ERR_USAGE)
        return session_close(s, cli_fail(EXIT_USAGE, s->context, "%s", error.text));
    if (failed != 0)
        return session_fail(s, "%s", error.text);
    if (v.full)
        return session_fail(s, "more than %d calls are to be sorted: choose with --where, --from or --thread",
                            KEPT_MAX);
    if (v.undecided > 0)
        (void)cli_fail(EXIT_DONE, s->context, "of %llu calls it is not known whether the condition was true",
                       (unsigned long long)v.undecided);
    names_empty_without(s, v.shown, a->common.limit, "call that satisfies every option", USE_ENTER);
    return session_close(s, v.undecided > 0 ? EXIT_INCOMPLETE : EXIT_DONE);
}

static int open_call(struct session *s, const struct args *a)
{
    struct hs_error error = HS_ERROR_INIT;
    struct show show;
    enum { LINES = 200 };
    if (!show_init(&show, s->trace, &s->out))
        return session_fail(s, "out of memory");
    show.bare_boxes = true;
    const int failed =
        call_open(&show, a->open, a->common.limit < UINT64_MAX ? a->common.limit : LINES, a->common.json, &error);
    show_done(&show);
    return failed != 0 ? session_fail(s, "%s", error.text) : session_close(s, EXIT_DONE);
}

int cmd_calls(struct context *context)
{
    struct args a = { .to = UINT64_MAX, .open = HS_NO_SEQ };
    struct hs_watch_options o = HS_WATCH_OPTIONS_INIT;
    struct session s;
    u32_vec threads = { 0 };
    const char *place;
    int (*order)(const void *, const void *) = NULL;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &place);
    if (place == NULL && a.open == HS_NO_SEQ)
        return cli_fail(EXIT_USAGE, context, "the method is missing: Class.method");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (a.sort != NULL && strcmp(orders[i].name, a.sort) == 0)
            order = orders[i].order;
    if (a.sort != NULL && order == NULL)
        return cli_fail(EXIT_USAGE, context,
                        "--sort wants begin, end, duration, events, result, caller or thread, not '%s'", a.sort);
    if (a.csv && (a.common.json || a.open != HS_NO_SEQ))
        return cli_fail(EXIT_USAGE, context, "--csv and --%s: give one of them", a.common.json ? "json" : "open");
    if (a.slowest > 0 && a.sort != NULL)
        return cli_fail(EXIT_USAGE, context, "--slowest sorts by duration: leave out --sort");
    order = a.slowest > 0 ? by_duration : order;
    o.kind = HS_WATCH_EXIT;
    o.place = place;
    o.where = a.where;
    status = session_open_stream(&s, context, &a.common, trace);
    if (status != PARSED)
        return status;
    if (a.open != HS_NO_SEQ)
        return open_call(&s, &a);
    o.from = a.from;
    o.to = a.to;
    status = names_range_threads(&s, a.from, a.to, a.thread, &threads);
    o.threads = threads.items;
    o.thread_count = threads.count;
    status = status == PARSED ? run(&s, &a, &o, order) : session_close(&s, status);
    vec_free(&threads);
    return status;
}
