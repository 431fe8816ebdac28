/* plan_redact.c - redact=: gives objects to note(Object) of config->redact_class before any event shows them, and tells
 * the other planners which numbers to leave out. See redact.h. */
#include "weaver/plan.h"

#include "formats/journal.h"

bool plan_hides(struct method_plan *m, struct text owner, struct text member, struct text local, struct text type)
{
    struct redact *r = m->c->config->redact;
    return r != NULL && redact_hides(r, owner, member, local, type);
}

unsigned plan_hidden_kind(struct method_plan *m, unsigned kind, struct text owner, struct text member,
                          struct text local, struct text type)
{
    if (kind == KIND_VOID || kind == KIND_REF || !plan_hides(m, owner, member, local, type))
        return kind;
    m->hides_numbers = true;
    m->hidden++;
    return KIND_VOID;
}

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

static bool hides_local(struct method_plan *m, unsigned slot, uint32_t pc)
{
    const struct local_name *l = plan_local_at(m, slot, pc);
    struct text name, desc;
    return l != NULL && cpool_utf8(&m->c->cf->cp, l->name, &name) && cpool_utf8(&m->c->cf->cp, l->desc, &desc) &&
           plan_hides(m, m->c->name, m->name, name, source_of_descriptor(m->c, desc.data, desc.size));
}

/* A reference in the field or from the method that the instruction names. */
static bool hides_member(struct method_plan *m, const struct insn *in, bool method)
{
    struct member_ref ref;
    struct text type, desc;
    uint32_t bootstrap;
    unsigned slots;
    if (in->op == OPC_invokedynamic) {
        if (!cpool_dynamic(&m->c->cf->cp, (uint32_t)in->operand, &bootstrap, &ref.name, &desc))
            return false;
        ref.owner = m->c->name;
    } else if (cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref)) {
        desc = ref.desc;
    } else {
        return false;
    }
    type = desc;
    if (method && !descriptor_measure(desc, &slots, &type))
        return false;
    return descriptor_kind(type.data[0]) == KIND_REF &&
           plan_hides(m, ref.owner, ref.name, TEXT_OF(""), source_of_descriptor(m->c, type.data, type.size));
}

static bool hides_result(struct method_plan *m)
{
    unsigned slots;
    struct text type;
    return descriptor_measure(m->desc, &slots, &type) &&
           plan_hides(m, m->c->name, m->name, TEXT_OF(""), source_of_descriptor(m->c, type.data, type.size));
}

/* Does the instruction put the reference on top of the stack into a place that is hidden? */
static bool takes_top(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (subject_kind(m->flow.subjects[index]) != SUBJECT_PLAIN && (op_table[in->op].flags & OP_STORE))
        return false;
    if ((op_table[in->op].flags & OP_STORE) && op_local_type(in->op) == 'A')
        return hides_local(m, in->local, in->pc + in->length);
    if (in->op == OPC_putfield || in->op == OPC_putstatic)
        return hides_member(m, in, false);
    return in->op == OPC_areturn && hides_result(m);
}

void plan_redact_prologue(struct method_plan *m)
{
    unsigned slot = !m->is_static;
    for (size_t i = 1; m->c->config->redact != NULL && m->desc.data[i] != ')';) {
        size_t n = descriptor_type_length(m->desc.data + i, m->desc.size - i);
        if (descriptor_kind(m->desc.data[i]) == KIND_REF &&
            (hides_local(m, slot, 0) ||
             plan_hides(m, m->c->name, TEXT_OF(""), TEXT_OF(""), source_of_descriptor(m->c, m->desc.data + i, n))))
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
             subject_kind(m->flow.subjects[index]) == SUBJECT_PLAIN && hides_local(m, in->local, in->pc))
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
    bool hidden = in->op != OPC_aaload && in->op != OPC_checkcast &&
                  hides_member(m, in, in->op != OPC_getfield && in->op != OPC_getstatic);
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
