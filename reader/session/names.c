/* names.c - names that an expression has at the places of a watch (enum hs_watch_place), besides those of Java; see
 * evaluating.h. */
#include <string.h>

#include "reader/code/types.h"
#include "reader/session/evaluating.h"

/* The value of `args` itself: no object of the trace, so nothing but its elements and its length is known. */
static const char args_text[] = "args";

static const struct moment_names *names_of(const struct evaluation *e) { return evaluating(e)->names; }

/* The innermost frame alone: that is cheaper than the stack. */
static const struct hs_frame *innermost(struct evaluation *e)
{
    struct evaluating *const w = evaluating(e);
    if (!w->looked) {
        const enum status st = top_frame_at(w->nav->trace, w->names->event, &w->top, e->err);
        if (st != OK && st != ERR_NOT_FOUND)
            e->status = st;
        w->has_top = st == OK;
        w->looked = true;
    }
    return w->has_top ? &w->top : NULL;
}

const struct hs_frame *evaluating_frame(struct evaluation *e)
{
    struct evaluating *const w = evaluating(e);
    const struct hs_frame *const *frames;
    size_t count = 0;
    if (w->names != NULL && w->frame == 0)
        return innermost(e);
    enum status st = nav_frames(w->nav, w->thread, &frames, &count, e->err);
    if (st != OK)
        e->status = st;
    return st == OK && w->frame < count ? frames[w->frame] : NULL;
}

bool evaluating_variable(struct evaluation *e, const struct hs_frame *f, const char *name, struct hs_variable *out)
{
    struct evaluating *const w = evaluating(e);
    if (f == &w->top) {
        const enum status st = top_variable_at(w->nav->trace, w->names->event, f, name, e->arena, out, e->err);
        if (st != OK && st != ERR_NOT_FOUND)
            e->status = st;
        return st == OK;
    }
    for (size_t i = 0; i < f->local_count + f->parameter_count; i++) {
        *out = *(i < f->local_count ? f->locals[i] : f->parameters[i - f->local_count]);
        if (strcmp(out->name, name) == 0)
            return true;
    }
    return false;
}

const struct hs_class *evaluating_class(struct evaluation *e)
{
    hs_trace *t = evaluating(e)->nav->trace;
    const struct hs_frame *f = evaluating_frame(e);
    const struct hs_method *m = f != NULL ? hs_method_get(t, f->method_id) : NULL;
    return m != NULL ? hs_class_get(t, m->class_no) : NULL;
}

uint64_t evaluating_loader(struct evaluation *e)
{
    const struct hs_class *c = evaluating_class(e);
    return c != NULL ? c->loader_id : 0;
}

static struct expression_value missing(const char *what)
{
    struct expression_value v = expression_unknown;
    v.missing = what;
    return v;
}

static bool event_value(const struct hs_event *event, struct expression_value *out)
{
    *out = event->kind == HS_KIND_VOID || event->kind == 0 ? missing("a value that redact= left out")
                                                           : expression_number(event->kind, event->value);
    out->seq = event->seq;
    return true;
}

static bool of_exit(struct evaluation *e, bool exception, struct expression_value *out)
{
    hs_trace *t = evaluating(e)->nav->trace;
    const struct hs_event *event = names_of(e)->event;
    const struct hs_dataid *d = hs_dataid_get(t, event->dataid);
    const bool threw = d != NULL && d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT;
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const char *end = m != NULL ? strrchr(m->desc, ')') : NULL;
    if (exception) {
        *out = expression_number(HS_KIND_REF, threw ? event->value : 0);
        return true;
    }
    if (threw || (end != NULL && end[1] == 'V')) {
        *out = missing(threw ? "a result: the call threw an exception" : "a result: the method is void");
        return true;
    }
    (void)event_value(event, out);
    if (out->kind == HS_KIND_REF && m != NULL)
        out->type = type_of_result(t, NULL, hs_class_get(t, m->class_no), m, NULL, 0);
    return true;
}

