/* appmap_requests.c - finds the requests of --per (appmap.h): one pass over the calls, which ends when as many as are
 * wanted have ended and one more has begun.
 *
 * A request begins with a METHOD_ENTRY that passes --from, --until, --mark and --thread. Calls of the method inside of
 * a request belong to it. One that was not left before a gap of the recording, or its end, ends there. */
#include <stdlib.h>
#include <string.h>

#include "reader/export/appmap.h"
#include "reader/export/call_events.h"

/* a.b.C.m(int) is class a.b.C and method m(int); m alone is a method of any class. False: out of memory. */
static bool split(struct appmap_requests *r, const char *method)
{
    const char *parameters = strchr(method, '(');
    r->class_glob = parameters != NULL ? strndup(method, (size_t)(parameters - method)) : strdup(method);
    char *dot = r->class_glob != NULL ? strrchr(r->class_glob, '.') : NULL;
    if (r->class_glob == NULL)
        return false;
    r->method_glob = dot != NULL ? method + (dot - r->class_glob) + 1 : method;
    if (dot != NULL)
        *dot = '\0';
    r->any_class = dot == NULL;
    return true;
}

/* A call begins: a request, if it is chosen by its own METHOD_ENTRY and inside of no other one. */
static bool begin_request(struct export_job *x, struct appmap_requests *r, const struct call_step *s, uint64_t most)
{
    if (r->list.count >= most) {
        r->more = true;
        return true;
    }
    struct appmap_position *open = map_put(&r->open, (uint64_t)s->thread + 1);
    struct appmap_request *request = open != NULL ? vec_push(&r->list) : NULL;
    if (request == NULL)
        return export_fail(x, "out of memory");
    open->position = r->list.count - 1;
    *request = (struct appmap_request){
        .thread = s->thread, .method_id = s->call->method_id, .from = s->call->entered, .to = x->filter->filter.to
    };
    r->open_count++;
    return true;
}

static void end_request(struct appmap_requests *r, const struct call_events *c, const struct call_step *s)
{
    const struct appmap_position *open = map_get(&r->open, (uint64_t)s->thread + 1);
    struct appmap_request *request = open != NULL ? &r->list.items[open->position] : NULL;
    if (request == NULL || request->from != s->call->entered)
        return;
    if (s->event != NULL)
        request->to = s->event->seq;
    else if (!c->ended)
        request->to = c->event->seq - 1; /* the event behind a gap */
    r->open_count--;
}

bool appmap_requests_read(struct export_job *x, uint64_t most, struct appmap_requests *r)
{
    static const unsigned entry[] = { HS_EVENT_METHOD_ENTRY };
    const struct chosen_events *filter = x->filter;
    struct chosen_events requests = *filter;
    struct call_events calls = { 0 };
    struct call_step s;
    if (!split(r, x->options.per))
        return export_fail(x, "out of memory");
    const char *class_glob = r->any_class ? NULL : r->class_glob;
    x->status = names_method_of(x->session, "per", class_glob, r->method_glob);
    if (x->status != PARSED)
        return false;
    requests.filter = (struct hs_filter){ .size = sizeof requests.filter,
                                          .from = filter->filter.from,
                                          .to = filter->filter.to,
                                          .threads = filter->filter.threads,
                                          .thread_count = filter->filter.thread_count,
                                          .events = entry,
                                          .event_count = 1,
                                          .class_glob = class_glob,
                                          .method_glob = r->method_glob };
    requests.where = NULL;
    requests.all = false;
    x->filter = &requests;
    bool done = call_events_open(&calls, x);
    while (done && (r->open_count > 0 || !r->more) && call_events_next(&calls, &s)) {
        const bool outer = s.kind != CALL_INSIDE && s.call->depth == 0 && s.call->entered != HS_NO_SEQ;
        if (!outer || s.call->entered < requests.filter.from)
            continue;
        if (s.kind == CALL_BEGINS)
            done = begin_request(x, r, &s, most);
        else
            end_request(r, &calls, &s);
    }
    call_events_done(&calls);
    x->filter = filter;
    return done && export_ok(x);
}

void appmap_requests_done(struct appmap_requests *r)
{
    free(r->class_glob);
    vec_free(&r->list);
    map_free(&r->open);
}
