/* plan_object.c - groups OBJECT (constants that are objects, instanceof) and SYNC (monitors). */
#include "weaver/plan.h"

/* Type of a loadable constant that is a reference; false for numbers. JVMS 4.4-C. */
static bool constant_type(struct method_plan *m, uint32_t index, struct text *type)
{
    struct text name, desc;
    uint32_t bootstrap;
    switch (cpool_tag(&m->c->cf->cp, index)) {
    case CONSTANT_String: *type = TEXT_OF("java.lang.String"); return true;
    case CONSTANT_Class: *type = TEXT_OF("java.lang.Class"); return true;
    case CONSTANT_MethodType: *type = TEXT_OF("java.lang.invoke.MethodType"); return true;
    case CONSTANT_MethodHandle: *type = TEXT_OF("java.lang.invoke.MethodHandle"); return true;
    case CONSTANT_Dynamic:
        if (!cpool_dynamic(&m->c->cf->cp, index, &bootstrap, &name, &desc) || descriptor_kind(desc.data[0]) != KIND_REF)
            return false;
        *type = source_of_descriptor(m->c, desc.data, desc.size);
        return true;
    default: return false;
    }
}

/* Is it a constant whose first use asks for classes? */
static bool names_class(const struct method_plan *m, const struct insn *in)
{
    if (in->op != OPC_ldc && in->op != OPC_ldc_w)
        return false;
    const unsigned tag = cpool_tag(&m->c->cf->cp, (uint32_t)in->operand);
    return tag == CONSTANT_Class || tag == CONSTANT_MethodType || tag == CONSTANT_MethodHandle;
}

static bool is_dynamic(const struct method_plan *m, const struct insn *in)
{
    return (in->op == OPC_ldc || in->op == OPC_ldc_w) &&
           cpool_tag(&m->c->cf->cp, (uint32_t)in->operand) == CONSTANT_Dynamic;
}

void plan_object_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    if (in->op == OPC_instanceof) {
        struct attr_list a;
        a.count = 0;
        attr_text(&a, ATTR_type, source_of_class(m->c, (uint32_t)in->operand));
        record_top(m, EVENT_OBJECT_INSTANCEOF, in->pc, KIND_REF, &a);
    }
    if (in->op == OPC_instanceof || in->op == OPC_checkcast || names_class(m, in))
        record_mark_named(m);
    else if (is_dynamic(m, in)) /* whose bootstrap method may be woven */
        record_mark(m, (uint32_t)in->operand);
}

void plan_object_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    struct text type;
    (void)index;
    if (in->op == OPC_instanceof) {
        record_top(m, EVENT_OBJECT_INSTANCEOF_RESULT, in->pc, KIND_BOOLEAN, NULL);
    } else if ((in->op == OPC_ldc || in->op == OPC_ldc_w) && constant_type(m, (uint32_t)in->operand, &type)) {
        struct attr_list a;
        a.count = 0;
        attr_text(&a, ATTR_type, type);
        record_top(m, EVENT_OBJECT_CONSTANT_LOAD, in->pc, KIND_REF, &a);
    }
}

void plan_sync_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    unsigned kind = subject_kind(m->scan.flow.subjects[index]) == SUBJECT_PLAIN ? KIND_REF : KIND_VOID;
    bool enter = in->op == OPC_monitorenter;
    if (enter && kind == KIND_REF && !plan_counts_only(m)) {
        m->stash = (int32_t)plan_scratch(m, 'A');
        emit_op(&m->glue, OPC_dup);
        emit_store(&m->glue, 'A', (unsigned)m->stash);
    }
    record_value(m, enter ? EVENT_MONITOR_ENTER : EVENT_MONITOR_EXIT, in->pc, kind, SLOT_TOP, !enter, NULL);
}

void plan_sync_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    if (in->op != OPC_monitorenter)
        return;
    unsigned kind = subject_kind(m->scan.flow.subjects[index]) == SUBJECT_PLAIN ? KIND_REF : KIND_VOID;
    record_value(m, EVENT_MONITOR_ENTER_RESULT, in->pc, kind, m->stash, false, NULL);
    if (m->stash >= 0)
        emit_clear(&m->glue, (unsigned)m->stash);
}
