/* info_parts.c - see info_parts.h. */
#include "reader/cli/info_parts.h"

#include <stdio.h>
#include <string.h>

#include "formats/event.h"

static const char *const kinds[] = {
    [HS_SNAPSHOT_INTERVAL] = "interval", [HS_SNAPSHOT_THROW] = "throw", [HS_SNAPSHOT_UNCAUGHT] = "uncaught"
};

static bool in_parts(const hs_trace *t) { return hs_info(t, "starts_matched") != NULL || hs_interval_count(t) > 0; }

static void add_u64(cJSON *o, const char *name, uint64_t v)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    (void)cJSON_AddRawToObject(o, name, digits);
}

static void add_info_number(cJSON *o, const hs_trace *t, const char *name)
{
    uint64_t v;
    if (hs_info(t, name) != NULL && cli_u64(hs_info(t, name), &v))
        add_u64(o, name, v);
}

/* The event that began or ended an interval. */
static void add_edge(hs_trace *t, cJSON *o, const char *name, uint32_t dataid, uint32_t thread)
{
    const struct hs_dataid *d = dataid != UINT32_MAX ? hs_dataid_get(t, dataid) : NULL;
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(t, d->class_no) : NULL;
    if (m == NULL || c == NULL)
        return;
    cJSON *e = cJSON_AddObjectToObject(o, name);
    add_u64(e, "dataid", dataid);
    add_u64(e, "thread", thread);
    (void)cJSON_AddStringToObject(e, "event", event_name(d->event));
    (void)cJSON_AddStringToObject(e, "class", c->name);
    (void)cJSON_AddStringToObject(e, "method", m->name);
    (void)cJSON_AddStringToObject(e, "desc", m->desc);
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

static int intervals_json(hs_trace *t, cJSON *o, uint64_t limit, struct hs_error *error)
{
    hs_cursor *intervals;
    const struct hs_interval *v;
    if (hs_intervals_open(t, &intervals, error) != 0)
        return -1;
    cJSON *parts = cJSON_AddObjectToObject(o, "intervals");
    add_u64(parts, "count", hs_cursor_count(intervals));
    (void)cJSON_AddBoolToObject(parts, "open", last_is_open(intervals));
    add_info_number(parts, t, "starts_matched");
    add_info_number(parts, t, "ends_matched");
    cJSON *list = cJSON_AddArrayToObject(parts, "list");
    for (; limit > 0 && hs_interval_next(intervals, &v, NULL) > 0; limit--) {
        cJSON *one = cJSON_CreateObject();
        if (hs_event_count(t) > 0) {
            add_u64(one, "first", v->first);
            add_u64(one, "events", v->events);
        }
        add_u64(one, "begin_ns", v->begin_ns);
        if (v->end_ns != HS_NO_TIME)
            add_u64(one, "end_ns", v->end_ns);
        add_edge(t, one, "start", v->start_dataid, v->start_thread);
        add_edge(t, one, "end", v->end_dataid, v->end_thread);
        (void)cJSON_AddItemToArray(list, one);
    }
    hs_cursor_close(intervals);
    return 0;
}

static cJSON *snapshot_json(hs_trace *t, const struct hs_snapshot *s)
{
    cJSON *one = cJSON_CreateObject();
    add_u64(one, "number", s->number);
    (void)cJSON_AddStringToObject(one, "by", kinds[s->kind]);
    (void)cJSON_AddBoolToObject(one, "saved", s->saved);
    if (s->seq != HS_NO_SEQ)
        add_u64(one, "seq", s->seq);
    add_u64(one, "ns", s->ns);
    add_u64(one, "thread", s->thread);
    if (s->kind == HS_SNAPSHOT_INTERVAL) {
        add_u64(one, "interval", s->interval);
        return one;
    }
    cJSON *exception = cJSON_AddObjectToObject(one, "exception");
    if (s->object != 0)
        add_u64(exception, "id", s->object);
    (void)cJSON_AddStringToObject(exception, "type", s->type);
    if (message_of(t, s) != NULL)
        (void)cJSON_AddStringToObject(exception, "message", message_of(t, s));
    return one;
}

int info_parts_json(hs_trace *t, cJSON *o, uint64_t limit, struct hs_error *error)
{
    hs_cursor *snapshots;
    const struct hs_snapshot *s;
    if (in_parts(t) && intervals_json(t, o, limit, error) != 0)
        return -1;
    if (hs_snapshots_open(t, &snapshots, error) != 0)
        return -1;
    cJSON *list = hs_cursor_count(snapshots) > 0 ? cJSON_AddArrayToObject(o, "snapshots") : NULL;
    for (; limit > 0 && hs_snapshot_next(snapshots, &s, NULL) > 0; limit--)
        (void)cJSON_AddItemToArray(list, snapshot_json(t, s));
    hs_cursor_close(snapshots);
    return 0;
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

static int intervals_text(hs_trace *t, struct out *o, uint64_t limit, struct hs_error *error)
{
    hs_cursor *intervals;
    const struct hs_interval *v;
    if (hs_intervals_open(t, &intervals, error) != 0)
        return -1;
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
    hs_cursor_close(intervals);
    more(o, n, limit);
    return 0;
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

int info_parts_text(hs_trace *t, struct out *o, uint64_t limit, struct hs_error *error)
{
    hs_cursor *snapshots;
    const struct hs_snapshot *s;
    uint64_t shown = limit == UINT64_MAX ? LINES : limit;
    if (intervals_text(t, o, shown, error) != 0)
        return -1;
    if (hs_snapshots_open(t, &snapshots, error) != 0)
        return -1;
    size_t count = hs_snapshot_count(t);
    if (count > 0)
        out_format(o, "\nsnapshots: %zu%s\n", count,
                   hs_event_count(t) > 0 ? "" : " (--snapshot N of latest, freq and report)");
    for (uint64_t left = shown; left > 0 && hs_snapshot_next(snapshots, &s, NULL) > 0; left--)
        snapshot_text(t, o, s);
    hs_cursor_close(snapshots);
    more(o, count, shown);
    return 0;
}
