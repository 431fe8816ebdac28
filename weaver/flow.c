/* flow.c - the abstract pass. Stack effects come from opcodes.def; only instructions that move subjects are handled
 * here. */
#include "weaver/flow.h"

#include <stdlib.h>

struct state {
    subject *slots; /* locals, then stack */
    uint32_t depth;
    bool this_uninit, valid;
};

struct pass {
    size_t kept; /* slots of all states */
    const struct flow_method *m;
    struct flow *out;
    uint32_t locals, slots; /* max_locals; max_locals + max_stack */
    struct state now;
    struct state *saved; /* by instruction, only where control joins; fix-point only */
    VEC(uint32_t) work;
    struct error *err;
};

static enum status fail(struct pass *p, const struct insn *in, const char *what)
{
    return error_set(p->err, ERR_FORMAT, "pc %u: %s: %s", in->pc, op_table[in->op].name, what);
}

static bool pop(struct pass *p, uint32_t n)
{
    if (p->now.depth < n)
        return false;
    p->now.depth -= n;
    return true;
}

static bool push(struct pass *p, uint32_t n, subject s)
{
    if (p->now.depth + n > p->slots - p->locals)
        return false;
    for (uint32_t i = 0; i < n; i++)
        p->now.slots[p->locals + p->now.depth++] = s;
    return true;
}

static subject top(const struct pass *p, uint32_t below)
{
    return p->now.depth > below ? p->now.slots[p->locals + p->now.depth - 1 - below] : SUBJECT_PLAIN;
}

/* Every copy of an object becomes a plain value once its constructor has run. */
static void initialize(struct pass *p, subject s)
{
    for (uint32_t i = 0; i < p->locals + p->now.depth; i++)
        if (p->now.slots[i] == s)
            p->now.slots[i] = SUBJECT_PLAIN;
    if (subject_kind(s) == SUBJECT_THIS)
        p->now.this_uninit = false;
}

