/* control.c - control dependence: see control.h. Dominators by Cooper, Harvey, Kennedy: "A Simple, Fast Dominance
 * Algorithm", on single instructions. */
#include "reader/code/code.h"

/* ---- edges ---- */

/* Handlers that are looked at for the throws of a method: both can be 65,535. A throw behind that leaves it. */
enum { HANDLERS_MOST = 1 << 22 };

struct edge_list {
    u32_vec from, to;
    uint32_t handlers; /* that were looked at */
    bool no_memory;
};

static bool append(u32_vec *to, uint32_t n)
{
    uint32_t *item = vec_push(to);
    if (item != NULL)
        *item = n;
    return item != NULL;
}

static void add_edge(struct edge_list *l, uint32_t from, uint32_t to)
{
    l->no_memory |= !append(&l->from, from) || !append(&l->to, to);
}

/* A throw to the handlers that cover it; false: none does. */
static bool add_caught(struct edge_list *l, const struct code *c, uint32_t insn)
{
    const uint32_t pc = c->insns.items[insn].pc;
    bool caught = false;
    for (size_t i = 0; i < c->handlers.count && l->handlers < HANDLERS_MOST; i++, l->handlers++) {
        const struct handler *h = &c->handlers.items[i];
        const uint32_t to = code_insn_at(c, h->handler);
        if (pc < h->start || pc >= h->end || to == NO_INSN || to == insn)
            continue;
        add_edge(l, insn, to);
        caught = true;
        if (h->type == 0)
            break;
    }
    return caught;
}

static void add_edges(struct edge_list *l, const struct code *c)
{
    const uint32_t out = (uint32_t)c->insns.count;
    for (uint32_t i = 0; i < out; i++) {
        struct successors s = { .code = c, .insn = i };
        bool any = c->insns.items[i].op == OPC_athrow && add_caught(l, c, i);
        for (; code_next(&s); any = true)
            add_edge(l, i, s.to);
        if (!any)
            add_edge(l, i, out);
    }
}

/* Edges by node: those from it, or those to it. */
struct adjacency {
    uint32_t *first, *other; /* the edges of node n: other[first[n]] .. other[first[n + 1] - 1] */
};

static void adjacency_free(struct adjacency *a)
{
    free(a->first);
    free(a->other);
}

static bool adjacency_make(const struct edge_list *l, uint32_t nodes, bool to, struct adjacency *out)
{
    const uint32_t *key = to ? l->to.items : l->from.items, *value = to ? l->from.items : l->to.items;
    out->first = calloc((size_t)nodes + 2, sizeof *out->first);
    out->other = calloc(l->from.count + 1, sizeof *out->other);
    if (out->first == NULL || out->other == NULL)
        return false;
    for (size_t i = 0; i < l->from.count; i++)
        out->first[key[i] + 2]++;
    for (uint32_t n = 0; n < nodes; n++)
        out->first[n + 2] += out->first[n + 1];
    for (size_t i = 0; i < l->from.count; i++)
        out->other[out->first[key[i] + 1]++] = value[i];
    return true;
}

/* Marks what can be reached from `node`, and appends it to `order` (may be NULL) as it is left: depth first. */
static bool walk(const struct adjacency *a, uint32_t nodes, uint32_t node, uint8_t *marks, u32_vec *order)
{
    u32_vec path = { 0 };
    uint32_t *at = malloc((size_t)nodes * sizeof *at); /* the next edge of each node of the path */
    bool ok = at != NULL && append(&path, node);
    if (ok) {
        marks[node] = 1;
        at[node] = a->first[node];
    }
    while (ok && path.count > 0) {
        const uint32_t n = path.items[path.count - 1];
        if (at[n] == a->first[n + 1]) {
            path.count--;
            ok = order == NULL || append(order, n);
            continue;
        }
        const uint32_t next = a->other[at[n]++];
        if (marks[next])
            continue;
        marks[next] = 1;
        at[next] = a->first[next];
        ok = append(&path, next);
    }
    vec_free(&path);
    free(at);
    return ok;
}

/* Gives loops without an exit one. */
static bool add_exits(struct edge_list *l, uint32_t count)
{
    uint8_t *leaves = calloc((size_t)count + 1, 1);
    struct adjacency back = { 0 };
    bool ok =
        leaves != NULL && adjacency_make(l, count + 1, true, &back) && walk(&back, count + 1, count, leaves, NULL);
    for (uint32_t i = count; ok && i-- > 0;) {
        if (leaves[i])
            continue;
        add_edge(l, i, count);
        ok = walk(&back, count + 1, i, leaves, NULL);
    }
    adjacency_free(&back);
    free(leaves);
    return ok && !l->no_memory;
}

