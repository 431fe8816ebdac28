/* stack.c - executes the original code on the operand stack and locals of one frame, as far as values are known.
 *
 * A slot is known when an event had its value or when the instruction computes it from known ones; everything else is
 * unknown until an event has its value. Ints are kept sign-extended, floats as their bits, long and double in the first
 * of their two slots: as in events. NaNs are not known, since their bits are not fixed; nor are remainders (libm). */
#include "reader/fsck/stack.h"

#include <math.h>
#include <string.h>

static const struct slot unknown = { 0, UNKNOWN };

static struct slot of_int(int32_t v) { return (struct slot){ (uint64_t)(int64_t)v, KNOWN }; }
static struct slot of_long(int64_t v) { return (struct slot){ (uint64_t)v, KNOWN }; }
static struct slot of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return isnan(v) ? unknown : (struct slot){ bits, KNOWN };
}
static struct slot of_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return isnan(v) ? unknown : (struct slot){ bits, KNOWN };
}
static float as_float(struct slot s)
{
    float v;
    uint32_t bits = (uint32_t)s.v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static double as_double(struct slot s)
{
    double v;
    memcpy(&v, &s.v, sizeof v);
    return v;
}

/* Java's narrowing of floating point, JVMS 6.5 d2i. */
static int32_t to_int(double v)
{
    return isnan(v) ? 0 : v >= 2147483647.0 ? INT32_MAX : v <= -2147483648.0 ? INT32_MIN : (int32_t)v;
}
static int64_t to_long(double v)
{
    return isnan(v) ? 0 : v >= 9223372036854775808.0 ? INT64_MAX : v <= -9223372036854775808.0 ? INT64_MIN : (int64_t)v;
}

static struct slot compare(double a, double b, int32_t nan)
{
    return of_int(isnan(a) || isnan(b) ? nan : a > b ? 1 : a < b ? -1 : 0);
}

/* Two operands of one type, both known. JVMS 6.5 iadd to lxor. */
static struct slot binary(unsigned op, struct slot a, struct slot b)
{
    uint32_t x = (uint32_t)a.v, y = (uint32_t)b.v;
    uint64_t p = a.v, q = b.v;
    switch (op) {
    case OPC_iadd: return of_int((int32_t)(x + y));
    case OPC_isub: return of_int((int32_t)(x - y));
    case OPC_imul: return of_int((int32_t)(x * y));
    case OPC_idiv:
        return y == 0 ? unknown : y == UINT32_MAX ? of_int((int32_t)(0 - x)) : of_int((int32_t)x / (int32_t)y);
    case OPC_irem: return y == 0 ? unknown : y == UINT32_MAX ? of_int(0) : of_int((int32_t)x % (int32_t)y);
    case OPC_iand: return of_int((int32_t)(x & y));
    case OPC_ior: return of_int((int32_t)(x | y));
    case OPC_ixor: return of_int((int32_t)(x ^ y));
    case OPC_ishl: return of_int((int32_t)(x << (y & 31)));
    case OPC_ishr: return of_int((int32_t)x >> (y & 31));
    case OPC_iushr: return of_int((int32_t)(x >> (y & 31)));
    case OPC_ladd: return of_long((int64_t)(p + q));
    case OPC_lsub: return of_long((int64_t)(p - q));
    case OPC_lmul: return of_long((int64_t)(p * q));
    case OPC_ldiv:
        return q == 0 ? unknown : q == UINT64_MAX ? of_long((int64_t)(0 - p)) : of_long((int64_t)p / (int64_t)q);
    case OPC_lrem: return q == 0 ? unknown : q == UINT64_MAX ? of_long(0) : of_long((int64_t)p % (int64_t)q);
    case OPC_land: return of_long((int64_t)(p & q));
    case OPC_lor: return of_long((int64_t)(p | q));
    case OPC_lxor: return of_long((int64_t)(p ^ q));
    case OPC_lshl: return of_long((int64_t)(p << (y & 63)));
    case OPC_lshr: return of_long((int64_t)p >> (y & 63));
    case OPC_lushr: return of_long((int64_t)(p >> (y & 63)));
    case OPC_lcmp: return of_int((int64_t)p > (int64_t)q ? 1 : (int64_t)p < (int64_t)q ? -1 : 0);
    case OPC_fadd: return of_float(as_float(a) + as_float(b));
    case OPC_fsub: return of_float(as_float(a) - as_float(b));
    case OPC_fmul: return of_float(as_float(a) * as_float(b));
    case OPC_fdiv: return of_float(as_float(a) / as_float(b));
    case OPC_dadd: return of_double(as_double(a) + as_double(b));
    case OPC_dsub: return of_double(as_double(a) - as_double(b));
    case OPC_dmul: return of_double(as_double(a) * as_double(b));
    case OPC_ddiv: return of_double(as_double(a) / as_double(b));
    case OPC_fcmpl: return compare((double)as_float(a), (double)as_float(b), -1);
    case OPC_fcmpg: return compare((double)as_float(a), (double)as_float(b), 1);
    case OPC_dcmpl: return compare(as_double(a), as_double(b), -1);
    case OPC_dcmpg: return compare(as_double(a), as_double(b), 1);
    default: return unknown;
    }
}

static struct slot unary(unsigned op, struct slot a)
{
    switch (op) {
    case OPC_ineg: return of_int((int32_t)(0 - (uint32_t)a.v));
    case OPC_lneg: return of_long((int64_t)(0 - a.v));
    case OPC_fneg: return of_float(-as_float(a));
    case OPC_dneg: return of_double(-as_double(a));
    case OPC_i2l: return of_long((int32_t)a.v);
    case OPC_i2f: return of_float((float)(int32_t)a.v);
    case OPC_i2d: return of_double((double)(int32_t)a.v);
    case OPC_l2i: return of_int((int32_t)a.v);
    case OPC_l2f: return of_float((float)(int64_t)a.v);
    case OPC_l2d: return of_double((double)(int64_t)a.v);
    case OPC_f2i: return of_int(to_int((double)as_float(a)));
    case OPC_f2l: return of_long(to_long((double)as_float(a)));
    case OPC_f2d: return of_double((double)as_float(a));
    case OPC_d2i: return of_int(to_int(as_double(a)));
    case OPC_d2l: return of_long(to_long(as_double(a)));
    case OPC_d2f: return of_float((float)as_double(a));
    case OPC_i2b: return of_int((int8_t)a.v);
    case OPC_i2c: return of_int((uint16_t)a.v);
    case OPC_i2s: return of_int((int16_t)a.v);
    default: return unknown;
    }
}

static struct slot constant(const struct fmethod *m, const struct insn *in)
{
    unsigned op = in->op;
    if (op == OPC_aconst_null)
        return of_long(0);
    if (op >= OPC_iconst_m1 && op <= OPC_iconst_5)
        return of_int((int32_t)op - OPC_iconst_0);
    if (op == OPC_lconst_0 || op == OPC_lconst_1)
        return of_long((int64_t)op - OPC_lconst_0);
    if (op >= OPC_fconst_0 && op <= OPC_fconst_2)
        return of_float((float)(op - OPC_fconst_0));
    if (op == OPC_dconst_0 || op == OPC_dconst_1)
        return of_double((double)(op - OPC_dconst_0));
    if (op == OPC_bipush || op == OPC_sipush)
        return of_int(in->operand);
    const struct cpool *cp = &m->owner->cf.cp;
    unsigned tag = cpool_tag(cp, (uint32_t)in->operand);
    if (tag == 0)
        return unknown;
    const uint8_t *p = cp->data + cp->offsets[in->operand] + 1;
    switch (tag) {
    case CONSTANT_Integer: return of_int((int32_t)be4(p));
    case CONSTANT_Float: return (be4(p) & 0x7fffffff) > 0x7f800000 ? unknown : (struct slot){ be4(p), KNOWN };
    case CONSTANT_Long: return of_long((int64_t)((uint64_t)be4(p) << 32 | be4(p + 4)));
    case CONSTANT_Double: {
        uint64_t bits = (uint64_t)be4(p) << 32 | be4(p + 4);
        return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000) ? unknown : (struct slot){ bits, KNOWN };
    }
    default: return unknown;
    }
}

