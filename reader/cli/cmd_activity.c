/* cmd_activity.c - `hindsight activity`: how much each thread did, in parts of equal width; with --pauses, when it did
 * nothing. In a large part of a trace both come from the index alone (stretches.h). */
#include <stdlib.h>
#include <string.h>

#include "reader/analysis/stretches.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t from, to, buckets, least_ns;
    const char *thread;
    bool pauses;
};
static const struct option_row options[] = {
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "begin at this event" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "end at this event" },
    { "buckets", 'b', "N", OPTION_U64, offsetof(struct args, buckets), "the number of parts (default 100)" },
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread), "number, name or glob (default: all)" },
    { "pauses", 0, NULL, OPTION_FLAG, offsetof(struct args, pauses), "the pauses of the threads, the longest first" },
    { "least", 0, "NS", OPTION_U64, offsetof(struct args, least_ns),
      "with --pauses, those of at least this many nanoseconds (default and least: 1000000)" },
    { 0 },
};
const struct usage usage_activity = {
    .about =
        "Prints for each thread and part its events, the calls that began, the calls that were left by an "
        "exception, and the least and greatest number of open calls. Of 262144 events and more it is taken from "
        "the index, in stretches of 4096 events of one thread (of more than two billion events several are one): a "
        "part has the stretches that begin in it; where they begin is estimated if there are several threads, off by "
        "4096 events for each other thread at most. With "
        "--pauses: the times in which a thread had no event, and its event before: it waited for a lock, or ran "
        "code that is not woven. A thread that has not ended has one up to the end of the recording.",
    .example = "hindsight activity --buckets 10",
    .options = options,
};

enum { BUCKETS_DEFAULT = 100, BUCKETS_MAX = 100000 };

struct part {
    uint32_t thread;
    uint64_t bucket, from, to, events, calls, exceptions, begin_ns;
    uint64_t least, most; /* open calls; most 0: not known */
};
struct pause {
    struct hs_pause pause;
    uint64_t end; /* seq of the event behind it; HS_NO_SEQ: there is none */
    uint64_t begin_ns;
    uint32_t thread;
};

struct activity {
    struct show show;
    const struct args *args;
    uint64_t from, to, step, left;
    VEC(struct part) parts;
    VEC(struct pause) pauses;
    bool no_memory;
};

/* Has the table a heading: is it text, with rows? */
static bool heads(struct activity *a, size_t rows) { return !a->args->common.json && rows > 0 && a->left > 0; }

/* ---- parts ---- */

#define ROWS "reader/answers/parts.def"
#define ROW  const struct part *p
#include "reader/answers/row.h"

static void show_part(struct activity *a, const struct part *p)
{
    struct out *o = a->show.out;
    if (!a->args->common.json) {
        out_format(o, "%6u %14llu %14llu %10llu %10llu %10llu", p->thread, (unsigned long long)p->from,
                   (unsigned long long)p->to, (unsigned long long)p->events, (unsigned long long)p->calls,
                   (unsigned long long)p->exceptions);
        if (p->most > 0)
            out_format(o, " %6llu %6llu", (unsigned long long)p->least, (unsigned long long)p->most);
        out_line(o, "");
        return;
    }
    parts_json(o, p);
}

static void join(struct part *to, const struct part *more)
{
    to->to = more->to;
    to->events += more->events;
    to->calls += more->calls;
    to->exceptions += more->exceptions;
    to->least = more->least < to->least ? more->least : to->least;
    to->most = more->most > to->most ? more->most : to->most;
}

