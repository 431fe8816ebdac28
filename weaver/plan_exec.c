/* plan_exec.c - group EXEC: entry with parameters, return, throw, and the handler for an exceptional exit.
 * METHOD_OBJECT_INITIALIZED is in plan_call.c, since it follows a constructor call. */
#include "weaver/plan.h"

#include "formats/journal.h"

static void entry_item(struct method_plan *m, struct sequence_item *it)
{
    sequence_item_init(it, EVENT_METHOD_ENTRY, KIND_VOID, 0);
    if (m->scan.is_static || m->scan.is_constructor) {
        attr_text(&it->attrs, ATTR_methodtype, m->scan.is_static ? TEXT_OF("static") : TEXT_OF("constructor"));
    } else {
        it->kind = KIND_REF;
        attr_int(&it->attrs, ATTR_index, 0);
        attr_text(&it->attrs, ATTR_methodtype, TEXT_OF("instance"));
        attr_text(&it->attrs, ATTR_name, TEXT_OF("this"));
        attr_text(&it->attrs, ATTR_type, source_of_class(m->c, m->c->cf->this_class));
    }
    if (m->scan.member->access & ACC_SYNCHRONIZED)
        attr_int(&it->attrs, ATTR_synchronized, 1);
}

void plan_prologue(struct method_plan *m)
{
    if (m->kept.has_from) {
        emit_int(&m->glue, 0);
        emit_store(&m->glue, 'I', m->kept.from);
    }
    if (m->scan.returns != NULL && plan_has(m, EVENT_RET)) {
        for (unsigned i = 0; i <= m->scan.return_count; i++) {
            emit_int(&m->glue, 0);
            emit_store(&m->glue, 'I', m->kept.jsr + i);
        }
    }
    plan_direct_begin(m);
    plan_keep_thread(m);
    loops_begin(m, &m->glue);
    emit_stack(&m->glue, 1);
    if (!plan_has(m, EVENT_METHOD_ENTRY))
        return;
    if (m->c->config->left_out)
        plan_static(m, EVENT_EVENTS_LEFT_OUT, 0, KIND_LONG, NULL);
    struct sequence_item *items = m->c->items;
    unsigned count = 0, slot = !m->scan.is_static, index = !m->scan.is_static;
    entry_item(m, &items[count++]);
    for (size_t i = 1; plan_has(m, EVENT_METHOD_PARAM) && m->scan.desc.data[i] != ')' && count < SEQUENCE_MAX;) {
        size_t n = descriptor_type_length(m->scan.desc.data + i, m->scan.desc.size - i);
        struct sequence_item *it = &items[count++];
        const struct local_name *local = scan_local_at(&m->scan, slot, 0);
        sequence_item_init(it, EVENT_METHOD_PARAM, descriptor_kind(m->scan.desc.data[i]), (int32_t)slot);
        attr_int(&it->attrs, ATTR_index, index++);
        struct text name = TEXT_OF("");
        if (local != NULL && cpool_utf8(&m->c->cf->cp, local->name, &name))
            attr_text(&it->attrs, ATTR_name, name);
        struct text source = source_of_descriptor(m->c, m->scan.desc.data + i, n);
        attr_text(&it->attrs, ATTR_type, source);
        it->kind = plan_hidden_kind(m, it->kind,
                                    local != NULL ? hides_local(&m->scan, slot, 0)
                                                  : hidden_slot(&m->scan, slot) || hides_type(&m->scan, source));
        slot += type_slots(m->scan.desc.data[i]);
        i += n;
    }
    record_sequence(m, 0, items, count, m->c->config->direct && !m->direct);
}

void plan_exec_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    if (in->op == OPC_athrow) {
        emit_op(&m->glue, OPC_dup);
        (void)plan_event(m, EVENT_METHOD_THROW, in->pc, KIND_REF, SLOT_TOP, NULL);
        record_alone(m, HOOK_thrown, false, 1);
    } else if (op_table[in->op].flags & OP_RETURN) {
        unsigned slots;
        struct text type;
        if (!descriptor_measure(m->scan.desc, &slots, &type))
            return;
        unsigned kind = in->op == OPC_return ? KIND_VOID : descriptor_kind(type.data[0]);
        struct attr_list a;
        a.count = 0;
        struct text source = source_of_descriptor(m->c, type.data, type.size);
        attr_text(&a, ATTR_type, source);
        kind = plan_hidden_kind(m, kind, hidden_argument(&m->scan, index, 0) || hides_return(&m->scan));
        plan_direct_leave(m);
        record_value(m, EVENT_METHOD_NORMAL_EXIT, in->pc, kind, SLOT_TOP, true, &a);
    }
}

uint32_t plan_exceptional_exit(struct method_plan *m)
{
    struct attr_list a;
    a.count = 0;
    attr_text(&a, ATTR_location, TEXT_OF("exceptional-exit-rethrow"));
    plan_clear_steps(m);
    if (m->kept.has_thread) {
        emit_store(&m->glue, 'A', m->exit.locals.exception);
        emit_load(&m->glue, 'A', m->exit.locals.exception);
    }
    const bool recorded = plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT);
    plan_direct_forget(m);
    if (recorded)
        plan_record_missed(m);
    plan_cut(m);
    loops_exit(m, &m->glue);
    if (m->inputs) { /* where the exception came from: the events up to there have happened */
        emit_load(&m->glue, 'I', m->kept.from);
        emit_int(&m->glue, -1);
        emit_op(&m->glue, OPC_ixor); /* -1 - pc */
        emit_hook_call(&m->glue, HOOK_RECORD, HOOK_i, m->c->release_all, plan_next_id(m), 1);
    }
    const uint32_t id = plan_next_id(m);
    if (recorded)
        record_value(m, EVENT_METHOD_EXCEPTIONAL_EXIT, m->scan.code.length, KIND_REF, SLOT_TOP, true, &a);
    emit_op(&m->glue, OPC_athrow);
    (void)plan_place(m);
    return id;
}

void plan_made_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index, (void)in;
    record_close(m);
    emit_load(&m->glue, 'A', 0);
    emit_static(&m->glue, m->c->config->hook_class, "made", "(Ljava/lang/Object;)V", 1);
}

void plan_uncaught(struct method_plan *m)
{
    if (!m->c->config->uncaught || m->scan.is_static || !text_is(m->scan.name, "dispatchUncaughtException") ||
        !text_is(m->scan.desc, "(Ljava/lang/Throwable;)V"))
        return;
    emit_load(&m->glue, 'A', 1);
    emit_static(&m->glue, m->c->config->hook_class, "uncaught", "(Ljava/lang/Throwable;)V", 1);
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
    if (!m->c->config->output || m->scan.is_static || !text_is(m->scan.name, "write"))
        return;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        if (!text_is(m->scan.desc, writes[i].desc))
            continue;
        emit_load(&m->glue, 'A', 0);
        emit_load(&m->glue, m->scan.desc.data[1] == '[' ? 'A' : 'I', 1);
        for (unsigned k = 2; k <= writes[i].arguments; k++)
            emit_load(&m->glue, 'I', k);
        emit_static(&m->glue, m->c->config->output_class, "written", writes[i].called, 1 + writes[i].arguments);
    }
}
