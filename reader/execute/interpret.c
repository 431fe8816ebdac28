/* interpret.c - executes the instructions of a method; see machine.h. JVMS 2.10, 6.5.
 *
 * A class file that the JVM would not accept ends execution: each pop checks what it gets. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

struct frame {
    struct machine *m;
    const struct hs_class *of;
    const struct method *code;
    struct jvalue *locals, *stack;
    uint32_t depth, pc; /* of the next instruction */
};

static bool malformed(struct frame *f)
{
    return end_not_known(f->m, "the code of %s.%s is malformed", f->of->name, f->code->row->name);
}

static bool depends_on(struct frame *f, struct jvalue v) { return known(f->m, v); }

static bool push(struct frame *f, struct jvalue v)
{
    if (f->depth >= f->code->code.max_stack)
        return malformed(f);
    f->stack[f->depth++] = v;
    return true;
}

/* A value of that kind; 0: any. */
static bool pop(struct frame *f, char kind, struct jvalue *v)
{
    if (f->depth == 0)
        return malformed(f);
    *v = f->stack[--f->depth];
    return kind == 0 || v->kind == kind ? true : malformed(f);
}

/* A reference that is used: null throws. */
static bool pop_object(struct frame *f, struct jvalue *v)
{
    if (!pop(f, 'A', v))
        return false;
    return v->unknown ? depends_on(f, *v) : v->bits == 0 ? throws_unsaid(f->m, "java.lang.NullPointerException") : true;
}

/* ---- arithmetic ---- */

static char result_kind(unsigned op) { return op_table[op].pushed[0]; }

static bool binary(struct frame *f, unsigned op)
{
    struct jvalue right, left;
    const char *popped = op_table[op].popped;
    const size_t size = strlen(popped);
    const char second = popped[size - 1] == '.' ? popped[size - 2] : popped[size - 1];
    if (!pop(f, second, &right) || !pop(f, popped[0], &left))
        return false;
    const bool divides = op == OPC_idiv || op == OPC_ldiv || op == OPC_irem || op == OPC_lrem;
    if (divides && right.unknown)
        return depends_on(f, right);
    if (divides && right.bits == 0)
        return throws(f->m, "java.lang.ArithmeticException", "/ by zero");
    if (left.unknown || right.unknown)
        return push(f, (struct jvalue){ result_kind(op), true, left.unknown ? left.bits : right.bits });
    return push(f, number_value(result_kind(op), arithmetic_binary(op, left.bits, right.bits)));
}

static bool unary(struct frame *f, unsigned op)
{
    struct jvalue v;
    if (!pop(f, op_table[op].popped[0], &v))
        return false;
    v.kind = result_kind(op);
    if (!v.unknown)
        v.bits = arithmetic_unary(op, v.bits);
    return push(f, v);
}

/* ---- branches ---- */

/* Two references: the same object? A string or box that was made may be one that exists. */
static bool same_object(struct frame *f, struct jvalue a, struct jvalue b, bool *same)
{
    const struct made *x = made_of(f->m, a), *y = made_of(f->m, b);
    *same = a.bits == b.bits;
    if (*same || a.bits == 0 || b.bits == 0 || (x == NULL && y == NULL))
        return true;
    if (x != NULL && y != NULL && x->is == y->is && (x->is == MADE_CLASS || x->is == MADE_ENUM))
        return true; /* there is one for each class and constant */
    const struct made *shared = x != NULL && x->shared ? x : y != NULL && y->shared ? y : NULL;
    const char *other = shared == x ? machine_type(f->m, b.bits) : machine_type(f->m, a.bits);
    if (shared == NULL || (x != NULL && y != NULL && x->shared != y->shared) ||
        (other != NULL && strcmp(other, shared->type) != 0))
        return true;
    return end_not_known(f->m, "whether two objects of %s are one", shared->type);
}

static bool branch(struct frame *f, const struct insn *in)
{
    struct jvalue right, left = { 0 };
    const char *popped = op_table[in->op].popped;
    const bool references = popped[0] != 'I', two = popped[1] != '\0';
    bool taken;
    if (!pop(f, references ? 'A' : 'I', &right) || (two && !pop(f, references ? 'A' : 'I', &left)))
        return false;
    if (right.unknown || left.unknown)
        return depends_on(f, right.unknown ? right : left);
    if (references && two) {
        if (!same_object(f, left, right, &taken))
            return false;
        taken = taken == (in->op == OPC_if_acmpeq);
    } else {
        taken = two ? arithmetic_taken(in->op, left.bits, right.bits) : arithmetic_taken(in->op, right.bits, 0);
    }
    if (taken)
        f->pc = (uint32_t)in->operand;
    return true;
}

