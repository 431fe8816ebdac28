/* cmd_locals.c - `hindsight locals --at SEQ`. */
#include "formats/event.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t at;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event, if it is not given as SEQ" },
    { 0 },
};
const struct usage usage_locals = {
    .source = true,
    .about = "Prints the frames of the thread of that event, innermost first. parameters have the values that were "
             "passed; a parameter that was assigned later is listed under locals too. monitors are those that the "
             "frame holds, by synchronized blocks or because the method is synchronized.",
    .example = "hindsight locals --at 20",
    .options = options,
};

static void variables_json(struct show *s, const char *name, const struct hs_variable *const *v, size_t count)
{
    struct json *j = &s->out->json;
    json_name(j, name);
    json_object(j);
    for (size_t i = 0; i < count; i++) {
        json_name(j, v[i]->name);
        show_value_json(s, v[i]->kind, v[i]->value);
    }
    json_end(j);
}

static void this_member(struct show *s, const struct hs_frame *f)
{
    if (!f->has_this)
        return;
    json_name(&s->out->json, "this");
    show_reference_json(s, f->self);
}

static void method_members(struct out *o, const struct hs_class *c, const struct hs_method *m)
{
    if (c != NULL)
        show_method_members(o, c->name, m->name, m->desc);
}

#define ROWS "reader/answers/frames.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_frame *f, size_t depth, const struct hs_method *m, const struct hs_class *c
#include "reader/answers/row.h"

static void json(struct show *s, const struct hs_frame *f, size_t depth)
{
    const struct hs_method *m = hs_method_get(s->trace, f->method_id);
    frames_json(s->out, s, f, depth, m, m != NULL ? hs_class_get(s->trace, m->class_no) : NULL);
}

static void variables_text(struct show *s, const struct hs_variable *const *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out_format(s->out, "        %-16s ", v[i]->name);
        out_colour(s->out, COLOUR_VALUE);
        show_value_text(s, v[i]->kind, v[i]->value);
        out_colour(s->out, COLOUR_NONE);
        out_char(s->out, '\n');
    }
}

static void text(struct show *s, const struct hs_frame *f, size_t depth)
{
    struct out *o = s->out;
    const struct hs_method *m = hs_method_get(s->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    out_format(o, "%4zu  ", depth);
    out_colour(o, COLOUR_NAME);
    out_class(o, c != NULL ? c->name : "?");
    out_char(o, '.');
    out_name(o, m != NULL ? m->name : "?");
    out_colour(o, COLOUR_NONE);
    out_spot(o, c, SPOT_OF(f));
    if (!f->nowhere && !f->unsure)
        out_format(o, " pc %u", f->pc);
    if (f->entered != HS_NO_SEQ)
        out_format(o, "  entered at %llu", (unsigned long long)f->entered);
    if (c != NULL)
        show_source_text(s, c->class_no, SPOT_OF(f));
    out_char(o, '\n');
    if (f->has_this) {
        variables_text(s,
                       (const struct hs_variable *const[]){
                           &(struct hs_variable){ .name = "this", .kind = HS_KIND_REF, .value = f->self } },
                       1);
    }
    variables_text(s, f->parameters, f->parameter_count);
    variables_text(s, f->locals, f->local_count);
    if (f->left_out > 0)
        out_format(o, "        (%sits local variables and monitors are not known: %llu events left out)\n",
                   f->nowhere ? "where it stands, " : "", (unsigned long long)f->left_out);
    for (size_t i = 0; i < f->monitor_count; i++) {
        out_text(o, "        monitor          ");
        if (!show_class_object(s, f->monitors[i]->object))
            show_value_text(s, 'L', f->monitors[i]->object);
        if (f->monitors[i]->entered != HS_NO_SEQ)
            out_format(o, "  entered at %llu", (unsigned long long)f->monitors[i]->entered);
        out_char(o, '\n');
    }
}

int cmd_locals(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_frame *frame;
    hs_cursor *frames;
    const char *trace;
    size_t variables = 0;
    char unwoven[NAMES_UNWOVEN_MAX];
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    status = cli_trace_and_seq(context, &a.common, "--at SEQ is required, the number of an event", &trace, &a.at);
    if (status != PARSED)
        return status;
    status = session_open_stream(&s, context, &a.common, trace);
    if (status != PARSED)
        return status;
    if (hs_frames_open(s.trace, a.at, &frames, &error) != 0)
        return session_fail(&s, "%s", error.text);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    show.at = a.at;
    for (size_t i = 0; i < a.common.limit && hs_frame_next(frames, &frame, NULL) > 0; i++) {
        (a.common.json ? json : text)(&show, frame, i);
        variables += frame->parameter_count + frame->local_count;
    }
    hs_cursor_close(frames);
    show_done(&show);
    if (variables == 0 && *names_unwoven_uses(&s, USE_READ_LOCAL | USE_WRITE_LOCAL, unwoven) != '\0')
        (void)cli_fail(EXIT_DONE, context, "%s: no values of variables are known%s", hs_dir(s.trace), unwoven);
    return session_close(&s, EXIT_DONE);
}
