/* dap_custom.c - requests of our own: who wrote a value, why, its history, and the timeline. Their rows are events as
 * `hindsight print --json` writes them, with the value as text (`shown`: a client's numbers may have 53 bits). A place
 * is `what`, a location as `hindsight history` takes it, or a variable that the client was shown. */
#include <stdlib.h>

#include "reader/serve/dap.h"

enum { ROWS_DEFAULT = 100, ROWS_MAX = 10000 };

/* An event with the members that `print --json` has; its object is left open. */
static void event_members(struct dap *d, const struct hs_event *e)
{
    d->text.used = 0;
    json_init(&d->text.json, d->text.json.write, d->text.json.to);
    show_event_json(&d->show, e);
    json_object(&d->json);
    if (d->text.failed == 0 && d->text.used > 2)
        json_members(&d->json, d->text.data + 1, d->text.used - 2);
    const struct expression_value v = { .known = true, .kind = e->kind, .bits = e->value };
    if (show_has_value(&d->show, e))
        json_member_text(&d->json, "shown", dap_value_text(d, &v));
}

static size_t row_limit(const cJSON *arguments)
{
    int64_t n = dap_number(arguments, "limit", ROWS_DEFAULT);
    return n < 1 ? 1 : n > ROWS_MAX ? ROWS_MAX : (size_t)n;
}

/* The location that is asked about; lives in the arena or the arguments. NULL: there is none, and that was reported. */
static const char *what_of(struct dap *d, const cJSON *arguments, struct arena *arena)
{
    const char *what = dap_text(arguments, "what");
    if (what != NULL || dap_location_of(d, arguments, arena, &what))
        return what;
    const char *name = dap_text(arguments, "name");
    if (name != NULL)
        (void)dap_fail(d, "%s is not a variable, field or element that a program writes", name);
    else
        (void)dap_fail(d,
                       "%s wants `what`: Class.field, ID.field, ID[index] or Class.method:local; or `name` and "
                       "`variablesReference` of a variable",
                       d->command);
    return NULL;
}

/* The event that wrote a location, or a variable of a frame, last: up to the moment, or before event `at`. A variable
 * of a frame is that of this call, whatever other calls of the method did. HS_NO_SEQ: nothing has; false: that was
 * reported. */
static bool last_write(struct dap *d, const cJSON *arguments, uint64_t *seq)
{
    struct arena arena = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    struct error err = { 0 };
    const struct hs_write *w;
    uint64_t at = nav_seq(d->nav) + 1;
    uint32_t thread;
    const struct hs_variable *variable = dap_variable_of(d, arguments, &thread);
    bool done = true;
    if (variable != NULL && nav_written(d->nav, thread, variable, seq, &err) == OK)
        return true;
    const char *what = what_of(d, arguments, &arena);
    (void)dap_u64(arguments, "at", &at);
    int found = what != NULL ? hs_last_write(d->trace, what, at, &w, &error) : -1;
    if (what == NULL)
        done = false;
    else if (found < 0)
        done = dap_fail(d, "%s", error.text);
    else
        *seq = found > 0 ? w->event->seq : HS_NO_SEQ;
    arena_done(&arena);
    return done;
}

