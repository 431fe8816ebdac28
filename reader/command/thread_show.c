/* thread_show.c - see thread_show.h. */
#include "reader/command/thread_show.h"

static const struct {
    const char *name, *text;
} waits[] = { [HS_WAIT_NONE] = { "", "" },
              [HS_WAIT_ENTER] = { "enter", "waits to enter " },
              [HS_WAIT_NOTIFY] = { "notify", "waits for a notification of " },
              [HS_WAIT_JOIN] = { "join", "waits for the end of " } };

void thread_name_text(struct out *o, const struct hs_thread *t)
{
    out_format(o, "thread %u", t->thread);
    if (!t->known)
        return;
    out_char(o, ' ');
    out_name(o, t->name);
}

/* ---- what it waits for ---- */

/* The CALL of code that is not woven in which it is, NULL: it was dropped; false: none. */
static bool outside(struct show *s, const struct hs_thread_state *t, const char **owner, const char **name,
                    const struct hs_event **call)
{
    *call = NULL;
    *owner = t->outside != NULL ? show_text_attr(t->outside, "owner") : NULL;
    *name = t->outside != NULL ? show_text_attr(t->outside, "name") : NULL;
    return *owner != NULL && *name != NULL &&
           (t->since == HS_NO_SEQ || hs_event_at(s->trace, t->since, call, NULL) == 0);
}

static void since_text(struct out *o, const struct hs_thread_state *t)
{
    if (t->since != HS_NO_SEQ)
        out_format(o, " since %llu", (unsigned long long)t->since);
}

static void outside_text(struct show *s, const struct hs_thread_state *t)
{
    const char *owner, *name;
    const struct hs_event *call;
    if (!outside(s, t, &owner, &name, &call))
        return;
    out_text(s->out, "in ");
    out_name(s->out, owner);
    out_char(s->out, '.');
    out_name(s->out, name);
    if (call != NULL && call->kind == HS_KIND_REF && call->value != 0) {
        out_text(s->out, " of ");
        show_monitor_name(s, call->value);
    }
    since_text(s->out, t);
}

void thread_wait_text(struct show *s, const struct hs_thread_state *t)
{
    struct out *o = s->out;
    const struct hs_thread *owner = t->owner != NULL ? t->owner->thread : NULL;
    if (t->wait == HS_WAIT_NONE)
        outside_text(s, t);
    if (t->wait == HS_WAIT_NONE)
        return;
    out_text(o, waits[t->wait].text);
    if (t->of_class != NULL)
        out_name(o, t->of_class->name);
    else
        show_monitor_name(s, t->object);
    since_text(o, t);
    if (t->timed)
        out_text(o, " at most for some time");
    if (owner == NULL)
        return;
    out_text(o, ", held by ");
    thread_name_text(o, owner);
    if (t->held_since != HS_NO_SEQ)
        out_format(o, " since %llu", (unsigned long long)t->held_since);
}

void thread_wait_json(struct show *s, const struct hs_thread_state *t)
{
    struct json *j = &s->out->json;
    const char *owner, *name;
    const struct hs_event *call;
    if (t->wait == HS_WAIT_NONE && outside(s, t, &owner, &name, &call)) {
        json_name(j, "inside");
        json_object(j);
        out_member_name(s->out, "class", owner);
        out_member_name(s->out, "method", name);
        out_member_cut(s->out);
        if (call != NULL && call->kind == HS_KIND_REF && call->value != 0) {
            json_name(j, "object");
            show_monitor_json(s, call->value);
        }
        if (t->since != HS_NO_SEQ)
            json_member_u64(j, "since", t->since);
        json_end(j);
    }
    if (t->wait == HS_WAIT_NONE)
        return;
    json_name(j, "waits");
    json_object(j);
    json_member_text(j, "for", waits[t->wait].name);
    if (t->of_class != NULL) {
        out_member_name(s->out, "class", t->of_class->name);
        out_member_cut(s->out);
    } else {
        json_name(j, "object");
        show_monitor_json(s, t->object);
    }
    if (t->since != HS_NO_SEQ)
        json_member_u64(j, "since", t->since);
    json_member_bool(j, "timed", t->timed);
    if (t->owner != NULL)
        json_member_u64(j, "owner", t->owner->thread->thread);
    if (t->held_since != HS_NO_SEQ)
        json_member_u64(j, "held", t->held_since);
    json_end(j);
}

/* ---- the stack ---- */

static void frame_text(struct show *s, const struct hs_frame *f)
{
    struct out *o = s->out;
    const struct hs_method *m = hs_method_get(s->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    out_class(o, c != NULL ? c->name : "?");
    out_char(o, '.');
    out_name(o, m != NULL ? m->name : "?");
    out_spot(o, c, SPOT_OF(f));
    for (size_t i = 0; i < f->monitor_count; i++) {
        out_text(o, i == 0 ? "  holds " : ", ");
        show_monitor_name(s, f->monitors[i]->object);
    }
    if (f->left_out > 0)
        out_format(o, "  (%llu events left out)", (unsigned long long)f->left_out);
}

void thread_stack_text(struct show *s, const struct hs_thread_state *t, uint64_t max, const char *indent)
{
    for (size_t i = 0; i < max && i < t->frame_count; i++) {
        out_text(s->out, indent);
        frame_text(s, t->frames[i]);
        out_char(s->out, '\n');
    }
    if (t->frame_count > max)
        out_format(s->out, "%s... %llu more\n", indent, (unsigned long long)(t->frame_count - max));
}

static void frame_json(struct show *s, const struct hs_frame *f)
{
    struct json *j = &s->out->json;
    const struct hs_method *m = hs_method_get(s->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    json_object(j);
    if (c != NULL)
        show_method_members(s->out, c->name, m->name, m->desc);
    out_member_spot(s->out, SPOT_OF(f));
    show_frame_members(j, f);
    show_monitors_member(s, f);
    json_end(j);
}

void thread_stack_json(struct show *s, const struct hs_thread_state *t, uint64_t max)
{
    struct json *j = &s->out->json;
    if (t->frames == NULL)
        return;
    json_name(j, "stack");
    json_array(j);
    for (size_t i = 0; i < max && i < t->frame_count; i++)
        frame_json(s, t->frames[i]);
    json_end(j);
    if (t->frame_count > max)
        json_member_u64(j, "frames", t->frame_count);
}
