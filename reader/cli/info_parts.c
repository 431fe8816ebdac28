/* info_parts.c - see info_parts.h. */
#include "reader/cli/info_parts.h"

#include <stdio.h>
#include <string.h>

#include "formats/event.h"

static const char *const kinds[] = {
    [HS_SNAPSHOT_INTERVAL] = "interval", [HS_SNAPSHOT_THROW] = "throw", [HS_SNAPSHOT_UNCAUGHT] = "uncaught"
};

/* Not while it has everything (formats/drop.h). */
static bool in_parts(const hs_trace *t)
{
    const bool whole = hs_info(t, "outside_to_drop") != NULL && hs_info(t, "dropped_events") == NULL;
    return (!whole && hs_info(t, "starts_matched") != NULL) || hs_interval_count(t) > 0;
}

static void number_member(struct json *j, const hs_trace *t, const char *name)
{
    uint64_t v;
    if (hs_info(t, name) != NULL && cli_u64(hs_info(t, name), &v))
        json_member_u64(j, name, v);
}

/* The event that began or ended an interval. */
static void edge_json(struct json *j, hs_trace *t, const char *name, uint32_t dataid, uint32_t thread)
{
    const struct hs_dataid *d = dataid != UINT32_MAX ? hs_dataid_get(t, dataid) : NULL;
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(t, d->class_no) : NULL;
    if (m == NULL || c == NULL)
        return;
    json_name(j, name);
    json_object(j);
    json_member_u64(j, "dataid", dataid);
    json_member_u64(j, "thread", thread);
    json_member_text(j, "event", event_name(d->event));
    json_member_text(j, "class", c->name);
    json_member_text(j, "method", m->name);
    json_member_text(j, "desc", m->desc);
    json_end(j);
}

static const char *message_of(hs_trace *t, const struct hs_snapshot *s)
{
    const struct hs_thrown *thrown = s->object != 0 ? hs_thrown_get(t, s->object) : NULL;
    return thrown != NULL ? thrown->message : NULL;
}

/* The last interval is not ended yet. */
static bool last_is_open(hs_cursor *intervals)
{
    uint64_t count = hs_cursor_count(intervals);
    const struct hs_interval *v;
    if (count == 0 || hs_cursor_seek(intervals, count - 1, NULL) != 0 || hs_interval_next(intervals, &v, NULL) <= 0)
        return false;
    (void)hs_cursor_seek(intervals, 0, NULL);
    return v->end_ns == HS_NO_TIME;
}

static void interval_json(struct json *j, hs_trace *t, const struct hs_interval *v)
{
    json_object(j);
    if (hs_event_count(t) > 0) {
        json_member_u64(j, "first", v->first);
        json_member_u64(j, "events", v->events);
    }
    json_member_u64(j, "begin_ns", v->begin_ns);
    if (v->end_ns != HS_NO_TIME)
        json_member_u64(j, "end_ns", v->end_ns);
    edge_json(j, t, "start", v->start_dataid, v->start_thread);
    edge_json(j, t, "end", v->end_dataid, v->end_thread);
    json_end(j);
}

void info_intervals_json(hs_trace *t, struct json *j, hs_cursor *intervals, uint64_t limit)
{
    const struct hs_interval *v;
    if (!in_parts(t))
        return;
    json_name(j, "intervals");
    json_object(j);
    json_member_u64(j, "count", hs_cursor_count(intervals));
    json_member_bool(j, "open", last_is_open(intervals));
    number_member(j, t, "starts_matched");
    number_member(j, t, "ends_matched");
    json_name(j, "list");
    json_array(j);
    for (; limit > 0 && hs_interval_next(intervals, &v, NULL) > 0; limit--)
        interval_json(j, t, v);
    json_end(j);
    json_end(j);
}

static void snapshot_json(struct json *j, hs_trace *t, const struct hs_snapshot *s)
{
    json_object(j);
    json_member_u64(j, "number", s->number);
    json_member_text(j, "by", kinds[s->kind]);
    json_member_bool(j, "saved", s->saved);
    if (s->seq != HS_NO_SEQ)
        json_member_u64(j, "seq", s->seq);
    json_member_u64(j, "ns", s->ns);
    json_member_u64(j, "thread", s->thread);
    if (s->kind == HS_SNAPSHOT_INTERVAL) {
        json_member_u64(j, "interval", s->interval);
    } else {
        const char *message = message_of(t, s);
        json_name(j, "exception");
        json_object(j);
        if (s->object != 0)
            json_member_u64(j, "id", s->object);
        json_member_text(j, "type", s->type);
        if (message != NULL)
            json_member_text(j, "message", message);
        json_end(j);
    }
    json_end(j);
}

