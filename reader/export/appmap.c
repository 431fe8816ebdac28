/* appmap.c - the format appmap: AppMap 1.12, a file for each mark or request, or one for the whole trace or what is
 * selected of it.
 *
 *     {"id":1,"event":"call","thread_id":0,"defined_class":"a.B","method_id":"m","path":"a/B.java","lineno":7,..}
 *     {"id":2,"event":"return","thread_id":0,"parent_id":1,"elapsed":0.000012,"return_value":{..}}
 *
 * A return has no "elapsed", but "below_clock", if the clock of the recording could not measure it; "left":false is no
 * return, but the end of what is known of the call. Labels name the holes of the recording (holes.h).
 *
 * A call is written when its parameters are known: before the next step of its thread. Calls of a thread nest, and ids
 * rise, as the format wants. A request is a call of the method that --per names, with what its thread did until it was
 * left (appmap_requests.c): calls around it do not belong to it. */
#include "reader/export/appmap.h"
#include "formats/event.h"
#include "reader/export/call_events.h"
#include "reader/export/holes.h"
#include "reader/export/words.h"

#include "formats/jvm/classfile.h"

#include <ctype.h>

enum { VALUE_CHARACTERS_MAX = 100, NAME_SHOWN_MAX = 60, REQUESTS_MOST = 1000 };

/* Calls of a thread that have begun and not ended. */
struct thread_ids {
    uint64_t key; /* number + 1 */
    u64_vec ids;  /* of those that were written */
    bool pending; /* one more has begun: in `calls` of its thread at `position` */
    size_t position;
};
struct appmap {
    struct export_job *job;
    struct call_events calls;
    struct words words;
    struct writer type; /* of a parameter */
    MAP(struct thread_ids) threads;
    struct appmap_functions functions;
    uint64_t last_id;
    const struct appmap_request *request; /* what the file is of; NULL: of no request */
};

/* ---- values ---- */

/* The type of a parameter, or of the result for `index` SIZE_MAX, as the descriptor declares it. */
static const char *declared(struct appmap *a, const char *desc, size_t index)
{
    size_t size = strlen(desc), at = 1;
    a->type.size = 0;
    for (size_t i = 0; at < size && desc[at] != ')'; i++) {
        a->type.size = 0;
        size_t used = descriptor_to_source(desc + at, size - at, &a->type);
        if (used == 0 || i == index)
            break;
        at += used;
    }
    if (index == SIZE_MAX && at < size && desc[at] == ')') {
        a->type.size = 0;
        (void)descriptor_to_source(desc + at + 1, size - at - 1, &a->type);
    }
    write_u1(&a->type, '\0');
    return a->type.bad ? "?" : (const char *)a->type.data;
}

static size_t cut(const char *text)
{
    size_t characters = 0, i = 0;
    for (; text[i] != '\0'; i++)
        if ((text[i] & 0xc0) != 0x80 && characters++ == VALUE_CHARACTERS_MAX)
            break;
    return i;
}

static void value(struct appmap *a, const char *declared_type, struct call_value v)
{
    struct json *j = &a->job->out->json;
    const struct hs_object *o = v.kind == HS_KIND_REF && v.bits != 0 && v.bits <= UINT32_MAX
                                    ? hs_object_get(a->job->trace, (uint32_t)v.bits)
                                    : NULL;
    json_object(j);
    json_member_text(j, "class", o != NULL && o->type != NULL ? o->type : declared_type);
    if (v.kind == HS_KIND_REF && v.bits != 0)
        json_member_u64(j, "object_id", v.bits);
    const char *text = words_value(&a->words, v);
    json_name(j, "value");
    json_text_n(j, text, cut(text));
    json_end(j);
}

/* ---- events ---- */

static struct json *begin_event(struct appmap *a, const char *what, uint32_t thread)
{
    struct json *j = &a->job->out->json;
    json_object(j);
    json_member_u64(j, "id", ++a->last_id);
    json_member_text(j, "event", what);
    json_member_u64(j, "thread_id", thread);
    return j;
}

