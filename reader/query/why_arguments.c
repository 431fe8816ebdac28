/* why_arguments.c - which operands are the receiver and the arguments of a call, and which of them are constants: see
 * why.h. */
#include "reader/query/why.h"

#include <string.h>

uint32_t why_argument_depth(const char *desc, int64_t index, bool receiver_first)
{
    size_t size = strlen(desc), at = 1;
    uint32_t depth = 0;
    int64_t i = receiver_first ? 1 : 0;
    for (; at < size && desc[at] != ')'; i++) {
        size_t n = descriptor_type_length(desc + at, size - at);
        if (n == 0)
            break;
        if (i > index)
            depth += type_slots(desc[at]);
        at += n;
    }
    return depth;
}

bool why_call_shape(struct why *w, const struct hs_dataid *site, const char **desc, bool *receiver_first)
{
    struct method *code = method_get(w->trace, site->method_id);
    const struct insn *in = code != NULL ? code_at(&code->code, site->pc) : NULL;
    struct member_ref m;
    struct text name, d;
    uint32_t bootstrap;
    if (in == NULL)
        return false;
    *receiver_first = in->op != OPC_invokestatic && in->op != OPC_invokedynamic;
    if (in->op == OPC_invokedynamic) {
        if (!cpool_dynamic(&code->classfile->cp, (uint32_t)in->operand, &bootstrap, &name, &d))
            return false;
    } else if (!cpool_member(&code->classfile->cp, (uint32_t)in->operand, &m)) {
        return false;
    } else {
        d = m.desc;
    }
    char *copy = arena_chars(w->arena, d.size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, d.data, d.size);
    copy[d.size] = '\0';
    *desc = copy;
    return true;
}

/* Is the operand `depth` slots below the top of the stack before `pc` a constant, the box of one, or one of the JDK? */
static bool is_constant_operand(struct why *w, struct method *code, uint32_t pc, uint32_t depth, bool boxed)
{
    struct member_ref m;
    const struct producers p = method_producers(w->trace, code, pc, depth);
    for (unsigned i = 0; i < p.count; i++) {
        if ((p.pcs[i] & PRODUCER_CAUGHT) != 0)
            return false;
        const struct insn *in = code_at(&code->code, p.pcs[i]);
        const bool box = !boxed && in->op == OPC_invokestatic &&
                         cpool_member(&code->classfile->cp, (uint32_t)in->operand, &m) && text_is(m.name, "valueOf") &&
                         is_constant_operand(w, code, in->pc, 0, true);
        const bool of_jdk = in->op == OPC_getstatic && cpool_member(&code->classfile->cp, (uint32_t)in->operand, &m) &&
                            m.owner.size > 5 && memcmp(m.owner.data, "java/", 5) == 0; /* BigDecimal.ZERO */
        if (in->op > OPC_ldc2_w && !box && !of_jdk)
            return false;
    }
    return p.count > 0 && !p.more;
}

bool why_is_constant(struct why *w, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(w->trace, e->dataid);
    struct method *code = method_get(w->trace, d->method_id);
    const char *desc;
    bool receiver_first;
    uint32_t depth = 0;
    if (code == NULL)
        return false;
    switch (d->event) {
    case EVENT_ARRAY_STORE_VALUE:
    case EVENT_METHOD_NORMAL_EXIT: break;
    case EVENT_CALL:
    case EVENT_CALL_PARAM:
        if (!why_call_shape(w, d, &desc, &receiver_first))
            return false;
        depth = why_argument_depth(desc, d->event == EVENT_CALL ? 0 : attribute_number(d, "index", 0), receiver_first);
        break;
    default: return false;
    }
    return is_constant_operand(w, code, d->pc, depth, false);
}