static bool switches(struct frame *f, const struct insn *in)
{
    struct jvalue v;
    if (!pop(f, 'I', &v))
        return false;
    if (v.unknown)
        return depends_on(f, v);
    const uint8_t *bytes = f->code->code.bytes;
    f->pc = (uint32_t)switch_target(bytes, in, switch_case(bytes, in, (int32_t)v.bits));
    return true;
}

/* ---- constants, locals, stack ---- */

static bool constant(struct frame *f, const struct insn *in)
{
    const struct cpool *cp = &f->code->classfile->cp;
    uint64_t bits;
    struct jvalue v = null_value();
    if (in->op == OPC_aconst_null)
        return push(f, v);
    char kind = op_table[in->op].pushed[0];
    if (kind == '*') {
        const unsigned tag = cpool_tag(cp, (uint32_t)in->operand);
        kind = tag == CONSTANT_Integer ? 'I' : tag == CONSTANT_Float ? 'F' : tag == CONSTANT_Long ? 'J' : 'D';
    }
    if (code_constant(cp, in, &bits))
        return push(f, number_value(kind, bits));
    struct text name;
    const struct lineage *c = cpool_tag(cp, (uint32_t)in->operand) == CONSTANT_Class &&
                                      cpool_class(cp, (uint32_t)in->operand, &name) &&
                                      memchr(name.data, '[', name.size) == NULL
                                  ? class_named(f->m, name, f->of->loader_id)
                                  : NULL;
    return (c != NULL ? class_object(f->m, c->name, c->loader, &v)
                      : class_constant(f->m, cp, (uint32_t)in->operand, &v)) &&
           push(f, v);
}

static bool load(struct frame *f, const struct insn *in)
{
    if (in->local >= f->code->code.max_locals || f->locals[in->local].kind != op_local_type(in->op))
        return malformed(f);
    return push(f, f->locals[in->local]);
}

static bool store(struct frame *f, const struct insn *in)
{
    struct jvalue v;
    if (in->local >= f->code->code.max_locals || !pop(f, 0, &v))
        return malformed(f);
    if (v.kind != op_local_type(in->op) && !(v.kind == 'R' && op_local_type(in->op) == 'A'))
        return malformed(f);
    f->locals[in->local] = v;
    return true;
}

static bool increment(struct frame *f, const struct insn *in)
{
    if (in->local >= f->code->code.max_locals || f->locals[in->local].kind != 'I')
        return malformed(f);
    struct jvalue *v = &f->locals[in->local];
    if (!v->unknown)
        v->bits = arithmetic_binary(OPC_iadd, v->bits, of_int((int32_t)in->operand));
    return true;
}

static bool is_wide(struct jvalue v) { return v.kind == 'J' || v.kind == 'D'; }

/* pop, dup and swap in terms of slots: a long or double is two that stay together. */
static bool shuffle(struct frame *f, unsigned op)
{
    struct jvalue slots[4], v;
    bool second[4] = { 0 }; /* the upper half of a long or double */
    const unsigned pops = (unsigned)op_table[op].pops;
    unsigned n = 0;
    while (n < pops) { /* slots[0] is the top */
        if (!pop(f, 0, &v) || (is_wide(v) && n + 2 > pops))
            return malformed(f);
        if (is_wide(v))
            second[n++] = true;
        slots[n++] = v;
    }
    if (op == OPC_pop || op == OPC_pop2)
        return true;
    for (const char *p = op_dup_order((uint8_t)op); *p != '\0'; p++) { /* bottom first */
        const unsigned at = (unsigned)(*p - '0');
        if (at >= n)
            return malformed(f);
        if (!second[at] && !push(f, slots[at]))
            return false;
    }
    return true;
}

/* ---- objects ---- */

/* A class that was not initialized before the moment is so now, when its static fields are first used. JVMS 5.5. */
static bool initialize(struct frame *f, const struct field_site *s)
{
    struct machine *m = f->m;
    const struct lineage *c = lineage_of(m->trace, s->field.declaring, f->of->loader_id);
    const struct hs_class *of;
    struct jvalue out;
    const struct hs_method *method =
        c != NULL && c->woven ? select_method(m, c, (struct text){ "<clinit>", 8 }, (struct text){ "()V", 3 }, &of)
                              : NULL;
    if (method == NULL || of != c->row || !begins_initializer(m, method) ||
        m->heap.initialized(m->heap.context, method))
        return true;
    const struct invocation call = {
        .ref = { .owner = { of->name, strlen(of->name) }, .name = TEXT_OF("<clinit>"), .desc = TEXT_OF("()V") },
        .is_static = true,
        .from = of
    };
    return m->invoke(m, &call, &out);
}

