/* failure_changes.c - what was done to the collections that a value came by, and what ran on an object between the
 * write of a field and the read of it: a value that is stale, a list that someone else has changed. */
#include <stdio.h>
#include <string.h>

#include "reader/cli/failure_parts.h"

enum { EVENTS_MAX = 50000, CHANGES_MAX = 12, BETWEEN_MAX = 5, OF_OBJECT_MAX = 6, FRAMES_MAX = 1000 };

/* Begins of the names of methods that change a collection or a text of the JDK. */
static const char *const changers[] = {
    "add",     "offer", "push",   "pop",  "poll",    "remove", "insert", "set",    "put",        "replace", "merge",
    "compute", "clear", "retain", "sort", "reverse", "delete", "append", "update", "accumulate", "drain",
};
/* Static methods of java.util.Collections that change what they are given. */
static const char *const static_changers[] = { "sort", "reverse", "shuffle", "swap", "fill", "rotate", "addAll" };

static bool begins_with(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static bool changes(const struct hs_dataid *d)
{
    const char *name = show_text_attr(d, "name"), *owner = show_text_attr(d, "owner");
    if (name == NULL || owner == NULL || strncmp(owner, "java.", 5) != 0)
        return false;
    if (d->event == HS_EVENT_CALL)
        return begins_with(name, changers, sizeof changers / sizeof *changers);
    return strcmp(owner, "java.util.Collections") == 0 &&
           begins_with(name, static_changers, sizeof static_changers / sizeof *static_changers);
}

static struct failure_change *change_at(struct failure *f, uint32_t object, uint32_t dataid)
{
    for (size_t i = 0; i < f->changes.count; i++)
        if (f->changes.items[i].object == object && f->changes.items[i].event.dataid == dataid)
            return &f->changes.items[i];
    return NULL;
}

static size_t between_count(const struct failure *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->changes.count; i++)
        n += f->changes.items[i].what == NULL && !f->changes.items[i].waited;
    return n;
}

static bool add_change(struct failure *f, uint32_t object, const struct hs_event *e, const char *what, uint64_t read,
                       size_t *of_object)
{
    struct failure_change *to = change_at(f, object, e->dataid);
    if (to != NULL) {
        to->event = *e;
        to->times++;
        return true;
    }
    if (f->changes.count >= CHANGES_MAX || *of_object >= OF_OBJECT_MAX ||
        (what == NULL && between_count(f) >= BETWEEN_MAX))
        return true;
    if ((to = vec_push(&f->changes)) == NULL)
        return false;
    ++*of_object;
    *to = (struct failure_change){ .object = object,
                                   .event = *e,
                                   .what = what,
                                   .times = 1,
                                   .first = e->seq,
                                   .called_back = UINT32_MAX,
                                   .read = read };
    return true;
}

/* A method of the program that ran while the last of the calls did: a comparator, hashCode, a lambda. */
static void find_called_back(hs_trace *t, struct failure_change *x)
{
    const unsigned types[] = { HS_EVENT_METHOD_NORMAL_EXIT, HS_EVENT_METHOD_ENTRY, HS_EVENT_CALL_RETURN };
    const struct hs_dataid *call = hs_dataid_get(t, x->event.dataid), *d;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    unsigned depth = 0;
    filter.threads = &x->event.thread;
    filter.thread_count = 1;
    filter.from = x->event.seq + 1;
    filter.events = types;
    filter.event_count = sizeof types / sizeof *types;
    if (call == NULL || hs_events_open(t, &filter, &events, NULL) != 0)
        return;
    for (unsigned i = 0; i < FRAMES_MAX && hs_event_next(events, &e, NULL) > 0; i++) {
        if ((d = hs_dataid_get(t, e->dataid)) == NULL || (depth == 0 && d->event != HS_EVENT_METHOD_ENTRY))
            break;
        depth += d->event == HS_EVENT_METHOD_ENTRY;
        if (d->event != HS_EVENT_METHOD_NORMAL_EXIT || --depth > 0)
            continue;
        if (failure_own_class(t, d->method_id) != NULL) {
            x->called_back = d->method_id;
            x->back_line = d->line;
            break;
        }
    }
    hs_cursor_close(events);
}

/* The branch that the last time stood under. */
static int find_decision(hs_trace *t, struct failure *f, struct failure_change *x, struct hs_error *error)
{
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    const struct hs_cause *c;
    hs_cursor *causes;
    int more = 0;
    o.seq = x->event.seq;
    o.max = 1;
    o.under = true;
    if (x->what == NULL)
        return 0;
    if (hs_causes_open(t, &o, &causes, error) != 0)
        return failure_refused(error);
    if (failure_keep(f, causes, error) != 0)
        return -1;
    if ((more = hs_cause_next(causes, &c, error)) > 0)
        x->decision = c->decision;
    return more < 0 ? -1 : 0;
}

static const char *name_of(struct failure *f, const struct hs_dataid *d)
{
    const char *owner = show_text_attr(d, "owner"), *dot = owner != NULL ? strrchr(owner, '.') : NULL;
    return failure_text(f, "%s.%s", dot != NULL ? dot + 1 : "?", show_text_attr(d, "name"));
}