/* ---- dominators ---- */

static uint32_t common(const uint32_t *parent, const uint32_t *number, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (number[a] < number[b])
            a = parent[a];
        while (number[b] < number[a])
            b = parent[b];
    }
    return a;
}

/* Numbers the nodes of the tree so that each interval encloses those below it. `order`: parents last. */
static bool number_tree(const uint32_t *parent, const u32_vec *order, uint32_t nodes, struct control_tree *out)
{
    uint32_t *size = calloc(nodes, sizeof *size);
    out->first = calloc(nodes, sizeof *out->first);
    out->last = calloc(nodes, sizeof *out->last);
    const bool ok = size != NULL && out->first != NULL && out->last != NULL;
    for (size_t i = 0; ok && i + 1 < order->count; i++) {
        const uint32_t n = order->items[i];
        size[parent[n]] += ++size[n];
    }
    for (size_t i = ok ? order->count : 0; i-- > 0;) {
        const uint32_t n = order->items[i], p = parent[n];
        const bool root = i + 1 == order->count;
        out->first[n] = root ? 1 : out->last[p] + 1; /* `last` of the parent: what its children have taken */
        out->last[n] = out->first[n];
        if (root)
            size[n]++;
        else
            out->last[p] += size[n];
    }
    free(size);
    return ok;
}

/* The dominators of a graph from `root`; `next` leads away from it. */
static bool make_tree(const struct adjacency *next, const struct adjacency *previous, uint32_t nodes, uint32_t root,
                      struct control_tree *out)
{
    uint8_t *marks = calloc(nodes, 1);
    uint32_t *parent = malloc((size_t)nodes * sizeof *parent), *number = calloc(nodes, sizeof *number);
    u32_vec order = { 0 };
    bool ok = marks != NULL && parent != NULL && number != NULL && walk(next, nodes, root, marks, &order);
    for (size_t i = 0; ok && i < order.count; i++) {
        number[order.items[i]] = (uint32_t)i;
        parent[order.items[i]] = UINT32_MAX;
    }
    if (ok)
        parent[root] = root;
    for (bool changed = ok; changed;) {
        changed = false;
        for (size_t i = order.count - 1; i-- > 0;) {
            const uint32_t n = order.items[i];
            uint32_t best = UINT32_MAX;
            for (uint32_t e = previous->first[n]; e < previous->first[n + 1]; e++) {
                const uint32_t p = previous->other[e];
                if (marks[p] && parent[p] != UINT32_MAX)
                    best = best == UINT32_MAX ? p : common(parent, number, p, best);
            }
            changed |= parent[n] != best;
            parent[n] = best;
        }
    }
    ok = ok && number_tree(parent, &order, nodes, out);
    vec_free(&order);
    free(marks);
    free(parent);
    free(number);
    return ok;
}

static bool is_above(const struct control_tree *t, uint32_t a, uint32_t b)
{
    return t->first[a] != 0 && t->first[b] != 0 && t->first[a] <= t->first[b] && t->last[b] <= t->last[a];
}

/* ---- the graph ---- */

static bool make_trees(struct edge_list *l, struct control *out)
{
    const uint32_t count = (uint32_t)out->code->insns.count, nodes = count + 2, entry = count + 1;
    struct adjacency next = { 0 }, previous = { 0 };
    if (count > 0)
        add_edge(l, entry, 0);
    for (size_t i = 0; i < out->code->handlers.count; i++) {
        const uint32_t to = code_insn_at(out->code, out->code->handlers.items[i].handler);
        if (to != NO_INSN)
            add_edge(l, entry, to);
    }
    const bool ok = !l->no_memory && adjacency_make(l, nodes, false, &next) &&
                    adjacency_make(l, nodes, true, &previous) &&
                    make_tree(&next, &previous, nodes, entry, &out->before) &&
                    make_tree(&previous, &next, nodes, count, &out->after);
    adjacency_free(&next);
    adjacency_free(&previous);
    return ok;
}