/* A static field that was not recorded may be a constant of the JDK. */
static bool constant_of(struct frame *f, const struct field_site *s, struct jvalue *v)
{
    struct jvalue constant;
    if (jdk_constant(f->m, s->field.declaring, s->field.name, &constant))
        *v = constant;
    return f->m->ended == OUTCOME_VALUE;
}

static bool field(struct frame *f, const struct insn *in)
{
    const bool put = in->op == OPC_putfield || in->op == OPC_putstatic;
    const bool is_static = in->op == OPC_getstatic || in->op == OPC_putstatic;
    const struct field_site *s = field_site_of(f->m, f->of, f->code, (uint32_t)in->operand);
    struct jvalue v, object = { .kind = 'A' };
    if (s != NULL && is_static && !initialize(f, s))
        return false;
    s = s != NULL ? field_site_of(f->m, f->of, f->code, (uint32_t)in->operand) : NULL; /* it may have moved */
    if (s == NULL || (put && !pop(f, jvalue_kind(s->letter), &v)) || (!is_static && !pop_object(f, &object)))
        return false;
    if (!put)
        return get_member(f->m, object, s, &v) && (!is_static || !v.unknown || constant_of(f, s, &v)) && push(f, v);
    if (!v.unknown)
        v.bits = arithmetic_narrowed((unsigned char)s->letter, v.bits);
    return put_member(f->m, object, s, v);
}

static bool array_access(struct frame *f, unsigned op)
{
    static const char letters[] = "IJFDLBCS";
    const bool put = op >= OPC_iastore;
    const char letter = letters[op - (put ? OPC_iastore : OPC_iaload)];
    struct jvalue v, index, array;
    if ((put && !pop(f, jvalue_kind(letter), &v)) || !pop(f, 'I', &index) || !pop_object(f, &array))
        return false;
    if (!put)
        return get_element(f->m, array, index, jvalue_kind(letter), &v) && push(f, v);
    const char *type = machine_type(f->m, array.bits);
    if (!v.unknown)
        v.bits =
            arithmetic_narrowed(type != NULL && strcmp(type, "boolean[]") == 0 ? 'Z' : (unsigned char)letter, v.bits);
    return put_element(f->m, array, index, v);
}

static bool new_array(struct frame *f, const struct insn *in)
{
    static const char letters[] = "ZCFDBSIJ"; /* by the code of newarray */
    struct machine *m = f->m;
    struct text name;
    struct writer type = { 0 };
    int32_t lengths[256];
    const bool multi = in->op == OPC_multianewarray;
    const unsigned dimensions = multi ? in->extra : 1;
    for (unsigned i = dimensions; i-- > 0;) {
        struct jvalue length = { 0 };
        if (!pop(f, 'I', &length))
            return false;
        if (length.unknown)
            return depends_on(f, length);
        lengths[i] = (int32_t)length.bits;
    }
    if (in->op == OPC_newarray) {
        const unsigned code = (unsigned)in->operand - 4;
        if (code >= sizeof letters - 1)
            return malformed(f);
        const char *of = primitive_of_letter(letters[code])->name;
        write_bytes(&type, of, strlen(of));
    } else if (!cpool_class(&f->code->classfile->cp, (uint32_t)in->operand, &name) ||
               (multi && (dimensions == 0 || dimensions >= name.size || name.data[dimensions - 1] != '['))) {
        return malformed(f);
    } else if (name.size > 0 && name.data[0] == '[') {
        (void)descriptor_to_source(name.data, name.size, &type);
    } else {
        write_bytes(&type, name.data, name.size);
    }
    if (!multi)
        write_bytes(&type, "[]", 2);
    const char *kept = type.bad ? NULL : keep_text(m, (struct text){ (const char *)type.data, type.size }, true);
    writer_free(&type);
    struct jvalue out;
    if (kept == NULL)
        return end_memory(m);
    return make_arrays(m, kept, lengths, dimensions, &out) && push(f, out);
}

