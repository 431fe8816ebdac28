/* plan_span.c - hooks that only count, over instructions that can fail.
 *
 * Where events are only counted (config->counts_only) a piece of code without a branch needs one counter, if all of it
 * is executed whenever its begin is. Instructions that do nothing else but fail now and then, as a read of an array
 * does, need not end it: where one has failed, the exception leads to a handler or to the exceptional exit, which hands
 * over the pc of that instruction, and the recorder counts the events of the piece in front of it
 * (logging/recording/cut.h). kept.from holds the pc of the last instruction that may have thrown.
 *
 *     iload from; push a data ID of the method; invokestatic cut(II)V
 *
 * It takes EXEC, whose exceptional exit no exception passes by. */
#include "weaver/plan.h"

bool plan_only_fails(const struct method_plan *m, const struct insn *in)
{
    const unsigned op = in->op;
    return m->spans && ((op >= OPC_iaload && op <= OPC_saload) || (op >= OPC_iastore && op <= OPC_sastore) ||
                        op == OPC_getfield || op == OPC_putfield || op == OPC_arraylength || op == OPC_checkcast ||
                        op == OPC_instanceof || op == OPC_newarray || op == OPC_anewarray);
}

bool plan_spans(struct method_plan *m)
{
    const struct weave_config *config = m->c->config;
    m->counts_whole = plan_counts_only(m) && !plan_has_triggers(m) && !config->order_total && m->scan.returns == NULL &&
                      !(m->scan.is_constructor && m->scan.this_stored);
    m->spans = m->counts_whole && !m->whole_pieces && plan_has(m, EVENT_METHOD_EXCEPTIONAL_EXIT);
    bool any = false;
    for (size_t i = 0; m->spans && i < m->scan.code.insns.count && !any; i++)
        any = plan_only_fails(m, &m->scan.code.insns.items[i]);
    m->spans = any;
    return any;
}

void plan_span_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    plan_set_from(m, in->pc);
}

void plan_cut(struct method_plan *m)
{
    if (!m->spans)
        return;
    emit_load(&m->glue, 'I', m->kept.from);
    emit_id(&m->glue, plan_next_id(m));
    emit_member_call(&m->glue, MEMBER_CUT, 3); /* the data ID may be the sum of two numbers */
    record_close(m);
}