/* Writes the call that a thread has begun, with the parameters that are known now. */
static bool write_call(struct appmap *a, struct thread_ids *t, uint32_t thread, const struct open_call *call,
                       const struct call_value *arguments, size_t count)
{
    bool room = true;
    const struct appmap_function *f = appmap_function(&a->functions, call->method_id, &room);
    uint64_t *id = room ? vec_push(&t->ids) : NULL;
    if (id == NULL)
        return export_fail(a->job, "out of memory");
    struct json *j = begin_event(a, "call", thread);
    *id = a->last_id;
    t->pending = false;
    json_member_text(j, "defined_class", f != NULL ? f->class->name : "?");
    json_member_text(j, "method_id", f != NULL ? f->method->name : "?");
    if (f != NULL)
        json_member_text(j, "path", f->path);
    if (f != NULL && f->line >= 0)
        json_member_i64(j, "lineno", f->line);
    json_member_bool(j, "static", f == NULL || f->is_static);
    if (f != NULL && call->receiver.kind == HS_KIND_REF && call->receiver.bits != 0) {
        json_name(j, "receiver");
        value(a, f->class->name, call->receiver);
    }
    json_name(j, "parameters");
    json_array(j);
    for (size_t i = 0; i < count; i++)
        value(a, f != NULL ? declared(a, f->method->desc, i) : "?", arguments[i]);
    json_end(j);
    json_end(j);
    return true;
}

static void exception(struct appmap *a, uint64_t id)
{
    struct json *j = &a->job->out->json;
    /* which may ask for other objects */
    const struct hs_thrown *thrown = id <= UINT32_MAX ? hs_thrown_peek(a->job->trace, (uint32_t)id) : NULL;
    const struct hs_object *o = id <= UINT32_MAX ? hs_object_get(a->job->trace, (uint32_t)id) : NULL;
    json_name(j, "exceptions");
    json_array(j);
    json_object(j);
    json_member_text(j, "class", o != NULL && o->type != NULL ? o->type : "?");
    const char *message = thrown != NULL && thrown->message_redacted ? "(redacted)" : NULL;
    message = thrown != NULL && thrown->message != NULL ? thrown->message : message;
    json_member_text(j, "message", message != NULL ? message : "");
    json_member_u64(j, "object_id", id);
    json_end(j);
    json_end(j);
}

static bool returns_nothing(const char *desc)
{
    const char *end = strrchr(desc, ')');
    return end == NULL || end[1] == 'V';
}

static void write_return(struct appmap *a, struct thread_ids *t, const struct call_step *s)
{
    char digits[40];
    const struct hs_method *m = hs_method_get(a->job->trace, s->call->method_id);
    const struct hs_event *e = s->event;
    struct json *j = begin_event(a, "return", s->thread);
    json_member_u64(j, "parent_id", t->ids.items[--t->ids.count]);
    uint64_t took = s->time_ns > s->call->begun_ns ? s->time_ns - s->call->begun_ns : 0;
    int n = snprintf(digits, sizeof digits, "%llu.%09llu", (unsigned long long)(took / 1000000000),
                     (unsigned long long)(took % 1000000000));
    const bool below = call_below_clock(&a->calls, s);
    if (!a->calls.by_seq && !below) {
        json_name(j, "elapsed");
        json_raw(j);
        out_bytes(a->job->out, digits, (size_t)n);
    }
    if (below)
        json_member_bool(j, "below_clock", true);
    if (e == NULL)
        json_member_bool(j, "left", false);
    if (s->dataid != NULL && s->dataid->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT)
        exception(a, e->value);
    else if (e != NULL && m != NULL && !returns_nothing(m->desc)) { /* a number that redact= left out has no kind */
        json_name(j, "return_value");
        value(a, declared(a, m->desc, SIZE_MAX), (struct call_value){ e->value, e->kind });
    }
    json_end(j);
}