static int find_calls(hs_trace *t, struct failure *f, const struct failure_seen *x, struct hs_error *error)
{
    const unsigned types[] = { HS_EVENT_CALL, HS_EVENT_CALL_PARAM };
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    size_t of_object = 0, n = 0;
    int more;
    filter.object = x->object;
    filter.to = x->read;
    filter.events = types;
    filter.event_count = sizeof types / sizeof *types;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return failure_refused(error);
    while ((more = hs_event_next(events, &e, error)) > 0 && n++ < EVENTS_MAX) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d == NULL || failure_own_class(t, d->method_id) == NULL || !changes(d))
            continue;
        const char *what = name_of(f, d);
        if (what == NULL || !add_change(f, x->object, e, what, HS_NO_SEQ, &of_object)) {
            more = failure_no_memory(error);
            break;
        }
    }
    hs_cursor_close(events);
    return more < 0 ? -1 : 0;
}

static bool is_step(hs_trace *t, const struct failure *f, const struct hs_dataid *d)
{
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct hs_dataid *x = hs_dataid_get(t, f->steps.items[i].event.dataid);
        if (x != NULL && x->method_id == d->method_id && x->line == d->line)
            return true;
    }
    return false;
}

/* Where the object was made, before its changes, the first of which is number `at`; unless a step has the line. */
static int add_made(hs_trace *t, struct failure *f, uint32_t object, size_t at, struct hs_error *error)
{
    const struct hs_object_state *state;
    const struct hs_event *e;
    if (at == f->changes.count || hs_object_at(t, object, f->compared, &state, NULL) != 0 ||
        state->created == HS_NO_SEQ || hs_event_at(t, state->created, &e, NULL) != 0)
        return 0;
    const struct hs_event made = *e;
    const struct hs_dataid *d = hs_dataid_get(t, made.dataid);
    if (d == NULL || failure_own_class(t, d->method_id) == NULL || is_step(t, f, d))
        return 0;
    if (vec_push(&f->changes) == NULL)
        return failure_no_memory(error);
    struct failure_change *to = &f->changes.items[at];
    memmove(to + 1, to, (f->changes.count - 1 - at) * sizeof *to);
    *to = (struct failure_change){ .object = object,
                                   .event = made,
                                   .what = "made",
                                   .made = true,
                                   .times = 1,
                                   .first = made.seq,
                                   .called_back = UINT32_MAX,
                                   .read = HS_NO_SEQ };
    return 0;
}

static bool is_open(hs_trace *t, uint64_t at, uint64_t entered)
{
    const struct hs_frame *frame;
    hs_cursor *frames;
    bool found = false;
    if (hs_frames_open(t, at, &frames, NULL) != 0)
        return true;
    while (!found && hs_frame_next(frames, &frame, NULL) > 0)
        found = frame->entered == entered;
    hs_cursor_close(frames);
    return found;
}

/* Methods of the program that ran on the object between a write of its field and the read of it. */
static int find_between(hs_trace *t, struct failure *f, const struct failure_seen *x, struct hs_error *error)
{
    const unsigned entry = HS_EVENT_METHOD_ENTRY;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    size_t of_object = 0, n = 0;
    int more;
    filter.object = x->object;
    filter.from = x->write + 1;
    filter.to = x->read;
    filter.events = &entry;
    filter.event_count = 1;
    if (filter.from >= filter.to)
        return 0;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return failure_refused(error);
    while ((more = hs_event_next(events, &e, error)) > 0 && n++ < EVENTS_MAX) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
        if (m == NULL || strcmp(m->name, "<init>") == 0 || failure_own_class(t, d->method_id) == NULL)
            continue;
        const struct hs_event entered = *e;
        if (is_open(t, x->read, entered.seq))
            continue;
        if (!add_change(f, x->object, &entered, NULL, x->read, &of_object)) {
            more = failure_no_memory(error);
            break;
        }
    }
    hs_cursor_close(events);
    return more < 0 ? -1 : 0;
}

int failure_find_since(hs_trace *t, struct failure *f, uint32_t object, uint64_t since, struct hs_error *error)
{
    const struct failure_seen x = { object, since, f->interrupted != HS_NO_SEQ ? f->interrupted : f->row.test->end };
    const size_t before = f->changes.count;
    const int failed = find_between(t, f, &x, error);
    for (size_t i = before; i < f->changes.count; i++)
        f->changes.items[i].waited = true;
    return failed;
}

int failure_find_changes(hs_trace *t, struct failure *f, const failure_seen_vec *seen, struct hs_error *error)
{
    int failed = 0;
    for (size_t i = 0; failed == 0 && i < seen->count; i++) {
        const struct failure_seen *x = &seen->items[i];
        const size_t at = f->changes.count;
        failed = x->write == HS_NO_SEQ ? find_calls(t, f, x, error) : find_between(t, f, x, error);
        if (failed == 0 && x->write == HS_NO_SEQ)
            failed = add_made(t, f, x->object, at, error);
    }
    for (size_t i = 0; failed == 0 && i < f->changes.count; i++) {
        if (f->changes.items[i].what != NULL && !f->changes.items[i].made)
            find_called_back(t, &f->changes.items[i]);
        failed = find_decision(t, f, &f->changes.items[i], error);
    }
    return failed;
}
