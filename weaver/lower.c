/* lower.c - from steps and records to inserted code: pushes the values of records where they are planned, and calls
 * hooks, or, in a loop that has its records in local variables, what stands for them there (loops.c). */
#include "weaver/lower.h"

static void push(struct emitter *e, unsigned kind, int32_t slot)
{
    char type = kind_local(kind);
    if (slot == SLOT_TOP)
        emit_op(e, type_slots(type) == 2 ? OPC_dup2 : OPC_dup);
    else if (slot == SLOT_ZERO)
        emit_int(e, 0);
    else
        emit_load(e, type, (unsigned)slot);
}

/* Pushes those values of a record that are pushed at this step. */
static void push_values(struct emitter *e, const struct record *r, uint32_t step)
{
    const unsigned kind = r->under != 0 ? r->values[r->under - 1].kind : 0;
    const bool under = r->under != 0 && r->values[r->under - 1].step == step;
    if (under) {
        push(e, kind, SLOT_TOP);
        emit_store(e, kind_local(kind), r->scratch);
    }
    for (unsigned i = 0; i < r->count; i++)
        if (r->values[i].step == step)
            push(e, r->values[i].kind, under && i + 1 == r->under ? (int32_t)r->scratch : r->values[i].slot);
    for (unsigned i = 0; i < r->pairs && r->call == step; i++)
        emit_op(e, OPC_dup2);
}

static void lower_record(struct method_plan *m, const struct loop_nest *nest, struct record *r, uint32_t step)
{
    struct emitter *e = &m->inserted.emit;
    push_values(e, r, step);
    if (r->call == step && (nest == NULL || !loops_record(m, nest, r)))
        emit_hook_call(e, plan_is_trigger(m, r->first, r->events) ? HOOK_TRIGGER : HOOK_RECORD, r->hook,
                       r->release || m->c->release_all, r->first, r->on_stack);
    if (r->call == step)
        r->end = (uint32_t)e->code.size;
    if (r->under != 0 && r->values[r->under - 1].step == step && kind_local(r->values[r->under - 1].kind) == 'A')
        emit_clear(e, r->scratch);
}

/* The steps of one place; `nest`: its loops, if records are counted or kept there. */
static void lower_steps(struct method_plan *m, const struct loop_nest *nest, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const struct step *s = &m->planned.steps.items[i];
        if (s->kind == STEP_CODE)
            write_bytes(&m->inserted.emit.code, m->glue.code.data + s->first, s->end - s->first);
        for (uint32_t k = s->record; k < s->records_end; k++)
            lower_record(m, nest, &m->records.items[k], i);
    }
}

static const struct record *record_of(const struct method_plan *m, uint32_t event)
{
    return &m->records.items[m->planned.events.items[event].record];
}

void lower_method(struct method_plan *m)
{
    struct writer *w = &m->inserted.emit.code;
    m->loops.next_edge = 0;
    lower_steps(m, NULL, 0, m->planned.places[0]);
    m->inserted.entered = m->kept.has_thread && m->planned.entry != NO_EVENT ? record_of(m, m->planned.entry)->end : 0;
    loops_enter_first(m);
    m->inserted.prologue = (uint32_t)w->size;
    const uint32_t *places = m->planned.places;
    const bool loops = m->loops.nests.count > 0;
    for (uint32_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct loop_nest *nest = loops ? loops_recording(m, i) : NULL;
        m->inserted.at[2 * i] = (uint32_t)w->size;
        if (loops)
            loops_edges(m, i, EDGE_LEAVES);
        lower_steps(m, nest, places[2 * i], places[2 * i + 1]);
        if (loops)
            loops_edges(m, i, EDGE_ENTERS);
        m->inserted.at[2 * i + 1] = (uint32_t)w->size;
        lower_steps(m, nest, places[2 * i + 1], places[2 * i + 2]);
        if (loops)
            loops_edges(m, i, EDGE_ENTERS_BEHIND);
    }
    m->inserted.at[2 * m->scan.code.insns.count] = (uint32_t)w->size;
    for (size_t i = 0; i < m->supers_recorded.count; i++) {
        struct super_recorded *t = &m->supers_recorded.items[i];
        const uint32_t start = m->inserted.at[2 * t->insn + 1], end = record_of(m, t->event)->end;
        t->size = end > start ? end - start : 0;
    }
}

void lower_exit(struct method_plan *m, struct writer *code)
{
    struct writer *w = &m->inserted.emit.code;
    const size_t start = w->size;
    code->bad |= m->glue.code.bad;
    if (code->bad)
        return;
    lower_steps(m, NULL, 0, (uint32_t)m->planned.steps.count);
    if (!w->bad)
        write_bytes(code, w->data + start, w->size - start);
    w->size = start;
}
