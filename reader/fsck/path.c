/* path.c - checks that the code of a frame can give the event after the last one.
 *
 * It executes the instructions in between and decides branches by known values. After a violation the frame continues
 * at the event's instruction, with no values known, so that one fault is reported once. */
#include "reader/fsck/path.h"

#include <stdio.h>

#include "reader/fsck/heap.h"
#include "reader/fsck/reach.h"
#include "reader/fsck/stack.h"

/* Of one search; and of all together beyond BRIEF steps each, some more for each event. */
enum { STEPS_MAX = 100000, BRIEF = 1000, SILENT_MAX = 1 << 24, SILENT_EACH = 64 };

/* A long loop without events, which the trace is free to have behind each event. */
static bool is_exhausted(struct fsck *f, unsigned steps)
{
    return steps >= STEPS_MAX || (steps > BRIEF && f->silent++ > SILENT_MAX + SILENT_EACH * f->result->checked);
}

enum path_choice { PATH_FOUND, PATH_MANY, PATH_NONE };

/* Chooses the next instruction: by known values at a branch, else the successor from which the event can be reached. */
static enum path_choice choose_successor(struct now *n, struct fframe *fr, uint32_t *next)
{
    struct method *m = fr->method;
    uint32_t found = NO_INSN;
    if (op_table[m->insns[fr->insn].in->op].flags & (OP_COND | OP_END) &&
        stack_decide(n->t, fr, &m->insns[fr->insn], next) && *next != NO_INSN)
        return PATH_FOUND;
    struct successors s = { .code = &m->code, .insn = fr->insn };
    while (code_next(&s)) {
        struct successors rest = s;
        if (s.number == 1 && !code_next(&rest)) { /* the only one */
            *next = s.to;
            return PATH_FOUND;
        }
        if (s.to == found || !reach_first(m, s.to, n->id))
            continue;
        if (found != NO_INSN)
            return PATH_MANY;
        found = s.to;
    }
    *next = found;
    return found != NO_INSN ? PATH_FOUND : PATH_NONE;
}

static bool stands_at(const struct now *n, uint32_t insn, enum side side)
{
    return n->p->insn == insn && n->p->side == side && n->p->at == 0;
}

/* Executes the code up to the event. *came is the instruction executed last, NO_INSN if several are possible. */
static enum path_choice run_to_event(struct now *n, struct fframe *fr, uint32_t *came)
{
    struct method *m = fr->method;
    for (unsigned steps = 0; !is_exhausted(n->f, steps); steps++) {
        const struct method_insn *i = &m->insns[fr->insn];
        uint32_t next = NO_INSN;
        if (fr->insn >= m->count) {
            if (fr->insn > m->count || fr->at < i->before)
                return PATH_NONE;
            next = 0;
            *came = NO_INSN;
        } else if (fr->side == SIDE_BEFORE) {
            if (fr->at < i->before)
                return PATH_NONE;
            if (i->after > 0) {
                stack_run(n->t, fr, i);
                fr->side = SIDE_AFTER;
                fr->at = 0;
                return stands_at(n, fr->insn, SIDE_AFTER) ? PATH_FOUND : PATH_NONE;
            }
            enum path_choice w = choose_successor(n, fr, &next);
            if (w != PATH_FOUND)
                return w;
            *came = fr->insn;
            stack_run(n->t, fr, i);
        } else {
            if (fr->at < i->after && !(i->in->op == OPC_multianewarray && fr->at > 0))
                return PATH_NONE;
            *came = fr->insn;
            next = fr->insn + 1;
            if (next >= m->count)
                return PATH_NONE;
        }
        fr->insn = next;
        fr->side = SIDE_BEFORE;
        fr->at = 0;
        if (m->insns[next].before > 0)
            return stands_at(n, next, SIDE_BEFORE) ? PATH_FOUND : PATH_NONE;
    }
    return PATH_MANY;
}

/* Moves the frame to an event in a handler: the stack holds the exception only. */
static void enter_handler(struct now *n, struct fframe *fr)
{
    bool known = fr->thrown_known;
    uint64_t thrown = fr->thrown;
    bool replaced = fr->call == CALL_THREW && fr->target != NULL && fr->target->has_monitors;
    if (fr->call == CALL_THREW) {
        /* the exit of a constructor that this(...) or super(...) left is inferred from the next event that shows an
         * exception: by then code that is not woven, as reflection, may have put its own around it */
        bool inferred = n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT && fr->method->is_constructor && !fr->initialized;
        known = fr->returned != UINT64_MAX && (!inferred || fr->is_callee);
        thrown = fr->returned;
    } else if (fr->call == CALL_RETURNED) {
        violation_unless_error(n, RULE_exception, "the callee returned, but the call did not");
    }
    if (n->t->store.there && n->t->store.frame == (uint32_t)(fr - n->t->frames.items))
        heap_settle(n->f, n->thread, n->t, false);
    const struct method_insn *i = fr->insn < fr->method->count ? &fr->method->insns[fr->insn] : NULL;
    if (i != NULL && (op_table[i->in->op].flags & OP_STORE) && fr->side == SIDE_BEFORE && fr->at > 0)
        /* the last event was a store to a local, which cannot throw: a later instruction did */
        stack_run(n->t, fr, i);
    frame_resync(n, fr, !(fr->method->row->groups & GROUP_BIT(LOCAL)));
    fr->thrown_known = known;
    fr->thrown = thrown;
    fr->replaced = replaced;
    if (fr->depth == 1 && known && n->p->insn < fr->method->count)
        *frame_stack(n->t, fr, 0) = (struct slot){ thrown, KNOWN };
}

