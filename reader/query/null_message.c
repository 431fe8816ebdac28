/* null_message.c - see null_message.h. The texts are those of HotSpot (bytecodeUtils.cpp), of JDK 17 and later. */
#include "reader/query/null_message.h"

#include <stdio.h>
#include <string.h>

enum { DETAIL_MAX = 5 }; /* nested dereferences that are described */

struct message {
    hs_trace *trace;
    struct method *code;
    struct writer *out;
};

static void say(struct message *m, const char *text) { write_bytes(m->out, text, strlen(text)); }

static void say_number(struct message *m, const char *fmt, int n)
{
    char text[32];
    (void)snprintf(text, sizeof text, fmt, n);
    say(m, text);
}

/* ---- names ---- */

/* a.b.C, but String and Object without their package */
static void say_class(struct message *m, struct text name)
{
    if (text_is(name, "java/lang/Object") || text_is(name, "java/lang/String")) {
        const size_t package = strlen("java/lang/");
        name.data += package;
        name.size -= package;
    }
    for (size_t i = 0; i < name.size; i++)
        write_u1(m->out, name.data[i] == '/' ? '.' : (unsigned char)name.data[i]);
}

/* The parameters as in source. Where a type begins with java.lang.Object or java.lang.String, its package is left out:
 * also of java.lang.StringBuilder. */
static void say_parameters(struct message *m, struct text desc)
{
    static const char package[] = "java.lang.", *const known[] = { "java.lang.Object", "java.lang.String" };
    for (size_t i = 1; i < desc.size && desc.data[i] != ')';) {
        const size_t n = descriptor_type_length(desc.data + i, desc.size - i);
        struct writer type = { 0 };
        if (n == 0)
            return;
        (void)descriptor_to_source(desc.data + i, n, &type);
        size_t skip = 0;
        for (size_t k = 0; k < 2; k++)
            if (type.size >= strlen(known[k]) && memcmp(type.data, known[k], strlen(known[k])) == 0)
                skip = strlen(package);
        say(m, i > 1 ? ", " : "");
        if (type.size > skip)
            write_bytes(m->out, type.data + skip, type.size - skip);
        m->out->bad |= type.bad;
        writer_free(&type);
        i += n;
    }
}

static bool member_of(const struct message *m, const struct insn *in, struct member_ref *out)
{
    return cpool_member(&m->code->classfile->cp, (uint32_t)in->operand, out);
}

static void say_method(struct message *m, const struct insn *in)
{
    struct member_ref ref;
    if (!member_of(m, in, &ref))
        return;
    say_class(m, ref.owner);
    say(m, ".");
    write_bytes(m->out, ref.name.data, ref.name.size);
    say(m, "(");
    say_parameters(m, ref.desc);
    say(m, ")");
}

/* ---- the expression that was null ---- */

/* Was the slot written by an instruction, so that it need not be the parameter any more? */
static bool is_written(const struct method *c, uint16_t slot, uint32_t before)
{
    for (size_t i = 0; i < c->code.insns.count; i++) {
        const struct insn *in = &c->code.insns.items[i];
        const char type = op_local_type(in->op);
        const bool wide = type == 'J' || type == 'D';
        if (in->pc < before && (op_table[in->op].flags & OP_STORE) != 0 &&
            (in->local == slot || (wide && in->local + 1 == slot)))
            return true;
    }
    return false;
}

static void say_local(struct message *m, const struct insn *in, uint32_t before)
{
    const struct method *c = m->code;
    const bool is_static = c->is_static;
    for (uint32_t i = 0; i < c->variable_count; i++) {
        const struct variable_scope *v = &c->variables[i];
        if (v->slot == in->local && v->start <= in->pc && in->pc < v->end) {
            say(m, v->name);
            return;
        }
    }
    const bool written = is_written(c, in->local, before);
    const char *desc = c->row->desc;
    const size_t size = strlen(desc);
    int number = 1;
    uint32_t slot = !is_static;
    if (!is_static && in->local == 0 && !written) {
        say(m, "this");
        return;
    }
    for (size_t i = 1; i < size && desc[i] != ')'; number++) {
        const unsigned slots = type_slots(desc[i]);
        if (in->local >= slot && in->local < slot + slots && !written) {
            say_number(m, "<parameter%d>", number);
            return;
        }
        slot += slots;
        const size_t n = descriptor_type_length(desc + i, size - i);
        if (n == 0)
            break;
        i += n;
    }
    say_number(m, "<local%d>", in->local);
}

/* Appends how the operand `depth` slots below the top before `pc` stands in source. False: it is not known. `first`:
 * it is the null itself, and its begin, as `because "`, comes before it; `inner`: it is an index. */
