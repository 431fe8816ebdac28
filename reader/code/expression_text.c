/* expression_text.c - an operand as it may stand in source: see code.h.
 *
 *     iload 1   aload_0   getfield max      the operands of if_icmple:   "x", "max" */
#include "formats/mutf8.h"
#include "reader/code/code.h"

#include <stdio.h>

enum { LEVELS = 6, TEXT_MOST = 120, QUOTED_MOST = 40 };

struct speller {
    hs_trace *trace;
    struct method *method;
    struct writer *out;
    char kind; /* of the outermost expression: the letter of its type, 0: not known */
};

static void say(struct speller *s, const char *text) { write_bytes(s->out, text, strlen(text)); }
static void say_name(struct speller *s, struct text name) { (void)mutf8_to_utf8(name.data, name.size, s->out); }

/* Inner for a/b/Outer$Inner */
static void say_class(struct speller *s, struct text name)
{
    size_t from = name.size;
    while (from > 0 && name.data[from - 1] != '/' && (name.data[from - 1] != '$' || from == name.size))
        from--;
    say_name(s, (struct text){ name.data + from, name.size - from });
}

static void spell(struct speller *s, uint32_t pc, uint32_t depth, unsigned level);

static bool is_this(const struct speller *s, const struct insn *in)
{
    return s->method->has_this && (op_table[in->op].flags & OP_LOAD) != 0 && in->local == 0 &&
           op_local_type(in->op) == 'A';
}

/* The one instruction that pushed an operand; NULL: there are several, or none. */
static const struct insn *pushed_by(const struct speller *s, uint32_t pc, uint32_t depth)
{
    const struct producers p = method_producers(s->trace, s->method, pc, depth);
    return p.count == 1 && !p.more && (p.pcs[0] & PRODUCER_CAUGHT) == 0 ? code_at(&s->method->code, p.pcs[0]) : NULL;
}

/* The object of a field or a call, and a dot; of the method's own object nothing. */
static void say_receiver(struct speller *s, uint32_t pc, uint32_t depth, unsigned level)
{
    const struct insn *in = pushed_by(s, pc, depth);
    if (in != NULL && is_this(s, in))
        return;
    spell(s, pc, depth, level + 1);
    say(s, ".");
}

static void say_owner(struct speller *s, struct text owner)
{
    struct text own;
    if (cpool_class(&s->method->classfile->cp, s->method->classfile->this_class, &own) && text_same(own, owner))
        return;
    say_class(s, owner);
    say(s, ".");
}

/* The compiler keeps what it needs again, what a switch is over for example, in variables without a name: the store
 * right before. NULL: not so, or the value is a constant, one of several. */
static const struct insn *kept_by(const struct speller *s, uint16_t slot, uint32_t pc)
{
    const struct code *c = &s->method->code;
    const struct insn *found = NULL;
    if (slot < s->method->argument_slots || s->method->variable_count == 0)
        return NULL;
    for (uint32_t i = 1; i < c->insns.count && c->insns.items[i].pc < pc; i++)
        if ((op_table[c->insns.items[i].op].flags & OP_STORE) != 0 && c->insns.items[i].local == slot &&
            op_local_type(c->insns.items[i].op) != 0)
            found = &c->insns.items[i];
    return found != NULL && found[-1].op > OPC_ldc2_w ? found : NULL;
}

static void say_local(struct speller *s, const struct insn *in, unsigned level)
{
    char number[32];
    const struct variable_scope *v = method_variable(s->method, in->local, in->pc);
    const struct insn *store = v == NULL ? kept_by(s, in->local, in->pc) : NULL;
    if (store != NULL) {
        spell(s, store->pc, 0, level + 1);
        return;
    }
    if (v == NULL) {
        (void)snprintf(number, sizeof number, "local %u", in->local);
        say(s, number);
        return;
    }
    say(s, v->name);
    s->kind = v->desc[0];
}

