/* jfr.c - the format jfr: a recording of the JDK's Flight Recorder, for `jfr`, JDK Mission Control and speedscope.
 *
 *     hindsight.Call    a call, when it ends: how long it took, receiver, arguments, result or exception
 *     hindsight.Throw   an exception is seen for the first time (throws.h)
 *     hindsight.Write   a field or an element of an array was written
 *     hindsight.Lock    a monitor was taken: how long the thread waited, which thread had it before
 *     jdk.ExecutionSample  the calls that are open in a thread, at regular times: what profilers show
 *
 * The file is written in chunks, see jfr_chunk.h. */
#include "reader/export/holes.h"
#include "reader/export/jfr_chunk.h"
#include "reader/export/locks.h"
#include "reader/export/throws.h"
#include "reader/export/words.h"

/* A sample is taken each millisecond, or of a long recording so that there are this many of a thread. */
#define SAMPLE_LEAST_NS UINT64_C(1000000)
enum { SAMPLES = 10000 };

struct jfr {
    struct export_job *job;
    struct call_events calls;
    struct words words;
    struct locks locks;
    struct throws throws;
    struct jfr_chunk chunk;
    uint64_t sample_ns;
    MAP(struct sampled {
        uint64_t key; /* thread + 1 */
        uint64_t last_ns;
        uint32_t taken;
    })
    sampled;
};

/* The fields that all events of a thread begin with. */
static void event_begin(struct jfr *f, enum jfr_type type, const struct call_step *s, uint64_t begin_ns)
{
    jfr_event_begin(&f->chunk, type, begin_ns);
    if (type == JFR_TYPE_CALL || type == JFR_TYPE_LOCK)
        jfr_number(&f->chunk, s->time_ns - begin_ns);
    jfr_thread(&f->chunk, s->thread);
    /* the call that ends is behind those that are open */
    jfr_stack(&f->chunk, s->in->calls.items, s->in->calls.count + (s->kind == CALL_ENDS));
}

static void value(struct jfr *f, struct call_value v)
{
    jfr_text(&f->chunk, v.kind != HS_KIND_VOID ? words_value(&f->words, v) : NULL);
}

static void call(struct jfr *f, const struct call_step *s)
{
    const struct call_value none = { 0, HS_KIND_VOID };
    const struct call_value end = s->event != NULL ? (struct call_value){ s->event->value, s->event->kind } : none;
    const bool threw = s->dataid != NULL && s->dataid->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
    const uint64_t took = s->time_ns - s->call->begun_ns;
    event_begin(f, JFR_TYPE_CALL, s, s->call->begun_ns);
    jfr_number(&f->chunk, s->call->entered);
    jfr_method(&f->chunk, s->call->method_id);
    jfr_number(&f->chunk, took > s->call->inner_ns ? took - s->call->inner_ns : 0);
    jfr_number(&f->chunk, call_below_clock(&f->calls, s));
    jfr_number(&f->chunk, s->event != NULL);
    value(f, s->call->receiver);
    jfr_text(&f->chunk, s->argument_count > 0 ? words_values(&f->words, s->arguments, s->argument_count) : NULL);
    value(f, threw ? none : end);
    value(f, threw ? end : none);
    jfr_event_end(&f->chunk, s->time_ns);
}

static void thrown(struct jfr *f, const struct call_step *s)
{
    const struct hs_event *e = s->event;
    const struct hs_thrown *t = throws_held(&f->throws);
    event_begin(f, JFR_TYPE_THROW, s, s->time_ns);
    jfr_number(&f->chunk, e->seq);
    value(f, (struct call_value){ e->value, e->kind });
    jfr_text(&f->chunk, t != NULL ? t->message : NULL);
    jfr_event_end(&f->chunk, s->time_ns);
}

/* Are the events before this one those of the same instruction? */
static bool same_instruction(struct jfr *f, const struct call_step *s, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(f->job->trace, s->in->recent[i].dataid);
        const struct hs_dataid *last = hs_dataid_get(f->job->trace, s->in->recent[i + 1].dataid);
        if (d == NULL || last == NULL || last->dataid + 1 != d->dataid || last->pc != d->pc ||
            last->method_id != d->method_id)
            return false;
    }
    return true;
}

static void written(struct jfr *f, const struct call_step *s)
{
    const struct call_recent *recent = s->in->recent;
    const struct call_value none = { 0, HS_KIND_VOID };
    const bool element = s->dataid->event == HS_EVENT_ARRAY_STORE_VALUE;
    const bool instance = s->dataid->event == HS_EVENT_PUT_INSTANCE_FIELD_VALUE;
    const unsigned before = element ? 2 : instance ? 1 : 0;
    const bool known = before > 0 && same_instruction(f, s, before);
    const uint32_t early = hs_early_object(f->job->trace, s->event);
    char index[32];
    if (!hs_store_done(f->job->trace, s->event))
        return;
    event_begin(f, JFR_TYPE_WRITE, s, s->time_ns);
    jfr_number(&f->chunk, s->event->seq);
    value(f, known ? recent[before].value : early != 0 ? (struct call_value){ early, HS_KIND_REF } : none);
    (void)snprintf(index, sizeof index, known ? "[%lld]" : "[?]", (long long)recent[1].value.bits);
    jfr_text(&f->chunk, element ? index : words_member(&f->words, s->dataid));
    value(f, recent[0].value);
    jfr_event_end(&f->chunk, s->time_ns);
}

