/* plan_local.c - group LOCAL: loads, stores, increments, and ret.
 *
 * A return address of jsr is no value a hook could take. For RET each jsr notes where it returns to in an int local, the
 * store of the address copies the note into a twin of the slot, and ret shows the twin. */
#include "weaver/plan.h"

struct local_view {
    unsigned kind, attr_count;
    struct attr_value attrs[4];
};

/* What is known of a slot: its declared type decides how an int is read; else the instruction does. */
static struct local_view look(struct method_plan *m, unsigned slot, uint32_t pc, char type)
{
    struct local_view v = { .kind = type == 'A' ? KIND_REF : (unsigned char)type };
    const struct local_name *l = plan_local_at(m, slot, pc);
    struct text name, desc;
    if (l != NULL && cpool_utf8(&m->c->cf->cp, l->name, &name) && cpool_utf8(&m->c->cf->cp, l->desc, &desc) && desc.size > 0 &&
        kind_known(descriptor_kind(desc.data[0])) && kind_local(descriptor_kind(desc.data[0])) == type) {
        v.kind = descriptor_kind(desc.data[0]);
        v.attrs[v.attr_count++] = attr_text(ATTR_name, name);
        v.attrs[v.attr_count++] = attr_text(ATTR_type, source_of_descriptor(m->c, desc.data, desc.size));
    } else {
        static const char *const names[] = { "int", "long", "float", "double", "java.lang.Object" };
        const char *s = names[strchr("IJFDA", type) - "IJFDA"];
        v.attrs[v.attr_count++] = attr_text(ATTR_type, (struct text){ s, strlen(s) });
    }
    v.attrs[v.attr_count++] = attr_int(ATTR_varindex, slot);
    return v;
}

static bool is_this(const struct method_plan *m, const struct insn *in)
{
    return in->local == 0 && !m->is_static && !m->this_stored && op_local_type(in->op) == 'A';
}

void plan_local_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if (op->flags & OP_STORE) {
        struct local_view v = look(m, in->local, in->pc + in->length, op_local_type(in->op));
        subject s = m->flow.subjects[index];
        if (subject_kind(s) != SUBJECT_PLAIN)
            v.kind = KIND_VOID;
        emit_value(m, v.kind, false, plan_event(m, EVENT_LOCAL_STORE, in->pc, v.kind, v.attr_count, v.attrs));
        if (subject_kind(s) == SUBJECT_RETURN_ADDRESS && m->ret_locals != NULL && m->ret_locals[in->local] != 0) {
            emit_load(m, 'I', m->jsr_local);
            emit_store(m, 'I', m->ret_locals[in->local]);
        }
    } else if ((op->flags & OP_JSR) && m->ret_locals != NULL) {
        emit_int(m, (int32_t)(in->pc + in->length));
        emit_store(m, 'I', m->jsr_local);
    } else if (in->op == OPC_ret && m->ret_locals != NULL) {
        struct attr_value a = attr_int(ATTR_varindex, in->local);
        emit_load(m, 'I', m->ret_locals[in->local]);
        emit_hook(m, HOOK_i, false, plan_event(m, EVENT_RET, in->pc, KIND_PC, 1, &a), 1);
    }
}

void plan_local_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (op_table[in->op].flags & OP_LOAD) {
        if (is_this(m, in))
            return;
        struct local_view v = look(m, in->local, in->pc, op_local_type(in->op));
        if (subject_kind(m->flow.subjects[index]) != SUBJECT_PLAIN)
            v.kind = KIND_VOID;
        emit_value(m, v.kind, false, plan_event(m, EVENT_LOCAL_LOAD, in->pc, v.kind, v.attr_count, v.attrs));
    } else if (in->op == OPC_iinc) {
        struct local_view v = look(m, in->local, in->pc, 'I');
        struct attr_value a[5] = { attr_int(ATTR_amount, in->operand) };
        for (unsigned i = 0; i < v.attr_count; i++)
            a[i + 1] = v.attrs[i];
        emit_load(m, 'I', in->local);
        emit_hook(m, HOOK_i, false, plan_event(m, EVENT_LOCAL_INCREMENT, in->pc, v.kind, v.attr_count + 1, a), 1);
    }
}