static void push(struct fthread *t, struct fframe *f, struct slot s, unsigned width)
{
    if (f->depth + width > f->method->max_stack)
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

/* The dup family: which of the popped slots (0 is the top) are pushed, bottom first. JVMS 6.5. */
static void shuffle(struct fthread *t, struct fframe *f, unsigned op)
{
    static const char *const orders[] = { "00", "010", "0210", "1010", "10210", "103210", "01" };
    struct slot popped[4];
    uint32_t n = (uint32_t)op_table[op].pops;
    for (uint32_t i = 0; i < n; i++)
        popped[i] = pop(t, f, 1);
    for (const char *o = orders[op - OPC_dup]; *o != '\0'; o++)
        push(t, f, popped[*o - '0'], 1);
}

static void run_local(struct fthread *t, struct fframe *f, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if (in->op == OPC_iinc) {
        struct slot *s = frame_local(t, f, in->local);
        if (s->known == KNOWN)
            *s = of_int((int32_t)((uint32_t)s->v + (uint32_t)in->operand));
        return;
    }
    unsigned width = stack_slots((unsigned char)op_local_type(in->op));
    if (in->local + width > f->method->max_locals)
        return;
    if (op->flags & OP_LOAD) {
        push(t, f, *frame_local(t, f, in->local), width);
    } else {
        *frame_local(t, f, in->local) = pop(t, f, width);
        if (width == 2)
            *frame_local(t, f, in->local + 1u) = unknown;
    }
}

void stack_run(struct fthread *t, struct fframe *f, const struct finsn *i)
{
    const struct insn *in = &i->in;
    const struct op_info *op = &op_table[in->op];
    unsigned code = in->op;
    if (op->flags & (OP_LOAD | OP_STORE) || code == OPC_iinc) {
        run_local(t, f, in);
    } else if (code >= OPC_dup && code <= OPC_swap) {
        shuffle(t, f, code);
    } else if (code <= OPC_ldc2_w && code != OPC_nop) {
        push(t, f, constant(f->method, in), (unsigned)i->pushes);
    } else if (code == OPC_new) {
        push(t, f, (struct slot){ in->pc, FRESH }, 1);
    } else if (op->flags & OP_JSR) {
        push(t, f, of_long(in->pc + in->length), 1); /* the return address of ret */
    } else if (code >= OPC_iadd && code <= OPC_dcmpg && code != OPC_iinc) {
        bool one = (code >= OPC_ineg && code <= OPC_dneg) || (code >= OPC_i2l && code <= OPC_i2s);
        bool shift = code >= OPC_ishl && code <= OPC_lushr;
        struct slot b = pop(t, f, one ? (unsigned)i->pops : shift ? 1 : (unsigned)i->pops / 2);
        struct slot a = one ? b : pop(t, f, shift ? (unsigned)i->pops - 1 : (unsigned)i->pops / 2);
        bool known = a.known == KNOWN && b.known == KNOWN;
        push(t, f, !known ? unknown : one ? unary(code, a) : binary(code, a, b), (unsigned)i->pushes);
    } else if (code == OPC_checkcast) {
        return;
    } else {
        (void)pop(t, f, (unsigned)i->pops);
        push(t, f, unknown, (unsigned)i->pushes);
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
    int64_t x = (int64_t)a.v, y = (int64_t)b.v;
    switch (op) {
    case OPC_ifeq:
    case OPC_if_icmpeq:
    case OPC_if_acmpeq:
    case OPC_ifnull: return x == y;
    case OPC_ifne:
    case OPC_if_icmpne:
    case OPC_if_acmpne:
    case OPC_ifnonnull: return x != y;
    case OPC_iflt:
    case OPC_if_icmplt: return x < y;
    case OPC_ifge:
    case OPC_if_icmpge: return x >= y;
    case OPC_ifgt:
    case OPC_if_icmpgt: return x > y;
    case OPC_ifle:
    case OPC_if_icmple: return x <= y;
    default: return -1;
    }
}

int stack_decide(struct fthread *t, struct fframe *f, const struct finsn *i, uint32_t *to)
{
    const struct fmethod *m = f->method;
    const struct op_info *op = &op_table[i->in.op];
    uint32_t n = (uint32_t)i->pops;
    if (i->in.op == OPC_ret) {
        struct slot s = *frame_local(t, f, i->in.local);
        *to = s.known == KNOWN && s.v < m->length ? m->index_of_pc[s.v] : NO_INSN;
        return *to != NO_INSN;
    }
    if (f->depth < n)
        return 0;
    struct slot a = n > 0 ? *frame_stack(t, f, f->depth - n) : unknown,
                b = n > 1 ? *frame_stack(t, f, f->depth - 1) : of_int(0);
    if (op->flags & OP_COND) {
        int yes = taken(i->in.op, a, b);
        if (yes >= 0)
            *to = yes                           ? m->index_of_pc[i->in.operand]
                  : i + 1 < m->insns + m->count ? (uint32_t)(i + 1 - m->insns)
                                                : NO_INSN;
        return yes >= 0;
    }
    if (a.known != KNOWN || (i->in.op != OPC_tableswitch && i->in.op != OPC_lookupswitch))
        return 0;
    uint32_t count = switch_count(m->code, &i->in), number = 0;
    const uint8_t *p = m->code + (i->in.pc & ~3u) + 4;
    if (i->in.op == OPC_tableswitch) {
        int64_t low = (int32_t)be4(p + 4), high = (int32_t)be4(p + 8), v = (int64_t)a.v;
        number = v >= low && v <= high ? (uint32_t)(v - low) + 1 : 0;
    } else {
        for (uint32_t k = 1; k < count && number == 0; k++)
            if ((int32_t)be4(p + 8 * k) == (int32_t)a.v)
                number = k;
    }
    *to = m->index_of_pc[switch_target(m->code, &i->in, number)];
    return 1;
}

void stack_forget(struct fthread *t, struct fframe *f, uint32_t depth, bool locals_too)
{
    f->depth = depth <= f->method->max_stack ? depth : f->method->max_stack;
    for (uint32_t i = 0; i < f->depth; i++)
        *frame_stack(t, f, i) = unknown;
    for (uint32_t i = 0; locals_too && i < f->method->max_locals; i++)
        *frame_local(t, f, i) = unknown;
}
