/* thrown.c - see thrown.h. */
#include "reader/command/thrown.h"

#include <string.h>

#include "reader/command/thread_body.h"

struct spot thrown_spot(hs_trace *t, const struct hs_event *event)
{
    const struct hs_place *place;
    return hs_thrown_at(t, event, &place, NULL) == 0 ? SPOT_OF(place) : (struct spot){ NULL, -1 };
}

const char *thrown_message_missing(const struct hs_thrown *thrown)
{
    if (thrown == NULL || thrown->message != NULL)
        return NULL;
    return thrown->message_redacted     ? "(redacted)"
           : thrown->message_computed   ? "not recorded (computed by the JVM)"
           : thrown->message_overridden ? "not known (getMessage is overridden)"
                                        : NULL;
}

void thrown_message_json(struct json *j, const struct hs_thrown *thrown)
{
    json_name(j, "message");
    if (thrown->message != NULL)
        json_text(j, thrown->message);
    else
        json_null(j);
    if (thrown->message_redacted)
        json_member_bool(j, "message_redacted", true);
    if (thrown->message_computed)
        json_member_bool(j, "message_computed", true);
    if (thrown->message_overridden)
        json_member_bool(j, "message_overridden", true);
}

void thrown_cause_json(struct show *s, const struct hs_thrown *thrown)
{
    if (thrown == NULL)
        return;
    json_name(&s->out->json, "cause");
    show_reference_json(s, thrown->cause);
}

void thrown_suppressed_json(struct show *s, const struct hs_thrown *thrown)
{
    if (thrown != NULL && thrown->suppressed_count > 0)
        show_references_json(s, "suppressed", thrown->suppressed, thrown->suppressed_count);
}

void thrown_frames_json(struct show *s, const struct hs_thrown *thrown)
{
    if (thrown != NULL && thrown->has_stack)
        show_frames_json(s, "frames", thrown);
}

/* Is it the method of the event? */
static bool is_frame(hs_trace *t, const struct hs_stack_frame *f, uint64_t seq)
{
    const struct hs_event *e;
    const struct hs_dataid *d = hs_event_at(t, seq, &e, NULL) == 0 ? hs_dataid_get(t, e->dataid) : NULL;
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL && strcmp(m->name, f->method) == 0 && strcmp(c->name, f->class_name) == 0;
}

/* Is it a method of a woven class? Then the recording, or the trace, ended while the exception was on its way. */
static bool is_woven(hs_trace *t, const struct hs_stack_frame *f)
{
    hs_cursor *classes;
    const struct hs_class *c;
    bool found = false;
    if (hs_classes_open(t, &classes, NULL) != 0)
        return false;
    while (!found && hs_class_next(classes, &c, NULL) > 0)
        found = c->dataid_count > 0 && strcmp(c->name, f->class_name) == 0;
    hs_cursor_close(classes);
    return found;
}

/* Nothing but the beginning of a thread from this frame on? */
static bool begins_thread(const struct hs_thrown *thrown, size_t from)
{
    for (size_t i = from; i < thrown->frame_count; i++) {
        const char *name = thrown->frames[i]->class_name;
        if (strcmp(name, "java.lang.Thread") != 0 && strcmp(name, "java.lang.VirtualThread") != 0)
            return false;
    }
    return true;
}

/* Did it leave the outermost method of its thread, and nothing was around that? For exceptions whose stack is not that
 * of their way, as one that a field keeps. */
static bool ended_thread(hs_trace *t, const struct hs_exception *x, bool stack_cut)
{
    const struct hs_frame *f;
    const struct hs_event *e;
    hs_cursor *frames;
    if (hs_event_at(t, x->exits[x->exit_count - 1], &e, NULL) != 0)
        return false;
    const struct hs_event exit = *e;
    if (hs_frames_open(t, exit.seq, &frames, NULL) != 0)
        return false;
    const bool outermost = hs_cursor_count(frames) == 1 && hs_frame_next(frames, &f, NULL) > 0;
    const uint64_t entered = outermost ? f->entered : HS_NO_SEQ;
    hs_cursor_close(frames);
    if (entered == HS_NO_SEQ || hs_event_at(t, entered, &e, NULL) != 0)
        return false;
    const struct hs_event entry = *e;
    return thread_ended_by(t, &entry, &exit, !stack_cut);
}

struct thrown_end thrown_end(hs_trace *t, const struct hs_exception *x, const struct hs_thrown *thrown)
{
    struct thrown_end end = { 0 };
    size_t at = 0, left = 0;
    if (x->caught != HS_NO_SEQ || x->left == 0)
        return end;
    if (thrown == NULL || !thrown->has_stack || thrown->frame_count == 0) {
        end.uncaught = ended_thread(t, x, false);
        return end;
    }
    for (; at < thrown->frame_count && left < x->exit_count; at++)
        left += is_frame(t, thrown->frames[at], x->exits[left]);
    if (left < x->exit_count) { /* the JVM keeps 1024 frames; or its stack is not that of its way */
        const bool cut = left > 0 && x->exit_count > thrown->frame_count;
        end.uncaught = ended_thread(t, x, cut);
        end.cut = !end.uncaught && cut;
        return end;
    }
    end.uncaught = begins_thread(thrown, at);
    if (!end.uncaught && !is_woven(t, thrown->frames[at]))
        end.to = *thrown->frames[at];
    return end;
}

