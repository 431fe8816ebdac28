/* plan_loop.c - counters of loops, kept in local variables.
 *
 * Where events are only counted, and may be late (config->count_rounds), the records of a loop that calls nothing are
 * counted in local variables, which the JIT keeps in registers:
 *
 *     in the loop                     iload n; push a data ID; invokestatic tick(II)I; istore n
 *     where a loop in it is left      iload n; push the data ID; invokestatic addMany(II)I; istore n
 *     where the outermost one is      iload n; push the data ID; invokestatic add(II)V; iconst_0; istore n
 *
 * add adds them to the counter in memory, addMany does if they are many, and so does tick after LOOP_ROUNDS rounds,
 * which hardly any loop has: so the JIT makes no call of it, and what it knows about memory holds for the whole loop. A
 * loop is left to where one of its branches leads, at a return, in a handler that covers it, and in a handler of
 * all that is behind the code. Loops that overlap or touch are one nest, which is left as a whole.
 *
 * What is added where is known when the whole method is planned, so that code is inserted at last. */
#include "weaver/plan.h"

#include <stdlib.h>

enum {
    CODE_LENGTH_MAX = 4096, /* of a method: what is inserted must not make it lose a group for its size */
    ADDS_MAX = 512,         /* calls of add in a method */
};

struct loop_mark {
    uint32_t long_before; /* how many instructions in front of it take long */
    int32_t nesting;      /* loops that begin there, less those that end */
};

/* Can it run other code, or wait for a thread, so that a round may take any time? */
static bool takes_long(const struct method_plan *m, uint32_t i)
{
    const struct insn *in = &m->code.insns.items[i];
    if (in->op == OPC_monitorenter || (op_table[in->op].flags & OP_JSR) ||
        (m->is_constructor && m->flow.this_uninit[i]))
        return true;
    if (!(op_table[in->op].flags & OP_INVOKE))
        return false;
    for (; i < m->code.insns.count; i++) { /* not for ever, where all that follows is a throw */
        const struct insn *next = &m->code.insns.items[i];
        if (next->op == OPC_athrow)
            return false;
        if ((op_table[next->op].flags & (OP_COND | OP_END)) ||
            (next->pc != in->pc && m->code.flags[next->pc] & PC_LABEL))
            return true;
    }
    return true;
}

/* Calls `to` with each instruction that a branch of instruction `i` leads to. */
static void each_target(struct method_plan *m, uint32_t i, void (*to)(struct method_plan *, uint32_t, uint32_t))
{
    const struct insn *in = &m->code.insns.items[i];
    const unsigned format = op_table[in->op].format;
    if (format == OPF_BRANCH2 || format == OPF_BRANCH4)
        to(m, i, code_index(&m->code, (uint32_t)in->operand));
    if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH)
        for (uint32_t k = 0; k < switch_count(m->code.bytes, in); k++)
            to(m, i, code_index(&m->code, (uint32_t)switch_target(m->code.bytes, in, k)));
}

/* Instructions [to, from] are a loop, if none of them takes long. */
static void mark_loop(struct method_plan *m, uint32_t from, uint32_t to)
{
    struct loop_mark *k = m->loop_marks;
    if (to > from || k[to].long_before != k[from + 1].long_before)
        return;
    k[to].nesting++;
    k[from + 1].nesting--;
    for (size_t i = 0; i < m->loops.count; i++)
        if (m->loops.items[i].first == to) { /* another way back to the same begin */
            if (m->loops.items[i].end < from + 1)
                m->loops.items[i].end = from + 1;
            return;
        }
    struct counted_loop *l = m->loops.count < LOOP_COUNTERS_MAX ? vec_push(&m->loops) : NULL;
    if (l != NULL)
        *l = (struct counted_loop){ to, from + 1 };
}

static void add_leave(struct method_plan *m, uint32_t insn, uint32_t nest, uint32_t loop)
{
    struct loop_leave *l = vec_push(&m->loop_leaves);
    if (l == NULL)
        m->inserted.bad = true;
    else
        *l = (struct loop_leave){ insn, nest, loop };
}

static bool is_in(const struct counted_loop *l, uint32_t i) { return l->first <= i && i < l->end; }

