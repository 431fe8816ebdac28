/* why_callers.c - from a parameter or receiver to the argument that the caller passed. */
#include "reader/query/why_lambdas.h"

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
static enum status caller_argument(struct why *w, uint64_t entry, struct hs_event *out, struct error *err)
{
    struct hs_event call;
    enum status st = find_call(w, entry, w->site->method_id, &call, err);
    if (st == OK && w->site->event != EVENT_METHOD_ENTRY)
        return call_argument(w, &call, attribute_number(w->site, "index", 0), out, err);
    if (st == OK)
        *out = call;
    return st;
}

enum status why_from_caller(struct why *w, struct error *err)
{
    struct hs_event e, entry;
    struct outside_call call, given;
    uint64_t entered = NO_POSITION;
    bool is_given = false;
    const char *what = "this";
    if (w->site->event != EVENT_METHOD_ENTRY) {
        what = attribute_text(w->site, "name");
        if (what == NULL)
            what = "without name";
    }
    enum status st = find_entry(w, &entered, err);
    if (st == OK)
        st = caller_argument(w, entered, &e, err);
    if (st == OK)
        st = why_number(w, &e, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && e.value == w->now.value)
        return why_goes_on(w, &e, "parameter %s, the caller's argument at seq %llu", what, (unsigned long long)e.seq);
    const enum status around = outside_call_around(w->trace, &w->now, &call, &entry, err);
    if (around != OK && around != ERR_NOT_FOUND)
        return around;
    const struct outside_call *outer = around == OK ? &call : NULL;
    st = entered != NO_POSITION
             ? positions_event(w->trace, (struct event_position){ positions_stream(w->trace, w->now.thread), entered },
                               &entry, err)
             : ERR_NOT_FOUND;
    if (st == OK)
        st = why_from_lambda(w, &entry, outer, attribute_number(w->site, "index", 0), what, &given, &is_given, err);
    if (st != ERR_NOT_FOUND)
        return st;
    return why_from_outer_call(w, is_given ? &given : outer, is_given, what, err);
}
