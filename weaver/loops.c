/* loops.c - loops whose records are counted in local variables: the back end of counters and rings.
 *
 * Where events are only counted, and may be late (config->count_rounds), the records of a loop that calls nothing are
 * counted in local variables, which the JIT keeps in registers (where they are kept: ring.c):
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
 * What is added where is known when all records of the method are grouped, so loops_assign comes before lower.c. */
#include "weaver/loops.h"

#include <stdlib.h>

#include "weaver/plan.h"

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
    const struct insn *in = &m->scan.code.insns.items[i];
    if (m->loops.keeps && !ring_may_hold(m, i))
        return true;
    if (in->op == OPC_monitorenter || (op_table[in->op].flags & OP_JSR) ||
        (m->scan.is_constructor && m->scan.flow.this_uninit[i]))
        return true;
    if (!(op_table[in->op].flags & OP_INVOKE))
        return false;
    for (; i < m->scan.code.insns.count; i++) { /* not for ever, where all that follows is a throw */
        const struct insn *next = &m->scan.code.insns.items[i];
        if (next->op == OPC_athrow)
            return false;
        if ((op_table[next->op].flags & (OP_COND | OP_END)) ||
            (next->pc != in->pc && m->scan.code.flags[next->pc] & PC_LABEL))
            return true;
    }
    return true;
}

/* Calls `to` with each instruction that a branch of instruction `i` leads to. */
static void each_target(struct method_plan *m, uint32_t i, void (*to)(struct method_plan *, uint32_t, uint32_t))
{
    const struct insn *in = &m->scan.code.insns.items[i];
    for (uint32_t k = 0; k < code_target_count(&m->scan.code, in); k++)
        to(m, i, code_index(&m->scan.code, code_target(&m->scan.code, in, k)));
}

/* Instructions [to, from] are a loop, if none of them takes long. */
static void mark_loop(struct method_plan *m, uint32_t from, uint32_t to)
{
    struct loop_mark *k = m->loops.marks;
    if (to > from || k[to].long_before != k[from + 1].long_before)
        return;
    k[to].nesting++;
    k[from + 1].nesting--;
    for (size_t i = 0; i < m->loops.loops.count; i++)
        if (m->loops.loops.items[i].first == to) { /* another way back to the same begin */
            if (m->loops.loops.items[i].end < from + 1)
                m->loops.loops.items[i].end = from + 1;
            return;
        }
    struct counted_loop *l = m->loops.loops.count < LOOP_COUNTERS_MAX ? vec_push(&m->loops.loops) : NULL;
    if (l != NULL)
        *l = (struct counted_loop){ to, from + 1 };
}

static void add_edge(struct method_plan *m, uint32_t insn, enum loop_edge_kind kind, uint32_t nest, uint32_t loop)
{
    struct loop_edge *e = vec_push(&m->loops.edges);
    if (e == NULL)
        m->glue.code.bad = true;
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
    for (uint32_t k = 0; k < m->loops.loops.count; k++) {
        const struct counted_loop *l = &m->loops.loops.items[k];
        if (is_in(l, i) && (found == NOT_IN_LOOP ||
                            l->end - l->first < m->loops.loops.items[found].end - m->loops.loops.items[found].first))
            found = k;
    }
    return found;
}

/* Control goes on from an instruction of the last nest to another one, or to the end of the code. */
static void pass(struct method_plan *m, uint32_t from, uint32_t to)
{
    const uint32_t nest = (uint32_t)m->loops.nests.count - 1;
    if (!is_in(&m->loops.nests.items[nest].all, to)) {
        add_leave(m, to, nest, NOT_IN_LOOP);
        return;
    }
    for (uint32_t k = 0; k < m->loops.loops.count; k++)
        if (is_in(&m->loops.loops.items[k], from) && !is_in(&m->loops.loops.items[k], to))
            add_leave(m, to, nest, k);
}