bool names_first(struct evaluation *e, const char *name, struct expression_value *out)
{
    const struct moment_names *n = names_of(e);
    if (n == NULL)
        return false;
    if (n->kind == HS_WATCH_EXIT && (strcmp(name, "result") == 0 || strcmp(name, "exception") == 0))
        return of_exit(e, *name == 'e', out);
    if (n->kind == HS_WATCH_WRITE && strcmp(name, "value") == 0)
        return event_value(n->event, out);
    if (n->kind == HS_WATCH_WRITE && strcmp(name, "object") == 0) {
        *out = n->object != 0 ? expression_number(HS_KIND_REF, n->object) : missing("an object: the field is static");
        return true;
    }
    return false;
}

/* ---- the stack ---- */

static void write_method(hs_trace *t, const struct hs_frame *f, struct writer *w)
{
    const struct hs_method *m = hs_method_get(t, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    const char *class_name = c != NULL ? c->name : "?", *method = m != NULL ? m->name : "?";
    write_bytes(w, class_name, strlen(class_name));
    write_u1(w, '.');
    write_bytes(w, method, strlen(method));
}

/* The methods around the frame; of no more than `most`. */
static bool callers(struct evaluation *e, size_t most, struct expression_value *out)
{
    struct evaluating *const w = evaluating(e);
    const struct hs_frame *const *frames;
    size_t count = 0;
    struct writer text = { 0 };
    *out = expression_unknown;
    const enum status st = nav_frames(w->nav, w->thread, &frames, &count, e->err);
    if (st != OK) {
        e->status = st;
        return true;
    }
    if (w->frame + 1 >= count) {
        *out = missing("a caller: no recorded method is around it");
        return true;
    }
    for (size_t i = w->frame + 1; i < count && i - w->frame <= most; i++) {
        if (i > w->frame + 1)
            write_bytes(&text, " < ", 3);
        write_method(w->nav->trace, frames[i], &text);
    }
    *out = value_text(e, &text);
    return true;
}

bool names_last(struct evaluation *e, const char *name, struct expression_value *out)
{
    const struct moment_names *n = names_of(e);
    if (e->status != OK)
        return false;
    if (n != NULL && strcmp(name, "caller") == 0)
        return callers(e, 1, out);
    if (n != NULL && strcmp(name, "stack") == 0)
        return callers(e, SIZE_MAX, out);
    if (strcmp(name, "args") != 0 || (n != NULL && n->kind != HS_WATCH_ENTRY && n->kind != HS_WATCH_EXIT))
        return false;
    *out = expression_number(HS_KIND_REF, 1);
    out->is_class = true; /* it can be passed to nothing */
    out->text = args_text;
    return true;
}

bool names_argument(struct evaluation *e, const struct expression_value *args, int64_t index,
                    struct expression_value *out)
{
    if (!args->is_class || args->text != args_text)
        return false;
    const struct hs_frame *f = evaluating_frame(e);
    const struct hs_method *m = f != NULL ? hs_method_get(evaluating(e)->nav->trace, f->method_id) : NULL;
    const unsigned count = m != NULL ? descriptor_count((struct text){ m->desc, strlen(m->desc) }) : 0;
    const bool instance = m != NULL && (m->access & ACC_STATIC) == 0;
    *out = missing("the argument");
    if (index < 0) {
        *out = expression_number('I', count);
        return true;
    }
    if ((uint64_t)index >= count) {
        *out = value_thrown("java.lang.ArrayIndexOutOfBoundsException: there is no argument of this number");
        return true;
    }
    const uint32_t slot = parameter_slot(m->desc, instance, index + instance);
    struct evaluating *const w = evaluating(e);
    if (f == &w->top && !w->has_variables) {
        e->status = top_variables_at(w->nav->trace, w->names->event, e->arena, &w->top, e->err);
        w->has_variables = e->status == OK;
    }
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i]->slot == slot)
            *out = expression_number(f->parameters[i]->kind, f->parameters[i]->value);
    return true;
}
