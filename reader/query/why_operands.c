/* why_operands.c - the source of an operand: the instruction that pushed it (code.h), and that instruction's event.
 *
 * An instruction without events (arithmetic, conversions) is replaced by its operands. All events that pushed operands
 * are noted; the chain follows the one that is unusual (is_right_first), else the leftmost of them. */
#include "formats/jvm/loss.h"
#include "reader/code/arithmetic_plan.h"
#include "reader/query/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXPRESSION_DEPTH = 24, OPERAND_TEXT = 110 };

struct source {
    bool found; /* `event` is the source; else `end` is why there is none */
    struct hs_event event;
    const char *end;
    char text[250];             /* "constant 5", "iadd of seq 12 and constant 1" */
    const char *side, *used_by; /* "left of ", "iadd": what pops it; set before it is searched for */
    const char *through;        /* what changed it before that, an instruction with one operand; NULL: none */
    uint32_t pc;                /* of an instruction that pushed a constant, else UINT32_MAX */
    uint32_t chosen;            /* the same of an operand: one of several that can, as in `n + (x > 2 ? 10 : 0)` */
    bool known;                 /* its value is: */
    char kind;
    uint64_t value;
    bool lost;  /* an instruction that computed it lost something */
    uint8_t op; /* of why_term, as these */
    size_t left, right, term;
};

/* The frame whose operands are searched for, and the position before which their events are. */
struct operand_frame {
    struct method *code;
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
    s->found = s->known = false;
    s->pc = UINT32_MAX;
    s->end = end;
    return OK;
}

static bool is_at(const struct hs_dataid *d, uint32_t pc, unsigned first, unsigned second)
{
    return d->pc == pc && (d->event == first || d->event == second);
}

/* Can the instruction have such an event? One of a constant that is a number has none, for example. */
static bool has_event(struct why *w, uint32_t pc, unsigned first, unsigned second)
{
    const struct hs_class *c = tables_class_of(w->trace, w->site->dataid);
    uint32_t id = w->site->dataid, end = id;
    if (c == NULL)
        return false;
    for (dataid_siblings(w->trace, c, &id, &end); id < end; id++)
        if (is_at(dataid_or_none(w->trace, id), pc, first, second))
            return true;
    return false;
}

/* The last event of the frame at `pc` of one of two types. ERR_NOT_FOUND if there is none. */
static enum status find_last(struct why *w, const struct operand_frame *of, uint32_t pc, unsigned first,
                             unsigned second, struct hs_event *out, struct error *err)
{
    struct frame_walk walk;
    if (!has_event(w, pc, first, second)) /* the walk would be over the whole frame */
        return ERR_NOT_FOUND;
    frame_walk_begin(&walk, w->trace, of->at, &of->frame);
    for (;;) {
        enum status st = frame_walk_back(&walk, out, err);
        if (st != OK)
            return st;
        if (is_at(dataid_or_none(w->trace, out->dataid), pc, first, second))
            return OK;
    }
}

/* Does the event show that the instruction at `pc`, or its block, was executed? */
static bool is_event_of(const struct operand_frame *of, const struct hs_dataid *d, uint32_t pc)
{
    if (d->pc == pc)
        return true;
    bool label = d->event == EVENT_LABEL || d->event == EVENT_CATCH_LABEL;
    return label && d->pc == method_block(of->code, pc);
}

