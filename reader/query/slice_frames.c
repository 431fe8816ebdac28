/* slice_frames.c - which events of a frame can have a moment of the same frame as a cause, by the code of its method.
 *
 * A long loop on which nothing of a slice has an effect is passed over: an event is only explained if its instruction
 * uses something that the slice has.
 *
 *     pc 5  iload_1          operands of 8: 5 and 7, and through 7 the local 1 and 2, whose stores count for the loads
 *     pc 6  iload_2          deciders of 8: the branches under which it runs
 *     pc 7  iadd
 *     pc 8  istore_3
 *
 * What an instruction uses comes from producers.c and control.c, once per instruction; the frame keeps which of its
 * instructions and locals have a moment of the slice now. It is never too little: what is not known is asked. */
#include "reader/query/slice_frames.h"

#include "formats/map.h"
#include "reader/query/decision.h"

#include <stdlib.h>
#include <string.h>

/* ---- what an instruction uses ---- */

struct use {
    bool known;
    bool caught;       /* the exception of a handler */
    bool always;       /* it runs in every call: under the call */
    u32_vec insns;     /* whose results it has, itself included */
    u32_vec locals;    /* slots */
    u32_vec deciders;  /* branches */
    u32_vec constants; /* instructions that push one of its operands, a constant */
};
struct method_uses {
    uint64_t key; /* method id + 1 */
    struct method *method;
    const struct control *control;
    struct use *of; /* by instruction */
};
struct uses {
    hs_trace *trace;
    MAP(struct method_uses) methods;
};

struct uses *uses_new(hs_trace *t)
{
    struct uses *u = calloc(1, sizeof *u);
    if (u != NULL)
        u->trace = t;
    return u;
}

void uses_free(struct uses *u)
{
    if (u == NULL)
        return;
    for (size_t i = 0; i < u->methods.cap; i++) {
        struct method_uses *m = &u->methods.slots[i];
        for (size_t k = 0; m->key != 0 && m->of != NULL && k < m->method->code.insns.count; k++) {
            vec_free(&m->of[k].insns);
            vec_free(&m->of[k].locals);
            vec_free(&m->of[k].deciders);
            vec_free(&m->of[k].constants);
        }
        if (m->key != 0)
            free(m->of);
    }
    map_free(&u->methods);
    free(u);
}

/* NULL: its code is not known, or there is no memory. */
static struct method_uses *method_uses_of(struct uses *u, uint32_t method_id)
{
    struct method_uses *m = map_get(&u->methods, (uint64_t)method_id + 1);
    if (m == NULL) {
        struct method *code = method_get(u->trace, method_id);
        m = map_put(&u->methods, (uint64_t)method_id + 1);
        if (m == NULL)
            return NULL;
        m->method = code;
        m->control = code != NULL ? method_control(u->trace, code) : NULL;
        if (m->control != NULL)
            m->of = calloc(code->code.insns.count + 1, sizeof *m->of);
    }
    return m->of != NULL ? m : NULL;
}

static bool add_once(u32_vec *to, uint32_t n, bool *added)
{
    *added = false;
    for (size_t i = 0; i < to->count; i++)
        if (to->items[i] == n)
            return true;
    uint32_t *at = vec_push(to);
    if (at != NULL)
        *at = n;
    return *added = at != NULL;
}

/* Does `why` look at its operands, as it has no event of its own? */
static bool is_passed_through(uint8_t op) { return op >= OPC_iadd && op <= OPC_dcmpg && op != OPC_iinc; }

/* What pushed the operands of the instruction, and those of arithmetic before it. */
static bool add_operands(struct uses *u, struct method_uses *m, uint32_t insn)
{
    struct use *use = &m->of[insn];
    const struct code *c = &m->method->code;
    bool added;
    if (!add_once(&use->insns, insn, &added))
        return false;
    for (size_t i = 0; i < use->insns.count; i++) {
        const struct insn *in = &c->insns.items[use->insns.items[i]];
        const unsigned flags = op_table[in->op].flags;
        if (((flags & OP_LOAD) != 0 || in->op == OPC_iinc) && !add_once(&use->locals, in->local, &added))
            return false;
        if (in->op <= OPC_ldc2_w && !add_once(&use->constants, use->insns.items[i], &added))
            return false;
        if (use->insns.items[i] != insn && !is_passed_through(in->op))
            continue;
        for (int depth = 0; depth < in->pops; depth++) {
            const struct producers p = method_producers(u->trace, m->method, in->pc, (uint32_t)depth);
            for (unsigned k = 0; k < p.count; k++) {
                const uint32_t from = code_insn_at(c, p.pcs[k] & ~PRODUCER_CAUGHT);
                use->caught |= (p.pcs[k] & PRODUCER_CAUGHT) != 0;
                if (from != NO_INSN && (p.pcs[k] & PRODUCER_CAUGHT) == 0 && !add_once(&use->insns, from, &added))
                    return false;
            }
        }
    }
    return true;
}

static bool add_deciders_of(struct method_uses *m, struct use *use, uint32_t insn)
{
    const struct code *c = &m->method->code;
    bool added;
    use->always |= control_follows(m->control, 0, insn);
    for (uint32_t b = 0; b < c->insns.count; b++) {
        struct successors next = { .code = c, .insn = b };
        if (!control_is_branch(c, b))
            continue;
        while (code_next(&next))
            if (control_decides(m->control, b, next.to, insn) && !add_once(&use->deciders, b, &added))
                return false;
    }
    return true;
}

/* The branches under which the instruction, or a constant that it has, runs. Of the rounds of a loop `why` passes over
 * all but the first: a branch can be under any that is above it. */
