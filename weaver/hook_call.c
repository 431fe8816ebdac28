/* hook_call.c - the call that makes a record: of the hook, or, in a loop that has its records in local variables, what
 * stands for it there. See plan.h. */
#include "weaver/plan.h"

#include "formats/windows.h"

/* A record begins with the call that was emitted at `call`; record.c lets other events join it. */
static void open_record(struct method_plan *m, enum hook hook, bool release, uint32_t first, uint32_t call)
{
    /* with triggers or a total order each event needs its own stamp */
    const struct weave_config *config = m->c->config;
    const struct writer *roles = &m->c->out->dataids.roles;
    uint32_t number = first - config->first_dataid; /* not in the list if there was no memory for it */
    bool open = !release && config->triggers == NULL && !config->order_total && hook != HOOK_multi &&
                hook != HOOK_thrown && number < roles->size && plain_role(roles->data[number]);
    m->open = (struct open_record){
        .open = open,
        .known = hook == HOOK_v,
        .movable = hook == HOOK_v,
        .first = first,
        .next = plan_next_id(m),
        .gap = m->gap,
        .top = NO_GAP,
        .pair = NO_GAP,
        .at = call,
        .call = call,
        .end = (uint32_t)m->inserted.size,
    };
}

/* One more record, counted in a local. */
static void emit_tick(struct method_plan *m, unsigned counter, uint32_t id)
{
    emit_load(m, 'I', counter);
    emit_id(m, id);
    emit_member(m, OPC_invokestatic, MEMBER_TICK);
    emit_store(m, 'I', counter);
    if (m->stack_extra < 3)
        m->stack_extra = 3; /* the data ID may be the sum of two numbers */
}

void emit_hook(struct method_plan *m, enum hook hook, bool release, uint32_t id, unsigned on_stack)
{
    enum hook_use use = plan_is_trigger(m, hook, id) ? HOOK_TRIGGER : HOOK_RECORD;
    const int of_loop = plan_loop_record(m, hook, id);
    const uint32_t call = (uint32_t)m->inserted.size;
    m->hook_calls++;
    m->unmarked = 0;
    uint32_t size_at = 0;
    if (m->keeps && m->loop_counts)
        size_at = ring_hook(m, of_loop, hook, release, id, on_stack);
    else if (of_loop >= 0)
        emit_tick(m, m->loop_local + (unsigned)of_loop, id);
    else
        emit_hook_call(m, use, hook, release || m->c->release_all, id, on_stack);
    open_record(m, hook, release, id, call);
    m->open.size_at = size_at;
}
