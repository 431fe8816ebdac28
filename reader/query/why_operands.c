/* why_operands.c - where an operand came from: the instruction that pushed it (bytecode.h), and the event that tells of
 * that.
 *
 * Instructions without event of their own (arithmetic, conversions) hand on to their operands. All events that gave
 * operands are noted; the first of them, from the left, is the one that is followed. */
#include "reader/query/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXPRESSION_DEPTH = 24 };

/* Where an operand came from. */
struct source {
    bool found; /* `event` is it; else `end` says why not */
    struct hs_event event;
    const char *end;
    char text[120]; /* "constant 5", "iadd of seq 12 and constant 1" */
};

/* The frame in which operands are sought: events before `position` count. */
struct scene {
    struct code *code;
    struct call_frame frame;
    struct event_position at;
};

static enum status source_end(struct source *s, const char *end, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum status source_end(struct source *s, const char *end, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(s->text, sizeof s->text, fmt, ap);
    va_end(ap);
    s->found = false;
    s->end = end;
    return OK;
}

/* The latest event of the frame at `pc` of one of two types. ERR_NOT_FOUND if there is none. */
static enum status latest(struct why *w, const struct scene *scene, uint32_t pc, unsigned first, unsigned second,
                          struct hs_event *out, struct error *err)
{
    struct frame_walk walk;
    enum status st;
    frame_walk_begin(&walk, w->trace, scene->at, &scene->frame);
    while ((st = frame_walk_back(&walk, out, err)) == OK) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, out->dataid);
        if (d->pc == pc && (d->event == first || d->event == second))
            return OK;
    }
    return st;
}

/* Of several instructions that can have pushed the operand: the one whose block was entered last. */
static enum status choose(struct why *w, const struct scene *scene, const struct producers *p, uint32_t *pc,
                          struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    enum status st;
    *pc = p->pcs[0];
    if (p->count == 1)
        return OK;
    frame_walk_begin(&walk, w->trace, scene->at, &scene->frame);
    while ((st = frame_walk_back(&walk, &e, err)) == OK) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, e.dataid);
        bool label = d->event == EVENT_LABEL || d->event == EVENT_CATCH_LABEL;
        for (unsigned i = 0; i < p->count; i++) {
            uint32_t own = p->pcs[i] & ~PRODUCER_CAUGHT;
            if (d->pc == own || (label && d->pc == code_block(w->trace, scene->code, own))) {
                *pc = p->pcs[i];
                return OK;
            }
        }
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

/* Slots of the two operands of an arithmetic instruction: right (on top) and left; 0 left for one operand, both 0 for
 * none. */
static void operand_slots(uint8_t op, unsigned *right, unsigned *left)
{
    static const uint8_t binary[] = { 1, 2, 1, 2 };
    *right = *left = 0;
    if (op >= OPC_iadd && op <= OPC_drem)
        *right = *left = binary[(op - OPC_iadd) % 4];
    else if (op >= OPC_ineg && op <= OPC_dneg)
        *right = binary[(op - OPC_ineg) % 4];
    else if (op >= OPC_ishl && op <= OPC_lushr) {
        *right = 1;
        *left = 1 + (unsigned)(op - OPC_ishl) % 2;
    } else if (op >= OPC_iand && op <= OPC_lxor)
        *right = *left = 1 + (unsigned)(op - OPC_iand) % 2;
    else if (op >= OPC_i2l && op <= OPC_i2s)
        *right = (unsigned)op_table[op].pops;
    else if (op >= OPC_lcmp && op <= OPC_dcmpg)
        *right = *left = (unsigned)op_table[op].pops / 2;
}

static enum status operand(struct why *w, const struct scene *scene, uint32_t pc, uint32_t depth, unsigned level,
                           struct source *out, struct error *err);

static enum status expression(struct why *w, const struct scene *scene, const struct insn *in, unsigned level,
                              struct source *out, struct error *err)
{
    unsigned right, left;
    struct source a = { 0 }, b = { 0 };
    const char *name = op_table[in->op].name;
    operand_slots(in->op, &right, &left);
    if (right == 0)
        return source_end(out, "instruction", "the result of %s", name);
    enum status st = OK;
    if (left > 0)
        st = operand(w, scene, in->pc, right, level + 1, &a, err);
    if (st == OK)
        st = operand(w, scene, in->pc, 0, level + 1, &b, err);
    if (st != OK)
        return st;
    *out = left > 0 && a.found ? a : b;
    if (!out->found)
        out->end = left > 0 && a.end != NULL && strcmp(a.end, "constant") != 0 ? a.end : b.end;
    char text[sizeof out->text];
    if (left > 0)
        (void)snprintf(text, sizeof text, "%s of %.50s and %.50s", name, a.text, b.text);
    else
        (void)snprintf(text, sizeof text, "%s of %.100s", name, b.text);
    memcpy(out->text, text, sizeof text);
    return OK;
}

