/* plan_loop.c - loops whose records are counted in local variables.
 *
 * Where events are only counted, and may be late (config->count_rounds), the records of a loop that calls nothing are
 * counted in local variables, which the JIT keeps in registers (where they are kept: plan_ring.c):
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
static bool takes_long(struct method_plan *m, uint32_t i)
{
    const struct insn *in = &m->code.insns.items[i];
    if (m->keeps && !ring_may_hold(m, i))
        return true;
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
    for (uint32_t k = 0; k < code_target_count(&m->code, in); k++)
        to(m, i, code_index(&m->code, code_target(&m->code, in, k)));
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

static void add_edge(struct method_plan *m, uint32_t insn, enum loop_edge_kind kind, uint32_t nest, uint32_t loop)
{
    struct loop_edge *e = vec_push(&m->loop_edges);
    if (e == NULL)
        m->inserted.bad = true;
    else
        *e = (struct loop_edge){ insn, kind, nest, loop };
}
static void add_leave(struct method_plan *m, uint32_t insn, uint32_t nest, uint32_t loop)
{
    add_edge(m, insn, EDGE_LEAVES, nest, loop);
}

static bool is_in(const struct counted_loop *l, uint32_t i) { return l->first <= i && i < l->end; }

static int by_insn(const void *a, const void *b)
{
    const struct loop_edge *x = a, *y = b;
    return x->insn != y->insn   ? (x->insn < y->insn ? -1 : 1)
           : x->kind != y->kind ? (x->kind < y->kind ? -1 : 1)
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

/* How many records these instructions can have, but for those that are full; of those with values, about as many. */
static unsigned count_records(const struct method_plan *m, uint32_t first, uint32_t end)
{
    unsigned n = 1, values = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct insn *in = &m->code.insns.items[i];
        const unsigned flags = op_table[in->op].flags;
        const bool label = i > first && (m->code.flags[in->pc] & PC_LABEL),
                   ends = (flags & OP_THROWS) && !plan_only_fails(m, in);
        n += m->keeps ? (unsigned)label + 2 * (unsigned)ends : label || ends;
        values += (flags & (OP_LOAD | OP_STORE)) || op_table[in->op].format == OPF_IINC;
    }
    return n + (m->keeps ? values / 2 : 0);
}

static bool in_nest(const struct method_plan *m, uint32_t nest, uint32_t i)
{
    return is_in(&m->nests.items[nest].all, i);
}

static bool in_other_nest(const struct method_plan *m, uint32_t nest, uint32_t i)
{
    for (uint32_t k = 0; k < m->nests.count; k++)
        if (k != nest && in_nest(m, k, i))
            return true;
    return false;
}

static void note_branch(struct method_plan *m, uint32_t from, uint32_t to)
{
    if (in_nest(m, (uint32_t)m->nests.count - 1, to))
        add_edge(m, from, EDGE_ENTERS, (uint32_t)m->nests.count - 1, NOT_IN_LOOP);
}

/* An instruction that may branch into the last nest may also go on elsewhere. */
static void note_elsewhere(struct method_plan *m, uint32_t from, uint32_t to)
{
    (void)from;
    if (!in_nest(m, (uint32_t)m->nests.count - 1, to))
        add_leave(m, to, (uint32_t)m->nests.count - 1, NOT_IN_LOOP);
}

/* Where the last nest is entered. False: from another nest, or by a branch into two of them. */
static bool find_entries(struct method_plan *m)
{
    const uint32_t nest = (uint32_t)m->nests.count - 1;
    for (uint32_t i = 0; i < m->code.insns.count; i++) {
        const unsigned flags = op_table[m->code.insns.items[i].op].flags;
        const size_t before = m->loop_edges.count;
        if (!m->flow.reached[i] || in_nest(m, nest, i))
            continue;
        each_target(m, i, note_branch);
        const bool branches = m->loop_edges.count > before, falls = !(flags & OP_END);
        if (branches) {
            m->loop_edges.count = before + 1; /* once */
            each_target(m, i, note_elsewhere);
            if (falls)
                note_elsewhere(m, i, i + 1);
        }
        if (falls && in_nest(m, nest, i + 1) && !branches)
            add_edge(m, i, EDGE_ENTERS_BEHIND, nest, NOT_IN_LOOP);
        if (m->loop_edges.count == before)
            continue;
        if (in_other_nest(m, nest, i))
            return false;
        for (size_t k = 0; branches && k < before; k++)
            if (m->loop_edges.items[k].insn == i && m->loop_edges.items[k].kind == EDGE_ENTERS)
                return false;
    }
    return true;
}

/* Does the last nest lead straight into another one? */
static bool leads_to_other(const struct method_plan *m, size_t first_edge)
{
    for (size_t k = first_edge; k < m->loop_edges.count; k++)
        if (in_other_nest(m, (uint32_t)m->nests.count - 1, m->loop_edges.items[k].insn))
            return true;
    return false;
}