/* The next element or owner of the same multianewarray, of which there are any number. */
static bool is_next_of_multi(const struct code_event *p, const struct fframe *fr)
{
    if (p->event != EVENT_MULTI_NEW_ARRAY_OWNER && p->event != EVENT_MULTI_NEW_ARRAY_ELEMENT)
        return false;
    return p->insn == fr->insn && fr->side == SIDE_AFTER && fr->at > 0;
}

/* True if the event follows an exception. */
static bool is_exceptional(const struct code_event *p)
{
    return p->at == 0 &&
           (p->event == EVENT_CATCH_LABEL || p->event == EVENT_CATCH || p->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
}

/* LABEL has the pc of the instruction executed before. */
static void check_label(struct now *n, const struct method *m, uint32_t came)
{
    uint32_t pc = came == NO_INSN ? 0 : m->insns[came].in->pc;
    if (n->p->event == EVENT_LABEL && n->value != pc)
        violation(n, RULE_label, "it says that control came from pc %llu, it came from pc %u",
                  (unsigned long long)n->value, pc);
}

/* The code of the frame cannot give the event: reports it, and moves the frame there. */
static void report_path(struct now *n, struct fframe *fr)
{
    const struct method *m = fr->method;
    bool exceptional = is_exceptional(n->p);
    uint32_t pc = m->code.length;
    char text[TEXT_MAX / 2];
    if (fr->insn <= m->count)
        pc = fr->insn < m->count ? m->insns[fr->insn].in->pc : 0;
    (void)snprintf(text, sizeof text,
                   "the code cannot give this event after the one before in its frame (pc %u, at %llu)", pc,
                   (unsigned long long)fr->last);
    if (exceptional && reach_error(fr->method, fr, n->id))
        violation_unless_error(n, RULE_path, text);
    else
        violation(n, RULE_path, "%s", text);
    fr->call = CALL_NONE;
    if (exceptional)
        enter_handler(n, fr);
    frame_resync(n, fr, true);
}

/* Executes the code from the frame's last event to this one. PATH_NONE: the code cannot give it, and the frame is as
 * before. */
static enum path_choice follow_code(struct now *n, struct fframe *fr)
{
    const struct code_event *p = n->p;
    struct method *m = fr->method;
    struct fframe before = *fr;
    uint32_t came = NO_INSN;
    enum path_choice path = PATH_NONE;
    if (p->event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        path = run_to_event(n, fr, &came);
    switch (path) {
    case PATH_FOUND:
        fr->at++;
        check_label(n, m, came);
        break;
    case PATH_MANY:
        frame_resync(n, fr, !(m->row->groups & GROUP_BIT(LOCAL)));
        if (p->event == EVENT_LABEL && !label_legal(m, p->insn, n->value))
            violation(n, RULE_label, "pc %llu does not lead there", (unsigned long long)n->value);
        break;
    case PATH_NONE: *fr = before; break;
    }
    return path;
}

void path_follow(struct now *n, struct fframe *fr)
{
    struct method *m = fr->method;
    const struct code_event *p = n->p;
    n->f->result->checked++;
    if (p->insn == fr->insn && p->side == fr->side && p->at == fr->at) {
        fr->at++;
        return;
    }
    if (is_next_of_multi(p, fr)) {
        if (p->event == EVENT_MULTI_NEW_ARRAY_ELEMENT && fr->at < p->at)
            violation(n, RULE_path, "an element comes before its owner");
        fr->at = (uint16_t)(p->at + 1);
        return;
    }
    bool exceptional = is_exceptional(p);
    if (exceptional && reach_exception(m, fr, n->id, NO_INSN)) {
        const bool agrees = p->event != EVENT_CATCH_LABEL || reach_exception(m, fr, n->id, (uint32_t)n->value);
        if (!agrees && follow_code(n, fr) != PATH_NONE) /* a branch to the handler */
            return;
        if (!agrees)
            violation_unless_error(n, RULE_label,
                                   "no exception at the pc that it names leads there from the event before");
        enter_handler(n, fr);
        return;
    }
    if (follow_code(n, fr) != PATH_NONE)
        return;
    if (!exceptional && reach_exception(m, fr, n->id, NO_INSN)) {
        enter_handler(n, fr); /* a handler whose CATCH is not woven */
        return;
    }
    report_path(n, fr);
}
