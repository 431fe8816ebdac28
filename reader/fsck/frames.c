/* frames.c - checks the events of all threads in global order against the code of their methods.
 *
 * Each thread has a stack of frames of methods with EXEC. A frame has the position of its last event (instruction,
 * side, number of events of that side) and the known values of its operand stack and locals. The next event of the
 * frame must be one that the original code can give next: the check executes the instructions in between, decides
 * branches by known values, and compares the event's value with the computed one. After a violation the frame continues
 * at the event's instruction, with no values known, so that one fault is reported once. */
#include "reader/fsck/frames.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/fsck/calls.h"
#include "reader/fsck/heap.h"
#include "reader/fsck/objects.h"
#include "reader/fsck/parts.h"
#include "reader/fsck/reach.h"
#include "reader/fsck/stack.h"

enum { STEPS_MAX = 100000, TEXT_MAX = 400 };

/* The event that is checked. */
struct now {
    struct fsck *f;
    struct fthread *t;
    struct fsite *p;
    uint32_t id, thread;
    uint64_t value, seq;
};

static void violation(struct now *n, enum rule rule, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void violation(struct now *n, enum rule rule, const char *fmt, ...)
{
    char site[200], text[TEXT_MAX - 200];
    va_list ap;
    if (n->f->tolerant || n->t->lost)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    site_text(n->p, site, sizeof site);
    fsck_report(n->f, rule, n->seq, "%s: %s", site, text);
}

/* A violation, unless the next exception is an error that the JVM can throw anywhere (stack overflow inside a hook). */
static void violation_unless_error(struct now *n, enum rule rule, const char *what)
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
    site_text(n->p, site, sizeof site);
    (void)snprintf(text, sizeof text, "%s: %s", site, what);
    n->t->pending = strdup(text);
    n->t->pending_seq = n->seq;
    n->t->pending_rule = rule;
}

static void settle_pending(struct now *n)
{
    if (n->p->event != EVENT_CATCH || !object_is_error(n->f, n->value))
        fsck_report(n->f, n->t->pending_rule, n->t->pending_seq, "%s", n->t->pending);
    free(n->t->pending);
    n->t->pending = NULL;
}

static struct fframe *top(struct fthread *t)
{
    return t->frames.count > 0 ? &t->frames.items[t->frames.count - 1] : NULL;
}

/* Called when unknown code has run: it may have written any field or element. */
static void run_unknown_code(struct fthread *t)
{
    t->epoch_any++;
    t->epoch_hard++;
}

/* ---- frames ---- */