static bool say_operand(struct message *m, uint32_t pc, uint32_t depth, int detail, bool inner, bool first)
{
    const struct producers p = method_producers(m->trace, m->code, pc, depth);
    struct member_ref ref;
    if (detail <= 0 || p.count != 1 || p.more || (p.pcs[0] & PRODUCER_CAUGHT) != 0)
        return false;
    const struct insn *in = code_at(&m->code->code, p.pcs[0]);
    const bool call = (op_table[in->op].flags & OP_INVOKE) != 0;
    const bool local = (op_table[in->op].flags & OP_LOAD) != 0 && strchr("IA", op_local_type(in->op)) != NULL;
    const bool known = call || local || in->op == OPC_aconst_null ||
                       (in->op >= OPC_iconst_m1 && in->op <= OPC_iconst_5) || in->op == OPC_bipush ||
                       in->op == OPC_sipush || in->op == OPC_getstatic || in->op == OPC_getfield ||
                       in->op == OPC_iaload || in->op == OPC_aaload;
    if (!known)
        return false;
    if (first)
        say(m, call ? " because the return value of \"" : " because \"");
    if (local) {
        say_local(m, in, pc);
    } else if (in->op == OPC_aconst_null) {
        say(m, "null");
    } else if (in->op >= OPC_iconst_m1 && in->op <= OPC_iconst_5) {
        say_number(m, "%d", (int)in->op - OPC_iconst_0);
    } else if (in->op == OPC_bipush || in->op == OPC_sipush) {
        say_number(m, "%d", in->operand);
    } else if (call) {
        say_method(m, in);
    } else if (in->op == OPC_getstatic && member_of(m, in, &ref)) {
        say_class(m, ref.owner);
        say(m, ".");
        write_bytes(m->out, ref.name.data, ref.name.size);
    } else if (in->op == OPC_getfield && member_of(m, in, &ref)) {
        if (say_operand(m, in->pc, 0, detail - 1, inner, false))
            say(m, ".");
        write_bytes(m->out, ref.name.data, ref.name.size);
    } else {
        if (!say_operand(m, in->pc, 1, detail - 1, inner, false))
            say(m, "<array>");
        say(m, "[");
        if (!say_operand(m, in->pc, 0, detail, true, false))
            say(m, "...");
        say(m, "]");
    }
    return true;
}

/* ---- what could not be done ---- */

int null_operand(const struct method *c, const struct insn *in)
{
    struct member_ref ref;
    struct text result;
    unsigned arguments;
    const unsigned op = in->op;
    if (op == OPC_arraylength || op == OPC_athrow || op == OPC_monitorenter || op == OPC_monitorexit ||
        op == OPC_getfield)
        return 0;
    if (op >= OPC_iaload && op <= OPC_saload)
        return 1;
    if (op >= OPC_iastore && op <= OPC_sastore)
        return op == OPC_lastore || op == OPC_dastore ? 3 : 2;
    if (op != OPC_putfield && op != OPC_invokevirtual && op != OPC_invokespecial && op != OPC_invokeinterface)
        return -1;
    if (!cpool_member(&c->classfile->cp, (uint32_t)in->operand, &ref) || ref.desc.size == 0)
        return -1;
    if (op == OPC_putfield)
        return (int)type_slots(ref.desc.data[0]);
    if (text_is(ref.name, "<init>") || !descriptor_measure(ref.desc, &arguments, &result))
        return -1;
    return (int)arguments;
}

static void say_action(struct message *m, const struct insn *in)
{
    static const char *const elements[] = {
        "int", "long", "float", "double", "object", "byte/boolean", "char", "short"
    };
    const unsigned op = in->op;
    struct member_ref ref = { 0 };
    if (op == OPC_getfield || op == OPC_putfield) {
        say(m, op == OPC_getfield ? "Cannot read field \"" : "Cannot assign field \"");
        if (member_of(m, in, &ref))
            write_bytes(m->out, ref.name.data, ref.name.size);
        say(m, "\"");
    } else if (op >= OPC_iaload && op <= OPC_saload) {
        say(m, "Cannot load from ");
        say(m, elements[op - OPC_iaload]);
        say(m, " array");
    } else if (op >= OPC_iastore && op <= OPC_sastore) {
        say(m, "Cannot store to ");
        say(m, elements[op - OPC_iastore]);
        say(m, " array");
    } else if ((op_table[op].flags & OP_INVOKE) != 0) {
        say(m, "Cannot invoke \"");
        say_method(m, in);
        say(m, "\"");
    } else {
        say(m, op == OPC_arraylength    ? "Cannot read the array length"
               : op == OPC_athrow       ? "Cannot throw exception"
               : op == OPC_monitorenter ? "Cannot enter synchronized block"
                                        : "Cannot exit synchronized block");
    }
}

bool null_message(hs_trace *t, struct method *c, uint32_t pc, struct writer *out)
{
    struct message m = { t, c, out };
    const struct insn *in = code_at(&c->code, pc);
    const int depth = in != NULL ? null_operand(c, in) : -1;
    if (depth < 0)
        return false;
    say_action(&m, in);
    if (say_operand(&m, pc, (uint32_t)depth, DETAIL_MAX, false, true))
        say(&m, "\" is null");
    return true;
}