/* Is the call one that was open before the request? */
static bool is_around(const struct appmap_request *request, const struct open_call *call)
{
    return call->entered == HS_NO_SEQ || call->entered < request->from;
}

static bool step(struct appmap *a, const struct call_step *s)
{
    if (a->request != NULL && s->kind != CALL_INSIDE && is_around(a->request, s->call))
        return export_ok(a->job);
    struct thread_ids *t = map_put(&a->threads, (uint64_t)s->thread + 1);
    if (t == NULL)
        return export_fail(a->job, "out of memory");
    bool parameter = s->kind == CALL_INSIDE && s->dataid != NULL && s->dataid->event == HS_EVENT_METHOD_PARAM;
    if (t->pending && !parameter) {
        bool own = s->kind == CALL_ENDS && s->call == &s->in->calls.items[t->position];
        const struct open_call *call = &s->in->calls.items[t->position];
        size_t count = s->argument_count;
        const struct call_value *arguments = own ? s->arguments : call_arguments(s->in, call, &count);
        if (!write_call(a, t, s->thread, call, arguments, count))
            return false;
    }
    if (s->kind == CALL_BEGINS) {
        t->pending = true;
        t->position = (size_t)(s->call - s->in->calls.items);
    } else if (s->kind == CALL_ENDS && t->ids.count > 0)
        write_return(a, t, s);
    return export_ok(a->job);
}

/* ---- files ---- */

struct part {
    const char *name, *recorder;          /* what it is of; AppMap's word for the kind of recording */
    const struct appmap_request *request; /* NULL: none */
};

static void metadata(struct appmap *a, const struct part *part, const hole_vec *holes)
{
    char text[HOLE_TEXT_MAX];
    struct json *j = &a->job->out->json;
    const char *jvm = hs_info(a->job->trace, "jvm"), *command = hs_info(a->job->trace, "command");
    json_name(j, "metadata");
    json_object(j);
    json_member_text(j, "name", part->name);
    if (holes->count > 0) {
        json_name(j, "labels");
        json_array(j);
        for (size_t i = 0; i < holes->count; i++) {
            hole_text(&holes->items[i], text);
            json_text(j, text);
        }
        json_end(j);
    }
    if (command != NULL)
        json_member_text(j, "app", command);
    json_name(j, "language");
    json_object(j);
    json_member_text(j, "name", "java");
    json_member_text(j, "version", jvm != NULL ? jvm : "?");
    json_end(j);
    json_name(j, "client");
    json_object(j);
    json_member_text(j, "name", "hindsight");
    json_member_text(j, "url", hs_dir(a->job->trace));
    json_member_text(j, "version", HS_VERSION);
    json_end(j);
    json_name(j, "recorder");
    json_object(j);
    json_member_text(j, "name", "hindsight");
    json_member_text(j, "type", part->recorder);
    json_end(j);
    json_end(j);
}

static bool write_file(struct export_job *x, const char *file, const struct part *part)
{
    struct appmap a = { .job = x, .functions.trace = x->trace, .request = part->request };
    hole_vec holes = { 0 };
    struct call_step s;
    if (!export_file_open(x, file))
        return false;
    struct json *j = &x->out->json;
    bool done = words_init(&a.words, x->trace) || export_fail(x, "out of memory");
    if (done && call_events_open(&a.calls, x) && holes_read(&a.calls, &holes)) {
        json_object(j);
        json_member_text(j, "version", "1.12.0");
        metadata(&a, part, &holes);
        json_name(j, "events");
        json_array(j);
        while (done && call_events_next(&a.calls, &s))
            done = step(&a, &s);
        json_end(j);
        appmap_class_map(&a.functions, j);
        json_end_line(j);
    }
    vec_free(&holes);
    call_events_done(&a.calls);
    words_done(&a.words);
    for (size_t i = 0; i < a.threads.cap; i++)
        vec_free(&a.threads.slots[i].ids);
    map_free(&a.threads);
    appmap_functions_done(&a.functions);
    writer_free(&a.type);
    return done && export_ok(x);
}

