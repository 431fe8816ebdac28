/* plan_local.c - group LOCAL: loads, stores, increments, and ret.
 *
 * A return address of jsr cannot be passed to a hook. For RET each jsr stores the pc that it returns to in an int
 * local, the store of the address copies it into a companion of the slot, and ret records the companion. */
#include "weaver/plan.h"

/* Sets the attributes of a slot and returns its kind: by its declared type, which decides how an int is read, else by
 * the instruction. */
static unsigned look(struct method_plan *m, unsigned slot, uint32_t pc, char type, struct attr_list *attrs)
{
    unsigned kind = type == 'A' ? KIND_REF : (unsigned char)type;
    const struct local_name *l = scan_local_at(&m->scan, slot, pc);
    struct text name, desc;
    if (l != NULL && cpool_utf8(&m->c->cf->cp, l->name, &name) && cpool_utf8(&m->c->cf->cp, l->desc, &desc) &&
        desc.size > 0 && kind_known(descriptor_kind(desc.data[0])) &&
        kind_local(descriptor_kind(desc.data[0])) == type) {
        kind = descriptor_kind(desc.data[0]);
        struct text source = source_of_descriptor(m->c, desc.data, desc.size);
        attr_text(attrs, ATTR_name, name);
        attr_text(attrs, ATTR_type, source);
        kind = plan_hidden_kind(m, kind, hides_local(&m->scan, slot, pc));
    } else {
        static const char *const names[] = { "int", "long", "float", "double", "java.lang.Object" };
        const char *s = names[type_index(type)];
        attr_text(attrs, ATTR_type, (struct text){ s, strlen(s) });
        const bool hidden = (l == NULL && hidden_slot(&m->scan, slot)) ||
                            (m->c->config->redact != NULL && hides_type(&m->scan, (struct text){ s, strlen(s) }));
        kind = plan_hidden_kind(m, kind, hidden);
    }
    attr_int(attrs, ATTR_varindex, slot);
    return kind;
}

void plan_local_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    struct attr_list a;
    a.count = 0;
    if (op->flags & OP_LOAD) {
        if (scan_loads_this(&m->scan, in))
            return;
        unsigned kind = look(m, in->local, in->pc, op_local_type(in->op), &a);
        if (subject_kind(m->scan.flow.subjects[index]) != SUBJECT_PLAIN)
            kind = KIND_VOID;
        record_value(m, EVENT_LOCAL_LOAD, in->pc, kind, in->local, false, &a);
    } else if (op->flags & OP_STORE) {
        unsigned kind = look(m, in->local, scan_store_pc(&m->scan, index, in), op_local_type(in->op), &a);
        subject s = m->scan.flow.subjects[index];
        if (subject_kind(s) != SUBJECT_PLAIN)
            kind = KIND_VOID;
        record_top(m, EVENT_LOCAL_STORE, in->pc, kind, &a);
        if (subject_kind(s) == SUBJECT_RETURN_ADDRESS && m->scan.returns != NULL && m->scan.returns[in->local] != 0) {
            emit_load(&m->glue, 'I', m->kept.jsr);
            emit_store(&m->glue, 'I', m->kept.jsr + m->scan.returns[in->local]);
        }
    } else if ((op->flags & OP_JSR) && m->scan.returns != NULL) {
        emit_int(&m->glue, (int32_t)(in->pc + in->length));
        emit_store(&m->glue, 'I', m->kept.jsr);
    } else if (in->op == OPC_ret && m->scan.returns != NULL) {
        attr_int(&a, ATTR_varindex, in->local);
        record_value(m, EVENT_RET, in->pc, KIND_PC, m->kept.jsr + m->scan.returns[in->local], false, &a);
    }
}

void plan_local_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct attr_list a;
    a.count = 0;
    (void)index;
    if (in->op == OPC_iinc) {
        attr_int(&a, ATTR_amount, in->operand);
        unsigned kind = look(m, in->local, in->pc, 'I', &a);
        record_value(m, EVENT_LOCAL_INCREMENT, in->pc, kind, in->local, false, &a);
    }
}
