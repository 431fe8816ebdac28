/* ctf.c - the format ctf: a trace in the Common Trace Format 1.8, for babeltrace2 and Trace Compass.
 *
 *     DIR/stream      packets of events: header, context, then per event its number, time, thread and fields
 *     DIR/metadata    the layout of all this as text (TSDL)
 *
 * Calls are call_begin and call_end, which nest; every other chosen event has the name of its type. Threads are
 * listed at the beginning, marks where they begin; holes (holes.h) are events, and count as discarded ones. Numbers are
 * little-endian and aligned to bytes; a time is never before that of the event in front of it, as a stream requires.
 * Specification: https://diamon.org/ctf/v1.8.3 */
#include "formats/visible.h"
#include "reader/export/call_events.h"
#include "reader/export/holes.h"
#include "reader/export/words.h"

enum { MAGIC = (int)0xc1fc1fc1, PACKET_BYTES = 1 << 20, PACKET_HEADER_BYTES = 48 };
#define SECOND_NS UINT64_C(1000000000)

/* Numbers of events; those of the trace have their own, which are smaller. */
enum ctf_event { CTF_CALL_BEGIN = 200, CTF_CALL_END, CTF_MARK, CTF_THREAD, CTF_HOLE };
/* What a value is; order of the enumeration and of the variant in the metadata. */
enum ctf_kind { CTF_NONE, CTF_NUMBER, CTF_REAL, CTF_TEXT };

struct ctf {
    struct export_job *job;
    struct call_events calls;
    struct words words;
    struct writer packet; /* events of the packet that is being made, without its header */
    uint64_t begin_ns, last_ns;
    hs_cursor *marks;
    const struct hs_mark *mark; /* the next one; NULL: none */
    hole_vec holes;
    size_t hole;        /* the next one */
    uint64_t discarded; /* events that are missing so far */
};

/* ---- packets ---- */

static void write_packet(struct ctf *c)
{
    struct writer head = { 0 };
    const uint64_t bits = (PACKET_HEADER_BYTES + (uint64_t)c->packet.size) * 8;
    if (c->packet.size == 0)
        return;
    write_le4(&head, (uint32_t)MAGIC);
    write_le4(&head, 0); /* of stream 0 */
    write_le8(&head, c->begin_ns);
    write_le8(&head, c->last_ns);
    write_le8(&head, bits); /* of what it holds */
    write_le8(&head, bits); /* and of itself: no padding */
    write_le8(&head, c->discarded);
    if (head.bad || c->packet.bad)
        (void)export_fail(c->job, "out of memory");
    else {
        out_bytes(c->job->out, head.data, head.size);
        out_bytes(c->job->out, c->packet.data, c->packet.size);
    }
    writer_free(&head);
    c->packet.size = 0;
}

static void event_begin(struct ctf *c, unsigned number, uint64_t time_ns, uint32_t thread)
{
    if (c->packet.size > PACKET_BYTES)
        write_packet(c);
    if (time_ns > c->last_ns)
        c->last_ns = time_ns;
    if (c->packet.size == 0)
        c->begin_ns = c->last_ns;
    write_u1(&c->packet, number);
    write_le8(&c->packet, c->last_ns);
    write_le4(&c->packet, thread);
}

static void text(struct ctf *c, const char *s)
{
    visible_write(s, strlen(s), &c->packet);
    write_u1(&c->packet, 0);
}

static void value(struct ctf *c, struct call_value v)
{
    switch (v.kind) {
    case HS_KIND_VOID: write_u1(&c->packet, CTF_NONE); break;
    case HS_KIND_REF:
        write_u1(&c->packet, CTF_TEXT);
        text(c, words_value(&c->words, v));
        break;
    case HS_KIND_FLOAT:
    case HS_KIND_DOUBLE:
        write_u1(&c->packet, CTF_REAL);
        write_le8(&c->packet, double_bits(v));
        break;
    default: write_u1(&c->packet, CTF_NUMBER); write_le8(&c->packet, v.bits);
    }
}

/* The descriptor, which may be long, stands in call_begin alone. */
static void method(struct ctf *c, uint32_t method_id, bool desc)
{
    const struct hs_method *m = hs_method_get(c->job->trace, method_id);
    const struct hs_class *k = m != NULL ? hs_class_get(c->job->trace, m->class_no) : NULL;
    text(c, k != NULL ? k->name : "?");
    text(c, m != NULL ? m->name : "?");
    if (desc)
        text(c, m != NULL ? m->desc : "?");
}

