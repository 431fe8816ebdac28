/* why_callers.c - from a parameter or receiver to the argument that the caller passed. */
#include "reader/query/outside_call.h"
#include "reader/query/why.h"

#include <string.h>

/* The position of the last event of the calling frame before this METHOD_ENTRY. ERR_NOT_FOUND: no frame is known. */
static enum status last_of_caller(struct why *w, uint64_t entry, struct event_position *out, struct error *err)
{
    const struct replay *state;
    *out = (struct event_position){ positions_stream(w->trace, w->now.thread), entry };
    enum status st = frames_at(w->trace, *out, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *caller = replay_top(state);
    if (caller == NULL)
        return ERR_NOT_FOUND;
    out->position = caller->last;
    return OK;
}

/* The CALL that entered the method: the last one of the calling frame, if it names this method. */
static enum status find_call(struct why *w, uint64_t entry, uint32_t method_id, struct hs_event *call,
                             struct error *err)
{
    enum { ARGUMENTS_MAX = 256 };
    struct event_position at;
    const struct hs_method *m = hs_method_get(w->trace, method_id);
    enum status st = last_of_caller(w, entry, &at, err);
    if (st != OK)
        return st;
    if (m == NULL)
        return ERR_NOT_FOUND;
    for (unsigned i = 0; i < ARGUMENTS_MAX; i++) {
        st = positions_event(w->trace, at, call, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = dataid_or_none(w->trace, call->dataid);
        if (d->event == EVENT_CALL) {
            bool same = strcmp(why_text(d, "name"), m->name) == 0 && strcmp(why_text(d, "desc"), m->desc) == 0;
            return same ? OK : ERR_NOT_FOUND;
        }
        if (d->event != EVENT_CALL_PARAM || at.position == 0)
            return ERR_NOT_FOUND;
        at.position--;
    }
    return ERR_NOT_FOUND;
}

/* The position of the METHOD_ENTRY of the link's frame. */
static enum status find_entry(struct why *w, uint64_t *entry, struct error *err)
{
    const struct replay *state;
    if (w->site->event == EVENT_METHOD_ENTRY) {
        *entry = w->now.position;
        return OK;
    }
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    *entry = top != NULL && top->method == w->site->method_id ? top->entry : NO_POSITION;
    return *entry != NO_POSITION ? OK : ERR_NOT_FOUND;
}

/* The INVOKE_DYNAMIC_RESULT that made a lambda. ERR_NOT_FOUND: it is not recorded. */
static enum status find_lambda(struct why *w, uint32_t lambda, struct hs_event *out, struct error *err)
{
    const unsigned event = EVENT_INVOKE_DYNAMIC_RESULT;
    struct hs_filter filter = HS_FILTER_ALL;
    struct walk walk;
    filter.object = lambda;
    filter.events = &event;
    filter.event_count = 1;
    walk_open_filter(&walk, w->trace, &filter);
    bool found = walk_next(&walk, out);
    enum status st = walk_close(&walk, err);
    if (st != OK)
        return st;
    return found ? OK : ERR_NOT_FOUND;
}

/* The call of a functional interface that entered the body of a lambda; its receiver is the lambda. */
static enum status find_lambda_call(struct why *w, uint64_t entry, struct hs_event *call, struct error *err)
{
    struct event_position at;
    enum status st = last_of_caller(w, entry, &at, err);
    if (st != OK)
        return st;
    for (;;) {
        st = positions_event(w->trace, at, call, err);
        if (st != OK)
            return st;
        if (event_type(w->trace, call->dataid) != EVENT_CALL_PARAM || at.position == 0)
            break;
        at.position--;
    }
    if (event_type(w->trace, call->dataid) != EVENT_CALL || call->kind != 'L' || call->value > UINT32_MAX)
        return ERR_NOT_FOUND;
    return OK;
}

/* Argument `index` of the body of a lambda: first come the values captured when the lambda was made, then the arguments
 * of the call. */
static enum status lambda_argument(struct why *w, uint64_t entry, int64_t index, struct hs_event *out,
                                   struct error *err)
{
    struct hs_event call, made;
    enum status st = find_lambda_call(w, entry, &call, err);
    if (st != OK)
        return st;
    st = find_lambda(w, (uint32_t)call.value, &made, err);
    if (st != OK)
        return st;
    int64_t captured = outside_call_captured(w->trace, &made);
    if (index < captured)
        return event_beside(w->trace, &made, index - captured, out, err);
    st = event_beside(w->trace, &call, 1 + index - captured, out, err);
    if (st != OK)
        return st;
    return event_type(w->trace, out->dataid) == EVENT_CALL_PARAM ? OK : ERR_NOT_FOUND;
}

/* Argument `index` of a call. ERR_NOT_FOUND: it is not recorded. */
static enum status call_argument(struct why *w, const struct hs_event *call, int64_t index, struct hs_event *out,
                                 struct error *err)
{
    for (int64_t i = 1;; i++) {
        enum status st = event_beside(w->trace, call, i, out, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = dataid_or_none(w->trace, out->dataid);
        if (d != NULL && d->event != EVENT_CALL_PARAM)
            return ERR_NOT_FOUND;
        if (d != NULL && attribute_number(d, "index", -1) == index)
            return OK;
    }
}

/* The event of the caller that has the link's parameter, or its receiver. ERR_NOT_FOUND: the caller is not woven. */
static enum status caller_argument(struct why *w, struct hs_event *out, struct error *err)
{
    uint64_t entry;
    struct hs_event call;
    int64_t index = attribute_number(w->site, "index", 0);
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    enum status st = find_entry(w, &entry, err);
    if (st != OK)
        return st;
    st = find_call(w, entry, w->site->method_id, &call, err);
    if (w->site->event == EVENT_METHOD_ENTRY) {
        if (st == OK)
            *out = call;
        return st;
    }
    if (st == OK)
        st = call_argument(w, &call, index, out, err);
    if (st != ERR_NOT_FOUND || m == NULL || strncmp(m->name, "lambda$", 7) != 0)
        return st;
    return lambda_argument(w, entry, (m->access & ACC_STATIC) != 0 ? index : index - 1, out, err);
}

enum status why_from_caller(struct why *w, struct error *err)
{
    struct hs_event e;
    const char *what = "this";
    if (w->site->event != EVENT_METHOD_ENTRY) {
        what = attribute_text(w->site, "name");
        if (what == NULL)
            what = "without name";
    }
    enum status st = caller_argument(w, &e, err);
    if (st == OK)
        st = why_number(w, &e, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && e.value == w->now.value)
        return why_goes_on(w, &e, "parameter %s, the caller's argument at seq %llu", what, (unsigned long long)e.seq);
    struct outside_call call;
    struct hs_event entry;
    st = outside_call_around(w->trace, &w->now, &call, &entry, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    return why_from_outer_call(w, st == OK ? &call : NULL, what, err);
}
