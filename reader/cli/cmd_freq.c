/* cmd_freq.c - `hindsight freq` and `hindsight latest`: what is known of each data ID. */
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    const char *class_glob, *method_glob;
    struct texts events;
    bool all, merged;
    uint64_t snapshot;
};
#define CHOICE_OPTIONS                                                                                                 \
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only of these classes: a.b.*, or Foo" },  \
        { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob), "only of these methods" },           \
        { "event",                                                                                                     \
          'e',                                                                                                         \
          "E,E",                                                                                                       \
          OPTION_EVENTS,                                                                                               \
          offsetof(struct args, events),                                                                               \
          "only of these event types; upper or lower case, and globs: call*" },                                        \
        { "events", 0, "E,E", OPTION_EVENTS, offsetof(struct args, events), "the same as --event" },                   \
    {                                                                                                                  \
        "all", 'a', NULL, OPTION_FLAG, offsetof(struct args, all), "also data IDs that were never reached"             \
    }
static const struct option_row freq_options[] = {
    CHOICE_OPTIONS,
    SNAPSHOT_OPTION(args),
    { 0 },
};
static const struct option_row latest_options[] = {
    CHOICE_OPTIONS,
    { "merged", 0, NULL, OPTION_FLAG, offsetof(struct args, merged),
      "one timeline of all kept events, with the calls that they prove to be open; --limit N: the last N" },
    SNAPSHOT_OPTION(args),
    { 0 },
};

const struct usage usage_freq = {
    .about = "Prints the number of events of each data ID, ordered by class and position in the code. Works for every "
             "format except discard.",
    .example = "hindsight freq --class Main --event LABEL",
    .options = freq_options,
};
const struct usage usage_latest = {
    .about =
        "Prints the last events of each data ID (the agent's option size; the last 32 for format=omni), oldest "
        "first. seq orders them over all data IDs. With one thread it is the position among all events, otherwise "
        "a lower bound of it.\nWith --merged one line an event, of all data IDs by seq, indented by the calls of its "
        "thread that are known to be open: those whose METHOD_ENTRY was kept, and whose exit cannot be among the "
        "dropped events. Others may be open between them. In JSON they are in stack, outermost first, of more than 64 "
        "the innermost; depth is their number.",
    .example = "hindsight latest --class Main --json",
    .options = latest_options,
};

struct wanted {
    const struct args *a;
    bool any_event, events[EVENT_LIMIT];
};

static bool wants(hs_trace *t, const struct wanted *w, const struct hs_dataid *d)
{
    const struct hs_class *c = hs_class_get(t, d->class_no);
    const struct hs_method *m = hs_method_get(t, d->method_id);
    return c != NULL && m != NULL && (w->any_event || w->events[d->event]) &&
           hs_class_matches(w->a->class_glob, c->name) && hs_method_matches(w->a->method_glob, m->name, m->desc);
}