bool control_make(const struct code *c, struct control *out)
{
    struct edge_list l = { 0 };
    *out = (struct control){ .code = c };
    add_edges(&l, c);
    const size_t own = l.from.count; /* the edges of the code; those that are added are for the trees alone */
    bool ok = !l.no_memory && add_exits(&l, (uint32_t)c->insns.count) && make_trees(&l, out);
    out->from = l.from.items;
    out->to = l.to.items;
    out->edge_count = own;
    out->edges_from = ok ? calloc(c->insns.count + 2, sizeof *out->edges_from) : NULL;
    for (size_t i = 0; out->edges_from != NULL && i < own; i++)
        out->edges_from[l.from.items[i] + 1] = (uint32_t)i + 1;
    return ok && out->edges_from != NULL;
}

void control_done(struct control *g)
{
    free(g->from);
    free(g->to);
    free(g->edges_from);
    free(g->before.first);
    free(g->before.last);
    free(g->after.first);
    free(g->after.last);
}

bool control_is_branch(const struct code *c, uint32_t insn)
{
    const uint8_t op = c->insns.items[insn].op;
    return (op_table[op].flags & OP_COND) != 0 || op == OPC_tableswitch || op == OPC_lookupswitch;
}

bool control_decides(const struct control *g, uint32_t branch, uint32_t to, uint32_t insn)
{
    return is_above(&g->after, insn, to) && (insn == branch || !is_above(&g->after, insn, branch));
}

bool control_catch_decides(const struct control *g, uint32_t from, uint32_t to, uint32_t insn)
{
    if (g->code->insns.items[from].op != OPC_athrow)
        return control_decides(g, from, to, insn);
    return is_above(&g->before, to, insn) && is_above(&g->after, insn, to);
}

/* The first instruction behind whose throw the handler decides; NO_INSN: none. */
static uint32_t catches_from(const struct control *g, const struct handler *h, uint32_t to, uint32_t insn)
{
    const struct insn *items = g->code->insns.items;
    if (!is_above(&g->after, insn, to))
        return NO_INSN;
    for (uint32_t i = 0; i < g->code->insns.count; i++)
        if (items[i].pc >= h->start && items[i].pc < h->end && control_catch_decides(g, i, to, insn))
            return i;
    return NO_INSN;
}

bool control_ways(const struct control *g, uint32_t insn, control_way_fn *each, void *context)
{
    const struct code *c = g->code;
    for (uint32_t b = 0; b < c->insns.count; b++) {
        struct successors next = { .code = c, .insn = b };
        while (control_is_branch(c, b) && code_next(&next))
            if (control_decides(g, b, next.to, insn) && !each(context, b, next.to, false))
                return false;
    }
    for (size_t i = 0; i < c->handlers.count; i++) {
        const struct handler *h = &c->handlers.items[i];
        const uint32_t to = code_insn_at(c, h->handler);
        const uint32_t from = to != NO_INSN ? catches_from(g, h, to, insn) : NO_INSN;
        if (from != NO_INSN && !each(context, from, to, true))
            return false;
    }
    return true;
}

bool control_dominates(const struct control *g, uint32_t first, uint32_t insn)
{
    return is_above(&g->before, first, insn);
}

bool control_follows(const struct control *g, uint32_t first, uint32_t insn)
{
    return is_above(&g->after, insn, first);
}

bool control_reach(const struct control *g, uint32_t insn, bool forward, uint8_t *marks)
{
    const uint32_t count = (uint32_t)g->code->insns.count;
    struct edge_list l = { .from = { g->from, g->edge_count, 0 }, .to = { g->to, g->edge_count, 0 } };
    struct adjacency a = { 0 };
    uint8_t *all = calloc((size_t)count + 1, 1);
    const bool ok = all != NULL && adjacency_make(&l, count + 1, !forward, &a) && walk(&a, count + 1, insn, all, NULL);
    if (ok)
        memcpy(marks, all, count);
    adjacency_free(&a);
    free(all);
    return ok;
}

/* ---- of a method of a trace ---- */

const struct control *method_control(hs_trace *t, struct method *m)
{
    if (m->control != NULL)
        return m->control;
    m->control = calloc(1, sizeof *m->control);
    if (m->control == NULL || !control_make(&m->code, m->control)) {
        method_control_free(m);
        trace_no_memory(t);
    }
    return m->control;
}

void method_control_free(struct method *m)
{
    if (m->control != NULL)
        control_done(m->control);
    free(m->control);
    m->control = NULL;
}