static int by_thread(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void show_parts(struct activity *a)
{
    if (a->parts.count > 1)
        qsort(a->parts.items, a->parts.count, sizeof *a->parts.items, by_thread);
    if (heads(a, a->parts.count))
        out_format(a->show.out, "%6s %14s %14s %10s %10s %10s %6s %6s\n", "thread", "from", "to", "events", "calls",
                   "exceptions", "least", "most");
    for (size_t i = 0; i < a->parts.count && a->left > 0; i++, a->left--) {
        struct part sum = a->parts.items[i];
        for (; i + 1 < a->parts.count && a->parts.items[i + 1].thread == sum.thread &&
               a->parts.items[i + 1].bucket == sum.bucket;
             i++)
            join(&sum, &a->parts.items[i + 1]);
        show_part(a, &sum);
    }
}

static bool add_stretch(void *context, const struct hs_stretch *s)
{
    struct activity *a = context;
    struct part *last = a->parts.count > 0 ? &a->parts.items[a->parts.count - 1] : NULL;
    struct part p = { .thread = s->thread,
                      .bucket = s->seq > a->from ? (s->seq - a->from) / a->step : 0,
                      .from = s->seq,
                      .to = s->last < a->to ? s->last : a->to,
                      .events = s->events,
                      .calls = s->calls,
                      .exceptions = s->exceptions,
                      .begin_ns = s->begin_ns,
                      .least = s->least,
                      .most = s->most };
    if (s->events == 0)
        return true;
    if (last != NULL && last->thread == p.thread && last->bucket == p.bucket) {
        join(last, &p);
        return true;
    }
    struct part *to = vec_push(&a->parts);
    if (to != NULL)
        *to = p;
    a->no_memory = to == NULL;
    return to != NULL;
}

/* ---- pauses ---- */

static bool add_pause(void *context, const struct hs_stretch *s)
{
    struct activity *a = context;
    if (s->pause == NULL || s->pause->ns < a->args->least_ns || s->seq < a->from || s->pause->begin > a->to)
        return true;
    struct pause *p = vec_push(&a->pauses);
    if (p != NULL)
        *p = (struct pause){ *s->pause, s->seq, s->begin_ns - s->pause->ns, s->thread };
    a->no_memory = p == NULL;
    return p != NULL;
}

static uint64_t time_of(hs_trace *t, const struct hs_event *e)
{
    return e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(t, e->stamp);
}

/* The time since the last event of a thread that has not ended. Threads have other numbers after each start of
 * recording: of those before, it is not known. */
static bool add_open_pause(struct activity *a, const struct hs_thread *thread, uint64_t until_ns,
                           struct hs_error *error)
{
    hs_trace *t = a->show.trace;
    const struct hs_event *e;
    const int found = hs_last_event(t, thread->thread, HS_NO_SEQ, &e, error);
    if (found <= 0)
        return found == 0;
    const uint64_t begin_ns = time_of(t, e);
    if (begin_ns == HS_NO_TIME || begin_ns > until_ns || until_ns - begin_ns < a->args->least_ns || e->seq > a->to ||
        hs_next_start(t, e->seq) != HS_NO_SEQ)
        return true;
    struct pause *p = vec_push(&a->pauses);
    a->no_memory = p == NULL;
    if (p != NULL)
        *p = (struct pause){
            { until_ns - begin_ns, e->seq, e->dataid, e->value, e->kind }, HS_NO_SEQ, begin_ns, e->thread
        };
    return p != NULL;
}

/* If the part that is asked for goes on to the end of the recording. False: `*error` says why, or no memory. */
static bool add_open_pauses(struct activity *a, const u32_vec *threads, struct hs_error *error)
{
    hs_trace *t = a->show.trace;
    const uint64_t until_ns = hs_recording_end_ns(t);
    bool ok = true;
    if (a->to + 1 < hs_event_count(t))
        return true;
    for (size_t i = 0; ok && i < threads->count; i++) {
        const struct hs_thread *thread = hs_thread_get(t, threads->items[i]);
        if (thread != NULL && thread->events > 0 && thread->end_ns == HS_NO_TIME)
            ok = add_open_pause(a, thread, until_ns, error);
    }
    return ok;
}

static int longest_first(const void *a, const void *b)
{
    const struct pause *x = a, *y = b;
    if (x->pause.ns != y->pause.ns)
        return x->pause.ns > y->pause.ns ? -1 : 1;
    if (x->pause.begin != y->pause.begin)
        return x->pause.begin < y->pause.begin ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void value_member(struct show *s, const struct hs_event *at)
{
    if (!show_has_value(s, at))
        return;
    json_name(&s->out->json, "value");
    show_value_json(s, at->kind, at->value);
}

#define ROWS "reader/answers/pauses.def"
#define ROW  struct show *show, const struct pause *p, const struct hs_dataid *d, const struct hs_event *at
#include "reader/answers/row.h"

static void show_pause(struct activity *a, const struct pause *p)
{
    const struct hs_dataid *d = hs_dataid_get(a->show.trace, p->pause.dataid);
    const struct hs_event at = { .dataid = p->pause.dataid, .kind = p->pause.kind, .value = p->pause.value };
    struct out *o = a->show.out;
    if (d == NULL)
        return;
    if (!a->args->common.json) {
        out_format(o, "%6u %14llu ", p->thread, (unsigned long long)p->pause.begin);
        if (p->end != HS_NO_SEQ)
            out_format(o, "%14llu", (unsigned long long)p->end);
        else
            out_format(o, "%14s", "end");
        out_format(o, " %14llu ns  %-22s ", (unsigned long long)p->pause.ns, hs_event_name(d->event));
        show_place_text(&a->show, d);
        if (show_has_value(&a->show, &at)) {
            out_text(o, "  ");
            show_value_text(&a->show, at.kind, at.value);
        }
        out_line(o, "");
        return;
    }
    pauses_json(o, &a->show, p, d, &at);
}

static void show_pauses(struct activity *a)
{
    if (a->pauses.count > 1)
        qsort(a->pauses.items, a->pauses.count, sizeof *a->pauses.items, longest_first);
    if (heads(a, a->pauses.count))
        out_format(a->show.out, "%6s %14s %14s %17s  %-22s %s\n", "thread", "from", "to", "pause", "in event", "where");
    for (size_t i = 0; i < a->pauses.count && i < a->left; i++)
        show_pause(a, &a->pauses.items[i]);
}

/* ---- the command ---- */

static int run(struct session *s, const struct args *args)
{
    struct hs_error error = HS_ERROR_INIT;
    struct activity a = { .args = args, .from = args->from, .to = args->to, .left = args->common.limit };
    u32_vec threads = { 0 };
    uint64_t events = hs_event_count(s->trace);
    int status = names_threads(s, args->thread != NULL ? args->thread : "*", &threads), failed = 0;
    if (status != PARSED)
        goto out;
    if (!show_init(&a.show, s->trace, &s->out)) {
        status = cli_fail(EXIT_FAILED, s->context, "out of memory");
        goto out;
    }
    if (events > 0 && a.from < events) {
        a.to = a.to < events ? a.to : events - 1;
        a.step = (a.to - a.from) / args->buckets + 1;
        failed = stretches_each(s->trace, &threads, a.from, a.to, a.step, args->pauses ? add_pause : add_stretch, &a,
                                &error);
        if (failed == 0 && args->pauses && !a.no_memory && !add_open_pauses(&a, &threads, &error))
            failed = -1;
    }
    if (failed == 0 && !a.no_memory)
        (args->pauses ? show_pauses : show_parts)(&a);
    show_done(&a.show);
out:
    vec_free(&a.parts);
    vec_free(&a.pauses);
    vec_free(&threads);
    if (failed != 0 || a.no_memory)
        return session_fail(s, "%s", *error.text != '\0' ? error.text : "out of memory");
    return session_close(s, status == PARSED ? EXIT_DONE : status);
}

int cmd_activity(struct context *context)
{
    struct args a = { .to = UINT64_MAX, .buckets = BUCKETS_DEFAULT };
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
