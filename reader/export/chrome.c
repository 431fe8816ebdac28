/* chrome.c - the format chrome: Trace Event JSON, for Perfetto, speedscope, chrome://tracing and others.
 *
 *     {"ph":"B","ts":12.345,"pid":1,"tid":1,"name":"a.B.m","cat":"call"}  a call begins
 *     {"ph":"E","ts":13.001,"pid":1,"tid":1,"name":"a.B.m","cat":"call"}  and ends
 *     "ph":"i"                                                            a mark, a hole, an exception that is new
 *     "ph":"s" and "f" with one id                                        a monitor goes from one thread to another
 *     "ph":"M"                                                            names of threads
 *
 * The category of an end says what its time is not: "call,below_clock" no measurement, since the clock of the recording
 * could not measure it; "call,not_left" no end of the call, but of what is known of it.
 *
 * ts are microseconds with three decimals. A thread has the tid number + 1, since readers give 0 a meaning of its own.
 * Google, "Trace Event Format" (document 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU). */
#include "formats/event.h"
#include "reader/command/show.h"
#include "reader/export/call_events.h"
#include "reader/export/holes.h"
#include "reader/export/locks.h"
#include "reader/export/throws.h"

struct chrome {
    struct export_job *job;
    struct call_events calls;
    struct show show;
    struct locks locks;
    struct throws throws;
    bool first; /* nothing stands in the list yet */
    uint64_t flows;
};

/* Begins an event: {"name":.. up to "tid", the object stays open. */
static struct json *event(struct chrome *c, const char *phase, uint64_t time_ns, uint32_t thread)
{
    struct json *j = &c->job->out->json;
    char digits[32];
    out_bytes(c->job->out, ",\n", c->first ? 0 : 2);
    c->first = false;
    json_object(j);
    json_member_text(j, "ph", phase);
    json_name(j, "ts");
    json_raw(j);
    int n = snprintf(digits, sizeof digits, "%llu.%03llu", (unsigned long long)(time_ns / 1000),
                     (unsigned long long)(time_ns % 1000));
    out_bytes(c->job->out, digits, (size_t)n);
    json_member_u64(j, "pid", 1);
    json_member_u64(j, "tid", (uint64_t)thread + 1);
    return j;
}

static void method_name(struct chrome *c, struct json *j, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(c->job->trace, method_id);
    const struct hs_class *k = m != NULL ? hs_class_get(c->job->trace, m->class_no) : NULL;
    json_name(j, "name");
    json_text_begin(j);
    out_json_name_part(c->job->out, k != NULL ? k->name : "?");
    json_text_part(j, ".", 1);
    out_json_name_part(c->job->out, m != NULL ? m->name : "?");
    json_text_end(j);
}

/* Begin and end have the same name and no args: speedscope takes calls with other args for calls of another method. */
static void call(struct chrome *c, const struct call_step *s)
{
    struct json *j = event(c, s->kind == CALL_BEGINS ? "B" : "E", s->time_ns, s->thread);
    method_name(c, j, s->call->method_id);
    const bool below = s->kind == CALL_ENDS && call_below_clock(&c->calls, s),
               cut = s->kind == CALL_ENDS && s->event == NULL;
    json_member_text(j, "cat",
                     below && cut ? "call,below_clock,not_left"
                     : below      ? "call,below_clock"
                     : cut        ? "call,not_left"
                                  : "call");
    json_end(j);
}

/* An arrow from where the monitor was given back to where it is taken. Viewers sort by time, so the first half may come
 * behind later events. */
static void handed_over(struct chrome *c, const struct call_step *s, const struct lock_release *from, uint32_t object)
{
    for (int end = 0; end < 2; end++) {
        struct json *j = event(c, end ? "f" : "s", end ? s->time_ns : from->time_ns, end ? s->thread : from->thread);
        if (end)
            json_member_text(j, "bp", "e"); /* to the call that encloses the time */
        json_member_text(j, "name", "monitor");
        json_member_text(j, "cat", "lock");
        json_member_u64(j, "id", c->flows);
        json_name(j, "args");
        json_object(j);
        json_name(j, "object");
        show_reference_json(&c->show, object);
        json_end(j);
        json_end(j);
    }
    c->flows++;
}

/* A moment inside of a call; its `args` have the event so far. Ended by instant_end. */
static struct json *instant(struct chrome *c, const struct call_step *s, const char *name, const char *category)
{
    struct json *j = event(c, "i", s->time_ns, s->thread);
    json_member_text(j, "name", name);
    json_member_text(j, "cat", category);
    json_member_text(j, "s", "t"); /* of the thread */
    json_name(j, "args");
    json_object(j);
    json_member_u64(j, "seq", s->event->seq);
    return j;
}