/* Where the last nest, and the loops in it, are left. */
static void find_leaves(struct method_plan *m)
{
    const uint32_t nest = (uint32_t)m->loops.nests.count - 1;
    const struct counted_loop all = m->loops.nests.items[nest].all;
    const struct insn *insns = m->scan.code.insns.items;
    for (uint32_t i = all.first; i < all.end; i++) {
        const unsigned flags = op_table[insns[i].op].flags;
        if (!m->scan.flow.reached[i])
            continue;
        each_target(m, i, pass);
        if (flags & OP_RETURN)
            add_leave(m, i, nest, NOT_IN_LOOP);
        if (flags & OP_COND)
            pass(m, i, i + 1);
    }
    for (size_t i = 0; i < m->scan.code.handlers.count; i++) {
        const struct handler *h = &m->scan.code.handlers.items[i];
        const uint32_t to = code_index(&m->scan.code, h->handler);
        if (code_index(&m->scan.code, h->start) < all.end && code_index(&m->scan.code, h->end) > all.first &&
            !is_in(&all, to))
            add_leave(m, to, nest, NOT_IN_LOOP);
    }
}

/* How many records these instructions can have, but for those that are full; of those with values, about as many. */
static unsigned count_records(const struct method_plan *m, uint32_t first, uint32_t end)
{
    unsigned n = 1, values = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        const unsigned flags = op_table[in->op].flags;
        const bool label = i > first && (m->scan.code.flags[in->pc] & PC_LABEL),
                   ends = (flags & OP_THROWS) && !plan_only_fails(m, in);
        n += m->loops.keeps ? (unsigned)label + 2 * (unsigned)ends : label || ends;
        values += (flags & (OP_LOAD | OP_STORE)) || op_table[in->op].format == OPF_IINC;
    }
    return n + (m->loops.keeps ? values / 2 : 0);
}

static bool in_nest(const struct method_plan *m, uint32_t nest, uint32_t i)
{
    return is_in(&m->loops.nests.items[nest].all, i);
}

static bool in_other_nest(const struct method_plan *m, uint32_t nest, uint32_t i)
{
    for (uint32_t k = 0; k < m->loops.nests.count; k++)
        if (k != nest && in_nest(m, k, i))
            return true;
    return false;
}

static void note_branch(struct method_plan *m, uint32_t from, uint32_t to)
{
    if (in_nest(m, (uint32_t)m->loops.nests.count - 1, to))
        add_edge(m, from, EDGE_ENTERS, (uint32_t)m->loops.nests.count - 1, NOT_IN_LOOP);
}

/* An instruction that may branch into the last nest may also go on elsewhere. */
static void note_elsewhere(struct method_plan *m, uint32_t from, uint32_t to)
{
    (void)from;
    if (!in_nest(m, (uint32_t)m->loops.nests.count - 1, to))
        add_leave(m, to, (uint32_t)m->loops.nests.count - 1, NOT_IN_LOOP);
}

/* Where the last nest is entered. False: from another nest, or by a branch into two of them. */
static bool find_entries(struct method_plan *m)
{
    const uint32_t nest = (uint32_t)m->loops.nests.count - 1;
    for (uint32_t i = 0; i < m->scan.code.insns.count; i++) {
        const unsigned flags = op_table[m->scan.code.insns.items[i].op].flags;
        const size_t before = m->loops.edges.count;
        if (!m->scan.flow.reached[i] || in_nest(m, nest, i))
            continue;
        each_target(m, i, note_branch);
        const bool branches = m->loops.edges.count > before, falls = !(flags & OP_END);
        if (branches) {
            m->loops.edges.count = before + 1; /* once */
            each_target(m, i, note_elsewhere);
            if (falls)
                note_elsewhere(m, i, i + 1);
        }
        if (falls && in_nest(m, nest, i + 1) && !branches)
            add_edge(m, i, EDGE_ENTERS_BEHIND, nest, NOT_IN_LOOP);
        if (m->loops.edges.count == before)
            continue;
        if (in_other_nest(m, nest, i))
            return false;
        for (size_t k = 0; branches && k < before; k++)
            if (m->loops.edges.items[k].insn == i && m->loops.edges.items[k].kind == EDGE_ENTERS)
                return false;
    }
    return true;
}

/* Does the last nest lead straight into another one? */
static bool leads_to_other(const struct method_plan *m, size_t first_edge)
{
    for (size_t k = first_edge; k < m->loops.edges.count; k++)
        if (in_other_nest(m, (uint32_t)m->loops.nests.count - 1, m->loops.edges.items[k].insn))
            return true;
    return false;
}

