/* producers.c - which instructions can have pushed each slot of the operand stack: see code.h. */
#include <stdlib.h>
#include <string.h>

#include "reader/code/code.h"

struct stack_states {
    struct producers **before; /* by pc; NULL: not reached, or not the start of an instruction */
    uint16_t *depth;           /* slots on the stack */
};

void producers_free(struct method *m)
{
    if (m->states == NULL)
        return;
    for (uint32_t pc = 0; m->states->before != NULL && pc < m->code.length; pc++)
        free(m->states->before[pc]);
    free(m->states->before);
    free(m->states->depth);
    free(m->states);
    m->states = NULL;
}

struct stack {
    struct producers *slots;
    uint32_t depth, max;
    bool bad;
};

static void push(struct stack *s, const struct producers *p)
{
    if (s->depth >= s->max)
        s->bad = true;
    else
        s->slots[s->depth++] = *p;
}

static void push_pc(struct stack *s, uint32_t pc, unsigned slots)
{
    struct producers p = { .pcs = { pc }, .count = 1 };
    while (slots-- > 0)
        push(s, &p);
}

static void pop(struct stack *s, unsigned slots)
{
    if (slots > s->depth)
        s->bad = true;
    else
        s->depth -= slots;
}

/* dup and its variants, swap. */
static void shuffle(struct stack *s, const struct insn *in)
{
    struct producers popped[4];
    const unsigned n = (unsigned)in->pops;
    pop(s, n);
    for (unsigned i = 0; i < n && !s->bad; i++)
        popped[i] = s->slots[s->depth + n - 1 - i];
    for (const char *order = op_dup_order(in->op); *order != '\0' && !s->bad; order++)
        push(s, &popped[*order - '0']);
}

static void apply(struct stack *s, const struct insn *in)
{
    if (in->op >= OPC_dup && in->op <= OPC_swap) {
        shuffle(s, in);
    } else if (in->pops < 0) {
        s->bad = true;
    } else if (in->op != OPC_checkcast) { /* the same value */
        pop(s, (unsigned)in->pops);
        push_pc(s, in->pc, (unsigned)in->pushes);
    }
}

static bool has_producer(const struct producers *p, uint32_t pc)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->pcs[i] == pc)
            return true;
    return false;
}

/* Adds `from` to `to`; true if that changed `to`. */
static bool merge_producers(struct producers *to, const struct producers *from)
{
    bool changed = from->more && !to->more;
    to->more = to->more || from->more;
    for (unsigned i = 0; i < from->count; i++) {
        if (has_producer(to, from->pcs[i]))
            continue;
        if (to->count == PRODUCERS_MAX) {
            changed = changed || !to->more;
            to->more = true;
            break;
        }
        to->pcs[to->count++] = from->pcs[i];
        changed = true;
    }
    return changed;
}

struct pass {
    const struct code *code;
    struct stack_states *states;
    u32_vec work;
    size_t kept; /* slots of all states */
    bool no_memory;
};

/* A method can have 65,535 instructions with as many slots on the stack; compilers make a few slots for each. */
enum { KEPT_MAX = 1 << 20 };

/* Merges the stack into the state before pc; true if that changed the state. */
static bool merge_state(struct pass *p, uint32_t pc, const struct stack *s)
{
    struct producers **before = &p->states->before[pc];
    if (*before == NULL) {
        p->kept += s->depth;
        *before = p->kept <= KEPT_MAX ? malloc((s->depth + 1) * sizeof **before) : NULL;
        if (*before == NULL) {
            p->no_memory = true;
            return false;
        }
        memcpy(*before, s->slots, s->depth * sizeof **before);
        p->states->depth[pc] = (uint16_t)s->depth;
        return true;
    }
    if (p->states->depth[pc] != s->depth)
        return false;
    bool changed = false;
    for (uint32_t i = 0; i < s->depth; i++)
        changed |= merge_producers(&(*before)[i], &s->slots[i]);
    return changed;
}

/* Control reaches pc with this stack. */
static void reach(struct pass *p, uint32_t pc, const struct stack *s)
{
    if (pc >= p->code->length || !merge_state(p, pc, s))
        return;
    uint32_t *to = vec_push(&p->work);
    if (to == NULL)
        p->no_memory = true;
    else
        *to = pc;
}

/* Passes the stack after an instruction to its successors. */
static void reach_successors(struct pass *p, uint32_t insn, struct stack *s)
{
    const struct code *c = p->code;
    const struct insn *in = &c->insns.items[insn];
    struct successors next = { .code = c, .insn = insn };
    while (in->op != OPC_ret && code_next(&next))
        reach(p, c->insns.items[next.to].pc, s);
    if ((op_table[in->op].flags & OP_JSR) != 0) { /* the subroutine returns with the stack before the return address */
        s->depth -= s->depth > 0;
        reach(p, in->pc + in->length, s);
    }
}

/* Follows control flow until no state changes any more; false: out of memory. */
static bool run_pass(struct pass *p, struct stack *s)
{
    const struct code *c = p->code;
    const struct stack_states *st = p->states;
    reach(p, 0, s);
    for (size_t i = 0; i < c->handlers.count; i++) {
        s->depth = 0;
        push_pc(s, c->handlers.items[i].handler | PRODUCER_CAUGHT, 1);
        reach(p, c->handlers.items[i].handler, s);
    }
    while (p->work.count > 0 && !p->no_memory) {
        const uint32_t pc = p->work.items[--p->work.count], insn = code_insn_at(c, pc);
        s->depth = st->depth[pc];
        s->bad = false;
        memcpy(s->slots, st->before[pc], s->depth * sizeof *s->slots);
        apply(s, &c->insns.items[insn]);
        if (!s->bad)
            reach_successors(p, insn, s);
    }
    return !p->no_memory;
}

static bool make_states(hs_trace *t, struct method *m)
{
    const struct code *c = &m->code;
    if (m->states != NULL)
        return m->states->depth != NULL;
    struct stack_states *st = calloc(1, sizeof *st);
    if (st == NULL) {
        trace_no_memory(t);
        return false;
    }
    m->states = st;
    struct stack s = { .slots = calloc((size_t)c->max_stack + 2, sizeof *s.slots), .max = (uint32_t)c->max_stack + 1 };
    struct pass p = { .code = c, .states = st };
    st->before = calloc((size_t)c->length + 1, sizeof(struct producers *));
    st->depth = calloc((size_t)c->length + 1, sizeof *st->depth);
    const bool room = s.slots != NULL && st->before != NULL && st->depth != NULL && run_pass(&p, &s);
    vec_free(&p.work);
    free(s.slots);
    if (!room) {
        trace_no_memory(t);
        producers_free(m);
    }
    return room;
}

struct producers method_producers(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth)
{
    struct producers none = { 0 };
    if (!make_states(t, m) || pc >= m->code.length || m->states->before[pc] == NULL || depth >= m->states->depth[pc])
        return none;
    return m->states->before[pc][m->states->depth[pc] - 1 - depth];
}

uint32_t method_block(const struct method *m, uint32_t pc)
{
    if (pc >= m->code.length)
        return 0;
    while (pc > 0 && !(m->code.flags[pc] & PC_LABEL))
        pc--;
    return pc;
}
