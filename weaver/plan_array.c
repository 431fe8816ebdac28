/* plan_array.c - group ARRAY: loads, stores, creation, length. */
#include "weaver/plan.h"

#include "formats/journal.h"

/* Kind of the elements, by the opcode's place in iaload laload faload daload aaload baload caload saload. */
static unsigned element_kind(unsigned offset) { return (unsigned char)"IJFDLBCS"[offset]; }

/* VOID if redact= hides the value. */
static unsigned shown_kind(struct method_plan *m, unsigned offset, bool hidden)
{
    return plan_hidden_kind(m, element_kind(offset), hidden || hides_element(&m->scan, offset));
}

static void before_store(struct method_plan *m, uint32_t index, const struct insn *in)
{
    unsigned kind = shown_kind(m, in->op - OPC_iastore, hidden_argument(&m->scan, index, 0));
    char type = kind_local(element_kind(in->op - OPC_iastore));
    if (plan_counts_only(m) || plan_is_valueless(m, EVENT_ARRAY_STORE)) {
        record_top(m, EVENT_ARRAY_STORE, in->pc, KIND_REF, NULL);
        record_top(m, EVENT_ARRAY_STORE_INDEX, in->pc, KIND_INT, NULL);
        record_top(m, EVENT_ARRAY_STORE_VALUE, in->pc, kind, NULL);
        return;
    }
    unsigned slot = plan_scratch(m, type);
    emit_store(&m->glue, type, slot);
    emit_op(&m->glue, OPC_dup2);
    if (kind != KIND_VOID)
        emit_load(&m->glue, type, slot);
    (void)plan_event(m, EVENT_ARRAY_STORE, in->pc, KIND_REF, SLOT_TOP, NULL);
    (void)plan_event(m, EVENT_ARRAY_STORE_INDEX, in->pc, KIND_INT, SLOT_TOP, NULL);
    (void)plan_event(m, EVENT_ARRAY_STORE_VALUE, in->pc, kind, SLOT_TOP, NULL);
    record_pushed(m, kind == KIND_VOID ? HOOK_li : hook_of_shape(shape_of('l', 'i', kind_shape(kind))), false, 2);
    emit_load(&m->glue, type, slot);
    if (type == 'A')
        emit_clear(&m->glue, slot);
}

static struct text newarray_type(int32_t code)
{
    static const char *const names[] = { "boolean", "char", "float", "double", "byte", "short", "int", "long" };
    const char *s = code >= 4 && code <= 11 ? names[code - 4] : "";
    return (struct text){ s, strlen(s) };
}

void plan_array_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (in->op >= OPC_iaload && in->op <= OPC_saload) {
        struct sequence_item *items = m->c->items;
        sequence_item_init(&items[0], EVENT_ARRAY_LOAD, KIND_REF, SLOT_TOP);
        sequence_item_init(&items[1], EVENT_ARRAY_LOAD_INDEX, KIND_INT, SLOT_TOP);
        record_pair(m, in->pc, items, false);
    } else if (in->op >= OPC_iastore && in->op <= OPC_sastore) {
        before_store(m, index, in);
    } else if (in->op == OPC_newarray || in->op == OPC_anewarray) {
        struct attr_list a;
        a.count = 0;
        attr_text(&a, ATTR_type,
                  in->op == OPC_newarray ? newarray_type(in->operand) : source_of_class(m->c, (uint32_t)in->operand));
        record_top(m, EVENT_NEW_ARRAY, in->pc, KIND_INT, &a);
        if (in->op == OPC_anewarray)
            record_mark_named(m);
    } else if (in->op == OPC_multianewarray) {
        record_mark_named(m);
    } else if (in->op == OPC_arraylength) {
        record_top(m, EVENT_ARRAY_LENGTH, in->pc, KIND_REF, NULL);
    }
}

void plan_array_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (in->op >= OPC_iaload && in->op <= OPC_saload) {
        record_top(m, EVENT_ARRAY_LOAD_RESULT, in->pc,
                   shown_kind(m, in->op - OPC_iaload, hidden_result(&m->scan, index)), NULL);
    } else if (in->op == OPC_newarray || in->op == OPC_anewarray) {
        record_top(m, EVENT_NEW_ARRAY_RESULT, in->pc, KIND_REF, NULL);
    } else if (in->op == OPC_arraylength) {
        record_top(m, EVENT_ARRAY_LENGTH_RESULT, in->pc, KIND_INT, NULL);
    } else if (in->op == OPC_multianewarray) {
        struct attr_list a;
        a.count = 0;
        attr_text(&a, ATTR_type, source_of_class(m->c, (uint32_t)in->operand));
        attr_int(&a, ATTR_dimensions, in->extra);
        emit_op(&m->glue, OPC_dup);
        (void)plan_event(m, EVENT_MULTI_NEW_ARRAY, in->pc, KIND_REF, SLOT_TOP, &a);
        (void)plan_event(m, EVENT_MULTI_NEW_ARRAY_OWNER, in->pc, KIND_REF, SLOT_TOP, NULL);
        (void)plan_event(m, EVENT_MULTI_NEW_ARRAY_ELEMENT, in->pc, KIND_REF, SLOT_TOP, NULL);
        record_alone(m, HOOK_multi, false, 1);
    }
}
