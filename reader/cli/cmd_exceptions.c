/* cmd_exceptions.c - `hindsight exceptions`. */
#include <string.h>

#include "formats/event.h"
#include "reader/cli/names.h"
#include "reader/cli/show.h"

struct args {
    struct common common;
    const char *type;
    bool swallowed;
};
static const struct option_row options[] = {
    { "type", 't', "GLOB", OPTION_TEXT, offsetof(struct args, type), "only exceptions of these types" },
    { "swallowed", 's', NULL, OPTION_FLAG, offsetof(struct args, swallowed),
      "only those that were caught and then never used" },
    { 0 },
};
const struct usage usage_exceptions = {
    .about = "thrown is the first event that shows the exception in flight; caught is the CATCH that ended it (a "
             "finally block that rethrows does not). Needs events of the group EXEC. Messages and stack traces are "
             "present if the agent recorded them (exception=).",
    .example = "hindsight exceptions --swallowed --json",
    .options = options,
};

/* Place of an event: class, method, line. */
static void place_json(struct show *s, const struct hs_event *e)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(s->trace, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_member_name(o, "class", c->name);
    out_member_name(o, "method", m->name);
    if (d->line >= 0)
        json_member_i64(&o->json, "line", d->line);
    out_member_cut(o);
}

static void thrown_json(struct show *s, const struct hs_thrown *t)
{
    struct json *j = &s->out->json;
    json_name(j, "message");
    if (t->message != NULL)
        json_text(j, t->message);
    else
        json_null(j);
    json_name(j, "cause");
    show_reference_json(s, t->cause);
    if (t->suppressed_count > 0)
        show_references_json(s, "suppressed", t->suppressed, t->suppressed_count);
    if (t->has_stack)
        show_frames_json(s, "frames", t);
}

static void json(struct show *s, const struct hs_exception *x, const char *type, const struct hs_thrown *t)
{
    struct out *o = s->out;
    struct json *j = &o->json;
    const struct hs_event *e;
    json_object(j);
    json_member_u64(j, "id", x->id);
    if (type != NULL)
        out_member_name(o, "type", type);
    out_member_cut(o);
    if (t != NULL)
        thrown_json(s, t);
    json_member_u64(j, "thrown", x->thrown);
    if (x->caught != HS_NO_SEQ)
        json_member_u64(j, "caught", x->caught);
    json_member_bool(j, "swallowed", x->swallowed);
    json_member_u64(j, "exits", x->left);
    json_name(j, "left");
    json_array(j);
    for (size_t i = 0; i < x->exit_count; i++) {
        json_object(j);
        json_member_u64(j, "seq", x->exits[i]);
        if (hs_event_at(s->trace, x->exits[i], &e, NULL) == 0)
            place_json(s, e);
        json_end(j);
    }
    json_end(j);
    json_end_line(j);
}

static void text(struct show *s, const struct hs_exception *x, const char *type, const struct hs_thrown *t)
{
    struct out *o = s->out;
    out_format(o, "%12llu ", (unsigned long long)x->thrown);
    if (x->caught != HS_NO_SEQ)
        out_format(o, "%12llu ", (unsigned long long)x->caught);
    else
        out_format(o, "%12s ", "-");
    out_format(o, "%6llu  ", (unsigned long long)x->left);
    out_colour(o, COLOUR_NAME);
    out_name(o, type != NULL ? type : "?");
    out_colour(o, COLOUR_NONE);
    out_format(o, "#%u", x->id);
    if (t != NULL && t->message != NULL) {
        out_text(o, ": ");
        out_quoted(o, t->message);
    }
    if (t != NULL && t->cause != 0) {
        out_text(o, " caused by ");
        show_value_text(s, 'L', t->cause);
    }
    out_line(o, x->swallowed ? " (swallowed)" : "");
}

int cmd_exceptions(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *cursor;
    const struct hs_exception *x;
    int more = 0, status = session_begin_stream(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    if ((status = names_type(&s, a.type)) != PARSED)
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    if (hs_exceptions_open(s.trace, &cursor, &error) != 0)
        return session_fail(&s, "%s", error.text);
    if (!a.common.json)
        out_format(&s.out, "%12s %12s %6s  %s\n", "thrown", "caught", "exits", "exception");
    uint64_t left = a.common.limit;
    while (left > 0 && s.out.failed == 0 && (more = hs_exception_next(cursor, &x, &error)) > 0) {
        const struct hs_object *o = hs_object_get(s.trace, x->id);
        const char *type = o != NULL ? o->type : NULL;
        if ((a.type != NULL && (type == NULL || !hs_class_matches(a.type, type))) || (a.swallowed && !x->swallowed))
            continue;
        (a.common.json ? json : text)(&show, x, type, hs_thrown_get(s.trace, x->id));
        left--;
    }
    hs_cursor_close(cursor);
    show_done(&show);
    if (more >= 0)
        names_empty(&s, a.common.limit - left, a.common.limit,
                    a.type != NULL || a.swallowed ? "exception that satisfies every option" : "exception");
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