static void add_nest(struct method_plan *m, uint32_t first, uint32_t end)
{
    const unsigned counters = count_records(m, first, end);
    const size_t edges = m->loops.edges.count;
    if (m->loops.counters + counters > LOOP_COUNTERS_MAX)
        return;
    struct loop_nest *n = vec_push(&m->loops.nests);
    if (n == NULL) {
        m->glue.code.bad = true;
        return;
    }
    *n = (struct loop_nest){ { first, end }, m->loops.counters, counters, 0 };
    find_leaves(m);
    if ((m->loops.keeps && (leads_to_other(m, edges) || !find_entries(m))) ||
        counters * (m->loops.edges.count - edges) > ADDS_MAX) {
        m->loops.nests.count--;
        m->loops.edges.count = edges;
        return;
    }
    m->loops.counters += counters;
}

/* Finds the loops, and where they begin and end. */
static void find_loops(struct method_plan *m)
{
    const uint32_t count = (uint32_t)m->scan.code.insns.count;
    for (uint32_t i = 0; i < count; i++)
        m->loops.marks[i + 1].long_before =
            m->loops.marks[i].long_before + (m->scan.flow.reached[i] && takes_long(m, i));
    for (uint32_t i = 0; i < count; i++)
        if (m->scan.flow.reached[i])
            each_target(m, i, mark_loop);
    int32_t nesting = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const int32_t before = nesting;
        nesting += m->loops.marks[i].nesting;
        if (before == 0 && nesting > 0)
            first = i;
        if (before > 0 && nesting == 0)
            add_nest(m, first, i);
    }
}

unsigned loops_find(struct method_plan *m)
{
    const group_set in_rounds = GROUP_ALL & ~(GROUP_BIT(EXEC) | GROUP_BIT(CALL) | GROUP_BIT(PARAM));
    struct loop_plan *l = &m->loops;
    l->nests.count = l->loops.count = l->edges.count = 0;
    l->counters = 0;
    l->keeps = ring_possible(m);
    if (!(l->keeps || m->counts_whole) || !m->c->config->count_rounds || (m->groups & in_rounds) == 0 ||
        m->scan.code.length > CODE_LENGTH_MAX || !m->scan.code.has_jumps)
        return 0;
    l->marks = arena_get(&m->c->arena, (m->scan.code.insns.count + 1) * sizeof *l->marks);
    if (l->marks == NULL) {
        m->glue.code.bad = true;
        return 0;
    }
    find_loops(m);
    if (l->edges.count > 0)
        qsort(l->edges.items, l->edges.count, sizeof *l->edges.items, by_insn);
    for (unsigned i = 0; i < l->counters; i++)
        l->counter[i].id = 0;
    return !l->keeps ? l->counters : l->counters > 0 ? 2 * (l->counters + 1) : 0;
}

void loops_done(struct loop_plan *l)
{
    vec_free(&l->loops);
    vec_free(&l->nests);
    vec_free(&l->edges);
}

struct loop_nest *loops_nest(struct method_plan *m, uint32_t insn)
{
    for (size_t i = 0; i < m->loops.nests.count; i++)
        if (is_in(&m->loops.nests.items[i].all, insn))
            return &m->loops.nests.items[i];
    return NULL;
}

struct loop_nest *loops_recording(struct method_plan *m, uint32_t insn)
{
    return op_table[m->scan.code.insns.items[insn].op].flags & OP_RETURN ? NULL : loops_nest(m, insn);
}

/* The next counter of the nest, if there is room, for a record whose hook is called at instruction `insn`. */
static void assign(struct method_plan *m, struct loop_nest *n, struct record *r, uint32_t loop)
{
    const struct writer *roles = &m->c->out->dataids.roles;
    const uint32_t number = r->first - m->c->config->first_dataid;
    if ((r->hook == HOOK_v || m->loops.keeps) && number < roles->size && plain_role(roles->data[number]) &&
        n->used < n->room) {
        r->counter = (int)(n->counter + n->used++);
        m->loops.counter[r->counter] = (struct loop_counter){ r->first + 1, loop };
    }
    r->counters_used = n->used;
}