void info_snapshots_json(hs_trace *t, struct json *j, hs_cursor *snapshots, uint64_t limit)
{
    const struct hs_snapshot *s;
    if (hs_cursor_count(snapshots) == 0)
        return;
    json_name(j, "snapshots");
    json_array(j);
    for (; limit > 0 && hs_snapshot_next(snapshots, &s, NULL) > 0; limit--)
        snapshot_json(j, t, s);
    json_end(j);
}

/* ---- text ---- */

enum { LINES = 20 }; /* unless --limit says otherwise */

static void edge_text(hs_trace *t, struct out *o, uint32_t dataid, uint32_t thread, const char *otherwise)
{
    const struct hs_dataid *d = dataid != UINT32_MAX ? hs_dataid_get(t, dataid) : NULL;
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(t, d->class_no) : NULL;
    if (m != NULL && c != NULL)
        out_format(o, "%s %s.%s (thread %u)", event_name(d->event), c->name, m->name, thread);
    else
        out_text(o, otherwise);
}

static void more(struct out *o, size_t count, uint64_t shown)
{
    if (count > shown)
        out_format(o, "  and %llu more\n", (unsigned long long)(count - shown));
}

static void intervals_text(hs_trace *t, struct out *o, hs_cursor *intervals, uint64_t limit)
{
    const struct hs_interval *v;
    size_t n = hs_interval_count(t);
    if (in_parts(t)) {
        const char *found = hs_info(t, "starts_matched");
        out_format(o, "\nintervals: %zu", n);
        if (n == 0 && found != NULL)
            out_format(o, " (nothing was recorded: logstart matched %s places in the code%s)", found,
                       strcmp(found, "0") == 0 ? "" : ", and none was reached");
        out_char(o, '\n');
    }
    for (uint64_t left = limit; left > 0 && hs_interval_next(intervals, &v, NULL) > 0; left--) {
        if (hs_event_count(t) > 0)
            out_format(o, "  from seq %llu, %llu events: ", (unsigned long long)v->first,
                       (unsigned long long)v->events);
        else
            out_format(o, "  from %.3f ms: ", (double)v->begin_ns / 1e6);
        edge_text(t, o, v->start_dataid, v->start_thread, "the start of the recording");
        out_text(o, " to ");
        edge_text(t, o, v->end_dataid, v->end_thread,
                  v->end_ns == HS_NO_TIME ? "the end: nobody ended it" : "the stop of the recording");
        out_char(o, '\n');
    }
    more(o, n, limit);
}

static void snapshot_text(hs_trace *t, struct out *o, const struct hs_snapshot *s)
{
    const char *message = message_of(t, s);
    out_format(o, "  %u at %.3f ms, thread %u: ", s->number, (double)s->ns / 1e6, s->thread);
    if (s->kind == HS_SNAPSHOT_INTERVAL)
        out_format(o, "end of interval %u", s->interval);
    else
        out_format(o, "%s%s%s%s %s", s->type[0] != '\0' ? s->type : "an exception", message != NULL ? " (" : "",
                   message != NULL ? message : "", message != NULL ? ")" : "",
                   s->kind == HS_SNAPSHOT_THROW ? "was thrown" : "was caught by nobody");
    if (s->object != 0)
        out_format(o, " (object %u)", s->object);
    if (s->seq != HS_NO_SEQ)
        out_format(o, ", before seq %llu", (unsigned long long)s->seq);
    out_char(o, '\n');
}

void info_parts_text(hs_trace *t, struct out *o, hs_cursor *intervals, hs_cursor *snapshots, uint64_t limit)
{
    const struct hs_snapshot *s;
    uint64_t shown = limit == UINT64_MAX ? LINES : limit;
    intervals_text(t, o, intervals, shown);
    size_t count = hs_snapshot_count(t);
    if (count > 0)
        out_format(o, "\nsnapshots: %zu%s\n", count,
                   hs_event_count(t) > 0 ? "" : " (--snapshot N of latest, freq and report)");
    for (uint64_t left = shown; left > 0 && hs_snapshot_next(snapshots, &s, NULL) > 0; left--)
        snapshot_text(t, o, s);
    more(o, count, shown);
}

/* ---- starts ---- */

const char *info_start(const hs_trace *t, const char *name, unsigned n)
{
    char key[32];
    (void)snprintf(key, sizeof key, "%s.%u", name, n);
    return hs_info(t, key);
}

void info_starts_json(const hs_trace *t, struct json *j)
{
    const char *weave = info_start(t, "weave", 1);
    if (weave == NULL)
        return;
    json_name(j, "starts");
    json_array(j);
    for (unsigned n = 1; (weave = info_start(t, "weave", n)) != NULL; n++)
        json_text(j, weave);
    json_end(j);
}

void info_starts_text(const hs_trace *t, struct out *o)
{
    const char *weave;
    for (unsigned n = 1; (weave = info_start(t, "weave", n)) != NULL; n++)
        out_format(o, "%s%s", n == 1 ? "starts     " : "; ", weave);
    if (info_start(t, "weave", 1) != NULL)
        out_char(o, '\n');
}