static void locked(struct jfr *f, const struct call_step *s, uint32_t object)
{
    const struct lock_release *from = locks_taken_from(&f->locks, s, object);
    const bool block = s->kind == CALL_INSIDE && same_instruction(f, s, 1); /* MONITOR_ENTER and its result */
    event_begin(f, JFR_TYPE_LOCK, s,
                block && s->in->recent[1].time_ns < s->time_ns ? s->in->recent[1].time_ns : s->time_ns);
    jfr_number(&f->chunk, s->event != NULL ? s->event->seq : s->call->entered);
    value(f, (struct call_value){ object, HS_KIND_REF });
    if (from != NULL)
        jfr_thread(&f->chunk, from->thread);
    else
        jfr_no_thread(&f->chunk);
    jfr_event_end(&f->chunk, s->time_ns);
}

/* The samples between the step before this one and this one: of the calls that were open there. */
static void sample(struct jfr *f, const struct call_step *s)
{
    struct sampled *t = map_put(&f->sampled, (uint64_t)s->thread + 1);
    if (t == NULL) {
        (void)export_fail(f->job, "out of memory");
        return;
    }
    const size_t open = s->in->calls.count + (s->kind == CALL_ENDS) - (s->kind == CALL_BEGINS);
    uint64_t at = t->last_ns != 0 ? (t->last_ns / f->sample_ns + 1) * f->sample_ns : UINT64_MAX;
    for (; open > 0 && at <= s->time_ns && t->taken < 2 * SAMPLES; at += f->sample_ns, t->taken++) {
        jfr_event_begin(&f->chunk, JFR_TYPE_EXECUTION_SAMPLE, at);
        jfr_thread(&f->chunk, s->thread);
        jfr_stack(&f->chunk, s->in->calls.items, open);
        jfr_number(&f->chunk, JFR_STATE_RUNNABLE);
        jfr_event_end(&f->chunk, at);
    }
    t->last_ns = s->time_ns;
}

static void step(struct jfr *f, const struct call_step *s)
{
    uint32_t object;
    const enum lock_use use = lock_use_of(f->job->trace, s, &object);
    sample(f, s);
    if (use == LOCK_TAKEN)
        locked(f, s, object);
    else if (use == LOCK_GIVEN_BACK)
        locks_given_back(&f->locks, s, object);
    if (throws_here(&f->throws, s))
        thrown(f, s);
    if (s->kind == CALL_ENDS)
        call(f, s);
    if (s->kind != CALL_INSIDE || s->dataid == NULL)
        return;
    switch (s->dataid->event) {
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
    case HS_EVENT_PUT_STATIC_FIELD:
    case HS_EVENT_ARRAY_STORE_VALUE: written(f, s); break;
    default: break;
    }
}

/* How far apart samples are: the time of the last event says how long the recording is. */
static uint64_t sample_ns(struct jfr *f)
{
    const struct hs_event *last;
    const uint64_t count = hs_event_count(f->job->trace);
    uint64_t end = 0;
    if (count > 0 && hs_event_at(f->job->trace, count - 1, &last, NULL) == 0)
        end = call_time_of_event(&f->calls, last);
    return end / SAMPLES > SAMPLE_LEAST_NS ? end / SAMPLES : SAMPLE_LEAST_NS;
}

static void hole(struct jfr *f, const struct hole *h)
{
    jfr_event_begin(&f->chunk, JFR_TYPE_HOLE, h->begin_ns);
    jfr_number(&f->chunk, h->end_ns - h->begin_ns);
    jfr_text(&f->chunk, h->what);
    jfr_number(&f->chunk, h->seq);
    jfr_number(&f->chunk, h->events);
    jfr_text(&f->chunk, h->reason[0] != '\0' ? h->reason : NULL);
    jfr_event_end(&f->chunk, h->end_ns);
}

bool export_jfr(struct export_job *x)
{
    struct jfr f = { .job = x };
    hole_vec holes = { 0 };
    struct call_step s;
    jfr_chunk_init(&f.chunk, x->trace);
    if (!words_init(&f.words, x->trace) || !locks_init(&f.locks))
        (void)export_fail(x, "out of memory");
    else if (throws_init(&f.throws, x) && call_events_open(&f.calls, x) && holes_read(&f.calls, &holes)) {
        bool done = true;
        for (size_t i = 0; i < holes.count; i++)
            hole(&f, &holes.items[i]);
        f.sample_ns = sample_ns(&f);
        while (done && call_events_next(&f.calls, &s)) {
            step(&f, &s);
            if (jfr_chunk_full(&f.chunk))
                done = jfr_chunk_write(&f.chunk, x->out);
        }
        if (export_ok(x) && (!done || !jfr_chunk_write(&f.chunk, x->out)))
            (void)export_fail(x, "out of memory");
    }
    vec_free(&holes);
    call_events_done(&f.calls);
    words_done(&f.words);
    locks_done(&f.locks);
    throws_done(&f.throws);
    jfr_chunk_done(&f.chunk);
    map_free(&f.sampled);
    return export_ok(x);
}