static enum status source_event(struct why *w, const struct hs_event *e, struct source *out, struct error *err)
{
    out->found = true;
    out->event = *e;
    enum status st = why_number(w, &out->event, err);
    if (st != OK)
        return st;
    (void)snprintf(out->text, sizeof out->text, "seq %llu", (unsigned long long)out->event.seq);
    bool known = false;
    for (size_t i = 0; i < w->operand_count; i++)
        known = known || w->operands[i] == out->event.seq;
    if (!known && w->operand_count < OPERANDS_MAX)
        w->operands[w->operand_count++] = out->event.seq;
    return OK;
}

/* `this` is loaded without event: the receiver was told at the start of the frame or when it was initialized. */
static enum status receiver(struct why *w, const struct scene *scene, struct source *out, struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    enum status st;
    frame_walk_begin(&walk, w->trace, scene->at, &scene->frame);
    while ((st = frame_walk_back(&walk, &e, err)) == OK) {
        unsigned event = event_type(w->trace, e.dataid);
        if (event == EVENT_METHOD_OBJECT_INITIALIZED || (event == EVENT_METHOD_ENTRY && e.kind == 'L'))
            return source_event(w, &e, out, err);
    }
    return st == ERR_NOT_FOUND ? source_end(out, "new object", "the object being made") : st;
}

/* The last write of a local: an event of the frame, wherever the load itself is not recorded. */
static enum status local_source(struct why *w, const struct scene *scene, const struct insn *in, struct source *out,
                                struct error *err)
{
    struct hs_event e;
    const struct replay *state;
    enum status st = latest(w, scene, in->pc, EVENT_LOCAL_LOAD, 0, &e, err);
    if (st == OK)
        return source_event(w, &e, out, err);
    if (st != ERR_NOT_FOUND || (st = frames_at(w->trace, scene->at, &state, err)) != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top != NULL && top->method == scene->frame.method && in->local < top->local_count) {
        const struct local *l = &state->locals.items[top->first_local + in->local];
        if (l->id != UINT32_MAX &&
            (st = positions_event(w->trace, (struct event_position){ scene->at.stream, l->position }, &e, err)) == OK)
            return source_event(w, &e, out, err);
    }
    return source_end(out, "not recorded", "local variable %u, whose writes are not recorded", in->local);
}

static enum status constant(const struct code *code, const struct insn *in, struct source *out)
{
    static const char *const small[] = { "null", "-1", "0",    "1",    "2",    "3",   "4",  "5",
                                         "0L",   "1L", "0.0f", "1.0f", "2.0f", "0.0", "1.0" };
    if (in->op >= OPC_aconst_null && in->op <= OPC_dconst_1)
        return source_end(out, "constant", "constant %s", small[in->op - OPC_aconst_null]);
    if (in->op == OPC_bipush || in->op == OPC_sipush)
        return source_end(out, "constant", "constant %d", in->operand);
    const struct cpool *cp = &code->classfile->cp;
    uint32_t index = (uint32_t)in->operand;
    unsigned tag = cpool_tag(cp, index);
    if (tag == CONSTANT_Integer)
        return source_end(out, "constant", "constant %d", (int32_t)be4(cp->data + cp->offsets[index] + 1));
    if (tag == CONSTANT_Long)
        return source_end(out, "constant", "constant %lld",
                          (long long)((uint64_t)be4(cp->data + cp->offsets[index] + 1) << 32 |
                                      be4(cp->data + cp->offsets[index] + 5)));
    return source_end(out, "constant", "a constant");
}

/* The event types that tell what an instruction pushed; 0 if it has none. */
static void result_events(uint8_t op, unsigned *first, unsigned *second)
{
    *second = 0;
    switch ((int)op) {
    case OPC_ldc:
    case OPC_ldc_w: *first = EVENT_OBJECT_CONSTANT_LOAD; break;
    case OPC_getfield: *first = EVENT_GET_INSTANCE_FIELD_RESULT; break;
    case OPC_getstatic: *first = EVENT_GET_STATIC_FIELD; break;
    case OPC_iaload:
    case OPC_laload:
    case OPC_faload:
    case OPC_daload:
    case OPC_aaload:
    case OPC_baload:
    case OPC_caload:
    case OPC_saload: *first = EVENT_ARRAY_LOAD_RESULT; break;
    case OPC_arraylength: *first = EVENT_ARRAY_LENGTH_RESULT; break;
    case OPC_instanceof: *first = EVENT_OBJECT_INSTANCEOF_RESULT; break;
    case OPC_invokevirtual:
    case OPC_invokespecial:
    case OPC_invokestatic:
    case OPC_invokeinterface: *first = EVENT_CALL_RETURN; break;
    case OPC_invokedynamic: *first = EVENT_INVOKE_DYNAMIC_RESULT; break;
    case OPC_newarray:
    case OPC_anewarray: *first = EVENT_NEW_ARRAY_RESULT; break;
    case OPC_multianewarray: *first = EVENT_MULTI_NEW_ARRAY; break;
    default: *first = 0;
    }
}

