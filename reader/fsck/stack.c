/* stack.c - executes the original code on the operand stack and locals of one frame, as far as values are known.
 *
 * A slot is known when an event had its value or when the instruction computes it from known ones; everything else is
 * unknown until an event has its value. Ints are kept sign-extended, floats as their bits, long and double in the first
 * of their two slots: as in events. NaNs are not known, since their bits are not fixed; nor are remainders (libm). */
#include "reader/fsck/stack.h"

#include <math.h>

#include "formats/jvm/arithmetic.h"
static const struct slot unknown = { 0, UNKNOWN };

static struct slot known(uint64_t v) { return (struct slot){ v, KNOWN }; }

/* The result of an instruction, but for a NaN. */
static struct slot result(unsigned op, uint64_t v)
{
    static const char types[] = "IJFD"; /* of the results of iadd iload and so on, by opcode mod 4 */
    char type = op <= OPC_dneg ? types[(op - OPC_iadd) % 4] : 'I';
    if (op == OPC_i2f || op == OPC_l2f || op == OPC_d2f)
        type = 'F';
    else if (op == OPC_i2d || op == OPC_l2d || op == OPC_f2d)
        type = 'D';
    bool nan = (type == 'F' && isnan(as_float(v))) || (type == 'D' && isnan(as_double(v)));
    return nan ? unknown : known(v);
}

/* Two operands of one type, both known. */
static struct slot binary(unsigned op, struct slot a, struct slot b)
{
    bool divides = op == OPC_idiv || op == OPC_irem || op == OPC_ldiv || op == OPC_lrem;
    bool whole = op == OPC_idiv || op == OPC_irem;
    if (op == OPC_frem || op == OPC_drem || (divides && (whole ? (uint32_t)b.v : b.v) == 0))
        return unknown;
    return result(op, arithmetic_binary(op, a.v, b.v));
}

static struct slot unary(unsigned op, struct slot a) { return result(op, arithmetic_unary(op, a.v)); }

/* A number that is pushed, but for a NaN. */
static struct slot constant(const struct method *m, const struct insn *in)
{
    uint64_t v;
    if (!code_constant(&m->classfile->cp, in, &v))
        return unknown;
    unsigned tag = in->op >= OPC_ldc ? cpool_tag(&m->classfile->cp, (uint32_t)in->operand) : 0;
    bool nan = (tag == CONSTANT_Float && isnan(as_float(v))) || (tag == CONSTANT_Double && isnan(as_double(v)));
    return nan ? unknown : known(v);
}

static void push(struct fthread *t, struct fframe *f, struct slot s, unsigned width)
{
    if (f->depth + width > f->method->code.max_stack)
        return; /* cannot occur in verified code */
    *frame_stack(t, f, f->depth) = s;
    if (width == 2)
        *frame_stack(t, f, f->depth + 1) = unknown;
    f->depth += width;
}

static struct slot pop(struct fthread *t, struct fframe *f, unsigned width)
{
    if (f->depth < width)
        return unknown;
    f->depth -= width;
    return *frame_stack(t, f, f->depth);
}

static void shuffle(struct fthread *t, struct fframe *f, unsigned op)
{
    struct slot popped[4];
    uint32_t n = (uint32_t)op_table[op].pops;
    for (uint32_t i = 0; i < n; i++)
        popped[i] = pop(t, f, 1);
    for (const char *o = op_dup_order((uint8_t)op); *o != '\0'; o++)
        push(t, f, popped[*o - '0'], 1);
}

static void run_local(struct fthread *t, struct fframe *f, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if (in->op == OPC_iinc) {
        struct slot *s = frame_local(t, f, in->local);
        if (s->known == KNOWN)
            *s = known(of_int((int32_t)((uint32_t)s->v + (uint32_t)in->operand)));
        return;
    }
    unsigned width = type_slots(op_local_type(in->op));
    if (in->local + width > f->method->code.max_locals)
        return;
    if (op->flags & OP_LOAD) {
        push(t, f, *frame_local(t, f, in->local), width);
    } else {
        *frame_local(t, f, in->local) = pop(t, f, width);
        if (width == 2)
            *frame_local(t, f, in->local + 1u) = unknown;
    }
}

