/* call_walk.c - see call_walk.h. */
#include "reader/export/call_walk.h"

#include "formats/event.h"
#include "reader/command/names.h"

struct walk {
    struct export_job *job;
    const struct call_walk_fns *fns;
    void *context;
    struct open_calls open;
    struct chosen_events calls, wanted; /* entries and exits; what passes the filter */
    hs_cursor *call_cursor, *wanted_cursor;
    const struct hs_event *call; /* the next entry or exit; NULL: there is none */
    uint64_t entered;            /* calls */
};

/* The next event, or none: *e is NULL. False: it failed. */
static bool next(struct walk *w, hs_cursor *cursor, const struct hs_event **e)
{
    struct hs_error error = HS_ERROR_INIT;
    int more = hs_event_next(cursor, e, &error);
    if (more <= 0)
        *e = NULL;
    return more >= 0 || export_failed(w->job, &error);
}

static bool apply(struct walk *w, const struct hs_event *e, bool wanted)
{
    struct open_calls_step step;
    switch (open_calls_apply(&w->open, e, &step)) {
    case OPEN_CALLS_NOTHING: return true;
    case OPEN_CALLS_NO_MEMORY: return export_fail(w->job, "out of memory");
    case OPEN_CALLS_ENTERED: w->entered++; return w->fns->enter(w->context, e, &step, wanted);
    case OPEN_CALLS_LEFT: return w->fns->leave(w->context, e, &step);
    }
    return false;
}

/* Follows the entries and exits up to `seq`, which it leaves out. */
static bool follow(struct walk *w, uint64_t seq, bool wanted)
{
    while (export_ok(w->job) && w->call != NULL && w->call->seq < seq)
        if (!apply(w, w->call, wanted) || !next(w, w->call_cursor, &w->call))
            return false;
    return export_ok(w->job);
}

static bool walk_wanted(struct walk *w)
{
    const struct hs_event *e;
    uint64_t left = w->job->limit;
    while (left-- > 0 && export_ok(w->job)) {
        if (!next(w, w->wanted_cursor, &e))
            return false;
        if (e == NULL)
            break;
        const struct hs_dataid *d = hs_dataid_get(w->job->trace, e->dataid);
        if (!follow(w, e->seq, false))
            return false;
        if (d != NULL && event_has(d->event, USE_ENTER) && !follow(w, e->seq + 1, true))
            return false;
        if (w->fns->event != NULL && !w->fns->event(w->context, e, open_calls_of(&w->open, e->thread)))
            return false;
    }
    return follow(w, UINT64_MAX, false); /* calls that are open end */
}

static bool run(struct walk *w)
{
    struct export_job *x = w->job;
    bool all = x->filter->all && x->limit == UINT64_MAX && w->fns->event == NULL;
    unsigned entries[EVENT_LIMIT], both[EVENT_LIMIT];
    w->wanted = *x->filter;
    if (w->fns->event == NULL && w->wanted.filter.event_count == 0) {
        w->wanted.filter.events = entries;
        w->wanted.filter.event_count = event_list(USE_ENTER, entries);
    }
    w->calls = (struct chosen_events){ .trace = x->trace, .filter = HS_FILTER_ALL };
    w->calls.filter.to = x->filter->filter.to;
    w->calls.filter.threads = x->filter->filter.threads;
    w->calls.filter.thread_count = x->filter->filter.thread_count;
    w->calls.filter.events = both;
    w->calls.filter.event_count = event_list(USE_ENTER | USE_LEAVE, both);
    x->status = chosen_open(&w->calls, x->session->context, &w->call_cursor);
    if (x->status == PARSED && !all)
        x->status = chosen_open(&w->wanted, x->session->context, &w->wanted_cursor);
    return x->status == PARSED && next(w, w->call_cursor, &w->call) &&
           (all ? follow(w, UINT64_MAX, true) : walk_wanted(w));
}

bool call_walk(struct export_job *x, const struct call_walk_fns *fns, void *context)
{
    struct walk w = { .job = x, .fns = fns, .context = context };
    if (!export_has_stream(x))
        return false;
    bool done = open_calls_init(&w.open, x->trace) ? run(&w) : export_fail(x, "out of memory");
    hs_cursor_close(w.call_cursor);
    hs_cursor_close(w.wanted_cursor);
    open_calls_done(&w.open);
    if (done)
        names_empty_without(x->session, w.entered, x->limit, "call", USE_ENTER);
    return done && export_ok(x);
}