static int by_insn(const void *a, const void *b)
{
    const struct loop_leave *x = a, *y = b;
    return x->insn != y->insn   ? (x->insn < y->insn ? -1 : 1)
           : x->nest != y->nest ? (x->nest < y->nest ? -1 : 1)
                                : (x->loop > y->loop) - (x->loop < y->loop);
}

/* The innermost loop that instruction `i` is in, or NOT_IN_LOOP. */
static uint32_t loop_of(const struct method_plan *m, uint32_t i)
{
    uint32_t found = NOT_IN_LOOP;
    for (uint32_t k = 0; k < m->loops.count; k++) {
        const struct counted_loop *l = &m->loops.items[k];
        if (is_in(l, i) &&
            (found == NOT_IN_LOOP || l->end - l->first < m->loops.items[found].end - m->loops.items[found].first))
            found = k;
    }
    return found;
}

/* Control goes on from an instruction of the last nest to another one, or to the end of the code. */
static void pass(struct method_plan *m, uint32_t from, uint32_t to)
{
    const uint32_t nest = (uint32_t)m->nests.count - 1;
    if (!is_in(&m->nests.items[nest].all, to)) {
        add_leave(m, to, nest, NOT_IN_LOOP);
        return;
    }
    for (uint32_t k = 0; k < m->loops.count; k++)
        if (is_in(&m->loops.items[k], from) && !is_in(&m->loops.items[k], to))
            add_leave(m, to, nest, k);
}

/* Where the last nest, and the loops in it, are left. */
static void find_leaves(struct method_plan *m)
{
    const uint32_t nest = (uint32_t)m->nests.count - 1;
    const struct counted_loop all = m->nests.items[nest].all;
    const struct insn *insns = m->code.insns.items;
    for (uint32_t i = all.first; i < all.end; i++) {
        const unsigned flags = op_table[insns[i].op].flags;
        if (!m->flow.reached[i])
            continue;
        each_target(m, i, pass);
        if (flags & OP_RETURN)
            add_leave(m, i, nest, NOT_IN_LOOP);
        if (flags & OP_COND)
            pass(m, i, i + 1);
    }
    for (size_t i = 0; i < m->code.handlers.count; i++) {
        const struct handler *h = &m->code.handlers.items[i];
        const uint32_t to = code_index(&m->code, h->handler);
        if (code_index(&m->code, h->start) < all.end && code_index(&m->code, h->end) > all.first && !is_in(&all, to))
            add_leave(m, to, nest, NOT_IN_LOOP);
    }
}

/* How many records these instructions can have, but for those that are full. */
static unsigned count_records(const struct method_plan *m, uint32_t first, uint32_t end)
{
    unsigned n = 1;
    for (uint32_t i = first; i < end; i++) {
        const struct insn *in = &m->code.insns.items[i];
        n += (i > first && (m->code.flags[in->pc] & PC_LABEL)) ||
             ((op_table[in->op].flags & OP_THROWS) && !plan_only_fails(m, in));
    }
    return n;
}

static void add_nest(struct method_plan *m, uint32_t first, uint32_t end)
{
    const unsigned counters = count_records(m, first, end);
    const size_t leaves = m->loop_leaves.count;
    if (m->loop_counters + counters > LOOP_COUNTERS_MAX)
        return;
    struct loop_nest *n = vec_push(&m->nests);
    if (n == NULL) {
        m->inserted.bad = true;
        return;
    }
    *n = (struct loop_nest){ { first, end }, m->loop_counters, counters, 0 };
    find_leaves(m);
    if (counters * (m->loop_leaves.count - leaves) > ADDS_MAX) {
        m->nests.count--;
        m->loop_leaves.count = leaves;
        return;
    }
    m->loop_counters += counters;
}

/* Finds the loops, and where they begin and end. */
static void find_loops(struct method_plan *m)
{
    const uint32_t count = (uint32_t)m->code.insns.count;
    for (uint32_t i = 0; i < count; i++)
        m->loop_marks[i + 1].long_before = m->loop_marks[i].long_before + (m->flow.reached[i] && takes_long(m, i));
    for (uint32_t i = 0; i < count; i++)
        if (m->flow.reached[i])
            each_target(m, i, mark_loop);
    int32_t nesting = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const int32_t before = nesting;
        nesting += m->loop_marks[i].nesting;
        if (before == 0 && nesting > 0)
            first = i;
        if (before > 0 && nesting == 0)
            add_nest(m, first, i);
    }
}