static void say_constant(struct speller *s, const struct insn *in)
{
    const struct cpool *cp = &s->method->classfile->cp;
    const unsigned tag = in->op >= OPC_ldc && in->op <= OPC_ldc2_w ? cpool_tag(cp, (uint32_t)in->operand) : 0;
    const uint8_t *entry = tag != 0 ? cpool_entry(cp, (uint32_t)in->operand) : NULL;
    struct text text;
    char number[40];
    double real;
    float single;
    uint64_t bits = 0;
    if (tag == CONSTANT_String && cpool_utf8(cp, be2(entry + 1), &text)) {
        const bool cut = text.size > QUOTED_MOST;
        say(s, "\"");
        say_name(s, (struct text){ text.data, cut ? QUOTED_MOST : text.size });
        say(s, cut ? "\"..." : "\"");
        return;
    }
    if (tag == CONSTANT_Class && cpool_utf8(cp, be2(entry + 1), &text)) {
        say_class(s, text);
        say(s, ".class");
        return;
    }
    if (in->op == OPC_aconst_null || !code_constant(cp, in, &bits)) {
        say(s, in->op == OPC_aconst_null ? "null" : "...");
        return;
    }
    const bool is_float = tag == CONSTANT_Float || (in->op >= OPC_fconst_0 && in->op <= OPC_fconst_2);
    const bool is_double = tag == CONSTANT_Double || in->op == OPC_dconst_0 || in->op == OPC_dconst_1;
    memcpy(&real, &bits, sizeof real);
    memcpy(&single, &bits, sizeof single);
    if (is_float || is_double)
        (void)snprintf(number, sizeof number, "%.9g", is_float ? (double)single : real);
    else
        (void)snprintf(number, sizeof number, "%lld", (long long)bits);
    say(s, number);
}

/* Boxing, which does not stand in source. */
static bool is_boxing(const struct insn *in, const struct member_ref *m)
{
    if (m->owner.size < 10 || memcmp(m->owner.data, "java/lang/", 10) != 0)
        return false;
    if (in->op == OPC_invokestatic)
        return text_is(m->name, "valueOf") && m->desc.size > 2 && m->desc.data[1] != 'L' && m->desc.data[2] == ')';
    static const char *const values[] = { "intValue",   "longValue",  "booleanValue", "charValue",
                                          "floatValue", "shortValue", "byteValue",    "doubleValue" };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (text_is(m->name, values[i]) && m->desc.size == 3)
            return true;
    return false;
}

/* The arguments of a descriptor, which lie on the stack before `pc`, in parentheses. */
static void say_arguments(struct speller *s, uint32_t pc, struct text desc, uint32_t slots, unsigned level)
{
    say(s, "(");
    for (size_t i = 1; i < desc.size && desc.data[i] != ')';) {
        const size_t n = descriptor_type_length(desc.data + i, desc.size - i);
        if (n == 0)
            break;
        say(s, i > 1 ? ", " : "");
        slots -= type_slots(desc.data[i]);
        spell(s, pc, slots, level + 1);
        i += n;
    }
    say(s, ")");
}

static void say_call(struct speller *s, const struct insn *in, unsigned level)
{
    const struct cpool *cp = &s->method->classfile->cp;
    struct member_ref m = { 0 };
    struct text result = { 0 };
    uint32_t bootstrap;
    unsigned slots = 0;
    const bool dynamic = in->op == OPC_invokedynamic;
    if ((dynamic ? !cpool_dynamic(cp, (uint32_t)in->operand, &bootstrap, &m.name, &m.desc)
                 : !cpool_member(cp, (uint32_t)in->operand, &m)) ||
        !descriptor_measure(m.desc, &slots, &result)) {
        say(s, "...");
        return;
    }
    if (!dynamic && is_boxing(in, &m)) {
        spell(s, in->pc, 0, level);
    } else {
        if (in->op == OPC_invokestatic)
            say_owner(s, m.owner);
        else if (!dynamic)
            say_receiver(s, in->pc, slots, level);
        say_name(s, m.name);
        say_arguments(s, in->pc, m.desc, slots, level);
    }
    s->kind = result.size > 0 ? result.data[0] : 0;
}