/* ---- events: their fields are those of the metadata below ---- */

static void thread(struct ctf *c, const struct hs_thread *t)
{
    event_begin(c, CTF_THREAD, 0, t->thread);
    text(c, t->name);
    write_le8(&c->packet, t->tid);
}

static void mark(struct ctf *c)
{
    const struct hs_mark *m = c->mark;
    event_begin(c, CTF_MARK, call_time_of(&c->calls, m->first, m->begin_ns), 0);
    write_le8(&c->packet, m->first);
    text(c, m->name);
    write_le8(&c->packet, m->events);
    write_le8(&c->packet, m->end_ns != HS_NO_TIME ? m->end_ns - m->begin_ns : 0);
    c->mark = hs_mark_next(c->marks, &m, NULL) > 0 ? m : NULL;
}

static void hole(struct ctf *c, const struct hole *h)
{
    if (h->events > 0) /* readers take the difference to the packet before */
        write_packet(c);
    event_begin(c, CTF_HOLE, h->begin_ns, 0);
    text(c, h->what);
    write_le8(&c->packet, h->seq);
    write_le8(&c->packet, h->end_ns - h->begin_ns);
    write_le8(&c->packet, h->events);
    text(c, h->reason);
    c->discarded += h->events;
}

static void call_begin(struct ctf *c, const struct call_step *s)
{
    event_begin(c, CTF_CALL_BEGIN, s->time_ns, s->thread);
    write_le8(&c->packet, s->call->entered);
    method(c, s->call->method_id, true);
    value(c, s->call->receiver);
}

static void call_end(struct ctf *c, const struct call_step *s)
{
    const struct call_value none = { 0, HS_KIND_VOID };
    event_begin(c, CTF_CALL_END, s->time_ns, s->thread);
    write_le8(&c->packet, s->event != NULL ? s->event->seq : HS_NO_SEQ);
    method(c, s->call->method_id, false);
    write_le8(&c->packet, s->call->entered);
    write_le8(&c->packet, s->time_ns - s->call->begun_ns);
    text(c, words_values(&c->words, s->arguments, s->argument_count));
    write_u1(&c->packet, s->dataid != NULL && s->dataid->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT);
    write_u1(&c->packet, s->event != NULL);
    write_u1(&c->packet, call_below_clock(&c->calls, s));
    value(c, s->event != NULL ? (struct call_value){ s->event->value, s->event->kind } : none);
}

static void inside(struct ctf *c, const struct call_step *s)
{
    const struct hs_dataid *d = s->dataid;
    if (d == NULL)
        return;
    event_begin(c, d->event, s->time_ns, s->thread);
    write_le8(&c->packet, s->event->seq);
    method(c, d->method_id, false);
    text(c, d->file != NULL ? d->file : "");
    write_le4(&c->packet, (uint32_t)d->line);
    write_le4(&c->packet, d->pc);
    text(c, words_member(&c->words, d));
    value(c, (struct call_value){ s->event->value, s->event->kind });
}

static bool write_stream(struct ctf *c)
{
    const struct hs_thread *t;
    const struct hs_mark *m;
    struct call_step s;
    hs_cursor *threads;
    if (hs_threads_open(c->job->trace, &threads, NULL) != 0 || hs_marks_open(c->job->trace, &c->marks, NULL) != 0)
        return export_fail(c->job, "out of memory");
    while (hs_thread_next(threads, &t, NULL) > 0)
        thread(c, t);
    hs_cursor_close(threads);
    c->mark = hs_mark_next(c->marks, &m, NULL) > 0 ? m : NULL;
    while (call_events_next(&c->calls, &s)) {
        while (c->mark != NULL && s.event != NULL && c->mark->first <= s.event->seq)
            mark(c);
        for (; c->hole < c->holes.count && s.event != NULL && c->holes.items[c->hole].seq <= s.event->seq; c->hole++)
            hole(c, &c->holes.items[c->hole]);
        switch (s.kind) {
        case CALL_BEGINS: call_begin(c, &s); break;
        case CALL_ENDS: call_end(c, &s); break;
        case CALL_INSIDE: inside(c, &s); break;
        }
    }
    while (c->mark != NULL)
        mark(c);
    for (; c->hole < c->holes.count; c->hole++)
        hole(c, &c->holes.items[c->hole]);
    write_packet(c);
    return export_ok(c->job);
}