unsigned plan_loops(struct method_plan *m)
{
    const group_set in_rounds = GROUP_ALL & ~(GROUP_BIT(EXEC) | GROUP_BIT(CALL) | GROUP_BIT(PARAM));
    m->nests.count = m->loops.count = m->loop_leaves.count = 0;
    m->loop_counters = 0;
    m->nest = NULL;
    if (!m->counts_whole || !m->c->config->count_rounds || (m->groups & in_rounds) == 0 ||
        m->code.length > CODE_LENGTH_MAX || !m->code.has_jumps)
        return 0;
    m->loop_marks = arena_get(&m->c->arena, (m->code.insns.count + 1) * sizeof *m->loop_marks);
    if (m->loop_marks == NULL) {
        m->inserted.bad = true;
        return 0;
    }
    find_loops(m);
    if (m->loop_leaves.count > 0)
        qsort(m->loop_leaves.items, m->loop_leaves.count, sizeof *m->loop_leaves.items, by_insn);
    return m->loop_counters;
}

void plan_loop_begin(struct method_plan *m)
{
    for (unsigned i = 0; i < m->loop_counters; i++) {
        emit_int(m, 0);
        emit_store(m, 'I', m->loop_local + i);
        m->counters[i].id = 0;
    }
}

void plan_loop_at(struct method_plan *m, uint32_t index)
{
    const bool returns = (op_table[m->code.insns.items[index].op].flags & OP_RETURN) != 0;
    if (m->nest != NULL && !is_in(&m->nest->all, index))
        m->nest = NULL;
    for (size_t i = 0; i < m->nests.count && m->nest == NULL; i++)
        if (m->nests.items[i].all.first == index)
            m->nest = &m->nests.items[i];
    if (m->nest != NULL && returns)
        m->open.open = false; /* what is counted in the loop stands before what leaves it */
    m->loop_counts = m->nest != NULL && !returns;
    m->loop = m->loop_counts ? loop_of(m, index) : NOT_IN_LOOP;
}

static void emit_counter(struct method_plan *m, unsigned i, enum woven_member called)
{
    emit_load(m, 'I', m->loop_local + i);
    emit_id(m, m->counters[i].id - 1);
    emit_member(m, OPC_invokestatic, called);
    m->hook_calls++;
    if (m->stack_extra < 3)
        m->stack_extra = 3; /* the data ID may be the sum of two numbers */
}

void plan_loop_exit(struct method_plan *m)
{
    for (unsigned i = 0; i < m->loop_counters; i++)
        if (m->counters[i].id != 0)
            emit_counter(m, i, MEMBER_ADD);
}

static void emit_leave(struct method_plan *m, const struct loop_leave *l)
{
    const struct loop_nest *n = &m->nests.items[l->nest];
    const bool all = l->loop == NOT_IN_LOOP;
    for (unsigned i = n->counter; i < n->counter + n->used; i++) {
        if (!all && m->counters[i].loop != l->loop)
            continue;
        emit_counter(m, i, all ? MEMBER_ADD : MEMBER_ADD_MANY);
        if (all)
            emit_int(m, 0);
        emit_store(m, 'I', m->loop_local + i);
    }
}

void plan_loop_leaves(struct method_plan *m)
{
    const struct loop_leave *leaves = m->loop_leaves.items;
    const uint32_t count = (uint32_t)m->code.insns.count;
    struct writer planned = m->inserted;
    uint32_t from = 0;
    size_t k = 0;
    if (m->loop_leaves.count == 0 || planned.bad)
        return;
    m->inserted = (struct writer){ 0 };
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t before = m->at[2 * i], after = i < count ? m->at[2 * i + 1] : 0;
        write_bytes(&m->inserted, planned.data + from, before - from);
        from = before;
        m->at[2 * i] = (uint32_t)m->inserted.size;
        for (; k < m->loop_leaves.count && leaves[k].insn == i; k++)
            if (i < count && m->flow.reached[i] && (k == 0 || by_insn(&leaves[k - 1], &leaves[k]) != 0))
                emit_leave(m, &leaves[k]);
        if (i < count)
            m->at[2 * i + 1] = (uint32_t)m->inserted.size + after - before;
    }
    writer_free(&planned);
}