static void say_field(struct speller *s, const struct insn *in, unsigned level)
{
    struct member_ref m;
    if (!cpool_member(&s->method->classfile->cp, (uint32_t)in->operand, &m)) {
        say(s, "...");
        return;
    }
    if (in->op == OPC_getstatic)
        say_owner(s, m.owner);
    else
        say_receiver(s, in->pc, 0, level);
    say_name(s, m.name);
    s->kind = m.desc.size > 0 ? m.desc.data[0] : 0;
}

/* Of two operands, inside of another expression in parentheses. */
static void say_binary(struct speller *s, const struct insn *in, const char *operator, unsigned slots, unsigned level)
{
    say(s, level > 0 ? "(" : "");
    spell(s, in->pc, slots, level + 1);
    say(s, " ");
    say(s, operator);
    say(s, " ");
    spell(s, in->pc, 0, level + 1);
    say(s, level > 0 ? ")" : "");
    s->kind = 0;
}

static void say_computed(struct speller *s, const struct insn *in, unsigned level)
{
    static const char *const operators[] = { "+", "-", "*", "/", "%" }, *const shifts[] = { "<<", ">>", ">>>" },
                             *const bits[] = { "&", "|", "^" };
    const unsigned op = in->op;
    struct text type;
    if (op >= OPC_iadd && op <= OPC_drem)
        say_binary(s, in, operators[(op - OPC_iadd) / 4], (unsigned)in->pops / 2, level);
    else if (op >= OPC_ishl && op <= OPC_lushr)
        say_binary(s, in, shifts[(op - OPC_ishl) / 2], 1, level);
    else if (op >= OPC_iand && op <= OPC_lxor)
        say_binary(s, in, bits[(op - OPC_iand) / 2], (unsigned)in->pops / 2, level);
    else if (op >= OPC_ineg && op <= OPC_dneg) {
        say(s, "-");
        spell(s, in->pc, 0, level + 1);
    } else if (op >= OPC_i2l && op <= OPC_i2s) {
        spell(s, in->pc, 0, level);
    } else if (op == OPC_instanceof && cpool_class(&s->method->classfile->cp, (uint32_t)in->operand, &type)) {
        say(s, level > 0 ? "(" : "");
        spell(s, in->pc, 0, level + 1);
        say(s, " instanceof ");
        say_class(s, type);
        say(s, level > 0 ? ")" : "");
        s->kind = 'Z';
    } else if (op == OPC_new && cpool_class(&s->method->classfile->cp, (uint32_t)in->operand, &type)) {
        say(s, "new ");
        say_class(s, type);
    } else {
        say(s, "...");
    }
}

static void spell(struct speller *s, uint32_t pc, uint32_t depth, unsigned level)
{
    const struct insn *in = level < LEVELS && s->out->size < TEXT_MOST ? pushed_by(s, pc, depth) : NULL;
    s->kind = 0;
    if (in == NULL)
        say(s, "...");
    else if (is_this(s, in))
        say(s, "this");
    else if ((op_table[in->op].flags & OP_LOAD) != 0)
        say_local(s, in, level);
    else if (in->op <= OPC_ldc2_w)
        say_constant(s, in);
    else if (in->op == OPC_getstatic || in->op == OPC_getfield)
        say_field(s, in, level);
    else if ((op_table[in->op].flags & OP_INVOKE) != 0 || in->op == OPC_invokedynamic)
        say_call(s, in, level);
    else if (in->op >= OPC_iaload && in->op <= OPC_saload) {
        spell(s, in->pc, 1, level + 1);
        say(s, "[");
        spell(s, in->pc, 0, 0);
        say(s, "]");
        s->kind = in->op == OPC_caload ? 'C' : 0;
    } else if (in->op == OPC_arraylength) {
        spell(s, in->pc, 0, level + 1);
        say(s, ".length");
        s->kind = 0;
    } else
        say_computed(s, in, level);
}

char method_expression(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth, struct writer *out)
{
    struct speller s = { .trace = t, .method = m, .out = out };
    spell(&s, pc, depth, 0);
    return s.kind;
}
