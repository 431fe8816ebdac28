/* thrown.c - see thrown.h. */
#include "reader/cli/thrown.h"

#include <string.h>

/* The innermost frame of the method of the event, from this one on; frame_count: there is none. */
static size_t find_frame(hs_trace *t, const struct hs_dataid *d, const struct hs_thrown *thrown, size_t i)
{
    const struct hs_method *m = hs_method_get(t, d->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (c == NULL)
        return thrown->frame_count;
    while (i < thrown->frame_count &&
           (strcmp(thrown->frames[i]->class_name, c->name) != 0 || strcmp(thrown->frames[i]->method, m->name) != 0))
        i++;
    return i;
}

int32_t thrown_line(hs_trace *t, const struct hs_event *event)
{
    const struct hs_place *place;
    return hs_thrown_at(t, event, &place, NULL) == 0 ? place->line : -1;
}

/* Did no code of this method create the exception? It has an event where it does, if its calls are recorded. */
static bool not_created_in(hs_trace *t, const struct hs_method *m, uint32_t id)
{
    const struct hs_object_state *state;
    if (m == NULL || (m->groups & 1u << HS_GROUP_CALL) == 0)
        return false;
    return hs_object_at(t, id, HS_NO_SEQ, &state, NULL) == 0 && state->created == HS_NO_SEQ;
}

bool thrown_message_computed(hs_trace *t, const struct hs_event *event, const struct hs_thrown *thrown)
{
    const struct hs_object *o = thrown != NULL ? hs_object_get(t, thrown->id) : NULL;
    const struct hs_dataid *d = hs_dataid_get(t, event->dataid);
    if (o == NULL || d == NULL || thrown->message != NULL || thrown->message_redacted || o->type == NULL)
        return false;
    if (thrown->frame_count == 0 || strcmp(o->type, "java.lang.NullPointerException") != 0 ||
        d->event == HS_EVENT_METHOD_THROW)
        return false;
    return find_frame(t, d, thrown, 0) == 0 && not_created_in(t, hs_method_get(t, d->method_id), thrown->id);
}

const char *thrown_message_missing(const struct hs_thrown *thrown, bool computed)
{
    if (thrown == NULL || thrown->message != NULL)
        return NULL;
    return thrown->message_redacted ? "(redacted)" : computed ? "not recorded (computed by the JVM)" : NULL;
}

void thrown_message_json(struct json *j, const struct hs_thrown *thrown, bool computed)
{
    json_name(j, "message");
    if (thrown->message != NULL)
        json_text(j, thrown->message);
    else
        json_null(j);
    if (thrown->message_redacted)
        json_member_bool(j, "message_redacted", true);
    if (computed)
        json_member_bool(j, "message_computed", true);
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
    for (uint32_t i = 0; i < hs_class_count(t); i++) {
        const struct hs_class *c = hs_class_get(t, i);
        if (c != NULL && c->dataid_count > 0 && strcmp(c->name, f->class_name) == 0)
            return true;
    }
    return false;
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

struct thrown_end thrown_end(hs_trace *t, const struct hs_exception *x, const struct hs_thrown *thrown)
{
    struct thrown_end end = { 0 };
    size_t at = 0, left = 0;
    if (x->caught != HS_NO_SEQ || x->left == 0 || thrown == NULL || !thrown->has_stack)
        return end;
    for (; at < thrown->frame_count && left < x->exit_count; at++)
        left += is_frame(t, thrown->frames[at], x->exits[left]);
    if (left < x->exit_count) { /* the JVM keeps 1024 frames; or its stack is not that of its way */
        end.cut = x->exit_count > thrown->frame_count;
        return end;
    }
    end.uncaught = begins_thread(thrown, at);
    if (!end.uncaught && !is_woven(t, thrown->frames[at]))
        end.to = thrown->frames[at];
    return end;
}