static bool shuffle(struct pass *p, const struct insn *in)
{
    const char *order = op_dup_order(in->op);
    subject popped[4];
    uint32_t n = (uint32_t)op_table[in->op].pops;
    if (p->now.depth < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        popped[i] = top(p, i);
    (void)pop(p, n);
    for (; *order != '\0'; order++)
        if (!push(p, 1, popped[*order - '0']))
            return false;
    return true;
}

/* What the constant of the instruction should be. */
static const char *wrong_constant(const struct insn *in)
{
    return in->op == OPC_invokedynamic                         ? "its constant is no call site"
           : in->op >= OPC_getstatic && in->op <= OPC_putfield ? "its constant is no field"
                                                               : "its constant is no method";
}

static bool is_constructor_call(const struct pass *p, const struct insn *in)
{
    struct member_ref ref;
    return in->op == OPC_invokespecial && cpool_member(p->m->cp, (uint32_t)in->operand, &ref) &&
           text_is(ref.name, "<init>");
}

static enum status step_local(struct pass *p, uint32_t index, const struct insn *in)
{
    unsigned width = type_slots(op_local_type(in->op));
    if (in->local + width > p->locals)
        return fail(p, in, "local variable out of range");
    subject *local = &p->now.slots[in->local];
    if (op_table[in->op].flags & OP_LOAD) {
        p->out->subjects[index] = *local;
        return push(p, width, width == 1 ? *local : SUBJECT_PLAIN) ? OK : fail(p, in, "stack overflow");
    }
    subject s = width == 1 ? top(p, 0) : SUBJECT_PLAIN;
    if (!pop(p, width))
        return fail(p, in, "stack underflow");
    p->out->subjects[index] = s;
    local[0] = s;
    if (width == 2)
        local[1] = SUBJECT_PLAIN;
    return OK;
}

/* One instruction's effect on p->now. */
static enum status step(struct pass *p, uint32_t index)
{
    const struct insn *in = &p->m->code->insns.items[index];
    const struct op_info *op = &op_table[in->op];
    p->out->reached[index] = 1;
    p->out->this_uninit[index] = p->now.this_uninit;
    if (op->flags & (OP_LOAD | OP_STORE))
        return step_local(p, index, in);
    if (in->pops < 0)
        return fail(p, in, wrong_constant(in));
    if (in->op >= OPC_dup && in->op <= OPC_swap)
        return shuffle(p, in) ? OK : fail(p, in, "stack does not fit");
    subject pushed = SUBJECT_PLAIN;
    if (in->op == OPC_new) {
        pushed = SUBJECT_NEW | in->pc << 8;
        initialize(p, pushed); /* copies left from an earlier iteration of a loop */
    } else if (op->flags & OP_JSR) {
        pushed = SUBJECT_RETURN_ADDRESS;
    } else if (in->op == OPC_monitorenter || in->op == OPC_monitorexit || in->op == OPC_getfield ||
               in->op == OPC_putfield) {
        p->out->subjects[index] = top(p, (uint32_t)in->pops - 1);
    } else if (op->format == OPF_IINC || in->op == OPC_ret) {
        if (in->local >= p->locals)
            return fail(p, in, "local variable out of range");
    }
    const subject last = in->pops > 0 ? top(p, (uint32_t)in->pops - 1) : SUBJECT_PLAIN;
    if (!pop(p, (uint32_t)in->pops))
        return fail(p, in, "stack underflow");
    if (is_constructor_call(p, in)) {
        p->out->subjects[index] = last;
        if (last != SUBJECT_PLAIN)
            initialize(p, last);
    }
    return push(p, (uint32_t)in->pushes, pushed) ? OK : fail(p, in, "stack overflow");
}

static void start_state(struct pass *p)
{
    memset(p->now.slots, 0, p->slots * sizeof *p->now.slots);
    p->now.depth = 0;
    p->now.valid = true;
    p->now.this_uninit = p->m->is_constructor;
    if (p->m->is_constructor)
        p->now.slots[0] = SUBJECT_THIS;
}

static subject subject_of_type(vtype v)
{
    enum verification tag = vtype_tag(v);
    return tag == VT_UNINITIALIZED_THIS ? SUBJECT_THIS
           : tag == VT_UNINITIALIZED    ? SUBJECT_NEW | vtype_index(v) << 8
                                        : SUBJECT_PLAIN;
}

static enum status load_frame(struct pass *p, const struct stack_map_frame *f)
{
    const vtype *t = p->m->frames->types.items + f->first;
    uint32_t at = 0;
    p->now.this_uninit = false;
    for (uint32_t i = 0; i < f->locals; i++) {
        if (at + vtype_slots(t[i]) > p->locals)
            return error_set(p->err, ERR_FORMAT, "the frame at pc %u has more locals than max_locals", f->pc);
        p->now.this_uninit |= vtype_tag(t[i]) == VT_UNINITIALIZED_THIS;
        p->now.slots[at++] = subject_of_type(t[i]);
        if (vtype_slots(t[i]) == 2)
            p->now.slots[at++] = SUBJECT_PLAIN;
    }
    while (at < p->locals)
        p->now.slots[at++] = SUBJECT_PLAIN;
    p->now.depth = 0;
    for (uint32_t i = 0; i < f->stack; i++)
        if (!push(p, vtype_slots(t[f->locals + i]), subject_of_type(t[f->locals + i])))
            return error_set(p->err, ERR_FORMAT, "the frame at pc %u has a deeper stack than max_stack", f->pc);
    p->now.valid = true;
    return OK;
}

static enum status run_linear(struct pass *p)
{
    const struct code *c = p->m->code;
    const struct stack_map *f = p->m->frames;
    size_t next = 0;
    enum status s = OK;
    start_state(p);
    for (uint32_t i = 0; i < c->insns.count && s == OK; i++) {
        const struct insn *in = &c->insns.items[i];
        while (next < f->list.count && f->list.items[next].pc < in->pc)
            return error_set(p->err, ERR_FORMAT, "the frame at pc %u is not at an instruction", f->list.items[next].pc);
        if (next < f->list.count && f->list.items[next].pc == in->pc)
            s = load_frame(p, &f->list.items[next++]);
        p->out->caught[i] = (c->flags[in->pc] & PC_HANDLER) != 0; /* with frames, all of its range is verified */
        if (s == OK && p->now.valid)
            s = step(p, i);
        if (op_table[in->op].flags & OP_END)
            p->now.valid = false;
    }
    return s;
}

/* Joins p->now (with its stack, or with just an exception on it) into the state of instruction `to`. */
static enum status join(struct pass *p, uint32_t to, bool handler)
{
    struct state *s = &p->saved[to];
    uint32_t depth = handler ? 1 : p->now.depth;
    bool changed = !s->valid;
    p->out->caught[to] |= handler;
    if (handler && p->slots == p->locals)
        return error_set(p->err, ERR_FORMAT, "max_stack 0 with an exception handler");
    if (!s->valid) {
        p->kept += p->slots;
        if (p->kept > CODE_SLOTS_KEPT_MAX)
            return error_set(p->err, ERR_LIMIT, "its branch targets have more than %d types of locals and stack",
                             CODE_SLOTS_KEPT_MAX);
        s->slots = calloc(p->slots + 1, sizeof *s->slots);
        if (s->slots == NULL)
            return error_set(p->err, ERR_MEMORY, "no memory for the flow of a method");
        memcpy(s->slots, p->now.slots, p->locals * sizeof *s->slots);
        if (!handler)
            memcpy(s->slots + p->locals, p->now.slots + p->locals, depth * sizeof *s->slots);
        *s = (struct state){ s->slots, depth, p->now.this_uninit, true };
    } else {
        if (s->depth != depth)
            return error_set(p->err, ERR_FORMAT, "pc %u is reached with stacks of %u and %u slots",
                             p->m->code->insns.items[to].pc, s->depth, depth);
        for (uint32_t i = 0; i < p->locals + (handler ? 0 : depth); i++)
            if (s->slots[i] != SUBJECT_PLAIN && s->slots[i] != p->now.slots[i]) {
                s->slots[i] = SUBJECT_PLAIN; /* the verifier calls such a slot unusable */
                changed = true;
            }
        if (p->now.this_uninit && !s->this_uninit)
            s->this_uninit = changed = true;
    }
    if (changed) {
        uint32_t *slot = vec_push(&p->work);
        if (slot == NULL)
            return error_set(p->err, ERR_MEMORY, "no memory for the flow of a method");
        *slot = to;
    }
    return OK;
}

static enum status join_handlers(struct pass *p, const struct insn *in)
{
    const struct code *c = p->m->code;
    enum status s = OK;
    if (!(c->flags[in->pc] & PC_GUARDED))
        return OK;
    for (size_t k = 0; k < c->handlers.count && s == OK; k++) {
        const struct handler *h = &c->handlers.items[k];
        if (h->start <= in->pc && in->pc < h->end)
            s = join(p, code_index(c, h->handler), true);
    }
    return s;
}

/* Follows control from instruction `i` to the end of its straight line, joining into everything it can reach. */
static enum status follow(struct pass *p, uint32_t i)
{
    const struct code *c = p->m->code;
    const uint8_t joins = PC_TARGET | PC_AFTER | PC_HANDLER;
    memcpy(p->now.slots, p->saved[i].slots, p->slots * sizeof *p->now.slots);
    p->now.depth = p->saved[i].depth;
    p->now.this_uninit = p->saved[i].this_uninit;
    for (enum status s = OK;; i++) {
        const struct insn *in = &c->insns.items[i];
        const struct op_info *op = &op_table[in->op];
        s = join_handlers(p, in);
        if (s == OK && (op->flags & OP_JSR)) { /* control comes back with the stack as it is now */
            s = join(p, i + 1, false);
            if (s == OK)
                s = step(p, i);
            return s == OK ? join(p, code_index(c, (uint32_t)in->operand), false) : s;
        }
        if (s == OK)
            s = step(p, i);
        if (s == OK)
            s = join_handlers(p, in);
        if (s == OK && (op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4))
            s = join(p, code_index(c, (uint32_t)in->operand), false);
        if (s == OK && (op->format == OPF_TABLESWITCH || op->format == OPF_LOOKUPSWITCH))
            for (uint32_t k = 0; k < switch_count(c->bytes, in) && s == OK; k++)
                s = join(p, code_index(c, (uint32_t)switch_target(c->bytes, in, k)), false);
        if (s != OK || (op->flags & OP_END))
            return s;
        if (i + 1 == c->insns.count)
            return fail(p, in, "control falls off the end of the code");
        if (c->flags[c->insns.items[i + 1].pc] & joins)
            return join(p, i + 1, false);
    }
}

static enum status run_fixpoint(struct pass *p)
{
    size_t n = p->m->code->insns.count;
    p->saved = calloc(n, sizeof *p->saved);
    if (p->saved == NULL)
        return error_set(p->err, ERR_MEMORY, "no memory for the flow of a method");
    start_state(p);
    enum status s = join(p, 0, false);
    while (s == OK && p->work.count > 0)
        s = follow(p, p->work.items[--p->work.count]);
    for (size_t i = 0; i < n; i++)
        free(p->saved[i].slots);
    free(p->saved);
    vec_free(&p->work);
    return s;
}

enum status flow_run(struct flow *f, const struct flow_method *m, struct error *err)
{
    size_t n = m->code->insns.count;
    struct pass p = { .m = m, .out = f, .locals = m->code->max_locals, .err = err };
    unsigned args;
    struct text result;
    p.slots = p.locals + m->code->max_stack;
    f->subjects = calloc(n, sizeof *f->subjects + 3); /* one piece for all four */
    f->reached = f->subjects != NULL ? (uint8_t *)(f->subjects + n) : NULL;
    f->this_uninit = f->reached != NULL ? f->reached + n : NULL;
    f->caught = f->reached != NULL ? f->reached + 2 * n : NULL;
    p.now.slots = calloc(p.slots + 1, sizeof *p.now.slots);
    enum status s = OK;
    if (f->subjects == NULL || p.now.slots == NULL)
        s = error_set(err, ERR_MEMORY, "no memory for the flow of %zu instructions", n);
    else if (!descriptor_measure(m->desc, &args, &result) || args + !m->is_static > p.locals)
        s = error_set(err, ERR_FORMAT, "the parameters do not fit max_locals %u", p.locals);
    else
        s = m->frames != NULL ? run_linear(&p) : run_fixpoint(&p);
    free(p.now.slots);
    return s;
}

void flow_done(struct flow *f) { free(f->subjects); }
