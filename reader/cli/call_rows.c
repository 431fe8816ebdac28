/* call_rows.c - see call_rows.h. */
#include "reader/cli/call_rows.h"

#include <stdio.h>
#include <string.h>

#include "reader/command/report.h"

static const char *method_name(struct arena *arena, const struct hs_class *c, const struct hs_method *m)
{
    const size_t size = strlen(c->name) + strlen(m->name) + 2;
    char *text = arena_chars(arena, size);
    if (text != NULL)
        (void)snprintf(text, size, "%s.%s", c->name, m->name);
    return text;
}

bool called_row_of(hs_trace *t, const struct hs_frame *frame, const struct hs_frame *caller, struct arena *arena,
                   struct called_row *out)
{
    struct hs_value *arguments = arena_array(arena, frame->parameter_count + 1, sizeof *arguments);
    const struct hs_method *m = hs_method_get(t, frame->method_id);
    *out = (struct called_row){ .begin = frame->entered,
                                .end = HS_NO_SEQ,
                                .events = HS_NO_SEQ,
                                .thread = frame->thread,
                                .m = m,
                                .c = m != NULL ? hs_class_get(t, m->class_no) : NULL,
                                .has_this = frame->has_this,
                                .self = frame->self,
                                .arguments = arguments,
                                .argument_count = frame->parameter_count,
                                .caller_line = -1 };
    if (arguments == NULL)
        return false;
    for (size_t i = 0; i < frame->parameter_count; i++)
        arguments[i] = (struct hs_value){ frame->parameters[i]->value, frame->parameters[i]->kind };
    const struct hs_method *by = caller != NULL ? hs_method_get(t, caller->method_id) : NULL;
    const struct hs_class *of = by != NULL ? hs_class_get(t, by->class_no) : NULL;
    if (of == NULL)
        return true;
    out->caller = method_name(arena, of, by);
    out->caller_line = caller->line;
    return out->caller != NULL;
}

static void set_times(hs_trace *t, const struct hs_event *begin, const struct hs_event *end, struct called_row *out)
{
    const uint64_t resolution = report_resolution(t);
    const bool exact = begin->time_ns != HS_NO_TIME && end->time_ns != HS_NO_TIME;
    const uint64_t from = exact ? begin->time_ns : hs_clock_ns(t, begin->stamp),
                   to = exact ? end->time_ns : hs_clock_ns(t, end->stamp);
    out->events = end->position - begin->position + 1;
    out->ns = from != HS_NO_TIME && to != HS_NO_TIME && to >= from ? to - from : 0;
    out->known_ns = from != HS_NO_TIME && to != HS_NO_TIME && report_time_known(out->ns, resolution);
}

int called_row_at(hs_trace *t, const struct hs_event *end, struct arena *arena, struct called_row *out,
                  struct hs_error *error)
{
    const struct hs_dataid *d = hs_dataid_get(t, end->dataid);
    const struct hs_frame *frame, *caller = NULL;
    const struct hs_event *event;
    struct hs_event begin;
    hs_cursor *frames;
    if (hs_frames_open(t, end->seq, &frames, error) != 0)
        return -1;
    int more = hs_frame_next(frames, &frame, error);
    if (more > 0 && hs_frame_next(frames, &caller, error) <= 0)
        caller = NULL;
    bool room = true;
    if (more > 0 && d != NULL && frame->method_id == d->method_id)
        room = called_row_of(t, frame, caller, arena, out);
    else
        more = more > 0 ? 0 : more;
    hs_cursor_close(frames);
    if (more <= 0 || !room || out->c == NULL)
        return !room ? -1 : more < 0 ? -1 : 0;
    out->end = end->seq;
    out->threw = d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
    out->has_result = !out->threw && end->kind != HS_KIND_VOID && end->kind != 0;
    out->result = (struct hs_value){ end->value, out->threw ? HS_KIND_REF : end->kind };
    if (out->begin == HS_NO_SEQ)
        return 1;
    if (hs_event_at(t, out->begin, &event, error) != 0)
        return -1;
    begin = *event;
    set_times(t, &begin, end, out);
    return 1;
}

bool called_row_keep(struct called_row *x, struct arena *arena)
{
    const size_t size = x->caller != NULL ? strlen(x->caller) + 1 : 0;
    struct hs_value *arguments = arena_array(arena, x->argument_count + 1, sizeof *arguments);
    char *caller = arena_chars(arena, size + 1);
    if (arguments == NULL || caller == NULL)
        return false;
    if (x->argument_count > 0)
        memcpy(arguments, x->arguments, x->argument_count * sizeof *arguments);
    if (size > 0)
        x->caller = memcpy(caller, x->caller, size);
    x->arguments = arguments;
    return true;
}

/* ---- text and JSON ---- */

void called_arguments_json(struct show *show, const struct called_row *x)
{
    json_name(&show->out->json, "arguments");
    json_array(&show->out->json);
    for (size_t i = 0; i < x->argument_count; i++)
        show_value_json(show, x->arguments[i].kind, x->arguments[i].bits);
    json_end(&show->out->json);
}

void called_result_json(struct show *show, const struct called_row *x)
{
    if (!x->has_result)
        return;
    json_name(&show->out->json, "result");
    show_value_json(show, x->result.kind, x->result.bits);
}

void called_this_plain(struct plain_row *to, const struct called_row *x)
{
    const struct hs_value self = { x->self, HS_KIND_REF };
    plain_value(to, "this", x->has_this ? &self : NULL);
}

const char *called_ms(const struct called_row *x)
{
    static _Thread_local char text[32];
    if (!x->known_ns)
        return "-";
    (void)snprintf(text, sizeof text, "%.3f", (double)x->ns / 1e6);
    return text;
}

void called_text_of(struct show *show, const struct called_row *x)
{
    struct out *o = show->out;
    const char *dot = strrchr(x->c->name, '.');
    if (x->has_this && x->self != 0)
        show_object_name(show, x->self);
    else
        out_simple_class(o, dot != NULL ? dot + 1 : x->c->name);
    out_char(o, '.');
    out_colour(o, COLOUR_NAME);
    out_name(o, x->m->name);
    out_colour(o, COLOUR_NONE);
    out_char(o, '(');
    for (size_t i = 0; i < x->argument_count; i++) {
        out_text(o, i > 0 ? ", " : "");
        show_value_text(show, x->arguments[i].kind, x->arguments[i].bits);
    }
    out_char(o, ')');
    if (x->threw || x->has_result) {
        out_text(o, x->threw ? " throws " : " = ");
        out_colour(o, x->threw ? COLOUR_WARN : COLOUR_VALUE);
        show_value_text(show, x->result.kind, x->result.bits);
        out_colour(o, COLOUR_NONE);
    }
    if (x->end == HS_NO_SEQ)
        out_text(o, " (not left)");
    if (x->caller == NULL)
        return;
    out_colour(o, COLOUR_DIM);
    out_text(o, "  by ");
    dot = strrchr(x->caller, '.');
    for (const char *p = x->caller; p < dot; p++)
        if (memchr(p, '.', (size_t)(dot - p)) == NULL) {
            out_text(o, p);
            break;
        }
    if (x->caller_line >= 0)
        out_format(o, ":%d", x->caller_line);
    out_colour(o, COLOUR_NONE);
}
