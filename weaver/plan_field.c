/* plan_field.c - group FIELD: object and value of field reads and writes. */
#include "weaver/plan.h"

#include "formats/journal.h"

struct field {
    struct member_ref ref;
    unsigned kind; /* of its value as it is recorded, */
    char type;     /* and as a local */
    struct attr_list attrs;
    bool release, harmless;
};

/* A read that cannot fail, run other code or synchronize with another thread: of a field of this class, which exists,
 * through `this`, which is not null, or where the class has been initialized, as in its static methods. */
static bool reads_own(const struct method_plan *m, uint32_t index, const struct insn *in, enum field_fact fact)
{
    if (in->op == OPC_getstatic)
        return fact == FIELD_PLAIN_STATIC && m->scan.is_static;
    if (in->op != OPC_getfield || fact != FIELD_PLAIN || index == 0 || (m->scan.code.flags[in->pc] & PC_LABEL) ||
        m->scan.flow.this_uninit[index])
        return false;
    return scan_loads_this(&m->scan, &m->scan.code.insns.items[index - 1]);
}

static bool look(struct method_plan *m, uint32_t index, const struct insn *in, struct field *f)
{
    if (!cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &f->ref))
        return false;
    f->kind = descriptor_kind(f->ref.desc.data[0]);
    const enum field_fact fact = plan_field_fact(m->c, in, &f->ref);
    f->release = fact != FIELD_PLAIN && fact != FIELD_PLAIN_STATIC;
    f->harmless = reads_own(m, index, in, fact);
    f->attrs.count = 0;
    attr_text(&f->attrs, ATTR_name, f->ref.name);
    attr_text(&f->attrs, ATTR_owner, source_of_class(m->c, f->ref.class_index));
    struct text source = source_of_descriptor(m->c, f->ref.desc.data, f->ref.desc.size);
    attr_text(&f->attrs, ATTR_type, source);
    f->type = kind_local(f->kind);
    const bool get = in->op == OPC_getfield || in->op == OPC_getstatic;
    f->kind = plan_hidden_kind(m, f->kind, hides_field(&m->scan, &f->ref) || (get && hidden_result(&m->scan, index)));
    if (fact == FIELD_VOLATILE)
        attr_int(&f->attrs, ATTR_volatile, 1);
    return true;
}

static void before_put(struct method_plan *m, const struct insn *in, const struct field *f)
{
    bool hidden = f->kind == KIND_VOID;
    enum hook hook = hidden ? HOOK_l : hook_of_shape(shape_of('l', kind_shape(f->kind), 0));
    char type = f->type;
    if (plan_counts_only(m) || plan_is_valueless(m, EVENT_PUT_INSTANCE_FIELD)) {
        record_top(m, EVENT_PUT_INSTANCE_FIELD, in->pc, KIND_REF, &f->attrs);
        record_value(m, EVENT_PUT_INSTANCE_FIELD_VALUE, in->pc, f->kind, SLOT_TOP, f->release, &f->attrs);
        return;
    }
    (void)plan_event(m, EVENT_PUT_INSTANCE_FIELD, in->pc, KIND_REF, SLOT_TOP, &f->attrs);
    (void)plan_event(m, EVENT_PUT_INSTANCE_FIELD_VALUE, in->pc, f->kind, SLOT_TOP, &f->attrs);
    if (type_slots(type) == 1) {
        emit_op(&m->glue, OPC_dup2);
        if (hidden)
            emit_op(&m->glue, OPC_pop);
        record_pushed(m, hook, f->release, 2);
        return;
    }
    unsigned slot = plan_scratch(m, type);
    emit_store(&m->glue, type, slot);
    emit_op(&m->glue, OPC_dup);
    if (!hidden)
        emit_load(&m->glue, type, slot);
    record_pushed(m, hook, f->release, 1);
    emit_load(&m->glue, type, slot);
}

void plan_field_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct field f;
    if (!look(m, index, in, &f))
        return;
    if (f.harmless)
        record_harmless(m);
    if ((in->op == OPC_getstatic || in->op == OPC_putstatic) && m->c->facts[in->operand] == FIELD_ELSEWHERE)
        record_mark(m, f.ref.class_index);
    bool fresh = subject_kind(m->scan.flow.subjects[index]) != SUBJECT_PLAIN;
    if (in->op == OPC_getfield && !f.harmless) /* else both are recorded behind it */
        record_top(m, EVENT_GET_INSTANCE_FIELD, in->pc, KIND_REF, &f.attrs);
    if (in->op == OPC_getfield && m->c->facts[in->operand] == FIELD_ELSEWHERE)
        record_mark_named(m);
    if (in->op == OPC_putstatic)
        record_value(m, EVENT_PUT_STATIC_FIELD, in->pc, f.kind, SLOT_TOP, f.release, &f.attrs);
    else if (in->op == OPC_putfield && fresh)
        record_value(m, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, in->pc, f.kind, SLOT_TOP, f.release, &f.attrs);
    else if (in->op == OPC_putfield)
        before_put(m, in, &f);
}

void plan_field_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct field f;
    if ((in->op != OPC_getfield && in->op != OPC_getstatic) || !look(m, index, in, &f))
        return;
    if (in->op == OPC_getfield && f.harmless)
        record_value(m, EVENT_GET_INSTANCE_FIELD, in->pc, KIND_REF, 0, false, &f.attrs);
    record_top(m, in->op == OPC_getfield ? EVENT_GET_INSTANCE_FIELD_RESULT : EVENT_GET_STATIC_FIELD, in->pc, f.kind,
               &f.attrs);
}