/* Of several instructions that can have pushed the operand, the one whose block was entered last. */
static enum status find_producer(struct why *w, const struct operand_frame *of, const struct producers *p, uint32_t *pc,
                                 struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    *pc = p->pcs[0];
    if (p->count == 1)
        return OK;
    frame_walk_begin(&walk, w->trace, of->at, &of->frame);
    for (;;) {
        enum status st = frame_walk_back(&walk, &e, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        const struct hs_dataid *d = dataid_or_none(w->trace, e.dataid);
        for (unsigned i = 0; i < p->count; i++) {
            if (is_event_of(of, d, p->pcs[i] & ~PRODUCER_CAUGHT)) {
                *pc = p->pcs[i];
                return OK;
            }
        }
    }
}

/* The value of an instruction with these operands (of one: `b`), as far as they are known. */
static void compute(struct why *w, const struct insn *in, unsigned left, const struct source *a, const struct source *b,
                    struct source *out)
{
    const bool divides = in->op == OPC_idiv || in->op == OPC_irem || in->op == OPC_ldiv || in->op == OPC_lrem;
    out->known = b->known && (left == 0 || a->known) && (!divides || b->value != 0);
    out->value = !out->known ? 0
                 : left > 0  ? arithmetic_binary(in->op, a->value, b->value)
                             : arithmetic_unary(in->op, b->value);
    out->kind = op_table[in->op].pushed[0];
    out->lost = a->lost || b->lost || (out->known && why_note_loss(w, in->op, left > 0 ? a->value : 0, b->value));
}

static bool is_zero(const struct source *s)
{
    return s->kind == 'D' ? as_double(s->value) == 0 : s->kind == 'F' ? as_float(s->value) == 0 : s->value == 0;
}

static bool is_negative(const struct source *s)
{
    return s->kind == 'D' ? as_double(s->value) < 0 : s->kind == 'F' ? as_float(s->value) < 0 : (int64_t)s->value < 0;
}

/* Of two operands, is the right one rather what makes the result strange? One that lost something; 0, or negative, and
 * the other is not. */
static bool is_right_first(const struct source *left, const struct source *right)
{
    if (left->lost != right->lost)
        return right->lost;
    if (left->known && right->known && is_zero(left) != is_zero(right))
        return is_zero(right);
    if (left->known && right->known && is_negative(left) != is_negative(right))
        return is_negative(right);
    return false;
}

static enum status find_operand(struct why *w, const struct operand_frame *of, uint32_t pc, uint32_t depth,
                                unsigned level, struct source *out, struct error *err);

/* An operand as a part of an expression: one that is too long is left out as a whole, not cut inside of a number. */
static const char *operand_text(const struct source *s) { return strlen(s->text) <= OPERAND_TEXT ? s->text : "..."; }

/* The source of what an instruction without events computed: that of its operands. */
static enum status from_expression(struct why *w, const struct operand_frame *of, const struct insn *in, unsigned level,
                                   struct source *out, struct error *err)
{
    unsigned right, left;
    const char *name = op_table[in->op].name;
    arithmetic_slots(in->op, &right, &left);
    const char *words = arithmetic_words(in->op) != NULL ? arithmetic_words(in->op) : name;
    struct source a = { .side = "left of ", .used_by = words, .chosen = UINT32_MAX };
    struct source b = { .side = "right of ", .used_by = words };
    if (left == 0) /* where it goes to counts more */
        b = (struct source){ .side = out->side, .used_by = out->used_by, .through = words };
    if (right == 0)
        return source_end(out, "instruction", "the result of %s", name);
    enum status st = OK;
    if (left > 0)
        st = find_operand(w, of, in->pc, right, level + 1, &a, err);
    if (st != OK)
        return st;
    st = find_operand(w, of, in->pc, 0, level + 1, &b, err);
    if (st != OK)
        return st;
    *out = left > 0 && a.found && !(b.found && is_right_first(&a, &b)) ? a : b;
    compute(w, in, left, &a, &b, out);
    out->chosen = a.chosen != UINT32_MAX ? a.chosen : b.chosen;
    out->op = in->op;
    out->left = left > 0 ? a.term : NO_TERM;
    out->right = b.term;
    if (!out->found)
        out->end = left > 0 && a.end != NULL && strcmp(a.end, "constant") != 0 ? a.end : b.end;
    char text[sizeof out->text];
    if (left > 0)
        (void)snprintf(text, sizeof text, "%s of %.*s and %.*s", name, OPERAND_TEXT, operand_text(&a), OPERAND_TEXT,
                       operand_text(&b));
    else
        (void)snprintf(text, sizeof text, "%s of %.*s", name, OPERAND_TEXT, operand_text(&b));
    memcpy(out->text, text, sizeof text);
    return OK;
}

/* The source is this event; it is noted among the link's choices. */
static enum status set_source(struct why *w, const struct hs_event *e, struct source *out, struct error *err)
{
    out->found = true;
    out->event = *e;
    out->known = e->kind != KIND_VOID;
    out->kind = element_kind_of(w->trace, e);
    out->value = e->value;
    size_t before = w->choice_count;
    enum status st = why_offer(w, &out->event, HS_BY_EVENTS, err, "%s%s%s%s", out->side, out->used_by,
                               out->through != NULL ? ", through " : "", out->through != NULL ? out->through : "");
    if (st != OK)
        return st;
    if (w->choice_count > before)
        w->choices[before].operand = true;
    (void)snprintf(out->text, sizeof out->text, "seq %llu", (unsigned long long)out->event.seq);
    return OK;
}

/* `this` is loaded without an event; METHOD_ENTRY or METHOD_OBJECT_INITIALIZED of the frame has it. */
static enum status from_this(struct why *w, const struct operand_frame *of, struct source *out, struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    const struct event_position entry = { of->at.stream, of->frame.entry };
    if (entry.position != NO_POSITION && positions_event(w->trace, entry, &e, err) == OK && e.kind == KIND_REF)
        return set_source(w, &e, out, err); /* not of a constructor */
    frame_walk_begin(&walk, w->trace, of->at, &of->frame);
    for (;;) {
        enum status st = frame_walk_back(&walk, &e, err);
        if (st == ERR_NOT_FOUND)
            return source_end(out, "new object", "the object being made");
        if (st != OK)
            return st;
        unsigned event = event_type(w->trace, e.dataid);
        if (event == EVENT_METHOD_OBJECT_INITIALIZED || (event == EVENT_METHOD_ENTRY && e.kind == 'L'))
            return set_source(w, &e, out, err);
    }
}

/* The last write of a local in the frame. ERR_NOT_FOUND: it is not recorded. */
static enum status find_local_write(struct why *w, const struct operand_frame *of, uint32_t slot, struct hs_event *out,
                                    struct error *err)
{
    const struct replay *state;
    enum status st = frames_at(w->trace, of->at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || top->method != of->frame.method || slot >= top->local_count)
        return ERR_NOT_FOUND;
    const struct local *l = &state->locals.items[top->first_local + slot];
    if (l->id == UINT32_MAX)
        return ERR_NOT_FOUND;
    struct event_position at = { of->at.stream, l->position };
    return positions_event(w->trace, at, out, NULL) == OK ? OK : ERR_NOT_FOUND;
}

/* The event of the load if it is recorded, else that of the local's last write. */
static enum status from_local(struct why *w, const struct operand_frame *of, const struct insn *in, struct source *out,
                              struct error *err)
{
    struct hs_event e;
    enum status st = find_last(w, of, in->pc, EVENT_LOCAL_LOAD, 0, &e, err);
    if (st == ERR_NOT_FOUND)
        st = find_local_write(w, of, in->local, &e, err);
    if (st == ERR_NOT_FOUND)
        return source_end(out, "not recorded", "local variable %u, whose writes are not recorded", in->local);
    return st == OK ? set_source(w, &e, out, err) : st;
}

static enum status constant_text(const struct method *code, const struct insn *in, struct source *out)
{
    static const char *const small[] = { "null", "-1", "0",    "1",    "2",    "3",   "4",  "5",
                                         "0L",   "1L", "0.0f", "1.0f", "2.0f", "0.0", "1.0" };
    if (in->op >= OPC_aconst_null && in->op <= OPC_dconst_1)
        return source_end(out, "constant", "constant %s", small[in->op - OPC_aconst_null]);
    const struct cpool *cp = &code->classfile->cp;
    const bool immediate = in->op == OPC_bipush || in->op == OPC_sipush;
    const unsigned tag = immediate ? CONSTANT_Integer : cpool_tag(cp, (uint32_t)in->operand);
    uint64_t value;
    if ((tag == CONSTANT_Integer || tag == CONSTANT_Long) && code_constant(cp, in, &value))
        return source_end(out, "constant", "constant %lld", (long long)value);
    return source_end(out, "constant", "a constant");
}

static enum status from_constant(const struct method *code, const struct insn *in, struct source *out)
{
    const enum status st = constant_text(code, in, out);
    out->pc = in->pc;
    out->known = code_constant(&code->classfile->cp, in, &out->value);
    if (in->op >= OPC_ldc && in->op <= OPC_ldc2_w) {
        const unsigned tag = cpool_tag(&code->classfile->cp, (uint32_t)in->operand);
        out->kind = "IJFD"[tag == CONSTANT_Long ? 1 : tag == CONSTANT_Float ? 2 : tag == CONSTANT_Double ? 3 : 0];
    } else {
        out->kind = in->op == OPC_aconst_null ? KIND_REF : op_table[in->op].pushed[0];
    }
    return st;
}

/* The event types whose value is what an instruction pushed; 0 if it has none. */
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

/* new: NEW_OBJECT_CREATED, after the constructor has returned, has the reference; its pc is that of the constructor
 * call. */
static enum status from_new(struct why *w, const struct operand_frame *of, const struct insn *in, struct source *out,
                            struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    frame_walk_begin(&walk, w->trace, of->at, &of->frame);
    for (;;) {
        enum status st = frame_walk_back(&walk, &e, err);
        if (st == ERR_NOT_FOUND)
            break;
        if (st != OK)
            return st;
        const struct hs_dataid *d = dataid_or_none(w->trace, e.dataid);
        if (d->event == EVENT_NEW_OBJECT_CREATED && attribute_number(d, "created", -1) == in->pc)
            return set_source(w, &e, out, err);
        if (d->event == EVENT_NEW_OBJECT && d->pc == in->pc)
            break;
    }
    return source_end(out, "new object", "a new object");
}

static enum status from_catch(struct why *w, const struct operand_frame *of, uint32_t pc, struct source *out,
                              struct error *err)
{
    struct hs_event e;
    enum status st = find_last(w, of, pc, EVENT_CATCH, 0, &e, err);
    if (st == ERR_NOT_FOUND)
        return source_end(out, "not recorded", "the exception caught");
    return st == OK ? set_source(w, &e, out, err) : st;
}

/* The source of what this instruction pushed. */
static enum status from_instruction(struct why *w, const struct operand_frame *of, const struct insn *in,
                                    unsigned level, struct source *out, struct error *err)
{
    struct hs_event e;
    unsigned first, second;
    bool is_constant = in->op <= OPC_ldc2_w;
    if ((op_table[in->op].flags & OP_LOAD) != 0) {
        if (of->code->has_this && in->local == 0 && op_local_type(in->op) == 'A')
            return from_this(w, of, out, err);
        return from_local(w, of, in, out, err);
    }
    if (in->op == OPC_new)
        return from_new(w, of, in, out, err);
    result_events(in->op, &first, &second);
    if (first == 0 && is_constant)
        return from_constant(of->code, in, out);
    if (first == 0)
        return from_expression(w, of, in, level, out, err);
    enum status st = find_last(w, of, in->pc, first, second, &e, err);
    if (st == OK)
        return set_source(w, &e, out, err);
    if (st != ERR_NOT_FOUND)
        return st;
    if (is_constant)
        return from_constant(of->code, in, out);
    return source_end(out, "not recorded", "the result of %s, which is not recorded", op_table[in->op].name);
}

static enum status keep_term(struct why *w, struct source *s, struct error *err)
{
    struct why_term *t = vec_push(w->terms);
    if (t == NULL)
        return state_memory(w->trace, err);
    *t = (struct why_term){ s->op, s->left, s->right, s->known, s->kind, s->value, s->found, s->event };
    s->term = w->terms->count - 1;
    return OK;
}

static enum status find_source(struct why *w, const struct operand_frame *of, uint32_t pc, uint32_t depth,
                               unsigned level, struct source *out, struct error *err);

/* The source of the operand that the instruction at `pc` finds `depth` slots below the top of the stack. */
static enum status find_operand(struct why *w, const struct operand_frame *of, uint32_t pc, uint32_t depth,
                                unsigned level, struct source *out, struct error *err)
{
    const enum status st = find_source(w, of, pc, depth, level, out, err);
    return st == OK && w->terms != NULL ? keep_term(w, out, err) : st;
}

static enum status find_source(struct why *w, const struct operand_frame *of, uint32_t pc, uint32_t depth,
                               unsigned level, struct source *out, struct error *err)
{
    uint32_t at;
    *out = (struct source){ .side = out->side,
                            .used_by = out->used_by,
                            .through = out->through,
                            .pc = UINT32_MAX,
                            .chosen = UINT32_MAX,
                            .left = NO_TERM,
                            .right = NO_TERM,
                            .term = NO_TERM };
    if (level > EXPRESSION_DEPTH)
        return source_end(out, "expression", "a long expression");
    struct producers p = method_producers(w->trace, of->code, pc, depth);
    if (p.count == 0)
        return source_end(out, "not known", "an operand that the bytecode does not show");
    if (p.more)
        return source_end(out, "not known", "an operand that one of very many instructions pushed");
    enum status st = find_producer(w, of, &p, &at, err);
    if (st != OK)
        return st;
    if ((at & PRODUCER_CAUGHT) != 0)
        return from_catch(w, of, at & ~PRODUCER_CAUGHT, out, err);
    const enum status made = from_instruction(w, of, code_at(&of->code->code, at), level, out, err);
    if (made == OK && p.count > 1 && out->pc != UINT32_MAX)
        out->chosen = out->pc;
    return made;
}

/* The frame of w->now. */
static enum status frame_of_link(struct why *w, struct operand_frame *out, struct error *err)
{
    const struct replay *state;
    *out = (struct operand_frame){ .code = method_get(w->trace, w->site->method_id), .at = why_position(w, &w->now) };
    enum status st = frames_at(w->trace, out->at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top != NULL && top->method == w->site->method_id)
        out->frame = *top;
    else
        out->frame = (struct call_frame){ .method = w->site->method_id, .entry = NO_POSITION };
    return OK;
}

enum status why_operand(struct why *w, uint32_t pc, uint32_t depth, struct why_operand *out, struct error *err)
{
    struct operand_frame of;
    struct source s = { .side = out->side, .used_by = out->used_by };
    enum status st = frame_of_link(w, &of, err);
    if (st == OK)
        st = find_operand(w, &of, pc, depth, 0, &s, err);
    out->known = st == OK && s.known;
    out->kind = s.kind;
    out->value = s.value;
    out->found = s.found;
    out->event = s.event;
    return st;
}

enum status why_from_stack(struct why *w, uint32_t depth, const char *verb, struct error *err)
{
    return why_from_operand(w, w->site->pc, depth, verb, err);
}

enum status why_from_operand(struct why *w, uint32_t pc, uint32_t depth, const char *verb, struct error *err)
{
    struct operand_frame of;
    struct source s = { .side = "", .used_by = verb };
    if (method_get(w->trace, w->site->method_id) == NULL)
        return why_ends(w, "no bytecode", "%s; the trace has no class file of this method", verb);
    enum status st = frame_of_link(w, &of, err);
    if (st != OK)
        return st;
    st = find_operand(w, &of, pc, depth, 0, &s, err);
    if (st != OK)
        return st;
    if (w->terms != NULL)
        w->terms->root = s.term;
    w->constant_pc = s.pc != UINT32_MAX ? s.pc : s.chosen;
    if (s.found)
        return why_goes_on(w, &s.event, "%s: %s", verb, s.text);
    return why_ends(w, s.end, "%s: %s", verb, s.text);
}
