/* plan_ring.c - entries of counters that loops write themselves (logging/aggregate/counters.h).
 *
 * Where the last events are kept, the hook looks for the thread, its counter, the place of the next entry and the
 * number of the event, and writes all but the first two back. A loop that calls nothing has them in local variables,
 * which the JIT keeps in registers:
 *
 *     where it begins     invokestatic number()J; lstore n; push a data ID; invokestatic at(I)J; lstore p
 *     a record            push its values and data ID; lload p; lload n; invokestatic loop_SHAPE(..IJJ)J; lstore p
 *                         lload n; push how many events it has; i2l; ladd; lstore n
 *     where it is left    lload p; lload n; push the data ID; invokestatic leave(JJI)V; lconst_0; lstore p
 *
 * Each record has a p, all have the same n. Since nothing else knows n meanwhile, such a loop has no instruction that
 * may run other code of the thread, as the first use of another class does. plan_loop.c finds the loops. */
#include "weaver/plan.h"

enum { LEAVE_STACK = 6 }; /* two longs, and a data ID that may be the sum of two numbers */

bool ring_possible(const struct method_plan *m)
{
    const struct weave_config *config = m->c->config;
    return config->count_rounds && !plan_counts_only(m) && !m->inputs && config->triggers == NULL &&
           config->redact == NULL && !config->order_total && !m->c->release_all && m->ret_locals == NULL &&
           !m->code.has_jsr && !(m->is_constructor && m->this_stored);
}

bool ring_may_hold(struct method_plan *m, uint32_t index)
{
    const struct insn *in = &m->code.insns.items[index];
    const struct op_info *op = &op_table[in->op];
    if ((m->code.flags[in->pc] & PC_HANDLER) || (op->flags & OP_INVOKE))
        return false;
    switch ((unsigned)in->op) {
    case OPC_getstatic:
    case OPC_putstatic:
    case OPC_getfield:
    case OPC_putfield: return plan_is_own_field(m, in);
    case OPC_ldc:
    case OPC_ldc_w:
    case OPC_ldc2_w:
        switch ((unsigned)cpool_tag(&m->c->cf->cp, (uint32_t)in->operand)) {
        case CONSTANT_Integer:
        case CONSTANT_Float:
        case CONSTANT_Long:
        case CONSTANT_Double:
        case CONSTANT_String: return true;
        default: return false; /* they are resolved by code of the program */
        }
    case OPC_new:
    case OPC_anewarray:
    case OPC_multianewarray:
    case OPC_checkcast:
    case OPC_instanceof:
    case OPC_athrow:
    case OPC_monitorenter:
    case OPC_monitorexit: return false;
    default: return true;
    }
}

static unsigned number_of(const struct method_plan *m) { return m->loop_local; }
static unsigned place_of(const struct method_plan *m, unsigned record) { return m->loop_local + 2 + 2 * record; }

static void need_stack(struct method_plan *m, unsigned slots)
{
    if (m->stack_extra < slots)
        m->stack_extra = (uint16_t)slots;
}

static void set_zero(struct method_plan *m, unsigned slot)
{
    emit_op(m, OPC_lconst_0);
    emit_store(m, 'J', slot);
}

void ring_begin(struct method_plan *m)
{
    set_zero(m, number_of(m));
    for (unsigned i = 0; i < m->loop_counters; i++)
        set_zero(m, place_of(m, i));
    need_stack(m, 2);
}

static void load_number(struct method_plan *m)
{
    emit_member(m, OPC_invokestatic, MEMBER_NUMBER);
    emit_store(m, 'J', number_of(m));
}

void ring_enter(struct method_plan *m, const struct loop_nest *n)
{
    load_number(m);
    for (unsigned i = n->counter; i < n->counter + n->used; i++) {
        emit_id(m, m->counters[i].id - 1);
        emit_member(m, OPC_invokestatic, MEMBER_AT);
        emit_store(m, 'J', place_of(m, i));
    }
    need_stack(m, 2);
}

void ring_leave(struct method_plan *m, unsigned record)
{
    emit_load(m, 'J', place_of(m, record));
    emit_load(m, 'J', number_of(m));
    emit_id(m, m->counters[record].id - 1);
    emit_member(m, OPC_invokestatic, MEMBER_LEAVE);
    set_zero(m, place_of(m, record));
    m->hook_calls++;
    need_stack(m, LEAVE_STACK);
}

/* The records of the nest that stands here are told, and the hook is called as elsewhere. */
static void leave_and_enter(struct method_plan *m, enum hook hook, bool release, uint32_t id, unsigned on_stack)
{
    for (unsigned i = m->nest->counter; i < m->nest->counter + m->nest->used; i++)
        ring_leave(m, i);
    emit_hook_call(m, HOOK_RECORD, hook, release, id, on_stack);
    ring_enter(m, m->nest);
    need_stack(m, on_stack + LEAVE_STACK);
}

uint32_t ring_hook(struct method_plan *m, int record, enum hook hook, bool release, uint32_t id, unsigned on_stack)
{
    if (record < 0 || release) {
        leave_and_enter(m, hook, release, id, on_stack);
        return 0;
    }
    const unsigned place = place_of(m, (unsigned)record), number = number_of(m);
    uint32_t ref = hook_ref(&m->c->hooks, &m->c->cf->cp, HOOK_LOOP, hook, false);
    m->full |= ref == 0;
    emit_id(m, id);
    emit_load(m, 'J', place);
    emit_load(m, 'J', number);
    emit_op(m, OPC_invokestatic);
    write_u2(&m->inserted, ref);
    emit_store(m, 'J', place);
    emit_load(m, 'J', number);
    emit_op(m, OPC_bipush);
    const uint32_t size_at = (uint32_t)m->inserted.size;
    write_u1(&m->inserted, plan_next_id(m) - id);
    emit_op(m, OPC_i2l);
    emit_op(m, OPC_ladd);
    emit_store(m, 'J', number);
    need_stack(m, on_stack + LEAVE_STACK);
    return size_at;
}