/* ---- metadata ---- */

/* In the order in which the functions above write. */
static const char layout[] =
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := real_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.hindsight.value; } := time_ns_t;\n"
    "enum kind : uint8_t { none = 0, number = 1, real = 2, text = 3 };\n"
    "variant value_t { struct { } none; int64_t number; real_t real; string text; };\n"
    "stream {\n"
    "    id = 0;\n"
    "    packet.context := struct { time_ns_t timestamp_begin; time_ns_t timestamp_end; uint64_t content_size;\n"
    "        uint64_t packet_size; uint64_t events_discarded; };\n"
    "    event.header := struct { uint8_t id; time_ns_t timestamp; };\n"
    "    event.context := struct { uint32_t thread; };\n"
    "};\n";

#define METHOD_FIELDS "string class; string method; "
#define VALUE_FIELDS  "enum kind value_kind; variant value_t <value_kind> value; "
static const struct {
    enum ctf_event number;
    const char *name, *fields;
} own_events[] = {
    { CTF_THREAD, "thread", "string name; uint64_t tid; " },
    { CTF_MARK, "mark", "uint64_t seq; string name; uint64_t events; uint64_t duration_ns; " },
    { CTF_CALL_BEGIN, "call_begin", "uint64_t seq; " METHOD_FIELDS "string desc; " VALUE_FIELDS },
    { CTF_CALL_END, "call_end",
      "uint64_t seq; " METHOD_FIELDS "uint64_t begin_seq; uint64_t duration_ns; string arguments; uint8_t threw; "
      "uint8_t left; uint8_t below_clock; " VALUE_FIELDS },
    { CTF_HOLE, "hole", "string what; uint64_t seq; uint64_t duration_ns; uint64_t events; string reason; " },
};
static const char event_fields[] =
    "uint64_t seq; " METHOD_FIELDS "string file; int32_t line; uint32_t pc; string name; " VALUE_FIELDS;

static void event_class(struct out *o, unsigned number, const char *name, const char *fields)
{
    out_format(o, "event { id = %u; stream_id = 0; name = \"%s\"; fields := struct { %s}; };\n", number, name, fields);
}

static bool write_metadata(struct export_job *x)
{
    struct out *o = x->out;
    const char *started = hs_info(x->trace, "started");
    uint64_t epoch_ns;
    if (started == NULL || !cli_u64(started, &epoch_ns))
        epoch_ns = 0;
    out_format(o, "/* CTF 1.8 */\n");
    out_format(o, "typealias integer { size = 32; align = 8; signed = false; } := header_t;\n");
    out_format(o, "trace { major = 1; minor = 8; byte_order = le; "
                  "packet.header := struct { header_t magic; header_t stream_id; }; };\n");
    out_format(o, "env { domain = \"java\"; tracer_name = \"hindsight\"; };\n");
    out_format(o, "clock { name = hindsight; freq = %llu; offset_s = %llu; offset = %llu; };\n",
               (unsigned long long)SECOND_NS, (unsigned long long)(epoch_ns / SECOND_NS),
               (unsigned long long)(epoch_ns % SECOND_NS));
    out_bytes(o, layout, sizeof layout - 1);
    for (size_t i = 0; i < sizeof own_events / sizeof *own_events; i++)
        event_class(o, own_events[i].number, own_events[i].name, own_events[i].fields);
    for (unsigned e = 0; e < CTF_CALL_BEGIN; e++)
        if (hs_event_name(e) != NULL)
            event_class(o, e, hs_event_name(e), event_fields);
    return export_ok(x);
}

bool export_ctf(struct export_job *x)
{
    struct ctf c = { .job = x };
    bool done = export_file_open(x, "stream");
    if (done && !words_init(&c.words, x->trace))
        done = export_fail(x, "out of memory");
    done = done && call_events_open(&c.calls, x) && holes_read(&c.calls, &c.holes) && write_stream(&c) &&
           export_file_open(x, "metadata") && write_metadata(x);
    vec_free(&c.holes);
    call_events_done(&c.calls);
    words_done(&c.words);
    hs_cursor_close(c.marks);
    writer_free(&c.packet);
    return done && export_ok(x);
}