static bool new_object(struct frame *f, const struct insn *in)
{
    struct text name;
    struct jvalue v;
    if (!cpool_class(&f->code->classfile->cp, (uint32_t)in->operand, &name))
        return malformed(f);
    const char *type = keep_text(f->m, name, true);
    if (type == NULL)
        return false;
    const struct lineage *c = lineage_of(f->m->trace, type, f->of->loader_id);
    const bool woven = c != NULL && c->woven;
    struct made *made = make(f->m, woven ? MADE_PLAIN : MADE_UNWOVEN, type, &v);
    if (made == NULL)
        return false;
    made->class = woven ? c : NULL;
    return push(f, v);
}

static bool type_test(struct frame *f, const struct insn *in)
{
    struct text name;
    struct jvalue v;
    if (!cpool_class(&f->code->classfile->cp, (uint32_t)in->operand, &name) || !pop(f, 'A', &v))
        return malformed(f);
    if (v.unknown && in->op == OPC_checkcast)
        return push(f, v);
    const enum sure sure = is_instance(f->m, v, name);
    const char *type = machine_type(f->m, v.bits);
    if (in->op == OPC_checkcast) { /* generic code casts what has the type: only a clear no throws */
        if (v.bits != 0 && sure == SURE_NO)
            return throws_unsaid(f->m, "java.lang.ClassCastException");
        return push(f, v);
    }
    if (sure == UNSURE)
        return end_not_known(f->m, "whether %s is a %.*s", type != NULL ? type : "an object", (int)name.size,
                             name.data);
    return push(f, int_value(sure == SURE_YES));
}

/* ---- calls ---- */

static bool call(struct frame *f, const struct insn *in)
{
    struct invocation i = { .is_static = in->op == OPC_invokestatic,
                            .special = in->op == OPC_invokespecial,
                            .from = f->of };
    struct text desc, name;
    uint32_t index;
    struct jvalue out = { .kind = 'V' };
    const bool dynamic = in->op == OPC_invokedynamic;
    if (dynamic ? !cpool_dynamic(&f->code->classfile->cp, (uint32_t)in->operand, &index, &name, &desc)
                : !cpool_member(&f->code->classfile->cp, (uint32_t)in->operand, &i.ref))
        return malformed(f);
    if (!dynamic)
        desc = i.ref.desc;
    i.count = descriptor_count(desc) + (dynamic || i.is_static ? 0 : 1);
    if (i.count > f->depth)
        return malformed(f);
    f->depth -= i.count;
    i.given = f->stack + f->depth; /* stays: the callee's values are behind this frame's */
    if (!dynamic && !i.is_static && (i.given[0].kind != 'A' || i.given[0].unknown))
        return i.given[0].kind != 'A' ? malformed(f) : depends_on(f, i.given[0]);
    if (!dynamic && !i.is_static && i.given[0].bits == 0)
        return throws_unsaid(f->m, "java.lang.NullPointerException");
    const bool done =
        dynamic ? invoke_dynamic(f->m, f->of, f->code, in, i.given, i.count, &out) : f->m->invoke(f->m, &i, &out);
    if (!done)
        return false;
    const char *result = memchr(desc.data, ')', desc.size);
    if (result == NULL || result + 1 == desc.data + desc.size)
        return malformed(f);
    if (result[1] == 'V')
        return true;
    if (out.kind != jvalue_kind(result[1]))
        return malformed(f);
    return push(f, out);
}

/* ---- the loop ---- */

static bool throw_it(struct frame *f)
{
    struct jvalue v;
    return pop_object(f, &v) && throws_object(f->m, v);
}

static bool monitor(struct frame *f)
{
    struct jvalue v;
    return pop_object(f, &v);
}

static bool length(struct frame *f)
{
    struct jvalue array, out;
    return pop_object(f, &array) && array_count(f->m, array, &out) && push(f, out);
}

static bool subroutine(struct frame *f, const struct insn *in)
{
    const struct jvalue back = number_value('R', f->pc);
    f->pc = (uint32_t)in->operand;
    return push(f, back);
}

static bool subroutine_end(struct frame *f, const struct insn *in)
{
    if (in->local >= f->code->code.max_locals || f->locals[in->local].kind != 'R')
        return malformed(f);
    f->pc = (uint32_t)f->locals[in->local].bits;
    return true;
}