static void add_nest(struct method_plan *m, uint32_t first, uint32_t end)
{
    const unsigned counters = count_records(m, first, end);
    const size_t edges = m->loop_edges.count;
    if (m->loop_counters + counters > LOOP_COUNTERS_MAX)
        return;
    struct loop_nest *n = vec_push(&m->nests);
    if (n == NULL) {
        m->inserted.bad = true;
        return;
    }
    *n = (struct loop_nest){ { first, end }, m->loop_counters, counters, 0 };
    find_leaves(m);
    if ((m->keeps && (leads_to_other(m, edges) || !find_entries(m))) ||
        counters * (m->loop_edges.count - edges) > ADDS_MAX) {
        m->nests.count--;
        m->loop_edges.count = edges;
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
    m->nests.count = m->loops.count = m->loop_edges.count = 0;
    m->loop_counters = 0;
    m->nest = NULL;
    m->keeps = ring_possible(m);
    if (!(m->keeps || m->counts_whole) || !m->c->config->count_rounds || (m->groups & in_rounds) == 0 ||
        m->code.length > CODE_LENGTH_MAX || !m->code.has_jumps)
        return 0;
    m->loop_marks = arena_get(&m->c->arena, (m->code.insns.count + 1) * sizeof *m->loop_marks);
    if (m->loop_marks == NULL) {
        m->inserted.bad = true;
        return 0;
    }
    find_loops(m);
    if (m->loop_edges.count > 0)
        qsort(m->loop_edges.items, m->loop_edges.count, sizeof *m->loop_edges.items, by_insn);
    return !m->keeps ? m->loop_counters : m->loop_counters > 0 ? 2 * (m->loop_counters + 1) : 0;
}

void plan_loop_begin(struct method_plan *m)
{
    if (m->keeps && m->loop_counters > 0)
        ring_begin(m);
    for (unsigned i = 0; i < m->loop_counters; i++)
        m->counters[i].id = 0;
    if (m->keeps)
        return;
    for (unsigned i = 0; i < m->loop_counters; i++) {
        emit_int(m, 0);
        emit_store(m, 'I', m->loop_local + i);
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

int plan_loop_record(struct method_plan *m, enum hook hook, uint32_t id)
{
    const struct writer *roles = &m->c->out->dataids.roles;
    const uint32_t number = id - m->c->config->first_dataid;
    if (!m->loop_counts || (hook != HOOK_v && !m->keeps) || number >= roles->size || !plain_role(roles->data[number]))
        return -1;
    struct loop_nest *n = m->nest;
    unsigned k = n->counter + n->used;
    if (n->used > 0 && m->counters[k - 1].id == id + 1) { /* the same record once more, with other events */
        k--;
    } else if (n->used < n->room) {
        n->used++;
        m->counters[k] = (struct loop_counter){ id + 1, m->loop };
    } else {
        return -1;
    }
    return (int)k;
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
        if (m->counters[i].id != 0 && m->keeps)
            ring_leave(m, i);
        else if (m->counters[i].id != 0)
            emit_counter(m, i, MEMBER_ADD);
}

static void emit_leave(struct method_plan *m, const struct loop_edge *e)
{
    const struct loop_nest *n = &m->nests.items[e->nest];
    const bool all = e->loop == NOT_IN_LOOP;
    for (unsigned i = n->counter; i < n->counter + n->used; i++) {
        if (!all && (m->keeps || m->counters[i].loop != e->loop))
            continue;
        if (m->keeps) {
            ring_leave(m, i);
            continue;
        }
        emit_counter(m, i, all ? MEMBER_ADD : MEMBER_ADD_MANY);
        if (all)
            emit_int(m, 0);
        emit_store(m, 'I', m->loop_local + i);
    }
}

/* Inserts what the edges of this kind at instruction `i` need, which are next. */
static void emit_edges(struct method_plan *m, size_t *next, uint32_t i, enum loop_edge_kind kind)
{
    const struct loop_edge *edges = m->loop_edges.items;
    for (; *next < m->loop_edges.count && edges[*next].insn == i && edges[*next].kind == kind; ++*next) {
        const struct loop_edge *e = &edges[*next];
        if (i >= m->code.insns.count || !m->flow.reached[i] || (*next > 0 && by_insn(e - 1, e) == 0))
            continue;
        if (kind == EDGE_LEAVES)
            emit_leave(m, e);
        else
            ring_enter(m, &m->nests.items[e->nest]);
    }
}

/* Appends what was planned up to that offset. */
static void copy_to(struct method_plan *m, const struct writer *planned, uint32_t *from, uint32_t to)
{
    write_bytes(&m->inserted, planned->data + *from, to - *from);
    *from = to;
}

void plan_loop_edges(struct method_plan *m)
{
    const uint32_t count = (uint32_t)m->code.insns.count;
    struct writer planned = m->inserted;
    uint32_t from = 0;
    size_t next = 0;
    if (m->loop_edges.count == 0 || planned.bad)
        return;
    m->inserted = (struct writer){ 0 };
    copy_to(m, &planned, &from, m->at[0]);
    for (size_t k = 0; m->keeps && k < m->nests.count; k++)
        if (m->nests.items[k].all.first == 0)
            ring_enter(m, &m->nests.items[k]);
    m->prologue = (uint32_t)m->inserted.size;
    for (uint32_t i = 0; i < count; i++) {
        copy_to(m, &planned, &from, m->at[2 * i]);
        m->at[2 * i] = (uint32_t)m->inserted.size;
        emit_edges(m, &next, i, EDGE_LEAVES);
        copy_to(m, &planned, &from, m->at[2 * i + 1]);
        emit_edges(m, &next, i, EDGE_ENTERS);
        m->at[2 * i + 1] = (uint32_t)m->inserted.size;
        copy_to(m, &planned, &from, m->at[2 * i + 2]);
        emit_edges(m, &next, i, EDGE_ENTERS_BEHIND);
    }
    m->at[2 * count] = (uint32_t)m->inserted.size;
    writer_free(&planned);
}
