/* arithmetic_plan.c - see arithmetic_plan.h. */
#include "reader/code/arithmetic_plan.h"

#include <stdlib.h>
#include <string.h>

#include "formats/jvm/loss.h"
#include "reader/code/code.h"

void arithmetic_slots(uint8_t op, unsigned *right, unsigned *left)
{
    static const uint8_t binary[] = { 1, 2, 1, 2 }; /* int, long, float, double */
    *right = 0;
    *left = 0;
    if (op >= OPC_iadd && op <= OPC_drem)
        *right = *left = binary[(op - OPC_iadd) % 4];
    else if (op >= OPC_ineg && op <= OPC_dneg)
        *right = binary[(op - OPC_ineg) % 4];
    else if (op >= OPC_ishl && op <= OPC_lushr) {
        *right = 1;
        *left = 1 + (unsigned)(op - OPC_ishl) % 2;
    } else if (op >= OPC_iand && op <= OPC_lxor)
        *right = *left = 1 + (unsigned)(op - OPC_iand) % 2;
    else if (op >= OPC_i2l && op <= OPC_i2s)
        *right = (unsigned)op_table[op].pops;
    else if (op >= OPC_lcmp && op <= OPC_dcmpg)
        *right = *left = (unsigned)op_table[op].pops / 2;
}

const char *arithmetic_words(uint8_t op)
{
    static const char *const binary[] = { "+", "-", "*", "/", "%", "unary -", "<<", ">>", ">>>", "&", "|", "^" };
    static const char *const casts[] = { "(long)",   "(float)", "(double)", "(int)",    "(float)",
                                         "(double)", "(int)",   "(long)",   "(double)", "(int)",
                                         "(long)",   "(float)", "(byte)",   "(char)",   "(short)" };
    if (op >= OPC_iadd && op <= OPC_dneg)
        return binary[(op - OPC_iadd) / 4];
    if (op >= OPC_ishl && op <= OPC_lxor)
        return binary[6 + (op - OPC_ishl) / 2];
    if (op >= OPC_i2l && op <= OPC_i2s)
        return casts[op - OPC_i2l];
    return op >= OPC_lcmp && op <= OPC_dcmpg ? "a comparison" : NULL;
}

/* ---- the event that stands for an instruction ---- */

static bool can_throw(const struct method *m, const struct insn *in)
{
    uint64_t value;
    if ((op_table[in->op].flags & OP_THROWS) == 0)
        return false;
    return in->op < OPC_ldc || in->op > OPC_ldc2_w || !code_constant(&m->classfile->cp, in, &value);
}

static uint32_t last_id(const struct method *m, uint32_t insn, bool before)
{
    const struct method_insn *i = &m->insns[insn];
    if (before)
        return i->before > 0 ? m->ids[i->first + i->before - 1] : NO_ID;
    return i->after > 0 ? m->ids[i->first + i->before + i->after - 1] : NO_ID;
}

static uint32_t first_id(const struct method *m, uint32_t insn, bool before)
{
    const struct method_insn *i = &m->insns[insn];
    if (before)
        return i->before > 0 ? m->ids[i->first] : NO_ID;
    return i->after > 0 ? m->ids[i->first + i->before] : NO_ID;
}

static bool begins_block(const struct method *m, uint32_t insn)
{
    return (m->code.flags[m->insns[insn].in->pc] & PC_LABEL) != 0;
}

/* The last event before an instruction behind which it is always executed. */
static uint32_t id_before(const struct method *m, uint32_t insn)
{
    for (uint32_t i = insn;; i--) {
        if (i < insn && last_id(m, i, false) != NO_ID)
            return last_id(m, i, false);
        if (i < insn && can_throw(m, m->insns[i].in))
            return NO_ID;
        if (last_id(m, i, true) != NO_ID)
            return last_id(m, i, true);
        if (begins_block(m, i))
            return NO_ID;
        if (i == 0)
            return last_id(m, m->count, true);
    }
}

/* The first event behind it in its block. */
static uint32_t id_behind(const struct method *m, uint32_t insn)
{
    uint32_t id = first_id(m, insn, false);
    for (uint32_t i = insn; id == NO_ID;) {
        if ((op_table[m->insns[i].in->op].flags & (OP_COND | OP_END)) != 0 || ++i >= m->count || begins_block(m, i))
            return NO_ID;
        id = first_id(m, i, true) != NO_ID ? first_id(m, i, true) : first_id(m, i, false);
    }
    return id;
}

