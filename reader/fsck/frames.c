/* frames.c - see frames.h. */
#include "reader/fsck/frames.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/fsck/facts.h"
#include "reader/fsck/objects.h"
#include "reader/fsck/stack.h"

void violation(struct now *n, enum rule rule, const char *fmt, ...)
{
    char site[200], text[TEXT_MAX - 200];
    va_list ap;
    if (n->f->tolerant || n->t->lost)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    code_event_text(n->p, site, sizeof site);
    fsck_report(n->f, rule, n->seq, "%s: %s", site, text);
}

void violation_unless_error(struct now *n, enum rule rule, const char *what)
{
    char site[200], text[TEXT_MAX];
    if ((n->p->event == EVENT_CATCH || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT) && object_is_error(n->f, n->value))
        return;
    if (n->p->event != EVENT_CATCH_LABEL) {
        violation(n, rule, "%s", what);
        return;
    }
    if (n->t->pending != NULL || n->f->tolerant || n->t->lost)
        return;
    code_event_text(n->p, site, sizeof site);
    (void)snprintf(text, sizeof text, "%s: %s", site, what);
    n->t->pending = strdup(text);
    n->t->pending_seq = n->seq;
    n->t->pending_rule = rule;
}

void settle_pending(struct now *n)
{
    bool thrown = n->p->event == EVENT_CATCH || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    if (n->p->event == EVENT_CATCH_LABEL)
        return; /* the error came again, in a hook of that handler */
    if (!thrown || !object_is_error(n->f, n->value))
        fsck_report(n->f, n->t->pending_rule, n->t->pending_seq, "%s", n->t->pending);
    free(n->t->pending);
    n->t->pending = NULL;
}

struct fframe *frame_top(struct fthread *t)
{
    return t->frames.count > 0 ? &t->frames.items[t->frames.count - 1] : NULL;
}

bool hides_writes(const struct method *m)
{
    const group_set needed = GROUP_BIT(CALL) | GROUP_BIT(FIELD);
    return (m->row->groups & needed) != needed || m->row->reason[0] != '\0';
}

void run_unknown_code(struct fthread *t)
{
    t->epoch_any++;
    t->epoch_hard++;
}

/* ---- frames ---- */

struct fframe *frame_push(struct now *n, struct method *m, bool is_callee)
{
    struct fthread *t = n->t;
    struct fframe *below = frame_top(t);
    size_t base = below != NULL ? below->base + below->method->code.max_locals + below->method->code.max_stack : 0;
    size_t end = base + m->code.max_locals + m->code.max_stack;
    if (end > SLOTS_MAX) {
        n->f->too_wide = true;
        n->f->wide_thread = n->thread;
        return NULL;
    }
    if (!vec_reserve(&t->slots, end + 1) || vec_push(&t->frames) == NULL) {
        n->f->no_memory = true;
        return NULL;
    }
    struct fframe *fr = frame_top(t);
    *fr = (struct fframe){
        .method = m, .entered = n->seq, .last = n->seq, .base = base, .insn = m->count, .is_callee = is_callee
    };
    stack_forget(t, fr, 0, true);
    if (is_callee) {
        struct fframe *caller = fr - 1;
        for (uint32_t i = 0; i < m->argument_slots && caller->depth >= m->argument_slots; i++)
            *frame_local(t, fr, i) = *frame_stack(t, caller, caller->depth - m->argument_slots + i);
    }
    if (m->is_constructor)
        *frame_local(t, fr, 0) = (struct slot){ UINT32_MAX, FRESH };
    return fr;
}

void frame_pop(struct now *n, bool normal, uint64_t value)
{
    struct fframe *fr = frame_top(n->t);
    if (fr->is_callee && n->t->frames.count > 1) {
        struct fframe *caller = fr - 1;
        caller->call = normal ? CALL_RETURNED : CALL_THREW;
        caller->returned = value;
        caller->returned_hidden = normal && n->p->kind == KIND_VOID; /* by redact=, unless there is none */
        caller->made = fr->initialized ? fr->self : 0;
    }
    if (!fr->is_callee || hides_writes(fr->method))
        run_unknown_code(n->t);
    n->t->frames.count--;
}