static struct fframe *push_frame(struct now *n, struct fmethod *m, bool is_callee)
{
    struct fthread *t = n->t;
    struct fframe *below = top(t);
    size_t base = below != NULL ? below->base + below->method->max_locals + below->method->max_stack : 0;
    size_t end = base + m->max_locals + m->max_stack;
    if (!vec_reserve(&t->slots, end + 1) || vec_push(&t->frames) == NULL) {
        n->f->no_memory = true;
        return NULL;
    }
    struct fframe *fr = top(t);
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

static void pop_frame(struct now *n, bool normal, uint64_t value)
{
    struct fframe *fr = top(n->t);
    if (fr->is_callee && n->t->frames.count > 1) {
        struct fframe *caller = fr - 1;
        caller->call = normal ? CALL_RETURNED : CALL_THREW;
        caller->returned = value;
        caller->made = fr->initialized ? fr->self : 0;
    }
    if (!fr->is_callee ||
        (fr->method->groups & (GROUP_BIT(CALL) | GROUP_BIT(FIELD))) != (GROUP_BIT(CALL) | GROUP_BIT(FIELD)))
        run_unknown_code(n->t);
    n->t->frames.count--;
}

/* Removes the frames above the first `keep`, whose exits are missing. */
static void drop_frames(struct now *n, size_t keep)
{
    bool exceptional =
        n->p->event == EVENT_CATCH_LABEL || n->p->event == EVENT_CATCH || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    while (n->t->frames.count > keep) {
        struct fframe *fr = top(n->t);
        char text[TEXT_MAX / 2];
        (void)snprintf(text, sizeof text, "%s.%s, entered at %llu, has no exit", fr->method->owner->row->name,
                       fr->method->row->name, (unsigned long long)fr->entered);
        /* no handler can be woven there (weaver/build.c), so the exit by an exception is not recorded */
        bool no_handler = fr->method->is_constructor && !fr->initialized && fr->method->this_stored;
        if (!exceptional)
            violation(n, RULE_pair, "%s", text);
        else if (!no_handler)
            violation_unless_error(n, RULE_pair, text);
        if (n->t->frames.count > 1)
            fr[-1].call = CALL_NONE;
        n->t->frames.count--;
        run_unknown_code(n->t);
    }
}

/* Moves the frame to the event; the values on its stack are unknown then. */
static void resync(struct now *n, struct fframe *fr, bool locals_too)
{
    const struct fmethod *m = fr->method;
    const struct fsite *p = n->p;
    uint32_t depth = 0;
    if (p->insn < m->count && m->insns[p->insn].depth != UINT16_MAX) {
        const struct finsn *i = &m->insns[p->insn];
        depth = p->side == SIDE_BEFORE ? i->depth : (uint32_t)(i->depth - i->pops + i->pushes);
    }
    fr->call = CALL_NONE;
    fr->thrown_known = false;
    stack_forget(n->t, fr, depth, locals_too);
    fr->insn = p->insn;
    fr->side = p->side;
    fr->at = (uint16_t)(p->at + 1);
}

static struct fframe *find_frame(struct now *n)
{
    struct fthread *t = n->t;
    struct fframe *fr = top(t);
    if (fr != NULL && fr->method == n->p->method)
        return fr;
    for (size_t i = t->frames.count; i-- > 0;)
        if (t->frames.items[i].method == n->p->method) {
            drop_frames(n, i + 1);
            return top(t);
        }
    /* a native thread that attaches runs the constructor of its own Thread, in the middle of which it can be recorded
     */
    if (t->rootless)
        drop_frames(n, 0); /* it was entered before the interval: frames entered since have ended */
    bool attaching = t->frames.count == 0 && n->p->method->is_constructor &&
                     strcmp(n->p->method->owner->row->name, "java.lang.Thread") == 0;
    if (!attaching && !t->rootless)
        violation(n, RULE_pair, "its method was not entered");
    fr = push_frame(n, n->p->method, false);
    if (fr != NULL) {
        fr->initialized = true;
        resync(n, fr, true);
        fr->at = n->p->at;
    }
    return fr;
}

/* ---- executing up to the event ---- */

enum path_choice { PATH_FOUND, PATH_MANY, PATH_NONE };

/* Chooses the next instruction: by known values at a branch, else the successor from which the event can be reached. */
static enum path_choice choose_successor(struct now *n, struct fframe *fr, uint32_t *next)
{
    struct fmethod *m = fr->method;
    uint32_t found = NO_INSN;
    if (op_table[m->insns[fr->insn].in.op].flags & (OP_COND | OP_END) &&
        stack_decide(n->t, fr, &m->insns[fr->insn], next) && *next != NO_INSN)
        return PATH_FOUND;
    struct successors s = { .m = m, .insn = fr->insn };
    while (successors_next(&s)) {
        if (s.number == 1 && successor(m, fr->insn, 1) == NO_INSN) { /* the only one */
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
    struct fmethod *m = fr->method;
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        const struct finsn *i = &m->insns[fr->insn];
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
            if (fr->at < i->after && !(i->in.op == OPC_multianewarray && fr->at > 0))
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
    return PATH_MANY; /* a long loop without events */
}

/* Moves the frame to an event in a handler: the stack holds the exception only. */
static void enter_handler(struct now *n, struct fframe *fr)
{
    bool known = fr->thrown_known;
    uint64_t thrown = fr->thrown;
    if (fr->call == CALL_THREW) {
        known = fr->returned != UINT64_MAX;
        thrown = fr->returned;
    } else if (fr->call == CALL_RETURNED) {
        violation_unless_error(n, RULE_exception, "the callee returned, but the call did not");
    }
    if (n->t->store.there && n->t->store.frame == (uint32_t)(fr - n->t->frames.items))
        heap_settle(n->f, n->thread, n->t, false);
    const struct finsn *i = fr->insn < fr->method->count ? &fr->method->insns[fr->insn] : NULL;
    if (i != NULL && (op_table[i->in.op].flags & OP_STORE) && fr->side == SIDE_BEFORE && fr->at > 0)
        /* the last event was a store to a local, which cannot throw: a later instruction did */
        stack_run(n->t, fr, i);
    resync(n, fr, !(fr->method->groups & GROUP_BIT(LOCAL)));
    fr->thrown_known = known;
    fr->thrown = thrown;
    if (fr->depth == 1 && known && n->p->insn < fr->method->count)
        *frame_stack(n->t, fr, 0) = (struct slot){ thrown, KNOWN };
}

/* The next element or owner of the same multianewarray, of which there are any number. */
static bool is_next_of_multi(const struct fsite *p, const struct fframe *fr)
{
    if (p->event != EVENT_MULTI_NEW_ARRAY_OWNER && p->event != EVENT_MULTI_NEW_ARRAY_ELEMENT)
        return false;
    return p->insn == fr->insn && fr->side == SIDE_AFTER && fr->at > 0;
}

/* True if the event follows an exception. */
static bool is_exceptional(const struct fsite *p)
{
    return p->at == 0 &&
           (p->event == EVENT_CATCH_LABEL || p->event == EVENT_CATCH || p->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
}

/* LABEL has the pc of the instruction executed before. */
static void check_label(struct now *n, const struct fmethod *m, uint32_t came)
{
    uint32_t pc = came == NO_INSN ? 0 : m->insns[came].in.pc;
    if (n->p->event == EVENT_LABEL && n->value != pc)
        violation(n, RULE_label, "it tells that control came from pc %llu, it came from pc %u",
                  (unsigned long long)n->value, pc);
}

/* The code of the frame cannot give the event: reports it, and moves the frame there. */
static void report_path(struct now *n, struct fframe *fr)
{
    const struct fmethod *m = fr->method;
    bool exceptional = is_exceptional(n->p);
    uint32_t pc = m->length;
    char text[TEXT_MAX / 2];
    if (fr->insn <= m->count)
        pc = fr->insn < m->count ? m->insns[fr->insn].in.pc : 0;
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
    resync(n, fr, true);
}

/* Executes the code from the frame's last event to this one. PATH_NONE: the code cannot give it, and the frame is as
 * before. */
static enum path_choice follow_code(struct now *n, struct fframe *fr)
{
    const struct fsite *p = n->p;
    struct fmethod *m = fr->method;
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
        resync(n, fr, !(m->groups & GROUP_BIT(LOCAL)));
        if (p->event == EVENT_LABEL && !label_legal(m, p->insn, n->value))
            violation(n, RULE_label, "pc %llu does not lead there", (unsigned long long)n->value);
        break;
    case PATH_NONE: *fr = before; break;
    }
    return path;
}

/* Moves the frame to the event; a violation if its code cannot give that. */
static void follow(struct now *n, struct fframe *fr)
{
    struct fmethod *m = fr->method;
    const struct fsite *p = n->p;
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
        if (p->event == EVENT_CATCH_LABEL && !reach_exception(m, fr, n->id, (uint32_t)n->value))
            violation_unless_error(n, RULE_label,
                                   "no exception at the pc that it tells leads there from the event before");
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

/* ---- values ---- */

static enum rule rule_of(unsigned event)
{
    switch (event) {
    case EVENT_LOCAL_LOAD:
    case EVENT_LOCAL_STORE:
    case EVENT_LOCAL_INCREMENT: return RULE_local;
    case EVENT_METHOD_ENTRY:
    case EVENT_METHOD_PARAM: return RULE_argument;
    case EVENT_CATCH:
    case EVENT_METHOD_EXCEPTIONAL_EXIT: return RULE_exception;
    default: return RULE_operand;
    }
}

/* The slot must hold the value of the event, if its value is known; afterwards it does. */
static void expect(struct now *n, struct slot *s)
{
    if (s->known == KNOWN) {
        n->f->result->checked++;
        if (s->v != n->value && s->v != UINT64_MAX)
            violation(n, rule_of(n->p->event), "its value is %lld, not %lld", (long long)n->value, (long long)s->v);
    }
    *s = (struct slot){ n->value, KNOWN };
}

static void initialize(struct now *n, struct fframe *fr, uint32_t pc)
{
    for (uint32_t i = 0; i < fr->method->max_locals + fr->depth; i++) {
        struct slot *s =
            i < fr->method->max_locals ? frame_local(n->t, fr, i) : frame_stack(n->t, fr, i - fr->method->max_locals);
        if (s->known == FRESH && s->v == pc)
            *s = (struct slot){ n->value, KNOWN };
    }
    if (fr->made != 0 && fr->made != n->value)
        violation(n, RULE_argument, "the object is %llu, its constructor ran on %llu", (unsigned long long)n->value,
                  (unsigned long long)fr->made);
    fr->made = 0;
}

static uint64_t returned_as(unsigned kind, uint64_t v)
{
    switch (kind) {
    case KIND_BOOLEAN: return v & 1;
    case KIND_BYTE: return (uint64_t)(int64_t)(int8_t)v;
    case KIND_CHAR: return (uint16_t)v;
    case KIND_SHORT: return (uint64_t)(int64_t)(int16_t)v;
    default: return v;
    }
}

static void after_call(struct now *n, struct fframe *fr)
{
    unsigned state = fr->call;
    fr->call = CALL_NONE;
    if (state != CALL_NONE)
        n->f->result->checked++;
    if (state == CALL_WAITS)
        violation(n, RULE_callee, "%s.%s was called, but never entered", fr->target->owner->row->name,
                  fr->target->row->name);
    else if (state == CALL_THREW)
        violation(n, RULE_exception, "the callee was left by an exception, but the call returned");
    else if (state == CALL_RETURNED && n->p->kind != KIND_VOID && returned_as(n->p->kind, fr->returned) != n->value)
        violation(n, RULE_result, "it is %lld, the callee returned %lld", (long long)n->value, (long long)fr->returned);
    if (state != CALL_RETURNED)
        fr->made = 0;
}

static void begin_call(struct now *n, struct fframe *fr)
{
    struct slot *s =
        n->p->slots > 0 && fr->depth >= n->p->slots ? frame_stack(n->t, fr, fr->depth - n->p->slots) : NULL;
    fr->target = callee_of(n->f, n->p, n->p->kind == KIND_REF ? n->value : s != NULL ? s->v : 0);
    fr->call = fr->target != NULL ? CALL_WAITS : CALL_NONE;
    fr->made = 0;
    if (fr->target == NULL && n->p->purity != CALL_PURE) {
        n->t->epoch_any++;
        n->t->epoch_hard += n->p->purity == CALL_ANYTHING;
    }
}

/* Compares the event's value with the stack, the locals and the heap. */
static void check_operands(struct now *n, struct fframe *fr)
{
    const struct fsite *p = n->p;
    switch (p->event) {
    case EVENT_METHOD_ENTRY:
    case EVENT_METHOD_PARAM:
        if (p->kind != KIND_VOID && p->local < fr->method->max_locals)
            expect(n, frame_local(n->t, fr, p->local));
        break;
    case EVENT_LOCAL_INCREMENT: expect(n, frame_local(n->t, fr, p->local)); break;
    case EVENT_RET: {
        struct slot *s = frame_local(n->t, fr, fr->method->insns[p->insn].in.local);
        expect(n, s);
        break;
    }
    case EVENT_METHOD_OBJECT_INITIALIZED:
        initialize(n, fr, UINT32_MAX);
        fr->initialized = true;
        fr->self = n->value;
        break;
    case EVENT_NEW_OBJECT_CREATED: initialize(n, fr, (uint32_t)attribute_number(p->row, "created", -2)); break;
    case EVENT_MONITOR_ENTER: fr->object = n->value; break;
    case EVENT_MONITOR_ENTER_RESULT:
        if (p->kind == KIND_REF && fr->object != n->value)
            violation(n, RULE_operand, "object %llu was to be locked, %llu is", (unsigned long long)fr->object,
                      (unsigned long long)n->value);
        break;
    case EVENT_METHOD_EXCEPTIONAL_EXIT:
        if (fr->thrown_known && n->value != UINT64_MAX && n->value != fr->thrown && !object_is_error(n->f, n->value))
            violation(n, RULE_exception, "the exception is %llu, %llu was thrown", (unsigned long long)n->value,
                      (unsigned long long)fr->thrown);
        break;
    case EVENT_METHOD_THROW: fr->thrown = n->value; break;
    default: break;
    }
    if (p->slots > 0 && p->slots <= fr->depth)
        expect(n, frame_stack(n->t, fr, fr->depth - p->slots));
    fr->thrown_known = p->event == EVENT_METHOD_THROW && n->value != 0;
    if (p->event >= EVENT_GET_INSTANCE_FIELD && p->event <= EVENT_ARRAY_STORE_VALUE)
        heap_event(n->f, n->thread, n->t, fr, n->p, n->value, n->seq);
}

static void check_value(struct now *n)
{
    int64_t v = (int64_t)n->value;
    bool fits = true;
    switch (n->p->kind) {
    case KIND_BOOLEAN: fits = n->value <= 1; break;
    case KIND_BYTE: fits = v >= INT8_MIN && v <= INT8_MAX; break;
    case KIND_CHAR: fits = n->value <= UINT16_MAX; break;
    case KIND_SHORT: fits = v >= INT16_MIN && v <= INT16_MAX; break;
    case KIND_INT: fits = v >= INT32_MIN && v <= INT32_MAX; break;
    case KIND_FLOAT: fits = n->value <= UINT32_MAX; break;
    case KIND_PC: fits = n->p->method == NULL || n->value <= n->p->method->length; break;
    case KIND_REF: reference_check(n->f, n->p, n->thread, n->value, n->seq); return;
    default: return;
    }
    n->f->result->checked++;
    if (!fits)
        violation(n, RULE_value, "%lld is no value of kind %c", (long long)v, n->p->kind);
}

/* ---- events ---- */

static void enter(struct now *n)
{
    struct fframe *caller = top(n->t), *fr;
    bool is_callee = false;
    if (caller != NULL) {
        n->f->result->checked++;
        if (!reach_code(caller->method, caller))
            violation(n, RULE_enter, "entered while %s.%s stands at pc %u (at %llu), where no other code runs",
                      caller->method->owner->row->name, caller->method->row->name,
                      caller->insn < caller->method->count ? caller->method->insns[caller->insn].in.pc : 0,
                      (unsigned long long)caller->last);
        is_callee = caller->call == CALL_WAITS && caller->target == n->p->method;
        if (is_callee)
            caller->call = CALL_INSIDE;
    }
    if (!is_callee)
        run_unknown_code(n->t);
    fr = push_frame(n, n->p->method, is_callee);
    if (fr == NULL)
        return;
    fr->at = 1;
    check_operands(n, fr);
}

static void settle_store(struct now *n)
{
    struct fthread *t = n->t;
    if (n->p->event == EVENT_METHOD_ENTRY)
        heap_settle(n->f, n->thread, t, !t->store.erased_by_entry);
    else if (n->p->event != EVENT_CATCH_LABEL && n->p->event != EVENT_CATCH &&
             n->p->event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        heap_settle(n->f, n->thread, t, true);
    else
        heap_settle(n->f, n->thread, t, false);
}

static void check_event(struct now *n)
{
    struct fthread *t = n->t;
    if (!n->p->loaded)
        (void)method_of(n->f, n->id);
    if (n->p->row == NULL)
        return; /* reported by tables.c */
    check_value(n);
    if (t->pending != NULL)
        settle_pending(n);
    if (t->store.there)
        settle_store(n);
    struct fmethod *m = n->p->method;
    if (m == NULL || !m->followed) {
        run_unknown_code(t);
        return;
    }
    if (n->p->event == EVENT_METHOD_ENTRY) {
        enter(n);
        return;
    }
    struct fframe *fr = find_frame(n);
    if (fr == NULL)
        return;
    follow(n, fr);
    if (n->p->event == EVENT_CALL_RETURN)
        after_call(n, fr);
    else if (n->p->event != EVENT_CALL_PARAM)
        fr->call = CALL_NONE;
    check_operands(n, fr);
    fr->last = n->seq;
    if (n->p->event == EVENT_CALL)
        begin_call(n, fr);
    else if (n->p->event == EVENT_INVOKE_DYNAMIC)
        run_unknown_code(t);
    else if (n->p->event == EVENT_METHOD_NORMAL_EXIT || n->p->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        pop_frame(n, n->p->event == EVENT_METHOD_NORMAL_EXIT, n->value);
}

static struct fthread *thread_of(struct fsck *f, uint32_t number)
{
    if (!vec_extend(&f->threads, (size_t)number + 1)) {
        f->no_memory = true;
        return NULL;
    }
    return &f->threads.items[number];
}

/* Events are missing before the next one: open frames and values are unknown then. */
static void pass_gap(struct fsck *f, struct fthread *t)
{
    free(t->pending);
    t->pending = NULL;
    t->store.there = false;
    t->frames.count = 0;
    t->rootless = f->trace->intervals.count > 0;
    run_unknown_code(t);
}

/* True if the thread was recorded to its end. */
static bool seen_to_end(const struct fsck *f, const struct fthread *t)
{
    size_t n = f->trace->intervals.count;
    return n == 0 || (f->trace->intervals.items[n - 1].end == UINT64_MAX && t->gap == UINT64_MAX);
}

/* A thread that ended has left all its methods, unless it called code that ended the JVM. */
static void end_thread(struct fsck *f, uint32_t number)
{
    struct fthread *t = &f->threads.items[number];
    const struct hs_thread *row = hs_thread_get(f->trace, number);
    if (t->pending != NULL)
        fsck_report(f, t->pending_rule, t->pending_seq, "%s", t->pending);
    if (t->frames.count > 0 && f->clean && seen_to_end(f, t) && !f->tolerant && !t->lost && row != NULL && row->known &&
        row->end_ns != HS_NO_TIME && !reach_code(top(t)->method, top(t))) {
        const struct fframe *fr = top(t);
        fsck_report(f, RULE_pair, fr->last, "thread %u ended inside %s.%s, entered at %llu", number,
                    fr->method->owner->row->name, fr->method->row->name, (unsigned long long)fr->entered);
    }
    free(t->pending);
    vec_free(&t->frames);
    vec_free(&t->slots);
}

static void check_batch(struct fsck *f, const struct order_batch *b)
{
    struct fthread *t = thread_of(f, b->thread);
    if (t == NULL)
        return;
    f->result->events += b->count;
    if (b->ids == NULL || b->values == NULL) { /* the chunk cannot be read, which tables.c has reported */
        t->lost = true;
        t->frames.count = 0;
        return;
    }
    for (uint32_t i = 0; i < b->count && !f->no_memory; i++) {
        if (b->ids[i] >= f->site_count)
            continue;
        uint64_t stamp = b->stamps != NULL ? b->stamps[i] : b->first_stamp;
        parts_event(f, b->thread, b->ids[i], stamp, b->seq + i);
        if (gap_passed(f->trace, &t->gap, stamp))
            pass_gap(f, t);
        struct now n = { f, t, &f->sites[b->ids[i]], b->ids[i], b->thread, b->values[i], b->seq + i };
        check_event(&n);
    }
}

enum status fsck_walk(struct fsck *f, struct error *err)
{
    struct order *order;
    struct order_batch b;
    enum status st = order_new(f->trace, NULL, NULL, &order, err);
    if (st != OK)
        return st;
    while (!f->no_memory) {
        st = order_next(order, UINT32_MAX, &b, err);
        if (st != OK)
            break;
        check_batch(f, &b);
    }
    order_free(order);
    parts_done_check(f);
    for (size_t i = 0; i < f->threads.count; i++)
        end_thread(f, (uint32_t)i);
    vec_free(&f->threads);
    if (f->no_memory)
        return error_memory(err, "%s", f->trace->dir);
    return st == ERR_NOT_FOUND ? OK : st;
}
