/* plan_redact.c - redact=: gives objects to note(Object) of config->redact_class before any event shows them. See
 * redact.h. */
#include "weaver/plan.h"

#include "formats/journal.h"

/* Inserts the call for the reference on top of the stack, or in a local variable. */
static void note(struct method_plan *m, int32_t slot)
{
    emit_stack(&m->glue, 1);
    if (slot == SLOT_TOP)
        emit_op(&m->glue, OPC_dup);
    else
        emit_load(&m->glue, 'A', (unsigned)slot);
    emit_member(&m->glue, OPC_invokestatic, MEMBER_NOTE);
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
           (field ? hides_field(&m->scan, &ref) : hides_result(&m->scan, in, &ref));
}

/* Does the instruction put the reference on top of the stack into a place that is hidden? */
static bool takes_top(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (subject_kind(m->scan.flow.subjects[index]) != SUBJECT_PLAIN && (op_table[in->op].flags & OP_STORE))
        return false;
    if ((op_table[in->op].flags & OP_STORE) && op_local_type(in->op) == 'A')
        return hides_local(&m->scan, in->local, in->pc + in->length);
    if (in->op == OPC_putfield || in->op == OPC_putstatic)
        return hides_member(m, in);
    if (in->op == OPC_aastore)
        return hidden_argument(&m->scan, index, 0);
    return in->op == OPC_areturn && hides_return(&m->scan);
}

void plan_redact_prologue(struct method_plan *m)
{
    unsigned slot = !m->scan.is_static;
    for (size_t i = 1; m->c->config->redact != NULL && m->scan.desc.data[i] != ')';) {
        size_t n = descriptor_type_length(m->scan.desc.data + i, m->scan.desc.size - i);
        if (descriptor_kind(m->scan.desc.data[i]) == KIND_REF &&
            (hides_local(&m->scan, slot, 0) ||
             hides_type(&m->scan, source_of_descriptor(m->c, m->scan.desc.data + i, n)) ||
             (scan_local_at(&m->scan, slot, 0) == NULL && hidden_slot(&m->scan, slot))))
            note(m, (int32_t)slot);
        slot += type_slots(m->scan.desc.data[i]);
        i += n;
    }
}

void plan_redact_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (takes_top(m, index, in))
        note(m, SLOT_TOP);
    else if ((op_table[in->op].flags & OP_LOAD) && op_local_type(in->op) == 'A' &&
             subject_kind(m->scan.flow.subjects[index]) == SUBJECT_PLAIN && hides_local(&m->scan, in->local, in->pc))
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
    bool hidden =
        hidden_result(&m->scan, index) || (in->op != OPC_aaload && in->op != OPC_checkcast && hides_member(m, in));
    const struct insn *next = in;
    for (uint32_t i = index + 1; !hidden && i < m->scan.code.insns.count; i++) {
        next = &m->scan.code.insns.items[i];
        if ((m->scan.code.flags[next->pc] & PC_LABEL) || !m->scan.flow.reached[i])
            break;
        hidden = takes_top(m, i, next);
        if (next->op != OPC_checkcast && next->op != OPC_dup)
            break;
    }
    if (hidden)
        note(m, SLOT_TOP);
}
