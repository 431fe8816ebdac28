/* calls.c - what a call with these arguments returned last on an object, or next: x.get(0) in an expression; see
 * evaluating.h. Of the callee nothing need be recorded, only the call. */
#include <string.h>

#include "reader/session/evaluating.h"

enum { TRIES = 10000 };

/* Is the value of an event equal to an argument of the expression, which may be the number in a box? */
static bool same_argument(struct evaluation *e, const struct hs_event *event, const struct expression_value *argument)
{
    struct expression_value given = expression_number(event->kind, event->value);
    if (!argument->known)
        return false;
    if (value_is_text(e, argument) && event->kind == HS_KIND_REF) {
        struct expression_value same = value_same_text(e, &given, argument);
        return same.known && same.bits != 0;
    }
    if (argument->kind == HS_KIND_REF)
        return event->kind == HS_KIND_REF && event->value == argument->bits;
    given = value_unboxed(e, &given);
    if (!given.known)
        return false;
    if (given.kind == HS_KIND_REF || (given.kind == 'Z') != (argument->kind == 'Z'))
        return false;
    if (given.kind == 'Z')
        return (given.bits != 0) == (argument->bits != 0);
    struct expression_value same = value_compared(e, OPERATOR_EQ, &given, argument);
    return same.known && same.bits != 0;
}

/* Do the events behind the CALL show these arguments? `*last` is the position of the last one. */
static bool same_arguments(struct evaluation *e, const struct hs_event *call, const struct hs_dataid *site,
                           const struct expression_value *arguments, size_t n, uint64_t *last)
{
    struct hs_event event;
    *last = call->position;
    for (size_t i = 0; i < n; i++) {
        if (event_beside(evaluating(e)->nav->trace, call, (int64_t)i + 1, &event, NULL) != OK)
            return false;
        const struct hs_dataid *d = hs_dataid_get(evaluating(e)->nav->trace, event.dataid);
        if (d == NULL || d->event != HS_EVENT_CALL_PARAM || d->pc != site->pc ||
            !same_argument(e, &event, &arguments[i]))
            return false;
        *last = event.position;
    }
    return true;
}

/* The next event of the frame, if it is the return of the call. */
static bool result_of(struct nav *nav, const struct hs_event *call, const struct hs_dataid *site, uint64_t last,
                      struct hs_event *out)
{
    struct event_position at = { positions_stream(nav->trace, call->thread), call->position };
    struct frame_id frame, caller;
    struct frame_ahead ahead;
    struct frame_step step;
    size_t count;
    if (frame_of(nav, at, &count, &frame, &caller, NULL) != OK || count == 0)
        return false;
    frame_ahead_begin(&ahead, nav, &frame, last);
    bool found = frame_ahead_next(&ahead, &step, NULL) == OK && !step.left;
    frame_ahead_end(&ahead);
    const struct hs_dataid *d = found ? hs_dataid_get(nav->trace, step.dataid) : NULL;
    at.position = step.position;
    return d != NULL && d->event == HS_EVENT_CALL_RETURN && d->pc == site->pc &&
           positions_event(nav->trace, at, out, NULL) == OK && positions_number(nav->trace, out, NULL) == OK &&
           out->kind != HS_KIND_VOID;
}

/* Is it a call of the method? Of a static one also the class counts. */
static bool calls_method(const struct hs_dataid *site, const char *owner, const char *name, size_t n)
{
    const char *called = site != NULL ? attribute_text(site, "name") : NULL;
    const char *desc = site != NULL ? attribute_text(site, "desc") : NULL;
    if (called == NULL || desc == NULL || strcmp(called, name) != 0 ||
        descriptor_count((struct text){ desc, strlen(desc) }) != n)
        return false;
    const char *kind = attribute_text(site, "methodtype"), *of = attribute_text(site, "owner");
    return owner == NULL || (kind != NULL && of != NULL && strcmp(kind, "static") == 0 && strcmp(of, owner) == 0);
}

struct expression_value value_called(struct evaluation *e, uint32_t object, const char *owner, const char *name,
                                     const struct expression_value *arguments, size_t n)
{
    struct evaluating *const r = evaluating(e);
    struct nav *nav = r->nav;
    const unsigned calls[] = { HS_EVENT_CALL };
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_error error = HS_ERROR_INIT;
    struct expression_value v = expression_unknown;
    const struct hs_event *event;
    struct hs_event result;
    hs_cursor *cursor;
    filter.threads = &r->thread;
    filter.thread_count = 1;
    filter.events = calls;
    filter.event_count = 1;
    filter.object = object;
    if (hs_events_open(nav->trace, &filter, &cursor, &error) != 0) {
        e->status = state_take(&error, e->err);
        return v;
    }
    for (int way = 0; way < 2 && !v.known; way++) {
        if (hs_cursor_seek(cursor, nav->seq + 1, &error) != 0)
            break;
        for (int i = 0; i < TRIES && !v.known && !nav_cancelled(nav); i++) {
            uint64_t last;
            if ((way == 0 ? hs_event_previous : hs_event_next)(cursor, &event, &error) <= 0)
                break;
            struct hs_event call = *event;
            const struct hs_dataid *site = hs_dataid_get(nav->trace, call.dataid);
            if (!calls_method(site, object == 0 ? owner : NULL, name, n) ||
                !same_arguments(e, &call, site, arguments, n, &last) || !result_of(nav, &call, site, last, &result) ||
                (way == 0 && result.seq > nav->seq))
                continue;
            v = expression_number(result.kind, result.value);
            v.seq = result.seq;
            v.note = way == 0 ? "returned last" : "returned next";
        }
    }
    hs_cursor_close(cursor);
    return v;
}

struct expression_value value_returned(struct evaluation *e, const struct expression_value *object, const char *name)
{
    struct evaluating *const r = evaluating(e);
    struct expression_value v = expression_unknown;
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const unsigned exits[] = { HS_EVENT_METHOD_NORMAL_EXIT };
    const struct hs_event *event;
    hs_cursor *cursor;
    filter.threads = &r->thread;
    filter.thread_count = 1;
    filter.events = exits;
    filter.event_count = 1;
    filter.method_glob = name;
    if (hs_events_open(r->nav->trace, &filter, &cursor, &error) != 0) {
        e->status = state_take(&error, e->err);
        return v;
    }
    for (int way = 0; way < 2 && !v.known; way++) {
        if (hs_cursor_seek(cursor, r->nav->seq + 1, &error) != 0)
            break;
        for (int i = 0; i < TRIES && !v.known; i++) {
            const struct replay *f;
            if ((way == 0 ? hs_event_previous : hs_event_next)(cursor, &event, &error) <= 0)
                break;
            struct event_position at = { positions_stream(r->nav->trace, event->thread), event->position };
            uint64_t seq = event->seq, bits = event->value;
            char kind = event->kind;
            if (kind == 'V' || frames_at(r->nav->trace, at, &f, NULL) != OK || replay_top(f) == NULL)
                continue;
            if (object != NULL && (!replay_top(f)->has_self || replay_top(f)->self != object->bits))
                continue;
            v = expression_number(kind, bits);
            v.seq = seq;
            v.note = way == 0 ? "returned last" : "returned next";
        }
    }
    hs_cursor_close(cursor);
    return v;
}