static uint32_t standing_for(const struct method *m, uint32_t insn)
{
    const uint32_t id = id_before(m, insn);
    return id != NO_ID ? id : id_behind(m, insn);
}

/* The event behind an instruction that has the value which it pushed. */
static uint32_t id_of_value(const struct method *m, const struct code_event *events, uint32_t insn)
{
    const struct method_insn *i = &m->insns[insn];
    for (uint32_t k = i->before; k < (uint32_t)i->before + i->after; k++)
        if (events[m->ids[i->first + k]].slots > 0)
            return m->ids[i->first + k];
    return NO_ID;
}

/* A parameter that nothing else is stored in: the event that has it. */
static uint32_t id_of_parameter(const struct method *m, const struct code_event *events, const struct insn *in)
{
    if ((op_table[in->op].flags & OP_LOAD) == 0)
        return NO_ID;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct insn *other = m->insns[i].in;
        if (((op_table[other->op].flags & OP_STORE) != 0 || other->op == OPC_iinc) &&
            (other->local == in->local || other->local + 1 == in->local))
            return NO_ID;
    }
    for (uint32_t k = 0; k < m->insns[m->count].before; k++) {
        const uint32_t id = m->ids[m->insns[m->count].first + k];
        if (events[id].event == EVENT_METHOD_PARAM && events[id].in_local && events[id].local == in->local)
            return id;
    }
    return NO_ID;
}

/* ---- making a plan ---- */

/* A step, and the data ID that it belongs to. */
struct placed {
    struct plan_step step;
    uint32_t id;
};
struct making {
    hs_trace *trace;
    struct method *method;
    const struct code_event *events;
    u32_vec slot_of; /* by instruction: its slot + 1 */
    VEC(struct placed) steps;
    u32_vec choices;
    uint32_t slots;
    bool no_memory;
};

static uint32_t slot_of(struct making *k, uint32_t insn, unsigned level);

enum { EXPRESSION_DEPTH = 200 };

static struct plan_operand operand_of(struct making *k, const struct insn *in, uint32_t depth, unsigned level)
{
    const struct producers p = method_producers(k->trace, k->method, in->pc, depth);
    uint32_t slots[PRODUCERS_MAX], count = 0;
    if (p.more)
        return (struct plan_operand){ 0 };
    for (unsigned i = 0; i < p.count; i++) {
        const uint32_t insn = (p.pcs[i] & PRODUCER_CAUGHT) != 0 ? NO_INSN : code_insn_at(&k->method->code, p.pcs[i]);
        if (insn != NO_INSN)
            slots[count++] = slot_of(k, insn, level + 1);
    }
    const struct plan_operand out = { (uint32_t)k->choices.count, count };
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *to = vec_push(&k->choices);
        k->no_memory |= to == NULL;
        if (to != NULL)
            *to = slots[i];
    }
    return out;
}

static void add_step(struct making *k, uint32_t id, struct plan_step step)
{
    struct placed *to = id != NO_ID ? vec_push(&k->steps) : NULL;
    k->no_memory |= id != NO_ID && to == NULL;
    if (to != NULL)
        *to = (struct placed){ step, id };
}

/* The slot of what an instruction pushes, with the steps that set it. */
static uint32_t slot_of(struct making *k, uint32_t insn, unsigned level)
{
    const struct method *m = k->method;
    const struct insn *in = m->insns[insn].in;
    struct plan_step step = { .what = PLAN_KEEP, .insn = insn, .op = in->op };
    unsigned right, left;
    if (k->slot_of.items[insn] != 0)
        return k->slot_of.items[insn] - 1;
    step.slot = k->slots++;
    k->slot_of.items[insn] = step.slot + 1;
    arithmetic_slots(in->op, &right, &left);
    if (right > 0 && level < EXPRESSION_DEPTH) {
        step.what = PLAN_COMPUTE;
        step.loses = loss_possible(in->op);
        step.count = left > 0 ? 2 : 1;
        step.right = operand_of(k, in, 0, level);
        if (left > 0)
            step.left = operand_of(k, in, right, level);
        add_step(k, standing_for(m, insn), step);
        return step.slot;
    }
    uint32_t id = id_of_value(m, k->events, insn);
    if (id == NO_ID && code_constant(&m->classfile->cp, in, &step.value)) {
        step.what = PLAN_CONSTANT;
        id = standing_for(m, insn);
    } else if (id == NO_ID) {
        id = id_of_parameter(m, k->events, in);
    }
    add_step(k, id, step);
    return step.slot;
}