void loops_assign(struct method_plan *m)
{
    for (uint32_t i = 0; m->loops.nests.count > 0 && i < m->scan.code.insns.count; i++) {
        struct loop_nest *n = loops_recording(m, i);
        const uint32_t loop = n != NULL ? loop_of(m, i) : NOT_IN_LOOP;
        for (uint32_t k = m->planned.places[2 * i]; n != NULL && k < m->planned.places[2 * i + 2]; k++) {
            const struct step *s = &m->planned.steps.items[k];
            for (uint32_t r = s->record; r < s->records_end; r++)
                if (m->records.items[r].call == k)
                    assign(m, n, &m->records.items[r], loop);
        }
    }
}

void loops_begin(struct method_plan *m, struct emitter *e)
{
    const struct loop_plan *l = &m->loops;
    if (l->keeps && l->counters > 0)
        ring_begin(l, e);
    for (unsigned i = 0; i < l->counters && !l->keeps; i++) {
        emit_int(e, 0);
        emit_store(e, 'I', l->local + i);
    }
}

bool loops_record(struct method_plan *m, const struct loop_nest *n, const struct record *r)
{
    struct emitter *e = &m->inserted.emit;
    if (m->loops.keeps) {
        ring_record(&m->loops, n, r, r->release || m->c->release_all, e);
        return true;
    }
    if (r->counter < 0)
        return false;
    const unsigned local = m->loops.local + (unsigned)r->counter;
    emit_load(e, 'I', local);
    emit_id(e, r->first);
    emit_member_call(e, MEMBER_TICK, 1 + ID_STACK);
    emit_store(e, 'I', local);
    return true;
}

static void emit_counter(const struct loop_plan *l, unsigned i, enum woven_member called, struct emitter *e)
{
    emit_load(e, 'I', l->local + i);
    emit_id(e, l->counter[i].id - 1);
    emit_member_call(e, called, 1 + ID_STACK);
}

void loops_exit(struct method_plan *m, struct emitter *e)
{
    const struct loop_plan *l = &m->loops;
    for (unsigned i = 0; i < l->counters; i++)
        if (l->counter[i].id != 0 && l->keeps)
            ring_leave(l, i, e);
        else if (l->counter[i].id != 0)
            emit_counter(l, i, MEMBER_ADD, e);
}

static void emit_leave(const struct loop_plan *l, const struct loop_edge *edge, struct emitter *e)
{
    const struct loop_nest *n = &l->nests.items[edge->nest];
    const bool all = edge->loop == NOT_IN_LOOP;
    for (unsigned i = n->counter; i < n->counter + n->used; i++) {
        if (!all && (l->keeps || l->counter[i].loop != edge->loop))
            continue;
        if (l->keeps) {
            ring_leave(l, i, e);
            continue;
        }
        emit_counter(l, i, all ? MEMBER_ADD : MEMBER_ADD_MANY, e);
        if (all)
            emit_int(e, 0);
        emit_store(e, 'I', l->local + i);
    }
}

void loops_edges(struct method_plan *m, uint32_t insn, enum loop_edge_kind kind)
{
    struct loop_plan *l = &m->loops;
    for (; l->next_edge < l->edges.count; l->next_edge++) {
        const struct loop_edge *e = &l->edges.items[l->next_edge];
        if (e->insn != insn || e->kind != kind)
            return;
        if (!m->scan.flow.reached[insn] || (l->next_edge > 0 && by_insn(e - 1, e) == 0))
            continue;
        if (kind == EDGE_LEAVES)
            emit_leave(l, e, &m->inserted.emit);
        else
            ring_enter(l, &l->nests.items[e->nest], l->nests.items[e->nest].used, &m->inserted.emit);
    }
}

void loops_enter_first(struct method_plan *m)
{
    const struct loop_plan *l = &m->loops;
    for (size_t k = 0; l->keeps && k < l->nests.count && l->edges.count > 0; k++)
        if (l->nests.items[k].all.first == 0)
            ring_enter(l, &l->nests.items[k], l->nests.items[k].used, &m->inserted.emit);
}