static struct hs_stack_frame stack_frame(const struct hs_throw_frame *f)
{
    return (struct hs_stack_frame){ f->class_name, f->method, f->file, f->line, f->native };
}

/* The native frame that got it, of those behind the one that threw; 0: none. */
static size_t native_frame(const struct hs_throw_stack *stack)
{
    for (size_t i = 1; stack->caught < 0 && i < stack->frame_count; i++)
        if (stack->frames[i]->native)
            return i;
    return 0;
}

struct thrown_end thrown_end_of(const struct hs_throw_stack *stack)
{
    const size_t native = native_frame(stack);
    struct thrown_end end = { .uncaught = stack->caught < 0 && native == 0 };
    if (native > 0)
        end.to = stack_frame(stack->frames[native]);
    return end;
}

uint64_t thrown_left(const struct hs_throw_stack *stack, uint64_t exits)
{
    const size_t native = stack != NULL ? native_frame(stack) : 0;
    return stack == NULL        ? exits
           : native > 0         ? native
           : stack->caught >= 0 ? (uint64_t)stack->caught
                                : stack->frame_count + stack->more;
}

void thrown_stack_json(struct show *s, const struct hs_throw_stack *stack)
{
    struct out *o = s->out;
    struct json *j = &o->json;
    if (stack == NULL)
        return;
    json_name(j, "stack");
    json_array(j);
    for (size_t i = 0; i < stack->frame_count; i++) {
        const struct hs_throw_frame *f = stack->frames[i];
        json_object(j);
        const struct hs_stack_frame frame = stack_frame(f);
        show_stack_members(o, &frame);
        if (f->caught)
            json_member_bool(j, "catches", true);
        if (f->variable_count > 0) {
            json_name(j, "variables");
            json_array(j);
        }
        for (size_t k = 0; k < f->variable_count; k++) {
            const struct hs_throw_variable *v = f->variables[k];
            json_object(j);
            out_member_name(o, "name", v->name);
            if (v->redacted) {
                json_member_bool(j, "redacted", true);
            } else {
                json_name(j, "value");
                show_value_json(s, v->kind, v->value);
            }
            out_member_cut(o);
            json_end(j);
        }
        if (f->variable_count > 0)
            json_end(j);
        json_end(j);
    }
    json_end(j);
    if (stack->more > 0)
        json_member_u64(j, "frames_left_out", stack->more);
}

static void frame_text(struct out *o, const struct hs_stack_frame *f)
{
    out_format(o, "%18s", "");
    out_class(o, f->class_name);
    out_char(o, '.');
    out_name(o, f->method);
    if (f->native)
        out_text(o, " (native)");
    else if (f->file[0] != '\0' && f->line >= 0)
        out_format(o, " (%s:%d)", f->file, f->line);
}

void thrown_stack_text(struct show *s, const struct hs_throw_stack *stack, const struct hs_thrown *thrown)
{
    struct out *o = s->out;
    for (size_t i = 0; stack == NULL && thrown != NULL && i < thrown->frame_count; i++) {
        frame_text(o, thrown->frames[i]);
        out_char(o, '\n');
    }
    for (size_t i = 0; stack != NULL && i < stack->frame_count; i++) {
        const struct hs_throw_frame *f = stack->frames[i];
        const struct hs_stack_frame frame = stack_frame(f);
        frame_text(o, &frame);
        out_text(o, f->caught ? " caught it" : "");
        out_char(o, '\n');
        for (size_t k = 0; k < f->variable_count; k++) {
            const struct hs_throw_variable *v = f->variables[k];
            out_format(o, "%22s", "");
            out_name(o, v->name);
            out_text(o, " = ");
            if (v->redacted)
                out_text(o, "(redacted)");
            else
                show_value_text(s, v->kind, v->value);
            out_char(o, '\n');
        }
    }
    if (stack != NULL && stack->more > 0)
        out_format(o, "%18s%llu more\n", "", (unsigned long long)stack->more);
}

struct thrown_row thrown_row(hs_trace *t, hs_cursor *from, const struct hs_exception *x, unsigned parts)
{
    struct thrown_row row = { .x = x, .type = x->type, .thread = x->first->thread, .spot = { .line = -1 } };
    if ((parts & (THROWN_KNOWN | THROWN_END)) != 0)
        row.known = from != NULL ? hs_exception_held(from) : hs_thrown_get(t, x->id);
    if ((parts & THROWN_END) != 0)
        row.end = thrown_end(t, x, row.known);
    row.stack = from != NULL ? hs_exception_stack(from) : hs_throw_stack_get(t, x->first);
    if (row.stack != NULL && row.stack->frame_count > 0) {
        const struct hs_throw_frame *f = row.stack->frames[0];
        row.class_name = f->class_name;
        row.method = f->method;
        row.spot = (struct spot){ f->file[0] != '\0' ? f->file : NULL, f->line };
        row.end = thrown_end_of(row.stack);
        return row;
    }
    const struct hs_dataid *d = hs_dataid_get(t, x->first->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (c == NULL)
        return row;
    row.class_name = c->name;
    row.method = m->name;
    row.class_no = d->class_no;
    if ((parts & THROWN_SPOT) != 0)
        row.spot = thrown_spot(t, x->first);
    return row;
}
