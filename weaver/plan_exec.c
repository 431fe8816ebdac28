/* plan_exec.c - group EXEC: entry with parameters, return, throw, and the handler for an exceptional exit.
 * METHOD_OBJECT_INITIALIZED is in plan_call.c, since it follows a constructor call. */
#include "weaver/plan.h"

#include "formats/journal.h"

static void entry_item(struct method_plan *m, struct sequence_item *it)
{
    sequence_item_init(it, EVENT_METHOD_ENTRY, KIND_VOID, 0);
    if (m->is_static || m->is_constructor) {
        attr_text(&it->attrs, ATTR_methodtype, m->is_static ? TEXT_OF("static") : TEXT_OF("constructor"));
    } else {
        it->kind = KIND_REF;
        attr_int(&it->attrs, ATTR_index, 0);
        attr_text(&it->attrs, ATTR_methodtype, TEXT_OF("instance"));
        attr_text(&it->attrs, ATTR_name, TEXT_OF("this"));
        attr_text(&it->attrs, ATTR_type, source_of_class(m->c, m->c->cf->this_class));
    }
    if (m->member->access & ACC_SYNCHRONIZED)
        attr_int(&it->attrs, ATTR_synchronized, 1);
}

void plan_prologue(struct method_plan *m)
{
    if (m->has_from) {
        emit_int(m, 0);
        emit_store(m, 'I', m->from_local);
    }
    if (m->ret_locals != NULL && plan_has(m, EVENT_RET)) {
        emit_int(m, 0);
        emit_store(m, 'I', m->jsr_local);
        for (unsigned i = 0; i < m->code.max_locals; i++)
            if (m->ret_locals[i] != 0) {
                emit_int(m, 0);
                emit_store(m, 'I', m->ret_locals[i]);
            }
    }
    plan_direct_begin(m);
    plan_keep_thread(m);
    plan_loop_begin(m);
    if (m->stack_extra < 1)
        m->stack_extra = 1;
    if (!plan_has(m, EVENT_METHOD_ENTRY))
        return;
    if (m->c->config->left_out)
        (void)plan_event(m, EVENT_EVENTS_LEFT_OUT, 0, KIND_LONG, NULL);
    struct sequence_item *items = m->c->items;
    unsigned count = 0, slot = !m->is_static, index = !m->is_static;
    entry_item(m, &items[count++]);
    for (size_t i = 1; plan_has(m, EVENT_METHOD_PARAM) && m->desc.data[i] != ')' && count < SEQUENCE_MAX;) {
        size_t n = descriptor_type_length(m->desc.data + i, m->desc.size - i);
        struct sequence_item *it = &items[count++];
        const struct local_name *local = plan_local_at(m, slot, 0);
        sequence_item_init(it, EVENT_METHOD_PARAM, descriptor_kind(m->desc.data[i]), (int32_t)slot);
        attr_int(&it->attrs, ATTR_index, index++);
        struct text name = TEXT_OF("");
        if (local != NULL && cpool_utf8(&m->c->cf->cp, local->name, &name))
            attr_text(&it->attrs, ATTR_name, name);
        struct text source = source_of_descriptor(m->c, m->desc.data + i, n);
        attr_text(&it->attrs, ATTR_type, source);
        it->kind = plan_hidden_kind(m, it->kind,
                                    local != NULL ? plan_hides_local(m, slot, 0)
                                                  : hidden_slot(m, slot) || plan_hides_type(m, source));
        slot += type_slots(m->desc.data[i]);
        i += n;
    }
    record_sequence(m, 0, items, count, m->c->config->direct && !m->direct);
}

