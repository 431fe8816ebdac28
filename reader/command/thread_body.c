/* thread_body.c - see thread_body.h. */
#include "reader/command/thread_body.h"

#include <string.h>

#include "reader/command/show.h"

enum { HANDLER_EVENTS = 3 /* METHOD_ENTRY, and its parameters: the thread and the exception */ };

static bool is(const char *a, const char *b) { return a != NULL && strcmp(a, b) == 0; }

/* Is it the call of a constructor of a Thread, or of a builder that makes one? */
static bool makes_thread(hs_trace *t, const struct hs_dataid *call)
{
    const char *owner = show_text_attr(call, "owner"), *name = show_text_attr(call, "name");
    const struct hs_class *caller = hs_class_get(t, call->class_no);
    if (owner == NULL || name == NULL)
        return false;
    if (strcmp(name, "<init>") == 0)
        return hs_class_extends(t, owner, caller != NULL ? caller->loader_id : 0, "java.lang.Thread", NULL);
    return strncmp(owner, "java.lang.Thread", strlen("java.lang.Thread")) == 0 &&
           (strcmp(name, "start") == 0 || strcmp(name, "unstarted") == 0 || strcmp(name, "startVirtualThread") == 0);
}

/* The CALL that an argument is of: its data ID is before those of the arguments. */
static const struct hs_dataid *call_of(hs_trace *t, const struct hs_dataid *argument)
{
    for (uint32_t id = argument->dataid; id-- > 0;) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        if (d == NULL || d->method_id != argument->method_id || d->pc != argument->pc)
            return NULL;
        if (d->event == HS_EVENT_CALL)
            return d;
    }
    return NULL;
}

/* Was the object given to what makes a thread? */
static bool given_to_thread(hs_trace *t, uint64_t object)
{
    static const unsigned argument = HS_EVENT_CALL_PARAM;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    bool given = false;
    if (object == 0 || object > UINT32_MAX)
        return false;
    filter.events = &argument;
    filter.event_count = 1;
    filter.object = (uint32_t)object;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return false;
    while (!given && hs_event_next(events, &e, NULL) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid), *call = d != NULL ? call_of(t, d) : NULL;
        given = call != NULL && makes_thread(t, call);
    }
    hs_cursor_close(events);
    return given;
}

/* Does the lambda or method reference that the site makes run the method? */
static bool makes_body(hs_trace *t, const struct hs_dataid *site, const struct hs_method *m)
{
    const char *name = show_text_attr(site, "implementation_name");
    if (!is(show_text_attr(site, "name"), "run"))
        return false;
    if (name != NULL)
        return strcmp(name, m->name) == 0 && is(show_text_attr(site, "implementation_desc"), m->desc);
    const struct hs_method *body = hs_lambda_body(t, site->dataid);
    return body != NULL && body->class_no == m->class_no && is(body->name, m->name) && is(body->desc, m->desc);
}

/* Was a lambda or method reference that runs the method given to what makes a thread? */
static bool lambda_given(hs_trace *t, const struct hs_method *m)
{
    static const unsigned made = HS_EVENT_INVOKE_DYNAMIC_RESULT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    bool given = false;
    filter.events = &made;
    filter.event_count = 1;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return false;
    while (!given && hs_event_next(events, &e, NULL) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d != NULL && makes_body(t, d, m))
            given = given_to_thread(t, e->kind == HS_KIND_REF ? e->value : 0);
    }
    hs_cursor_close(events);
    return given;
}

/* Does the thread do nothing more behind this exit, but for a handler of exceptions that is given this one? */
static bool ends_behind(hs_trace *t, const struct hs_event *exit)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    bool handled = false;
    int count = 0;
    filter.threads = &exit->thread;
    filter.thread_count = 1;
    filter.from = exit->seq + 1;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return false;
    for (; count <= HANDLER_EVENTS && hs_event_next(events, &e, NULL) > 0; count++)
        handled |= e->kind == HS_KIND_REF && e->value == exit->value;
    hs_cursor_close(events);
    return count == 0 || handled;
}

bool thread_ended_by(hs_trace *t, const struct hs_event *entry, const struct hs_event *exit, bool lambdas)
{
    const struct hs_dataid *d = hs_dataid_get(t, entry->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    const uint64_t receiver = entry->kind == HS_KIND_REF ? entry->value : 0;
    if (c == NULL)
        return false;
    if (entry->thread == 0 && is(m->name, "main") && is(m->desc, "([Ljava/lang/String;)V"))
        return true;
    if (receiver != 0 && is(m->name, "run") && is(m->desc, "()V"))
        return hs_class_extends(t, c->name, c->loader_id, "java.lang.Thread", NULL) || given_to_thread(t, receiver);
    const struct hs_thread *thread = hs_thread_get(t, entry->thread);
    return lambdas && thread != NULL && thread->known && thread->end_ns != HS_NO_TIME && ends_behind(t, exit) &&
           lambda_given(t, m);
}
