/* operands.c - see operands.h. */
#include "reader/fsck/operands.h"

#include "reader/fsck/calls.h"
#include "reader/fsck/heap.h"
#include "reader/fsck/objects.h"
#include "reader/fsck/stack.h"

#include "formats/jvm/arithmetic.h"

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

/* What is caught in place of `v`: the JVM threw it at a monitor, or as a hook of another handler had no stack. */
static bool is_replaced(const struct now *n, uint64_t v)
{
    return n->p->event == EVENT_CATCH &&
           ((frame_top(n->t)->replaced && object_is_monitor_error(n->f, n->value)) ||
            (v != n->value && object_is_error(n->f, v) && object_is_error(n->f, n->value)));
}

/* The slot must hold the value of the event, if its value is known; afterwards it does. */
static void expect(struct now *n, struct slot *s)
{
    if (s->known == KNOWN && !is_replaced(n, s->v)) {
        n->f->result->checked++;
        if (s->v != n->value && s->v != UINT64_MAX)
            violation(n, rule_of(n->p->event), "its value is %lld, not %lld", (long long)n->value, (long long)s->v);
    }
    *s = (struct slot){ n->value, KNOWN };
}

static void initialize(struct now *n, struct fframe *fr, uint32_t pc)
{
    for (uint32_t i = 0; i < fr->method->code.max_locals + fr->depth; i++) {
        struct slot *s = i < fr->method->code.max_locals ? frame_local(n->t, fr, i)
                                                         : frame_stack(n->t, fr, i - fr->method->code.max_locals);
        if (s->known == FRESH && s->v == pc)
            *s = (struct slot){ n->value, KNOWN };
    }
    if (fr->made != 0 && fr->made != n->value)
        violation(n, RULE_argument, "the object is %llu, its constructor ran on %llu", (unsigned long long)n->value,
                  (unsigned long long)fr->made);
    fr->made = 0;
}

void operands_after_call(struct now *n, struct fframe *fr)
{
    unsigned state = fr->call;
    fr->call = CALL_NONE;
    if (state != CALL_NONE)
        n->f->result->checked++;
    if (state == CALL_WAITS)
        violation(n, RULE_callee, "%s.%s was called, but never entered", fr->target->owner->name,
                  fr->target->row->name);
    else if (state == CALL_THREW)
        violation(n, RULE_exception, "the callee was left by an exception, but the call returned");
    else if (state == CALL_RETURNED && n->p->kind != KIND_VOID && !fr->returned_hidden &&
             arithmetic_narrowed(n->p->kind, fr->returned) != n->value)
        violation(n, RULE_result, "it is %lld, the callee returned %lld", (long long)n->value, (long long)fr->returned);
    if (state != CALL_RETURNED)
        fr->made = 0;
}

void operands_begin_call(struct now *n, struct fframe *fr)
{
    struct slot *s =
        n->p->slots > 0 && fr->depth >= n->p->slots ? frame_stack(n->t, fr, fr->depth - n->p->slots) : NULL;
    fr->target = callee_of(n->f, n->p, n->p->kind == KIND_REF ? n->value : s != NULL ? s->v : 0);
    fr->call = fr->target != NULL ? CALL_WAITS : CALL_NONE;
    fr->made = 0;
    if (fr->target == NULL && facts_of(n->f, n->p)->purity != CALL_PURE) {
        n->t->epoch_any++;
        n->t->epoch_hard += facts_of(n->f, n->p)->purity == CALL_ANYTHING;
    }
}

void operands_check(struct now *n, struct fframe *fr)
{
    const struct code_event *p = n->p;
    switch (p->event) {
    case EVENT_LOCAL_INCREMENT:
        if (p->kind == KIND_VOID)
            frame_local(n->t, fr, p->local)->known = UNKNOWN;
        break;
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
        if (fr->thrown_known && n->value != UINT64_MAX && n->value != fr->thrown && !object_is_error(n->f, n->value) &&
            !(fr->replaced && object_is_monitor_error(n->f, n->value)))
            violation(n, RULE_exception, "the exception is %llu, %llu was thrown", (unsigned long long)n->value,
                      (unsigned long long)fr->thrown);
        break;
    case EVENT_METHOD_THROW:
        fr->thrown = n->value;
        fr->replaced = false;
        break;
    default: break;
    }
    if (p->in_local && p->kind != KIND_VOID && p->local < fr->method->code.max_locals)
        expect(n, frame_local(n->t, fr, p->local));
    if (p->slots > 0 && p->slots <= fr->depth)
        expect(n, frame_stack(n->t, fr, fr->depth - p->slots));
    fr->thrown_known = p->event == EVENT_METHOD_THROW && n->value != 0;
    if (p->event >= EVENT_GET_INSTANCE_FIELD && p->event <= EVENT_ARRAY_STORE_VALUE)
        heap_event(n->f, n->thread, n->t, fr, n->p, n->value, n->seq);
}

/* The kind whose values the event can have. Operands, locals and arguments are ints, which only the instruction behind
 * the event narrows (JVMS 6.5: putfield, bastore, ireturn); so are results, since method handles hand them on as they
 * are. A boolean in memory may hold any byte, which getfield loads with a sign or without (Unsafe). */
static unsigned value_kind(const struct code_event *p)
{
    bool small = p->kind == KIND_BYTE || p->kind == KIND_CHAR || p->kind == KIND_SHORT;
    switch (p->event) {
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_GET_STATIC_FIELD: return p->kind == KIND_BOOLEAN ? KIND_SHORT : p->kind;
    case EVENT_ARRAY_LOAD_RESULT:
    case EVENT_OBJECT_INSTANCEOF_RESULT: return p->kind;
    default: return small || p->kind == KIND_BOOLEAN ? KIND_INT : p->kind;
    }
}

void operands_check_value(struct now *n)
{
    int64_t v = (int64_t)n->value;
    bool fits = true;
    switch (value_kind(n->p)) {
    case KIND_BOOLEAN: fits = n->value <= 1; break;
    case KIND_BYTE: fits = v >= INT8_MIN && v <= INT8_MAX; break;
    case KIND_CHAR: fits = n->value <= UINT16_MAX; break;
    case KIND_SHORT: fits = v >= INT16_MIN && v <= INT16_MAX; break;
    case KIND_INT: fits = v >= INT32_MIN && v <= INT32_MAX; break;
    case KIND_FLOAT: fits = n->value <= UINT32_MAX; break;
    case KIND_PC: fits = n->p->method == NULL || n->value <= n->p->method->code.length; break;
    case KIND_REF: reference_check(n->f, n->p, n->thread, n->value, n->seq); return;
    default: return;
    }
    n->f->result->checked++;
    if (!fits)
        violation(n, RULE_value, "%lld is no value of kind %c", (long long)v, n->p->kind);
}