static bool add_deciders(struct method_uses *m, uint32_t insn)
{
    struct use *use = &m->of[insn];
    if (!add_deciders_of(m, use, insn))
        return false;
    for (size_t i = 0; i < use->constants.count; i++)
        if (!add_deciders_of(m, use, use->constants.items[i]))
            return false;
    if (control_is_branch(&m->method->code, insn))
        for (size_t i = 0; i < use->deciders.count; i++)
            if (!add_deciders_of(m, use, use->deciders.items[i]))
                return false;
    return true;
}

/* NULL: no memory. */
static const struct use *use_of(struct uses *u, struct method_uses *m, uint32_t insn)
{
    struct use *use = &m->of[insn];
    if (!use->known)
        use->known = add_operands(u, m, insn) && add_deciders(m, insn);
    return use->known ? use : NULL;
}

bool uses_numbers_alone(struct uses *u, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(u->trace, e->dataid);
    const struct method *m = d->event == EVENT_CALL_RETURN ? method_get(u->trace, d->method_id) : NULL;
    const struct insn *in = m != NULL ? code_at(&m->code, d->pc) : NULL;
    struct member_ref callee;
    if (in == NULL || in->op != OPC_invokestatic || !cpool_member(&m->classfile->cp, (uint32_t)in->operand, &callee))
        return false;
    for (size_t i = 0; i < callee.desc.size && callee.desc.data[i] != ')'; i++)
        if (callee.desc.data[i] == 'L' || callee.desc.data[i] == '[')
            return false;
    return true;
}

/* ---- the moments of a frame ---- */

struct marks {
    struct uses *uses;
    struct method_uses *method; /* NULL: not known */
    uint32_t method_id;
    bool under; /* the call of the method is in the slice */
    bool caught;
    uint8_t *insns, *locals; /* by number: has a moment of the slice */
    uint32_t local_count;
};

struct marks *marks_new(struct uses *u, uint32_t method_id)
{
    struct marks *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    *m = (struct marks){ .uses = u, .method = method_uses_of(u, method_id), .method_id = method_id };
    if (m->method == NULL)
        return m;
    m->local_count = m->method->method->code.max_locals + 1u;
    m->insns = calloc(m->method->method->code.insns.count + 1, 1);
    m->locals = calloc(m->local_count, 1);
    if (m->insns != NULL && m->locals != NULL)
        return m;
    marks_free(m);
    return NULL;
}

void marks_free(struct marks *m)
{
    if (m == NULL)
        return;
    free(m->insns);
    free(m->locals);
    free(m);
}

static void mark_local(struct marks *m, uint32_t slot, bool in)
{
    if (slot < m->local_count)
        m->locals[slot] = in;
}

/* The instruction of an event: of a LABEL the branch, NO_INSN if it came from none. */
static uint32_t insn_of(const struct marks *m, const struct hs_event *e, const struct hs_dataid *d)
{
    struct way way;
    if (d->event == EVENT_LABEL)
        return way_of(m->uses->trace, e, &way) ? way.branch : NO_INSN;
    return code_insn_at(&m->method->method->code, d->pc);
}

void marks_set(struct marks *m, const struct hs_event *e, bool in)
{
    const struct hs_dataid *d = dataid_or_none(m->uses->trace, e->dataid);
    const struct effect *effect = effects_get(m->uses->trace, e->dataid);
    if (m->method == NULL || d->method_id != m->method_id)
        return;
    if (effect->op == EFFECT_WRITE)
        mark_local(m, effect->slot, in);
    if (!in && effect->op != EFFECT_INSIDE && effect->op != EFFECT_READ)
        return;
    const uint32_t insn = effect->op != EFFECT_ENTER && d->event != EVENT_METHOD_PARAM ? insn_of(m, e, d) : NO_INSN;
    if (insn != NO_INSN && (in || d->event == EVENT_LABEL))
        m->insns[insn] = in;
    if (!in)
        return;
    if (effect->op == EFFECT_ENTER)
        m->under = true;
    if (effect->op == EFFECT_ENTER || effect->op == EFFECT_INITIALIZED)
        mark_local(m, 0, true);
    m->caught |= event_has(d->event, USE_EXCEPTION) || d->event == EVENT_CATCH_LABEL;
    if (d->event == EVENT_NEW_OBJECT_CREATED) { /* its operand is that of the instruction new */
        const uint32_t made = code_insn_at(&m->method->method->code, attribute_number(d, "created", -1));
        if (made != NO_INSN)
            m->insns[made] = 1;
    }
}

static bool has_any(const uint8_t *marks, uint32_t count, const u32_vec *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i] < count && marks[of->items[i]])
            return true;
    return false;
}

bool marks_ask(struct marks *m, const struct hs_event *e, bool control)
{
    const struct hs_dataid *d = dataid_or_none(m->uses->trace, e->dataid);
    if (m->method == NULL || m->caught || d->method_id != m->method_id || event_has(d->event, USE_EXCEPTION) ||
        d->event == EVENT_CATCH_LABEL || d->event == EVENT_METHOD_PARAM || d->event == EVENT_METHOD_ENTRY)
        return true;
    const uint32_t insn = insn_of(m, e, d);
    if (insn == NO_INSN)
        return d->event != EVENT_LABEL;
    const struct use *use = use_of(m->uses, m->method, insn);
    const uint32_t count = (uint32_t)m->method->method->code.insns.count;
    if (use == NULL || has_any(m->insns, count, &use->insns) || has_any(m->locals, m->local_count, &use->locals))
        return true;
    return control && ((use->always && m->under) || has_any(m->insns, count, &use->deciders));
}