/* 003-open_file.appmap.json */
static void file_name(char *to, size_t size, size_t number, const char *name)
{
    int n = snprintf(to, size, "%03zu-%.*s", number, NAME_SHOWN_MAX, name);
    for (int i = 0; i < n; i++)
        if (!isalnum((unsigned char)to[i]) && to[i] != '-')
            to[i] = '_';
    (void)snprintf(to + n, size - (size_t)n, ".appmap.json");
}

static bool write_request(struct export_job *x, size_t number, const struct appmap_request *r)
{
    const struct chosen_events *filter = x->filter;
    struct chosen_events inside = *filter;
    char name[256], file[NAME_SHOWN_MAX + 48];
    const struct hs_method *m = hs_method_get(x->trace, r->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(x->trace, m->class_no) : NULL;
    (void)snprintf(name, sizeof name, "%.100s.%.100s at %llu", c != NULL ? c->name : "?", m != NULL ? m->name : "?",
                   (unsigned long long)r->from);
    file_name(file, sizeof file, number, name);
    inside.filter.from = r->from;
    inside.filter.to = r->to;
    inside.filter.threads = &r->thread;
    inside.filter.thread_count = 1;
    inside.all = false;
    x->filter = &inside;
    bool done = write_file(x, file, &(struct part){ name, "requests", r });
    x->filter = filter;
    return done;
}

static bool write_requests(struct export_job *x)
{
    struct appmap_requests requests = { 0 };
    const uint64_t most = x->limit != UINT64_MAX ? x->limit : REQUESTS_MOST;
    x->limit = UINT64_MAX;
    bool done = appmap_requests_read(x, most, &requests);
    for (size_t i = 0; done && i < requests.list.count; i++)
        done = write_request(x, i + 1, &requests.list.items[i]);
    if (done && requests.more)
        (void)cli_fail(EXIT_DONE, x->session->context, "note: further calls of %s are left out (--limit)",
                       x->options.per);
    if (done)
        names_empty_without(x->session, requests.list.count, most, "such call", USE_ENTER);
    appmap_requests_done(&requests);
    return done;
}

static bool write_marks(struct export_job *x)
{
    const struct chosen_events *filter = x->filter;
    const struct hs_mark *mark;
    hs_cursor *marks;
    char file[NAME_SHOWN_MAX + 48];
    size_t number = 0, written = 0;
    if (hs_marks_open(x->trace, &marks, NULL) != 0)
        return export_fail(x, "out of memory");
    bool done = true;
    while (done && hs_mark_next(marks, &mark, NULL) > 0) {
        struct chosen_events inside = *filter;
        file_name(file, sizeof file, ++number, mark->name);
        if (mark->events == 0)
            continue;
        inside.filter.from = mark->first;
        inside.filter.to = mark->first + mark->events - 1;
        inside.all = false;
        x->filter = &inside;
        done = write_file(x, file, &(struct part){ mark->name, "process", NULL });
        x->filter = filter;
        written++;
    }
    hs_cursor_close(marks);
    return done &&
           (written > 0 || write_file(x, "trace.appmap.json", &(struct part){ hs_dir(x->trace), "process", NULL }));
}

bool export_appmap(struct export_job *x)
{
    const char *mark = x->filter->args->mark;
    if (x->options.per != NULL)
        return export_has_stream(x) && write_requests(x);
    const struct part selected = { mark != NULL ? mark : hs_dir(x->trace), "process", NULL };
    bool done = x->filter->all ? write_marks(x) : write_file(x, "selected.appmap.json", &selected);
    if (done)
        export_unwoven(x, "call", USE_ENTER);
    return done;
}