/* One instruction but returns. */
static bool execute(struct frame *f, const struct insn *in)
{
    const unsigned op = in->op, flags = op_table[op].flags;
    if (op == OPC_nop)
        return true;
    if (op <= OPC_ldc2_w)
        return constant(f, in);
    if ((flags & OP_LOAD) != 0)
        return load(f, in);
    if ((flags & OP_STORE) != 0)
        return store(f, in);
    if ((flags & OP_COND) != 0)
        return branch(f, in);
    if (op >= OPC_iaload && op <= OPC_sastore)
        return array_access(f, op);
    if (op >= OPC_pop && op <= OPC_swap)
        return shuffle(f, op);
    if (op == OPC_iinc)
        return increment(f, in);
    if ((op >= OPC_ineg && op <= OPC_dneg) || (op >= OPC_i2l && op <= OPC_i2s))
        return unary(f, op);
    if (op >= OPC_iadd && op <= OPC_dcmpg)
        return binary(f, op);
    if (op >= OPC_invokevirtual && op <= OPC_invokedynamic)
        return call(f, in);
    if (op >= OPC_getstatic && op <= OPC_putfield)
        return field(f, in);
    if ((flags & OP_JSR) != 0)
        return subroutine(f, in);
    switch (op) {
    case OPC_goto:
    case OPC_goto_w: f->pc = (uint32_t)in->operand; return true;
    case OPC_ret: return subroutine_end(f, in);
    case OPC_tableswitch:
    case OPC_lookupswitch: return switches(f, in);
    case OPC_new: return new_object(f, in);
    case OPC_newarray:
    case OPC_anewarray:
    case OPC_multianewarray: return new_array(f, in);
    case OPC_arraylength: return length(f);
    case OPC_athrow: return throw_it(f);
    case OPC_checkcast:
    case OPC_instanceof: return type_test(f, in);
    case OPC_monitorenter:
    case OPC_monitorexit: return monitor(f);
    default: return malformed(f);
    }
}

/* Goes on in the handler of the exception that the instruction at `pc` threw; false: there is none. */
static bool caught(struct frame *f, uint32_t pc)
{
    struct machine *m = f->m;
    for (size_t i = 0; m->ended == OUTCOME_THROWN && i < f->code->code.handlers.count; i++) {
        const struct handler *h = &f->code->code.handlers.items[i];
        struct text type;
        if (pc < h->start || pc >= h->end)
            continue;
        if (h->type != 0 && !cpool_class(&f->code->classfile->cp, h->type, &type))
            return malformed(f);
        const enum sure sure = h->type == 0 ? SURE_YES : is_instance(m, m->thrown, type);
        if (sure == UNSURE)
            return end_not_known(m, "whether a handler catches %s", machine_type(m, m->thrown.bits));
        if (sure == SURE_NO)
            continue;
        m->ended = OUTCOME_VALUE;
        f->depth = 0;
        f->pc = h->handler;
        return push(f, m->thrown);
    }
    return false;
}

static bool run(struct frame *f, struct jvalue *out)
{
    for (;;) {
        const struct insn *in = code_at(&f->code->code, f->pc);
        if (in == NULL)
            return malformed(f);
        if (++f->m->steps > STEPS_MAX)
            return end_limit(f->m, "it runs for more than 10,000,000 instructions");
        f->pc += in->length;
        if ((op_table[in->op].flags & OP_RETURN) != 0) {
            *out = (struct jvalue){ .kind = 'V' };
            return in->op == OPC_return || pop(f, op_table[in->op].popped[0], out);
        }
        if (!execute(f, in) && !caught(f, in->pc))
            return false;
    }
}

bool interpret(struct machine *m, const struct hs_class *of, const struct method *code, const struct jvalue *given,
               unsigned count, struct jvalue *out)
{
    const uint32_t before = m->used, locals = code->code.max_locals, stack = code->code.max_stack;
    struct frame f = { .m = m, .of = of, .code = code };
    if (m->calls == CALLS_MAX || locals + stack > VALUES_MAX - m->used)
        return end_limit(m, "it calls too deeply");
    f.locals = m->values + m->used;
    f.stack = f.locals + locals;
    memset(f.locals, 0, locals * sizeof *f.locals);
    uint32_t slot = 0;
    for (unsigned i = 0; i < count; slot += is_wide(given[i]) ? 2 : 1, i++) {
        if (slot >= locals)
            return malformed(&f);
        f.locals[slot] = given[i];
    }
    m->used += locals + stack;
    m->calls++;
    const bool done = run(&f, out);
    m->calls--;
    m->used = before;
    return done;
}
