/* dap_state.c - what is there at the moment: threads, frames, scopes, variables, the exception. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/serve/dap.h"

/* ---- threads and frames ---- */

bool dap_threads(struct dap *d, const cJSON *arguments)
{
    struct json *j = &d->json;
    const struct hs_thread *t;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *threads;
    (void)arguments;
    if (hs_threads_open(d->trace, &threads, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(j, "threads");
    json_array(j);
    while (hs_thread_next(threads, &t, NULL) > 0) {
        if (t->events == 0)
            continue;
        json_object(j);
        json_member_u64(j, "id", (uint64_t)t->thread + 1);
        d->text.used = 0;
        out_text(&d->text, t->name[0] != '\0' ? t->name : "?");
        out_char(&d->text, '\0');
        json_member_text(j, "name", d->text.data);
        json_end(j);
    }
    json_end(j);
    hs_cursor_close(threads);
    return true;
}

static const struct hs_class *class_of(struct dap *d, const struct hs_frame *f, const struct hs_method **method)
{
    *method = hs_method_get(d->trace, f->method_id);
    return *method != NULL ? hs_class_get(d->trace, (*method)->class_no) : NULL;
}

static void frame_json(struct dap *d, const struct hs_frame *f, uint32_t thread, size_t number)
{
    struct json *j = &d->json;
    const struct hs_method *m;
    const struct hs_class *c = class_of(d, f, &m);
    json_object(j);
    json_member_i64(j, "id", dap_frame_id(d, thread, number));
    d->text.used = 0;
    if (c != NULL)
        show_method_text(&d->text, c->name, m->name, m->desc, "");
    out_char(&d->text, '\0');
    json_member_text(j, "name", c != NULL ? d->text.data : "?");
    if (c != NULL)
        dap_source_member(d, &d->json, c, f->file);
    json_member_i64(j, "line", f->line >= 0 ? f->line - d->lines_from_0 : 0);
    json_member_i64(j, "column", f->line >= 0 && !d->columns_from_0);
    show_frame_members(j, f);
    json_member_bool(j, "canRestart", f->entered != HS_NO_SEQ);
    if (f->line < 0)
        json_member_text(j, "presentationHint", "subtle");
    json_end(j);
}

bool dap_stackTrace(struct dap *d, const cJSON *arguments)
{
    struct json *j = &d->json;
    const struct hs_frame *const *frames;
    struct error err = { 0 };
    size_t count;
    int64_t thread = dap_number(arguments, "threadId", 0), start = dap_number(arguments, "startFrame", 0),
            levels = dap_number(arguments, "levels", 0);
    if (thread < 1 || thread > UINT32_MAX || start < 0 || levels < 0)
        return dap_fail(d, "stackTrace wants the id of a thread, and a startFrame and levels that are not negative");
    if (hs_thread_get(d->trace, (uint32_t)thread - 1) == NULL)
        return dap_fail(d, "threadId: there is no thread %lld", (long long)thread);
    if (nav_frames(d->nav, (uint32_t)thread - 1, &frames, &count, &err) != OK)
        return dap_fail(d, "%s", err.text);
    json_name(j, "stackFrames");
    json_array(j);
    for (size_t i = (size_t)start; i < count && (levels == 0 || i - (size_t)start < (size_t)levels); i++)
        frame_json(d, frames[i], (uint32_t)thread - 1, i);
    json_end(j);
    json_member_u64(j, "totalFrames", count);
    return true;
}

/* ---- scopes ---- */

static void scope_json(struct dap *d, const char *name, const char *hint, struct dap_handle handle)
{
    struct json *j = &d->json;
    json_object(j);
    json_member_text(j, "name", name);
    if (hint != NULL)
        json_member_text(j, "presentationHint", hint);
    json_member_i64(j, "variablesReference", dap_handle_of(d, handle));
    json_member_bool(j, "expensive", false);
    json_end(j);
}

const struct hs_frame *dap_frame_at(struct dap *d, const struct dap_frame *f)
{
    const struct hs_frame *const *frames;
    size_t count;
    return nav_frames(d->nav, f->thread, &frames, &count, NULL) == OK && f->frame < count ? frames[f->frame] : NULL;
}

bool dap_scopes(struct dap *d, const cJSON *arguments)
{
    struct dap_frame f;
    if (!dap_frame_get(d, dap_number(arguments, "frameId", 0), &f))
        return dap_fail(d, "frameId: there is no such frame");
    const struct hs_frame *frame = dap_frame_at(d, &f);
    json_name(&d->json, "scopes");
    json_array(&d->json);
    scope_json(d, "Locals", "locals", (struct dap_handle){ SCOPE_LOCALS, f.thread, f.frame, 0 });
    if (frame != NULL && frame->monitor_count > 0)
        scope_json(d, "Monitors", NULL, (struct dap_handle){ SCOPE_MONITORS, f.thread, f.frame, 0 });
    if (f.frame == 0)
        scope_json(d, "Event", NULL, (struct dap_handle){ SCOPE_EVENT, f.thread, 0, 0 });
    json_end(&d->json);
    return true;
}

/* ---- variables ---- */

static void plain_variable(struct dap *d, const char *name, char kind, uint64_t bits, const char *expression)
{
    const struct expression_value v = { .known = true, .kind = kind, .bits = bits };
    dap_variable(d, name, &v, expression, NULL);
}

static const struct hs_variable *local_named(const struct hs_frame *f, const char *name)
{
    for (size_t i = 0; i < f->local_count; i++)
        if (strcmp(f->locals[i]->name, name) == 0)
            return f->locals[i];
    return NULL;
}

const struct hs_variable *dap_variable_of(struct dap *d, const cJSON *arguments, uint32_t *thread)
{
    const char *name = dap_text(arguments, "name");
    struct dap_handle h;
    if (name == NULL || !dap_handle_get(d, dap_number(arguments, "variablesReference", 0), &h) ||
        h.scope != SCOPE_LOCALS)
        return NULL;
    const struct dap_frame at = { h.thread, h.frame };
    const struct hs_frame *f = dap_frame_at(d, &at);
    const struct hs_variable *found = f != NULL ? local_named(f, name) : NULL;
    *thread = h.thread;
    for (size_t i = 0; f != NULL && found == NULL && i < f->parameter_count; i++)
        if (strcmp(f->parameters[i]->name, name) == 0)
            found = f->parameters[i];
    return found;
}

/* A parameter that was written since has its value as a local. */
static void locals(struct dap *d, const struct hs_frame *f)
{
    if (f->has_this)
        plain_variable(d, "this", HS_KIND_REF, f->self, "this");
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct hs_variable *p = f->parameters[i], *now = local_named(f, p->name);
        plain_variable(d, p->name, (now != NULL ? now : p)->kind, (now != NULL ? now : p)->value, p->name);
    }
    for (size_t i = 0; i < f->local_count; i++) {
        bool parameter = false;
        for (size_t k = 0; k < f->parameter_count; k++)
            parameter |= strcmp(f->parameters[k]->name, f->locals[i]->name) == 0;
        if (!parameter)
            plain_variable(d, f->locals[i]->name, f->locals[i]->kind, f->locals[i]->value, f->locals[i]->name);
    }
}

static void monitors(struct dap *d, const struct hs_frame *f)
{
    char name[32];
    for (size_t i = 0; i < f->monitor_count; i++) {
        (void)snprintf(name, sizeof name, "%zu", i);
        plain_variable(d, name, HS_KIND_REF, f->monitors[i]->object, NULL);
    }
}

/* The moment itself. */
static bool event(struct dap *d, uint32_t thread)
{
    const struct hs_event *e;
    struct error err = { 0 };
    uint64_t seq;
    if (nav_thread_seq(d->nav, thread, &seq, &err) != OK || hs_event_at(d->trace, seq, &e, NULL) != 0)
        return true;
    const struct hs_dataid *site = hs_dataid_get(d->trace, e->dataid);
    const char *name = site != NULL ? hs_event_name(site->event) : NULL;
    json_object(&d->json);
    json_member_text(&d->json, "name", "event");
    json_member_text(&d->json, "value", name != NULL ? name : "?");
    json_member_u64(&d->json, "variablesReference", 0);
    json_end(&d->json);
    plain_variable(d, "seq", HS_KIND_LONG, seq, NULL);
    if (show_has_value(&d->show, e))
        plain_variable(d, "value", e->kind, e->value, NULL);
    uint64_t ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(d->trace, e->stamp);
    if (ns != HS_NO_TIME)
        plain_variable(d, "time_ns", HS_KIND_LONG, ns, NULL);
    return true;
}

/* A field of a superclass that has the name of another one, of the first so many, is shown with its class. */
enum { MEMBERS_COMPARED_MAX = 1000 };
static void member_name(const struct nav_object *o, size_t i, char *name, size_t size)
{
    const struct nav_member *m = &o->members[i];
    bool hidden = false;
    for (size_t k = 0; k < o->member_count && k < MEMBERS_COMPARED_MAX; k++)
        hidden |= k != i && o->members[k].name != NULL && strcmp(o->members[k].name, m->name) == 0;
    (void)snprintf(name, size, hidden ? "%s (%s)" : "%s", m->name, m->declaring);
}

static void element_json(struct dap *d, uint32_t id, uint64_t index, const struct expression_value *v)
{
    char name[32], expression[64];
    (void)snprintf(name, sizeof name, "%llu", (unsigned long long)index);
    (void)snprintf(expression, sizeof expression, "#%u[%llu]", id, (unsigned long long)index);
    dap_variable(d, name, v, expression, expression + 1);
}

enum { PAGE_DEFAULT = 100, PAGE_MAX = 10000 };

/* The elements from `start` on, those that are not known too. */
static void elements(struct dap *d, const struct nav_object *o, uint64_t start, uint64_t count)
{
    const struct expression_value none = { 0 };
    size_t k = 0;
    uint64_t end = o->has_length ? o->length : o->member_count == 0 ? 0 : o->members[o->member_count - 1].index + 1;
    for (uint64_t i = start; i < end && i - start < count; i++) {
        while (k < o->member_count && o->members[k].index < i)
            k++;
        element_json(d, o->id, i, k < o->member_count && o->members[k].index == i ? &o->members[k].value : &none);
    }
}

/* The text of d->text: a line for each frame of an exception. */
static void stack_text(struct dap *d, const struct hs_thrown *t)
{
    d->text.used = 0;
    for (size_t i = 0; i < t->frame_count; i++) {
        const struct hs_stack_frame *f = t->frames[i];
        out_text(&d->text, "at ");
        out_name(&d->text, f->class_name);
        out_char(&d->text, '.');
        out_name(&d->text, f->method);
        out_format(&d->text, "(%s", f->file[0] != '\0' ? f->file : "Unknown Source");
        if (f->line >= 0)
            out_format(&d->text, ":%d", f->line);
        out_text(&d->text, ")");
        out_char(&d->text, '\n');
    }
    out_char(&d->text, '\0');
}

/* The stack of an exception in place of its field, which is not recorded. */
static struct expression_value stack_value(struct dap *d, uint32_t id, const struct nav_member *m, struct arena *arena)
{
    const struct hs_thrown *t = NULL;
    if (!m->value.known && strcmp(m->name, "stackTrace") == 0 && strcmp(m->declaring, "java.lang.Throwable") == 0)
        t = hs_thrown_get(d->trace, id);
    if (t == NULL || !t->has_stack)
        return m->value;
    stack_text(d, t);
    char *copy = d->text.failed == 0 ? arena_chars(arena, d->text.used) : NULL;
    if (copy == NULL)
        return m->value;
    memcpy(copy, d->text.data, d->text.used);
    return (struct expression_value){
        .known = true, .kind = EXPRESSION_TEXT, .text = copy, .seq = HS_NO_SEQ, .note = "when it was recorded"
    };
}

static bool object(struct dap *d, uint32_t id, const cJSON *arguments)
{
    struct arena arena = { 0 };
    struct nav_object o;
    struct error err = { 0 };
    const char *filter = dap_text(arguments, "filter");
    int64_t start = dap_number(arguments, "start", 0), count = dap_number(arguments, "count", 0);
    char name[600], expression[700];
    uint64_t page = count <= 0 ? PAGE_DEFAULT : count > PAGE_MAX ? PAGE_MAX : (uint64_t)count;
    enum status st = nav_object_part(d->nav, id, (uint64_t)(start > 0 ? start : 0), page, &arena, &o, &err);
    if (st != OK || start < 0 || count < 0) {
        arena_done(&arena);
        return dap_fail(d, "%s", st != OK ? err.text : "start and count must not be negative");
    }
    /* fields that nothing has shown say no more than what it holds */
    bool held = (filter == NULL || strcmp(filter, "indexed") == 0) && dap_contents(d, id, (uint64_t)start, page);
    bool array = o.has_length || (o.member_count > 0 && o.members[0].name == NULL);
    if (array && (filter == NULL || strcmp(filter, "indexed") == 0)) {
        elements(d, &o, (uint64_t)start, page);
        if (filter == NULL && o.has_length && (uint64_t)start + page >= o.length)
            plain_variable(d, "length", HS_KIND_INT, o.length, NULL);
    }
    for (size_t i = (size_t)start; !array && i < o.member_count && (count == 0 || i < (size_t)(start + count)); i++) {
        if (held && !o.members[i].value.known)
            continue;
        member_name(&o, i, name, sizeof name);
        (void)snprintf(expression, sizeof expression, "#%u.%s", id, o.members[i].name);
        struct expression_value v = stack_value(d, id, &o.members[i], &arena);
        bool plain = strchr(name, ' ') == NULL && v.known == o.members[i].value.known;
        dap_variable(d, name, &v, plain ? expression : NULL, o.members[i].what);
    }
    arena_done(&arena);
    return true;
}

bool dap_variables(struct dap *d, const cJSON *arguments)
{
    struct dap_handle h;
    if (!dap_handle_get(d, dap_number(arguments, "variablesReference", 0), &h))
        return dap_fail(d, "variablesReference: there is no such one; they end when the session moves");
    const struct dap_frame at = { h.thread, h.frame };
    const struct hs_frame *f = h.scope != SCOPE_OBJECT ? dap_frame_at(d, &at) : NULL;
    bool done = true;
    json_name(&d->json, "variables");
    json_array(&d->json);
    if (h.scope == SCOPE_LOCALS && f != NULL)
        locals(d, f);
    if (h.scope == SCOPE_MONITORS && f != NULL)
        monitors(d, f);
    if (h.scope == SCOPE_EVENT)
        done = event(d, h.thread);
    if (h.scope == SCOPE_OBJECT)
        done = object(d, h.object, arguments);
    if (done)
        json_end(&d->json);
    return done;
}

/* ---- the exception ---- */

static uint32_t exception_at(struct dap *d, uint32_t thread)
{
    const struct hs_event *e;
    uint64_t seq;
    if (nav_thread_seq(d->nav, thread, &seq, NULL) != OK || hs_event_at(d->trace, seq, &e, NULL) != 0)
        return 0;
    const struct hs_dataid *site = hs_dataid_get(d->trace, e->dataid);
    bool shows = site != NULL && (site->event == HS_EVENT_METHOD_THROW || site->event == HS_EVENT_CATCH ||
                                  site->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT);
    return shows && e->kind == HS_KIND_REF ? (uint32_t)e->value : 0;
}

/* In place of a cause: it is not shown. */
static void more_causes(struct json *j, unsigned shown)
{
    char text[60];
    (void)snprintf(text, sizeof text, "there are more causes than these %u", shown);
    json_object(j);
    json_member_text(j, "message", text);
    json_member_text(j, "typeName", "...");
    json_end(j);
}

static void exception_details(struct dap *d, uint32_t id, unsigned depth)
{
    enum { CAUSES_MAX = 20 };
    struct json *j = &d->json;
    const struct hs_thrown *t = hs_thrown_get(d->trace, id);
    const struct hs_object *o = hs_object_get(d->trace, id);
    const char *type = o != NULL && o->type != NULL ? o->type : "?";
    const char *dot = strrchr(type, '.');
    json_object(j);
    if (t != NULL && t->message != NULL)
        json_member_text(j, "message", t->message);
    json_member_text(j, "typeName", dot != NULL ? dot + 1 : type);
    json_member_text(j, "fullTypeName", type);
    if (t != NULL && t->has_stack) {
        stack_text(d, t);
        json_member_text(j, "stackTrace", d->text.data);
    }
    if (t != NULL && t->cause != 0 && t->cause != id && t->cause <= UINT32_MAX && depth <= CAUSES_MAX) {
        json_name(j, "innerException");
        json_array(j);
        if (depth < CAUSES_MAX)
            exception_details(d, (uint32_t)t->cause, depth + 1);
        else
            more_causes(j, CAUSES_MAX);
        json_end(j);
    }
    json_end(j);
}

bool dap_exceptionInfo(struct dap *d, const cJSON *arguments)
{
    int64_t thread = dap_number(arguments, "threadId", (int64_t)nav_thread(d->nav) + 1);
    uint32_t id = thread > 0 && thread <= UINT32_MAX ? exception_at(d, (uint32_t)thread - 1) : 0;
    if (id == 0)
        return dap_fail(d, "the thread does not stand where an exception is thrown, caught or passed on");
    const struct hs_object *o = hs_object_get(d->trace, id);
    json_member_text(&d->json, "exceptionId", o != NULL && o->type != NULL ? o->type : "?");
    const struct hs_thrown *t = hs_thrown_get(d->trace, id);
    if (t != NULL && t->message != NULL)
        json_member_text(&d->json, "description", t->message);
    json_member_text(&d->json, "breakMode", d->stops_uncaught && !d->stops_caught ? "unhandled" : "always");
    json_name(&d->json, "details");
    exception_details(d, id, 0);
    return true;
}
