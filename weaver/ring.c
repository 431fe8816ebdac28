/* ring.c - entries of counters that loops write themselves (logging/aggregate/counters.h).
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
 * may run other code of the thread, as the first use of another class does. loops.c finds the loops. */
#include "weaver/loops.h"

#include "weaver/plan.h"

enum { LEAVE_STACK = 6 }; /* two longs, and a data ID that may be the sum of two numbers */

bool ring_possible(const struct method_plan *m)
{
    const struct weave_config *config = m->c->config;
    return config->count_rounds && !plan_counts_only(m) && !m->inputs && !plan_has_triggers(m) &&
           config->redact == NULL && !config->order_total && !m->c->release_all && m->scan.returns == NULL &&
           !m->scan.code.has_jsr && !(m->scan.is_constructor && m->scan.this_stored);
}

bool ring_may_hold(struct method_plan *m, uint32_t index)
{
    const struct insn *in = &m->scan.code.insns.items[index];
    const struct op_info *op = &op_table[in->op];
    if ((m->scan.code.flags[in->pc] & PC_HANDLER) || (op->flags & OP_INVOKE))
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

static unsigned number_of(const struct loop_plan *l) { return l->local; }
static unsigned place_of(const struct loop_plan *l, unsigned counter) { return l->local + 2u + 2 * counter; }

static void set_zero(struct emitter *e, unsigned slot)
{
    emit_op(e, OPC_lconst_0);
    emit_store(e, 'J', slot);
}

void ring_begin(const struct loop_plan *l, struct emitter *e)
{
    set_zero(e, number_of(l));
    for (unsigned i = 0; i < l->counters; i++)
        set_zero(e, place_of(l, i));
    emit_stack(e, 2);
}

void ring_enter(const struct loop_plan *l, const struct loop_nest *n, unsigned used, struct emitter *e)
{
    emit_member(e, OPC_invokestatic, MEMBER_NUMBER);
    emit_store(e, 'J', number_of(l));
    for (unsigned i = n->counter; i < n->counter + used; i++) {
        emit_id(e, l->counter[i].id - 1);
        emit_member(e, OPC_invokestatic, MEMBER_AT);
        emit_store(e, 'J', place_of(l, i));
    }
    emit_stack(e, 2);
}

void ring_leave(const struct loop_plan *l, unsigned counter, struct emitter *e)
{
    emit_load(e, 'J', place_of(l, counter));
    emit_load(e, 'J', number_of(l));
    emit_id(e, l->counter[counter].id - 1);
    emit_member_call(e, MEMBER_LEAVE, LEAVE_STACK);
    set_zero(e, place_of(l, counter));
}

void ring_record(const struct loop_plan *l, const struct loop_nest *n, const struct record *r, bool release,
                 struct emitter *e)
{
    emit_stack(e, r->on_stack + LEAVE_STACK);
    if (r->counter < 0 || r->release) { /* the positions are stored, and the hook is called as elsewhere */
        for (unsigned i = n->counter; i < n->counter + r->counters_used; i++)
            ring_leave(l, i, e);
        emit_hook_call(e, HOOK_RECORD, r->hook, release, r->first, r->on_stack);
        ring_enter(l, n, r->counters_used, e);
        return;
    }
    const unsigned place = place_of(l, (unsigned)r->counter), number = number_of(l);
    uint32_t ref = hook_ref(&e->c->hooks, &e->c->cf->cp, HOOK_LOOP, r->hook, false);
    e->full |= ref == 0;
    e->calls++;
    emit_id(e, r->first);
    emit_load(e, 'J', place);
    emit_load(e, 'J', number);
    emit_op(e, OPC_invokestatic);
    write_u2(&e->code, ref);
    emit_store(e, 'J', place);
    emit_load(e, 'J', number);
    emit_op(e, OPC_bipush);
    write_u1(&e->code, r->events);
    emit_op(e, OPC_i2l);
    emit_op(e, OPC_ladd);
    emit_store(e, 'J', number);
}
