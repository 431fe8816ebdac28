/* perfetto.c - the format perfetto: TracePackets, for ui.perfetto.dev and its trace processor.
 *
 *     Trace { packet* }     TrackDescriptor   one for the process, for its marks, and for each thread
 *                           TrackEvent        SLICE_BEGIN and SLICE_END of a call, the values of the call with its end:
 *                                             readers merge both; INSTANT: a mark, a throw, a monitor
 *
 * A monitor that one thread gives back and another takes is a flow. Names of methods are interned when they first occur
 * (InternedData). Numbers of fields: protos/perfetto/trace in github.com/google/perfetto. */
#include "formats/event.h"
#include "reader/export/holes.h"
#include "reader/export/locks.h"
#include "reader/export/protobuf.h"
#include "reader/export/throws.h"
#include "reader/export/words.h"

enum trace_field { TRACE_PACKET = 1 };
enum packet_field {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum packet_flags { INCREMENTAL_STATE_CLEARED = 1, NEEDS_INCREMENTAL_STATE = 2 };
enum track_field { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum process_field { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum thread_field { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum event_field {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME_TEXT = 23,
    EVENT_FLOW = 47,
    EVENT_FLOW_ENDS = 48
};
enum event_type { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };
enum annotation_field {
    ANNOTATION_BOOL = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_TEXT = 6,
    ANNOTATION_NAME = 10,
    ANNOTATION_ITEM = 12
};
enum interned_field { INTERNED_EVENT_NAME = 2 };
enum event_name_field { EVENT_NAME_NUMBER = 1, EVENT_NAME_VALUE = 2 };

/* Tracks; threads have the number of the thread behind the last one. */
enum { SEQUENCE = 1, PID = 1, TRACK_OF_PROCESS = 1, TRACK_OF_MARKS = 2, TRACK_OF_THREAD = 3 };

struct perfetto {
    struct export_job *job;
    struct call_events calls;
    struct words words;
    struct locks locks;
    struct throws throws;
    struct protobuf p;
    bool begun;                          /* a packet was written */
    MAP(struct { uint64_t key; }) named; /* methods whose names are interned: id + 1 */
};

static void packet_begin(struct perfetto *f)
{
    protobuf_begin(&f->p, TRACE_PACKET);
    protobuf_u64(&f->p, PACKET_SEQUENCE, SEQUENCE);
    protobuf_u64(&f->p, PACKET_FLAGS, (f->begun ? 0 : INCREMENTAL_STATE_CLEARED) | NEEDS_INCREMENTAL_STATE);
    f->begun = true;
}

static void packet_end(struct perfetto *f)
{
    protobuf_end(&f->p);
    if (!protobuf_write(&f->p, f->job->out))
        (void)export_fail(f->job, "out of memory");
}

/* ---- tracks ---- */

static void track(struct perfetto *f, uint64_t uuid, const char *name, const struct hs_thread *thread)
{
    packet_begin(f);
    protobuf_begin(&f->p, PACKET_TRACK);
    protobuf_u64(&f->p, TRACK_UUID, uuid);
    if (uuid != TRACK_OF_PROCESS)
        protobuf_u64(&f->p, TRACK_PARENT, TRACK_OF_PROCESS);
    if (uuid == TRACK_OF_PROCESS) {
        protobuf_begin(&f->p, TRACK_PROCESS);
        protobuf_u64(&f->p, PROCESS_PID, PID);
        protobuf_text(&f->p, PROCESS_NAME, name);
        protobuf_end(&f->p);
    } else if (thread != NULL) {
        protobuf_begin(&f->p, TRACK_THREAD);
        protobuf_u64(&f->p, THREAD_PID, PID);
        protobuf_u64(&f->p, THREAD_TID, (uint64_t)thread->thread + 1); /* 0 is the idle thread there */
        protobuf_text(&f->p, THREAD_NAME, name);
        protobuf_end(&f->p);
    } else {
        protobuf_text(&f->p, TRACK_NAME, name);
    }
    protobuf_end(&f->p);
    packet_end(f);
}

static void tracks(struct perfetto *f)
{
    const char *command = hs_info(f->job->trace, "command");
    const struct hs_thread *t;
    hs_cursor *threads;
    if (hs_threads_open(f->job->trace, &threads, NULL) != 0) {
        (void)export_fail(f->job, "out of memory");
        return;
    }
    track(f, TRACK_OF_PROCESS, command != NULL ? command : "java", NULL);
    track(f, TRACK_OF_MARKS, "marks", NULL);
    while (hs_thread_next(threads, &t, NULL) > 0)
        track(f, (uint64_t)TRACK_OF_THREAD + t->thread, t->name, t);
    hs_cursor_close(threads);
}

/* ---- events ---- */

static void event_begin(struct perfetto *f, enum event_type type, uint64_t track, uint64_t time_ns)
{
    packet_begin(f);
    protobuf_u64(&f->p, PACKET_TIMESTAMP, time_ns);
    protobuf_begin(&f->p, PACKET_EVENT);
    protobuf_u64(&f->p, EVENT_TYPE, type);
    protobuf_u64(&f->p, EVENT_TRACK, track);
}

static void event_end(struct perfetto *f)
{
    protobuf_end(&f->p);
    packet_end(f);
}

static void instant(struct perfetto *f, const struct call_step *s, const char *category, const char *name)
{
    event_begin(f, INSTANT, (uint64_t)TRACK_OF_THREAD + s->thread, s->time_ns);
    protobuf_text(&f->p, EVENT_CATEGORY, category);
    protobuf_text(&f->p, EVENT_NAME_TEXT, name);
}

static void value_field(struct perfetto *f, struct call_value v)
{
    switch (v.kind) {
    case HS_KIND_BOOLEAN: protobuf_u64(&f->p, ANNOTATION_BOOL, v.bits != 0); break;
    case HS_KIND_BYTE:
    case HS_KIND_CHAR:
    case HS_KIND_SHORT:
    case HS_KIND_INT:
    case HS_KIND_LONG: protobuf_i64(&f->p, ANNOTATION_INT, (int64_t)v.bits); break;
    case HS_KIND_FLOAT:
    case HS_KIND_DOUBLE: protobuf_double(&f->p, ANNOTATION_DOUBLE, double_bits(v)); break;
    default: {
        const char *text = words_value(&f->words, v);
        protobuf_text(&f->p, ANNOTATION_TEXT, text);
    }
    }
}

static void annotate(struct perfetto *f, const char *name, struct call_value v)
{
    protobuf_begin(&f->p, EVENT_ANNOTATION);
    protobuf_text(&f->p, ANNOTATION_NAME, name);
    value_field(f, v);
    protobuf_end(&f->p);
}

static void annotate_u64(struct perfetto *f, const char *name, uint64_t v)
{
    protobuf_begin(&f->p, EVENT_ANNOTATION);
    protobuf_text(&f->p, ANNOTATION_NAME, name);
    protobuf_u64(&f->p, ANNOTATION_UINT, v);
    protobuf_end(&f->p);
}

/* Writes the name of a method before it is used for the first time. */
static void name_method(struct perfetto *f, uint32_t method_id)
{
    const uint64_t key = (uint64_t)method_id + 1;
    if (map_get(&f->named, key) != NULL)
        return;
    if (map_put(&f->named, key) == NULL) {
        (void)export_fail(f->job, "out of memory");
        return;
    }
    packet_begin(f);
    protobuf_begin(&f->p, PACKET_INTERNED);
    protobuf_begin(&f->p, INTERNED_EVENT_NAME);
    protobuf_u64(&f->p, EVENT_NAME_NUMBER, key);
    protobuf_text(&f->p, EVENT_NAME_VALUE, words_method(&f->words, method_id));
    protobuf_end(&f->p);
    protobuf_end(&f->p);
    packet_end(f);
}

static void begins(struct perfetto *f, const struct call_step *s)
{
    name_method(f, s->call->method_id);
    event_begin(f, SLICE_BEGIN, (uint64_t)TRACK_OF_THREAD + s->thread, s->time_ns);
    protobuf_u64(&f->p, EVENT_NAME_IID, (uint64_t)s->call->method_id + 1);
    protobuf_text(&f->p, EVENT_CATEGORY, "call");
    if (s->call->entered != HS_NO_SEQ)
        annotate_u64(f, "seq", s->call->entered);
    event_end(f);
}

static void ends(struct perfetto *f, const struct call_step *s)
{
    event_begin(f, SLICE_END, (uint64_t)TRACK_OF_THREAD + s->thread, s->time_ns);
    if (s->call->receiver.kind == HS_KIND_REF)
        annotate(f, "this", s->call->receiver);
    if (s->argument_count > 0) {
        protobuf_begin(&f->p, EVENT_ANNOTATION);
        protobuf_text(&f->p, ANNOTATION_NAME, "arguments");
        for (size_t i = 0; i < s->argument_count; i++) {
            protobuf_begin(&f->p, ANNOTATION_ITEM);
            value_field(f, s->arguments[i]);
            protobuf_end(&f->p);
        }
        protobuf_end(&f->p);
    }
    if (call_below_clock(&f->calls, s))
        annotate(f, "below_clock", (struct call_value){ 1, HS_KIND_BOOLEAN });
    if (s->event == NULL) {
        annotate(f, "left", (struct call_value){ 0, HS_KIND_BOOLEAN });
    } else if (s->event->kind != HS_KIND_VOID) {
        const bool threw = s->dataid != NULL && s->dataid->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
        annotate(f, threw ? "exception" : "result", (struct call_value){ s->event->value, s->event->kind });
    }
    event_end(f);
}

/* A flow has the number of the event that gave the monitor back, from 1 on. */
static void monitor(struct perfetto *f, const struct call_step *s, enum lock_use use, uint32_t object)
{
    const struct lock_release *from = use == LOCK_TAKEN ? locks_taken_from(&f->locks, s, object) : NULL;
    instant(f, s, "lock", use == LOCK_TAKEN ? "monitor taken" : "monitor given back");
    annotate(f, "object", (struct call_value){ object, HS_KIND_REF });
    if (use == LOCK_GIVEN_BACK && s->event != NULL)
        protobuf_fixed64(&f->p, EVENT_FLOW, s->event->seq + 1);
    else if (from != NULL && from->seq != HS_NO_SEQ)
        protobuf_fixed64(&f->p, EVENT_FLOW_ENDS, from->seq + 1);
    event_end(f);
    if (use == LOCK_GIVEN_BACK)
        locks_given_back(&f->locks, s, object);
}

static void step(struct perfetto *f, const struct call_step *s)
{
    uint32_t object;
    const enum lock_use use = lock_use_of(f->job->trace, s, &object);
    if (s->kind == CALL_BEGINS)
        begins(f, s);
    if (use != LOCK_UNUSED)
        monitor(f, s, use, object);
    if (throws_here(&f->throws, s)) {
        instant(f, s, "exception", "throw");
        annotate_u64(f, "seq", s->event->seq);
        annotate(f, "exception", (struct call_value){ s->event->value, s->event->kind });
        event_end(f);
    }
    if (s->kind == CALL_INSIDE && s->dataid != NULL && s->dataid->event == HS_EVENT_EVENTS_LEFT_OUT) {
        instant(f, s, "hole", "events left out");
        annotate_u64(f, "seq", s->event->seq);
        annotate_u64(f, "left_out", s->event->value);
        event_end(f);
    }
    if (s->kind == CALL_ENDS)
        ends(f, s);
}

static void marks(struct perfetto *f)
{
    const struct hs_mark *m;
    hs_cursor *marks;
    if (hs_marks_open(f->job->trace, &marks, NULL) != 0) {
        (void)export_fail(f->job, "out of memory");
        return;
    }
    while (hs_mark_next(marks, &m, NULL) > 0) {
        event_begin(f, INSTANT, TRACK_OF_MARKS, call_time_of(&f->calls, m->first, m->begin_ns));
        protobuf_text(&f->p, EVENT_CATEGORY, "mark");
        protobuf_text(&f->p, EVENT_NAME_TEXT, m->name);
        annotate_u64(f, "seq", m->first);
        annotate_u64(f, "events", m->events);
        if (m->end_ns != HS_NO_TIME)
            annotate_u64(f, "duration_ns", m->end_ns - m->begin_ns);
        event_end(f);
    }
    hs_cursor_close(marks);
}

static void hole(struct perfetto *f, const struct hole *h)
{
    event_begin(f, INSTANT, TRACK_OF_MARKS, h->begin_ns);
    protobuf_text(&f->p, EVENT_CATEGORY, "hole");
    protobuf_text(&f->p, EVENT_NAME_TEXT, h->what);
    if (h->seq != HS_NO_SEQ)
        annotate_u64(f, "seq", h->seq);
    annotate_u64(f, "duration_ns", h->end_ns - h->begin_ns);
    if (h->events > 0)
        annotate_u64(f, "events", h->events);
    if (h->reason[0] != '\0') {
        protobuf_begin(&f->p, EVENT_ANNOTATION);
        protobuf_text(&f->p, ANNOTATION_NAME, "reason");
        protobuf_text(&f->p, ANNOTATION_TEXT, h->reason);
        protobuf_end(&f->p);
    }
    event_end(f);
}

bool export_perfetto(struct export_job *x)
{
    struct perfetto f = { .job = x };
    hole_vec holes = { 0 };
    struct call_step s;
    if (!words_init(&f.words, x->trace) || !locks_init(&f.locks))
        (void)export_fail(x, "out of memory");
    else if (throws_init(&f.throws, x) && call_events_open(&f.calls, x) && holes_read(&f.calls, &holes)) {
        tracks(&f);
        marks(&f);
        for (size_t i = 0; i < holes.count; i++)
            hole(&f, &holes.items[i]);
        while (call_events_next(&f.calls, &s))
            step(&f, &s);
    }
    vec_free(&holes);
    call_events_done(&f.calls);
    words_done(&f.words);
    locks_done(&f.locks);
    throws_done(&f.throws);
    map_free(&f.named);
    protobuf_done(&f.p);
    export_unwoven(x, "call", USE_ENTER);
    return export_ok(x);
}