/* The last events of the data ID, before which the cursor stands. */
static void values_member(struct show *s, hs_cursor *latest)
{
    struct json *j = &s->out->json;
    const struct hs_event *e;
    if (latest == NULL)
        return;
    json_name(j, "values");
    json_array(j);
    while (hs_event_next(latest, &e, NULL) > 0) {
        json_object(j);
        if (show_has_value(s, e)) {
            json_name(j, "value");
            show_value_json(s, e->kind, e->value);
        }
        json_member_u64(j, "seq", e->seq);
        json_member_u64(j, "thread", e->thread);
        if (e->time_ns != HS_NO_TIME)
            json_member_u64(j, "time", e->time_ns);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/counts.def"
#define ROW  struct show *show, const struct hs_dataid *d, uint64_t count, hs_cursor *latest, size_t recorded
#include "reader/answers/row.h"

/* `latest`: stands before the last events of the data ID; NULL: they are not printed. */
static void text(struct show *s, const struct hs_dataid *d, uint64_t count, hs_cursor *latest)
{
    struct out *o = s->out;
    const struct hs_event *e;
    out_format(o, "%14llu %8u  ", (unsigned long long)count, d->dataid);
    out_padded(o, hs_event_name(d->event), 26);
    out_char(o, ' ');
    show_place_text(s, d);
    out_format(o, " pc %u", d->pc);
    for (size_t i = 0; latest != NULL && hs_event_next(latest, &e, NULL) > 0 && show_has_value(s, e); i++) {
        out_char(o, i == 0 ? ':' : ',');
        out_char(o, ' ');
        show_value_text(s, e->kind, e->value);
    }
    out_char(o, '\n');
}

/* A list that is being shown. */
struct listing {
    struct session *session;
    const struct wanted *wanted;
    struct show show;
    hs_cursor *latest; /* NULL: only counts */
    uint64_t *counts;
    uint32_t *ids; /* those to be shown next */
    uint32_t next; /* data ID to be looked at next */
};

/* The first screen is asked for by itself: the last events of a few data IDs are found soon. */
enum { SCREEN = 64 };

/* The next data IDs to be shown, `most` of them if there are. */
static size_t choose(struct listing *l, size_t most)
{
    hs_trace *t = l->session->trace;
    size_t count = 0;
    for (; count < most && l->next < hs_dataid_count(t); l->next++) {
        const struct hs_dataid *d = l->counts[l->next] > 0 || l->wanted->a->all ? hs_dataid_get(t, l->next) : NULL;
        if (d != NULL && wants(t, l->wanted, d))
            l->ids[count++] = l->next;
    }
    return count;
}

/* What the caller frees, also after a failure. */
static int count_all(struct listing *l, uint32_t n, bool latest, struct hs_error *error)
{
    hs_trace *t = l->session->trace;
    l->counts = calloc((size_t)n + 1, sizeof *l->counts);
    l->ids = malloc(((size_t)n + 1) * sizeof *l->ids);
    if (l->counts == NULL || l->ids == NULL || !show_init(&l->show, t, &l->session->out)) {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
        return -1;
    }
    if (hs_count_dataids(t, l->counts, NULL, error) != 0)
        return -1;
    return latest ? hs_latest_open(t, &l->latest, error) : 0;
}

static int show_some(struct listing *l, size_t count, struct hs_error *error)
{
    bool as_json = l->wanted->a->common.json;
    if (l->latest != NULL && hs_latest_read(l->latest, l->ids, count, as_json, error) != 0)
        return -1;
    for (size_t i = 0; i < count && l->session->out.failed == 0; i++) {
        uint32_t id = l->ids[i];
        size_t recorded = 0;
        if (l->latest != NULL && hs_latest_select(l->latest, id, &recorded, error) != 0)
            return -1;
        const struct hs_dataid *d = hs_dataid_get(l->session->trace, id);
        if (as_json)
            counts_json(&l->session->out, &l->show, d, l->counts[id], l->latest, recorded);
        else
            text(&l->show, d, l->counts[id], l->latest);
    }
    return 0;
}

/* ---- latest --merged ---- */

enum { FRAMES_SHOWN_MAX = 64, INDENT_MAX = 40 };

static void stack_member(struct show *s, const struct hs_recent *r)
{
    struct json *j = &s->out->json;
    size_t first = r->frame_count > FRAMES_SHOWN_MAX ? r->frame_count - FRAMES_SHOWN_MAX : 0;
    json_name(j, "stack");
    json_array(j);
    for (size_t i = first; i < r->frame_count; i++) {
        const struct hs_method *m = hs_method_get(s->trace, r->methods[i]);
        const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        json_object(j);
        show_method_members(s->out, c != NULL ? c->name : "?", c != NULL ? m->name : "?", c != NULL ? m->desc : "");
        if (r->entered[i] != HS_NO_SEQ)
            json_member_u64(j, "entered", r->entered[i]);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/kept.def"
#define ROW  struct show *show, const struct hs_recent *r
#include "reader/answers/row.h"

static void recent_text(struct show *s, const struct hs_recent *r)
{
    struct out *o = s->out;
    const struct hs_event *e = r->event;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    size_t depth = r->frame_count - 1 < INDENT_MAX ? r->frame_count - 1 : INDENT_MAX;
    out_format(o, "%12llu %6u  ", (unsigned long long)e->seq, e->thread);
    out_padded(o, d != NULL ? hs_event_name(d->event) : "?", 26);
    out_padded(o, "", (int)(1 + 2 * depth));
    show_event_place_text(s, e);
    if (show_has_value(s, e)) {
        out_bytes(o, " ", 1);
        show_value_text(s, e->kind, e->value);
    }
    out_char(o, '\n');
}

static bool wants_recent(hs_trace *t, const struct wanted *w, const struct hs_recent *r)
{
    const struct hs_dataid *d = hs_dataid_get(t, r->event->dataid);
    return d != NULL && wants(t, w, d);
}

/* The seq from which on there are as many wanted events as --limit allows. */
static int find_first(hs_trace *t, const struct wanted *w, hs_cursor *recents, uint64_t *count, uint64_t *first,
                      struct hs_error *error)
{
    const struct hs_recent *r;
    uint64_t limit = w->a->common.limit;
    int more;
    *count = *first = 0;
    while ((more = hs_recent_next(recents, &r, error)) > 0)
        *count += wants_recent(t, w, r);
    if (more < 0 || hs_cursor_seek(recents, 0, error) != 0)
        return -1;
    for (uint64_t left = *count; left > limit && (more = hs_recent_next(recents, &r, error)) > 0;) {
        left -= wants_recent(t, w, r);
        *first = r->event->seq + 1;
    }
    return more < 0 || hs_cursor_seek(recents, *first, error) != 0 ? -1 : 0;
}

static int latest_merged(struct session *session, const struct wanted *w)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_recent *r;
    hs_cursor *recents = NULL;
    struct show show;
    uint64_t count = 0, first;
    bool as_json = w->a->common.json;
    if (!show_init(&show, session->trace, &session->out))
        return session_fail(session, "out of memory");
    int more = hs_recents_open(session->trace, &recents, &error);
    if (more == 0)
        more = find_first(session->trace, w, recents, &count, &first, &error);
    if (more == 0 && !as_json)
        out_format(&session->out, "%12s %6s  %-26s %s\n", "seq", "thread", "event", "where, value");
    while (more >= 0 && w->a->common.limit > 0 && (more = hs_recent_next(recents, &r, &error)) > 0)
        if (!wants_recent(session->trace, w, r))
            continue;
        else if (as_json)
            kept_json(&session->out, &show, r);
        else
            recent_text(&show, r);
    hs_cursor_close(recents);
    show_done(&show);
    if (more < 0)
        return session_fail(session, "%s", error.text);
    names_empty(session, count, w->a->common.limit, "event of such a data ID");
    return session_close(session, EXIT_DONE);
}

static int list(struct context *context, bool latest)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    struct wanted w = { .a = &a, .any_event = a.events.count == 0 };
    struct event_choice events = { .count = 0 };
    for (size_t i = 0; status == PARSED && i < a.events.count; i++)
        status = names_events(context, a.events.items[i], &events);
    if (status != PARSED)
        return status;
    for (size_t i = 0; i < events.count; i++)
        w.events[events.items[i]] = true;
    if ((status = session_open(&s, context, &a.common, a.common.arguments[0])) != PARSED)
        return status;
    if (a.snapshot != 0 && (status = session_snapshot(&s, a.snapshot)) != PARSED)
        return status;
    if ((status = names_method(&s, a.class_glob, a.method_glob)) != PARSED)
        return session_close(&s, status);
    const char *format = hs_info(s.trace, "format");
    if (latest && format != NULL && !format_keeps_last_values(format_of_trace(format)) && hs_event_count(s.trace) == 0)
        return session_fail(&s, "%s: format=%s keeps no last values; record with --format latest for them",
                            hs_dir(s.trace), format);
    if (a.merged)
        return latest_merged(&s, &w);
    uint32_t n = hs_dataid_count(s.trace);
    struct listing l = { .session = &s, .wanted = &w };
    int failed = count_all(&l, n, latest, &error);
    if (failed == 0 && !a.common.json)
        out_format(&s.out, "%14s %8s  %-26s %s\n", "events", "data ID", "event",
                   latest ? "where: last values" : "where");
    uint64_t left = a.common.limit;
    for (size_t most = SCREEN; failed == 0 && left > 0 && l.next < n && s.out.failed == 0; most = n) {
        size_t count = choose(&l, most < left ? most : (size_t)left);
        failed = show_some(&l, count, &error);
        left -= count;
    }
    hs_cursor_close(l.latest);
    free(l.counts);
    free(l.ids);
    show_done(&l.show);
    if (failed == 0)
        names_empty_of(&s, a.common.limit - left, a.common.limit,
                       a.all ? "data ID that satisfies every option" : "event of such a data ID", events.items,
                       events.count);
    return failed != 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}

int cmd_freq(struct context *context) { return list(context, false); }
int cmd_latest(struct context *context) { return list(context, true); }