/* new: its reference is only told when the constructor has returned, at the pc of that call. */
static enum status new_source(struct why *w, const struct scene *scene, const struct insn *in, struct source *out,
                              struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    enum status st;
    frame_walk_begin(&walk, w->trace, scene->at, &scene->frame);
    while ((st = frame_walk_back(&walk, &e, err)) == OK) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, e.dataid);
        if (d->event == EVENT_NEW_OBJECT_CREATED && attribute_number(d, "created", -1) == in->pc)
            return source_event(w, &e, out, err);
        if (d->event == EVENT_NEW_OBJECT && d->pc == in->pc)
            break;
    }
    return st == OK || st == ERR_NOT_FOUND ? source_end(out, "new object", "a new object") : st;
}

static enum status operand(struct why *w, const struct scene *scene, uint32_t pc, uint32_t depth, unsigned level,
                           struct source *out, struct error *err)
{
    struct insn in;
    struct hs_event e;
    unsigned first, second;
    uint32_t at;
    *out = (struct source){ 0 };
    if (level > EXPRESSION_DEPTH)
        return source_end(out, "expression", "a long expression");
    struct producers p = code_producers(w->trace, scene->code, pc, depth);
    if (p.count == 0)
        return source_end(out, "not known", "an operand that the bytecode does not tell");
    enum status st = choose(w, scene, &p, &at, err);
    if (st != OK)
        return st;
    if ((at & PRODUCER_CAUGHT) != 0) {
        st = latest(w, scene, at & ~PRODUCER_CAUGHT, EVENT_CATCH, 0, &e, err);
        if (st == OK)
            return source_event(w, &e, out, err);
        return st == ERR_NOT_FOUND ? source_end(out, "not recorded", "the exception caught") : st;
    }
    if (!insn_decode(scene->code->bytes, scene->code->length, at, &in))
        return source_end(out, "not known", "an operand that the bytecode does not tell");
    if ((op_table[in.op].flags & OP_LOAD) != 0) {
        bool self = in.local == 0 && op_local_type(in.op) == 'A' && (scene->code->method->access & ACC_STATIC) == 0;
        return self ? receiver(w, scene, out, err) : local_source(w, scene, &in, out, err);
    }
    if (in.op == OPC_new)
        return new_source(w, scene, &in, out, err);
    result_events(in.op, &first, &second);
    if (first == 0 && in.op <= OPC_ldc2_w)
        return constant(scene->code, &in, out);
    if (first == 0)
        return expression(w, scene, &in, level, out, err);
    st = latest(w, scene, at, first, second, &e, err);
    if (st == OK)
        return source_event(w, &e, out, err);
    if (st != ERR_NOT_FOUND)
        return st;
    if (in.op <= OPC_ldc2_w)
        return constant(scene->code, &in, out);
    return source_end(out, "not recorded", "the result of %s, which is not recorded", op_table[in.op].name);
}

/* The link takes an operand from the stack: goes on to its source. */
enum status why_from_stack(struct why *w, uint32_t depth, const char *verb, struct error *err)
{
    struct scene scene = { .code = codes_get(w->trace, w->site->method_id), .at = why_position(w, &w->now) };
    const struct replay *state;
    struct source s;
    if (scene.code == NULL)
        return why_ends(w, "no bytecode", "%s; the trace has no class file of this method", verb);
    enum status st = frames_at(w->trace, scene.at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top != NULL && top->method == w->site->method_id)
        scene.frame = *top;
    else
        scene.frame = (struct call_frame){ .method = w->site->method_id, .entry = NO_POSITION };
    if ((st = operand(w, &scene, w->site->pc, depth, 0, &s, err)) != OK)
        return st;
    if (s.found)
        return why_goes_on(w, &s.event, "%s: %s", verb, s.text);
    return why_ends(w, s.end, "%s: %s", verb, s.text);
}