/* Removes the frames above the first `keep`, whose exits are missing. */
static void drop_frames(struct now *n, size_t keep)
{
    bool exceptional =
        n->p->event == EVENT_CATCH_LABEL || n->p->event == EVENT_CATCH || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    while (n->t->frames.count > keep) {
        struct fframe *fr = frame_top(n->t);
        char text[TEXT_MAX / 2];
        (void)snprintf(text, sizeof text, "%s.%s, entered at %llu, has no exit", fr->method->owner->name,
                       fr->method->row->name, (unsigned long long)fr->entered);
        /* no handler can be woven there (weaver/build.c), so the exit by an exception is not recorded */
        bool no_handler = fr->method->is_constructor && !fr->initialized && !fr->method->has_this;
        if (n->p->event == EVENT_EVENTS_LEFT_OUT)
            ; /* events of an exception may be among those */
        else if (!exceptional)
            violation(n, RULE_pair, "%s", text);
        else if (!no_handler)
            violation_unless_error(n, RULE_pair, text);
        if (n->t->frames.count > 1)
            fr[-1].call = CALL_NONE;
        n->t->frames.count--;
        run_unknown_code(n->t);
    }
}

void frame_resync(struct now *n, struct fframe *fr, bool locals_too)
{
    const struct method *m = fr->method;
    const struct code_event *p = n->p;
    uint32_t depth = 0;
    if (p->insn < m->count && m->insns[p->insn].depth != NOT_REACHED) {
        const struct method_insn *i = &m->insns[p->insn];
        depth = p->side == SIDE_BEFORE ? i->depth : (uint32_t)(i->depth - i->in->pops + i->in->pushes);
    }
    fr->call = CALL_NONE;
    fr->thrown_known = false;
    stack_forget(n->t, fr, depth, locals_too);
    fr->insn = p->insn;
    fr->side = p->side;
    fr->at = (uint16_t)(p->at + 1);
    if (!locals_too && p->side == SIDE_AFTER && p->insn < m->count && m->insns[p->insn].in->op == OPC_iinc)
        stack_run(n->t, fr, &m->insns[p->insn]);
}

/* Puts back the frame whose return threw, which the last event has taken off: its monitors were not balanced. */
static struct fframe *take_back(struct now *n)
{
    struct fthread *t = n->t;
    const struct method *m = n->p->method;
    if (n->returned != m || !m->has_monitors || n->p->at != 0)
        return NULL;
    struct fframe *fr = &t->frames.items[t->frames.count];
    bool label = n->p->event == EVENT_CATCH_LABEL && fr->insn < m->count && n->value == m->insns[fr->insn].in->pc;
    bool exception = n->p->event == EVENT_CATCH || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    if (!label && !(exception && object_is_monitor_error(n->f, n->value)))
        return NULL;
    t->frames.count++;
    if (fr->is_callee && t->frames.count > 1)
        fr[-1].call = CALL_INSIDE;
    return fr;
}

struct fframe *frame_find(struct now *n)
{
    struct fthread *t = n->t;
    struct fframe *fr = take_back(n);
    if (fr != NULL)
        return fr;
    fr = frame_top(t);
    if (fr != NULL && fr->method == n->p->method)
        return fr;
    for (size_t i = t->frames.count; i-- > 0;)
        if (t->frames.items[i].method == n->p->method) {
            drop_frames(n, i + 1);
            return frame_top(t);
        }
    /* a native thread that attaches runs the constructor of its own Thread, in the middle of which it can be
     * recorded */
    if (t->rootless)
        drop_frames(n, 0); /* it was entered before the interval: frames entered since have ended */
    bool attaching = t->frames.count == 0 && n->p->method->is_constructor &&
                     strcmp(n->p->method->owner->name, "java.lang.Thread") == 0;
    if (!attaching && !t->rootless)
        violation(n, RULE_pair, "its method was not entered");
    fr = frame_push(n, n->p->method, false);
    if (fr != NULL) {
        fr->initialized = true;
        frame_resync(n, fr, true);
        fr->at = n->p->at;
    }
    return fr;
}