void plan_exec_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (in->op == OPC_athrow) {
        uint32_t id = plan_event(m, EVENT_METHOD_THROW, in->pc, KIND_REF, NULL);
        emit_op(m, OPC_dup);
        emit_hook(m, HOOK_thrown, false, id, 1);
    } else if (op_table[in->op].flags & OP_RETURN) {
        unsigned slots;
        struct text type;
        if (!descriptor_measure(m->desc, &slots, &type))
            return;
        unsigned kind = in->op == OPC_return ? KIND_VOID : descriptor_kind(type.data[0]);
        struct attr_list a;
        a.count = 0;
        struct text source = source_of_descriptor(m->c, type.data, type.size);
        attr_text(&a, ATTR_type, source);
        kind = plan_hidden_kind(m, kind, hidden_argument(m, index, 0) || plan_hides_return(m));
        m->leaves = m->has_called;
        record_value(m, EVENT_METHOD_NORMAL_EXIT, in->pc, kind, SLOT_TOP, true, &a);
        m->leaves = false;
    }
}

uint32_t plan_exceptional_exit(struct method_plan *m, unsigned exception_local, struct writer *code)
{
    struct attr_list a;
    a.count = 0;
    attr_text(&a, ATTR_location, TEXT_OF("exceptional-exit-rethrow"));
    size_t start = m->inserted.size;
    if (m->takes_overflow) {
        emit_store(m, 'A', exception_local);
        emit_load(m, 'A', exception_local);
    }
    const bool recorded = plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT);
    plan_direct_forget(m);
    if (recorded)
        plan_record_missed(m);
    plan_cut(m);
    plan_loop_exit(m);
    if (m->inputs) { /* where the exception came from: the events up to there have happened */
        m->open.open = false;
        emit_load(m, 'I', m->from_local);
        emit_int(m, -1);
        emit_op(m, OPC_ixor); /* -1 - pc */
        emit_hook(m, HOOK_i, false, plan_next_id(m), 1);
        m->open.open = false;
    }
    const uint32_t id = plan_next_id(m);
    if (recorded)
        record_value(m, EVENT_METHOD_EXCEPTIONAL_EXIT, m->code.length, KIND_REF, SLOT_TOP, true, &a);
    emit_op(m, OPC_athrow);
    if (!m->inserted.bad)
        write_bytes(code, m->inserted.data + start, m->inserted.size - start);
    m->inserted.size = start;
    return id;
}

/* A call that records nothing by itself; `on_stack` are the slots of its arguments, which are there. */
static void emit_static(struct method_plan *m, const char *class, const char *name, const char *desc, unsigned on_stack)
{
    uint32_t ref = plan_method_ref(m, class, name, desc);
    if (m->stack_extra < on_stack)
        m->stack_extra = (uint16_t)on_stack;
    emit_op(m, OPC_invokestatic);
    write_u2(&m->inserted, ref);
    m->hook_calls++;
}

void plan_made_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index, (void)in;
    m->open.open = false;
    emit_load(m, 'A', 0);
    emit_static(m, m->c->config->hook_class, "made", "(Ljava/lang/Object;)V", 1);
}

void plan_uncaught(struct method_plan *m)
{
    if (!m->c->config->uncaught || m->is_static || !text_is(m->name, "dispatchUncaughtException") ||
        !text_is(m->desc, "(Ljava/lang/Throwable;)V"))
        return;
    emit_load(m, 'A', 1);
    emit_static(m, m->c->config->hook_class, "uncaught", "(Ljava/lang/Throwable;)V", 1);
}

void plan_output(struct method_plan *m)
{
    static const struct {
        const char *desc, *called;
        unsigned arguments;
    } writes[] = {
        { "(I)V", "(Ljava/io/FileOutputStream;I)V", 1 },
        { "([B)V", "(Ljava/io/FileOutputStream;[B)V", 1 },
        { "([BII)V", "(Ljava/io/FileOutputStream;[BII)V", 3 },
    };
    if (!m->c->config->output || m->is_static || !text_is(m->name, "write"))
        return;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        if (!text_is(m->desc, writes[i].desc))
            continue;
        emit_load(m, 'A', 0);
        emit_load(m, m->desc.data[1] == '[' ? 'A' : 'I', 1);
        for (unsigned k = 2; k <= writes[i].arguments; k++)
            emit_load(m, 'I', k);
        emit_static(m, m->c->config->output_class, "written", writes[i].called, 1 + writes[i].arguments);
    }
}