bool dap_lastWrite(struct dap *d, const cJSON *arguments)
{
    const struct hs_event *e;
    struct hs_error error = HS_ERROR_INIT;
    uint64_t seq;
    if (!last_write(d, arguments, &seq))
        return false;
    if (seq != HS_NO_SEQ && hs_event_at(d->trace, seq, &e, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(&d->json, "write");
    if (seq == HS_NO_SEQ) {
        json_null(&d->json);
        return true;
    }
    event_members(d, e);
    json_end(&d->json);
    return true;
}

/* Writes of a location, the latest first, up to the moment or `before`; with `forward` those after it. */
bool dap_history(struct dap *d, const cJSON *arguments)
{
    struct arena arena = { 0 };
    const char *what = what_of(d, arguments, &arena);
    const struct hs_write *w;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *writes;
    uint64_t before = nav_seq(d->nav) + 1;
    bool forward = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(arguments, "forward"));
    size_t limit = row_limit(arguments);
    int more = what != NULL ? hs_history_open(d->trace, what, &writes, &error) : 0;
    arena_done(&arena);
    if (what == NULL || more != 0)
        return what != NULL && dap_fail(d, "%s", error.text);
    (void)dap_u64(arguments, "before", &before);
    more = hs_cursor_seek(writes, before, &error) == 0 ? 1 : -1;
    json_name(&d->json, "writes");
    json_array(&d->json);
    for (size_t n = 0; more > 0 && n < limit; n++) {
        more = forward ? hs_write_next(writes, &w, &error) : hs_write_previous(writes, &w, &error);
        if (more <= 0)
            break;
        event_members(d, w->event);
        json_end(&d->json);
    }
    hs_cursor_close(writes);
    if (more < 0)
        return dap_fail(d, "%s", error.text);
    json_end(&d->json);
    json_member_bool(&d->json, "more", more > 0);
    return true;
}

/* The chain back from the value of event `seq`, or of the last write of a place. */
bool dap_why(struct dap *d, const cJSON *arguments)
{
    const struct hs_cause *c;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *causes;
    uint64_t seq = nav_seq(d->nav);
    bool of_place = dap_text(arguments, "what") != NULL || dap_text(arguments, "name") != NULL;
    if (of_place && !last_write(d, arguments, &seq))
        return false;
    if (of_place && seq == HS_NO_SEQ)
        return dap_fail(d, "nothing has written it before");
    (void)dap_u64(arguments, "seq", &seq);
    if (hs_why_open(d->trace, seq, row_limit(arguments), &causes, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(&d->json, "chain");
    json_array(&d->json);
    while (hs_cause_next(causes, &c, NULL) > 0) {
        event_members(d, c->event);
        if (c->because != NULL)
            json_member_text(&d->json, "because", c->because);
        if (c->end != NULL)
            json_member_text(&d->json, "end", c->end);
        json_end(&d->json);
    }
    json_end(&d->json);
    hs_cursor_close(causes);
    return true;
}

static void marks(struct dap *d, size_t limit)
{
    const struct hs_mark *m;
    hs_cursor *rows;
    struct json *j = &d->json;
    json_name(j, "marks");
    json_array(j);
    if (hs_marks_open(d->trace, &rows, NULL) == 0) {
        for (size_t n = 0; n < limit && hs_mark_next(rows, &m, NULL) > 0; n++) {
            json_object(j);
            json_member_text(j, "name", m->name);
            json_member_u64(j, "first", m->first);
            json_member_u64(j, "events", m->events);
            json_end(j);
        }
        hs_cursor_close(rows);
    }
    json_end(j);
}

static bool exceptions(struct dap *d, size_t limit)
{
    const struct hs_exception *x;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    struct json *j = &d->json;
    bool more = false;
    if (hs_exceptions_open(d->trace, &rows, &error) != 0)
        return dap_fail(d, "%s", error.text);
    json_name(j, "exceptions");
    json_array(j);
    for (size_t n = 0; hs_exception_next(rows, &x, NULL) > 0 && !more; n++) {
        const struct hs_object *o = hs_object_get(d->trace, x->id);
        more = n == limit;
        if (more)
            break;
        json_object(j);
        json_member_u64(j, "seq", x->thrown);
        json_member_text(j, "type", o != NULL && o->type != NULL ? o->type : "?");
        if (x->caught != HS_NO_SEQ)
            json_member_u64(j, "caught", x->caught);
        json_end(j);
    }
    json_end(j);
    json_member_bool(j, "moreExceptions", more);
    hs_cursor_close(rows);
    return true;
}

/* What a timeline shows: the extent of the trace, the moment, marks and exceptions. */
bool dap_timeline(struct dap *d, const cJSON *arguments)
{
    json_member_u64(&d->json, "events", hs_event_count(d->trace));
    json_member_u64(&d->json, "seq", nav_seq(d->nav));
    json_member_u64(&d->json, "thread", nav_thread(d->nav));
    marks(d, row_limit(arguments));
    return exceptions(d, row_limit(arguments));
}