static void instant_end(struct json *j)
{
    json_end(j);
    json_end(j);
}

static void thrown(struct chrome *c, const struct call_step *s)
{
    struct json *j = instant(c, s, "throw", "exception");
    json_name(j, "exception");
    show_value_json(&c->show, s->event->kind, s->event->value);
    instant_end(j);
}

/* Where events of a call are missing (percall=), with their number so far. */
static void left_out(struct chrome *c, const struct call_step *s)
{
    struct json *j = instant(c, s, "events left out", "hole");
    json_member_u64(j, "left_out", s->event->value);
    instant_end(j);
}

static void step(struct chrome *c, const struct call_step *s)
{
    const struct lock_release *from;
    uint32_t object;
    const enum lock_use use = lock_use_of(c->job->trace, s, &object);
    if (s->kind == CALL_BEGINS)
        call(c, s);
    if (use == LOCK_GIVEN_BACK)
        locks_given_back(&c->locks, s, object);
    else if (use == LOCK_TAKEN && (from = locks_taken_from(&c->locks, s, object)) != NULL)
        handed_over(c, s, from, object);
    if (throws_here(&c->throws, s))
        thrown(c, s);
    if (s->kind == CALL_INSIDE && s->dataid != NULL && s->dataid->event == HS_EVENT_EVENTS_LEFT_OUT)
        left_out(c, s);
    if (s->kind == CALL_ENDS)
        call(c, s);
}

static void thread_names(struct chrome *c)
{
    const struct hs_thread *t;
    hs_cursor *threads;
    if (hs_threads_open(c->job->trace, &threads, NULL) != 0) {
        (void)export_fail(c->job, "out of memory");
        return;
    }
    while (hs_thread_next(threads, &t, NULL) > 0) {
        struct json *j = event(c, "M", 0, t->thread);
        json_member_text(j, "name", "thread_name");
        json_name(j, "args");
        json_object(j);
        out_member_name(c->job->out, "name", t->name);
        json_end(j);
        json_end(j);
    }
    hs_cursor_close(threads);
}

static void marks(struct chrome *c)
{
    const struct hs_mark *m;
    hs_cursor *marks;
    if (hs_marks_open(c->job->trace, &marks, NULL) != 0) {
        (void)export_fail(c->job, "out of memory");
        return;
    }
    while (hs_mark_next(marks, &m, NULL) > 0) {
        struct json *j = event(c, "i", call_time_of(&c->calls, m->first, m->begin_ns), 0);
        out_member_name(c->job->out, "name", m->name);
        json_member_text(j, "cat", "mark");
        json_member_text(j, "s", "g"); /* across all threads */
        json_name(j, "args");
        json_object(j);
        json_member_u64(j, "seq", m->first);
        json_member_u64(j, "events", m->events);
        if (m->end_ns != HS_NO_TIME)
            json_member_u64(j, "duration_ns", m->end_ns - m->begin_ns);
        json_end(j);
        json_end(j);
    }
    hs_cursor_close(marks);
}

static void hole(struct chrome *c, const struct hole *h)
{
    struct json *j = event(c, "i", h->begin_ns, 0);
    json_member_text(j, "name", h->what);
    json_member_text(j, "cat", "hole");
    json_member_text(j, "s", "g");
    json_name(j, "args");
    json_object(j);
    if (h->seq != HS_NO_SEQ)
        json_member_u64(j, "seq", h->seq);
    json_member_u64(j, "duration_ns", h->end_ns - h->begin_ns);
    if (h->events > 0)
        json_member_u64(j, "events", h->events);
    if (h->reason[0] != '\0')
        json_member_text(j, "reason", h->reason);
    instant_end(j);
}

bool export_chrome(struct export_job *x)
{
    struct chrome c = { .job = x, .first = true };
    hole_vec holes = { 0 };
    struct call_step s;
    if (!locks_init(&c.locks) || !show_init(&c.show, x->trace, x->out)) {
        locks_done(&c.locks);
        return export_fail(x, "out of memory");
    }
    if (throws_init(&c.throws, x) && call_events_open(&c.calls, x) && holes_read(&c.calls, &holes)) {
        out_format(x->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        thread_names(&c);
        marks(&c);
        for (size_t i = 0; i < holes.count; i++)
            hole(&c, &holes.items[i]);
        while (call_events_next(&c.calls, &s))
            step(&c, &s);
        out_format(x->out, "\n]}\n");
    }
    vec_free(&holes);
    call_events_done(&c.calls);
    show_done(&c.show);
    locks_done(&c.locks);
    throws_done(&c.throws);
    export_unwoven(x, "call", USE_ENTER);
    return export_ok(x);
}