void stack_run(struct fthread *t, struct fframe *f, const struct method_insn *i)
{
    const struct insn *in = i->in;
    const struct op_info *op = &op_table[in->op];
    unsigned code = in->op;
    if (op->flags & (OP_LOAD | OP_STORE) || code == OPC_iinc) {
        run_local(t, f, in);
    } else if (code >= OPC_dup && code <= OPC_swap) {
        shuffle(t, f, code);
    } else if (code <= OPC_ldc2_w && code != OPC_nop) {
        push(t, f, constant(f->method, in), (unsigned)i->in->pushes);
    } else if (code == OPC_new) {
        push(t, f, (struct slot){ in->pc, FRESH }, 1);
    } else if (op->flags & OP_JSR) {
        push(t, f, known(in->pc + in->length), 1); /* the return address of ret */
    } else if (code >= OPC_iadd && code <= OPC_dcmpg && code != OPC_iinc) {
        bool one = (code >= OPC_ineg && code <= OPC_dneg) || (code >= OPC_i2l && code <= OPC_i2s);
        bool shift = code >= OPC_ishl && code <= OPC_lushr;
        struct slot b = pop(t, f, one ? (unsigned)i->in->pops : shift ? 1 : (unsigned)i->in->pops / 2);
        struct slot a = one ? b : pop(t, f, shift ? (unsigned)i->in->pops - 1 : (unsigned)i->in->pops / 2);
        bool both = a.known == KNOWN && b.known == KNOWN;
        push(t, f, !both ? unknown : one ? unary(code, a) : binary(code, a, b), (unsigned)i->in->pushes);
    } else if (code == OPC_checkcast) {
        return;
    } else {
        (void)pop(t, f, (unsigned)i->in->pops);
        push(t, f, unknown, (unsigned)i->in->pushes);
    }
}

/* 1 if the branch is taken, 0 if not, -1 not known. */
static int taken(unsigned op, struct slot a, struct slot b)
{
    bool reference = op >= OPC_if_acmpeq && op != OPC_goto;
    if (reference && ((a.known == FRESH && b.known == KNOWN) || (a.known == KNOWN && b.known == FRESH)))
        return op == OPC_if_acmpne || op == OPC_ifnonnull; /* the other operand must be null */
    if (a.known != KNOWN || b.known != KNOWN)
        return -1;
    return arithmetic_taken(op, a.v, b.v);
}

int stack_decide(struct fthread *t, struct fframe *f, const struct method_insn *i, uint32_t *to)
{
    const struct method *m = f->method;
    const struct op_info *op = &op_table[i->in->op];
    uint32_t n = (uint32_t)i->in->pops;
    if (i->in->op == OPC_ret) {
        struct slot s = *frame_local(t, f, i->in->local);
        *to = s.known == KNOWN && s.v < m->code.length ? code_insn_at(&m->code, (int64_t)s.v) : NO_INSN;
        return *to != NO_INSN;
    }
    if (f->depth < n)
        return 0;
    struct slot a = n > 0 ? *frame_stack(t, f, f->depth - n) : unknown,
                b = n > 1 ? *frame_stack(t, f, f->depth - 1) : known(0);
    if (op->flags & OP_COND) {
        int yes = taken(i->in->op, a, b);
        if (yes >= 0)
            *to = yes                           ? code_insn_at(&m->code, i->in->operand)
                  : i + 1 < m->insns + m->count ? (uint32_t)(i + 1 - m->insns)
                                                : NO_INSN;
        return yes >= 0;
    }
    if (a.known != KNOWN || (i->in->op != OPC_tableswitch && i->in->op != OPC_lookupswitch))
        return 0;
    const uint32_t number = switch_case(m->code.bytes, i->in, (int32_t)a.v);
    *to = code_insn_at(&m->code, switch_target(m->code.bytes, i->in, number));
    return 1;
}

void stack_forget(struct fthread *t, struct fframe *f, uint32_t depth, bool locals_too)
{
    f->depth = depth <= f->method->code.max_stack ? depth : f->method->code.max_stack;
    for (uint32_t i = 0; i < f->depth; i++)
        *frame_stack(t, f, i) = unknown;
    for (uint32_t i = 0; locals_too && i < f->method->code.max_locals; i++)
        *frame_local(t, f, i) = unknown;
}
