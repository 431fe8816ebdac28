/* plan_redact.c - redact=: gives objects to note(Object) of config->redact_class before any event shows them. See
 * redact.h. */
#include "weaver/plan.h"

#include "formats/journal.h"

/* Inserts the call for the reference on top of the stack, or in a local variable. */
static void note(struct method_plan *m, int32_t slot)
{
    if (m->stack_extra < 1)
        m->stack_extra = 1;
    if (slot == SLOT_TOP)
        emit_op(m, OPC_dup);
    else
        emit_load(m, 'A', (unsigned)slot);
    emit_member(m, OPC_invokestatic, MEMBER_NOTE);
    m->hidden++;
}

/* A reference in the field or from the method that the instruction names. */
static bool hides_member(struct method_plan *m, const struct insn *in)
{
    struct member_ref ref = { .owner = m->c->name };
    uint32_t bootstrap;
    unsigned slots;
    struct text type;
    const bool field = in->op >= OPC_getstatic && in->op <= OPC_putfield;
    if (!(in->op == OPC_invokedynamic
              ? cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &ref.name, &ref.desc)
              : cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref)))
        return false;
    type = ref.desc;
    if (!field && !descriptor_measure(ref.desc, &slots, &type))
        return false;
    return descriptor_kind(type.data[0]) == KIND_REF &&
           (field ? plan_hides_field(m, &ref) : plan_hides_result(m, in, &ref));
}

/* Does the instruction put the reference on top of the stack into a place that is hidden? */
static bool takes_top(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (subject_kind(m->flow.subjects[index]) != SUBJECT_PLAIN && (op_table[in->op].flags & OP_STORE))
        return false;
    if ((op_table[in->op].flags & OP_STORE) && op_local_type(in->op) == 'A')
        return plan_hides_local(m, in->local, in->pc + in->length);
    if (in->op == OPC_putfield || in->op == OPC_putstatic)
        return hides_member(m, in);
    if (in->op == OPC_aastore)
        return hidden_argument(m, index, 0);
    return in->op == OPC_areturn && plan_hides_return(m);
}

void plan_redact_prologue(struct method_plan *m)
{
    unsigned slot = !m->is_static;
    for (size_t i = 1; m->c->config->redact != NULL && m->desc.data[i] != ')';) {
        size_t n = descriptor_type_length(m->desc.data + i, m->desc.size - i);
        if (descriptor_kind(m->desc.data[i]) == KIND_REF &&
            (plan_hides_local(m, slot, 0) || plan_hides_type(m, source_of_descriptor(m->c, m->desc.data + i, n)) ||
             (plan_local_at(m, slot, 0) == NULL && hidden_slot(m, slot))))
            note(m, (int32_t)slot);
        slot += type_slots(m->desc.data[i]);
        i += n;
    }
}

void plan_redact_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (takes_top(m, index, in))
        note(m, SLOT_TOP);
    else if ((op_table[in->op].flags & OP_LOAD) && op_local_type(in->op) == 'A' &&
             subject_kind(m->flow.subjects[index]) == SUBJECT_PLAIN && plan_hides_local(m, in->local, in->pc))
        note(m, (int32_t)in->local);
}

/* True if the instruction leaves a reference on top of the stack that some event shows. */
static bool gives_reference(const struct method_plan *m, const struct insn *in)
{
    struct text name, desc;
    struct member_ref ref;
    uint32_t bootstrap;
    unsigned slots;
    bool invokes = (op_table[in->op].flags & OP_INVOKE) != 0;
    if (in->op == OPC_aaload || in->op == OPC_checkcast)
        return true;
    if (in->op == OPC_invokedynamic) {
        if (!cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &name, &desc))
            return false;
        invokes = true;
    } else if ((invokes || in->op == OPC_getfield || in->op == OPC_getstatic) &&
               cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref)) {
        desc = ref.desc;
    } else {
        return false;
    }
    return (!invokes || descriptor_measure(desc, &slots, &desc)) && descriptor_kind(desc.data[0]) == KIND_REF;
}

void plan_redact_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (!gives_reference(m, in))
        return;
    bool hidden = hidden_result(m, index) || (in->op != OPC_aaload && in->op != OPC_checkcast && hides_member(m, in));
    const struct insn *next = in;
    for (uint32_t i = index + 1; !hidden && i < m->code.insns.count; i++) {
        next = &m->code.insns.items[i];
        if ((m->code.flags[next->pc] & PC_LABEL) || !m->flow.reached[i])
            break;
        hidden = takes_top(m, i, next);
        if (next->op != OPC_checkcast && next->op != OPC_dup)
            break;
    }
    if (hidden)
        note(m, SLOT_TOP);
}