/* iinc: the event behind it has the new value. */
static void add_increment(struct making *k, uint32_t insn)
{
    const struct method_insn *i = &k->method->insns[insn];
    const uint32_t id = last_id(k->method, insn, false);
    if (id == NO_ID || k->events[id].event != EVENT_LOCAL_INCREMENT)
        return;
    const struct plan_step step = { .what = PLAN_COMPUTE,
                                    .loses = true,
                                    .op = OPC_iinc,
                                    .count = 1,
                                    .insn = insn,
                                    .slot = k->slots++,
                                    .value = of_int(i->in->operand) };
    add_step(k, id, step);
}

/* An operand that may come from an instruction for which no event stands: which one it comes from is not known. */
static void drop_unsure(struct making *k, struct plan_operand *o, const bool *set)
{
    bool sure = true;
    for (uint32_t i = 0; i < o->count; i++)
        sure = sure && set[k->choices.items[o->first + i]];
    if (o->count > 1 && !sure)
        o->count = 0;
}

static void check_operands(struct making *k)
{
    bool *set = calloc((size_t)k->slots + 1, sizeof *set);
    k->no_memory |= set == NULL;
    for (size_t i = 0; set != NULL && i < k->steps.count; i++)
        set[k->steps.items[i].step.slot] = true;
    for (size_t i = 0; set != NULL && i < k->steps.count; i++) {
        drop_unsure(k, &k->steps.items[i].step.left, set);
        drop_unsure(k, &k->steps.items[i].step.right, set);
    }
    free(set);
}

/* By data ID; of one first what keeps a value, then what computes with it, in the order of the code. */
static int by_id(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    const bool n = x->step.what == PLAN_COMPUTE, m = y->step.what == PLAN_COMPUTE;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return n != m ? n - m : x->step.insn < y->step.insn ? -1 : x->step.insn > y->step.insn;
}

static struct plan *finish(struct making *k, struct arena *arena)
{
    struct method *m = k->method;
    struct plan *p = arena_get(arena, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (struct plan){ .method = m,
                        .first_id = m->first_id,
                        .id_count = m->id_count,
                        .events = arena_array(arena, m->id_count, sizeof *p->events),
                        .steps = arena_array(arena, k->steps.count + 1, sizeof *p->steps),
                        .step_count = (uint32_t)k->steps.count,
                        .choices = arena_array(arena, k->choices.count + 1, sizeof *p->choices),
                        .slot_count = k->slots };
    if (p->events == NULL || p->steps == NULL || p->choices == NULL)
        return NULL;
    if (k->steps.count > 1)
        qsort(k->steps.items, k->steps.count, sizeof *k->steps.items, by_id);
    for (uint32_t i = 0; i < p->step_count; i++) {
        struct plan_event *e = &p->events[k->steps.items[i].id - m->first_id];
        if (e->count++ == 0)
            e->first = i;
        p->steps[i] = k->steps.items[i].step;
        p->missed -= p->steps[i].loses;
    }
    if (k->choices.count > 0)
        memcpy(p->choices, k->choices.items, k->choices.count * sizeof *p->choices);
    return p;
}

struct plan *arithmetic_plan(hs_trace *t, struct arena *arena, uint32_t dataid, bool *no_memory)
{
    struct method *m = method_of_event(t, dataid);
    struct making k = { .trace = t, .method = m, .events = code_events(t) };
    struct plan *p = NULL;
    uint32_t losing = 0;
    for (uint32_t i = 0; m != NULL && m->fault == NULL && i < m->count; i++)
        losing += loss_possible(m->insns[i].in->op) && m->insns[i].depth != NOT_REACHED;
    if (losing == 0)
        return NULL;
    if (vec_reserve(&k.slot_of, m->count)) {
        memset(k.slot_of.items, 0, m->count * sizeof *k.slot_of.items);
        for (uint32_t i = 0; i < m->count; i++) {
            const struct method_insn *in = &m->insns[i];
            if (in->depth == NOT_REACHED || !loss_possible(in->in->op))
                continue;
            if (in->in->op == OPC_iinc)
                add_increment(&k, i);
            else
                (void)slot_of(&k, i, 0);
        }
        check_operands(&k);
        p = k.no_memory ? NULL : finish(&k, arena);
    }
    if (p == NULL)
        *no_memory = true;
    else {
        p->losing = losing;
        p->missed += losing;
    }
    vec_free(&k.slot_of);
    vec_free(&k.steps);
    vec_free(&k.choices);
    return p;
}
