/* contexts.c - the calls of methods by who made them: the tree of all sequences of calls, or pairs of caller and
 * method.
 *
 * Each row is a node with a number. A call belongs to the node of its method below the node of the call around it
 * (TREE), or below its method alone (EDGES); a map finds the node. Memory is used for open calls and rows only. */
#include <stdlib.h>

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/query/entries.h"

enum { NO_NODE = UINT32_MAX };

struct node_of {
    uint64_t key; /* node or method of the caller + 1, 0 for none: << 32 | method id; and 1 is added */
    uint32_t node;
};

struct open_node {
    uint32_t node; /* NO_NODE: it is left out */
    uint32_t method;
};

struct thread_contexts {
    struct call_stack calls;
    VEC(struct open_node) nodes; /* of the open calls, by position; only those that calls has are valid */
};

struct contexts {
    struct list_answer base;
    hs_trace *trace;
    enum hs_context_kind kind;
    size_t max;
    uint64_t cut; /* calls left out */
    VEC(struct hs_context) rows;
    u32_vec parents;             /* TREE, by row: position of its caller + 1, 0 none */
    MAP(struct node_of) nodes;   /* while events are read */
    VEC(struct open_node) paths; /* nodes of those of a segment */
    size_t clock_at;
    struct thread_contexts *threads; /* by stream */
};

/* The node of a call below another one; false: out of memory. */
static bool find_node(struct contexts *c, const struct open_node *caller, uint32_t method, uint32_t *out)
{
    bool tree = c->kind == HS_CONTEXT_TREE;
    *out = NO_NODE;
    if (method == HS_NO_METHOD || (tree && caller != NULL && caller->node == NO_NODE))
        return true;
    uint64_t above = caller == NULL ? 0 : (uint64_t)(tree ? caller->node : caller->method) + 1;
    uint64_t key = (above << 32 | method) + 1;
    const struct node_of *known = map_get(&c->nodes, key);
    if (known != NULL) {
        *out = known->node;
        return true;
    }
    if (c->rows.count >= c->max || c->rows.count >= NO_NODE)
        return true;
    struct node_of *new = map_put(&c->nodes, key);
    struct hs_context *row = new != NULL ? vec_push(&c->rows) : NULL;
    uint32_t *parent = row != NULL ? vec_push(&c->parents) : NULL;
    if (parent == NULL)
        return false;
    *parent = tree ? (uint32_t)above : 0;
    *row = (struct hs_context){ .method_id = method, .caller_id = caller != NULL ? caller->method : HS_NO_METHOD };
    if (tree && caller != NULL)
        row->depth = c->rows.items[caller->node].depth + 1;
    new->node = (uint32_t)c->rows.count - 1;
    *out = new->node;
    return true;
}

static bool enter(struct contexts *c, struct thread_contexts *t, uint32_t method, uint64_t now)
{
    struct open_node own = { .method = method };
    size_t depth = t->calls.calls.count;
    if (!find_node(c, depth > 0 ? &t->nodes.items[depth - 1] : NULL, method, &own.node))
        return false;
    if (!vec_extend(&t->nodes, depth + 1) || calls_enter(&t->calls, method, now) == NULL)
        return false;
    t->nodes.items[depth] = own;
    if (own.node == NO_NODE)
        c->cut++;
    else
        c->rows.items[own.node].calls++;
    return true;
}

static void leave(struct contexts *c, struct thread_contexts *t, uint32_t method, uint64_t now, bool threw)
{
    struct call_took took;
    if (!calls_leave(&t->calls, method, now, &took))
        return;
    uint32_t node = t->nodes.items[t->calls.calls.count].node;
    if (node == NO_NODE)
        return;
    struct hs_context *row = &c->rows.items[node];
    row->left++;
    row->exceptions += threw;
    row->total_ns += took.nested && c->kind == HS_CONTEXT_EDGES ? 0 : took.total;
    row->self_ns += took.self;
    row->max_ns = took.total > row->max_ns ? took.total : row->max_ns;
}

static bool apply(void *context, const struct entry_or_exit *e)
{
    struct contexts *c = context;
    struct thread_contexts *t = &c->threads[e->stream];
    uint32_t method = same_method(c->trace, e->effect->method);
    uint64_t now = call_time_ns(c->trace, e->stamp, e->time_ns, &c->clock_at);
    if (gap_passed(c->trace, &t->calls.gap, e->stamp))
        calls_forget(&t->calls);
    if (e->effect->op == EFFECT_ENTER)
        return enter(c, t, method, now);
    leave(c, t, method, now, e->effect->event == EVENT_METHOD_EXCEPTIONAL_EXIT);
    if (t->calls.calls.count == 0)
        vec_free(&t->nodes); /* not kept for the next call: there may be a hundred thousand threads */
    return true;
}

static int by_total(const struct hs_context *x, const struct hs_context *y)
{
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return 0;
}

static int by_method(const void *a, const void *b)
{
    const struct hs_context *x = a, *y = b;
    if (x->method_id != y->method_id)
        return x->method_id < y->method_id ? -1 : 1;
    int order = by_total(x, y);
    return order != 0 ? order : x->caller_id < y->caller_id ? -1 : x->caller_id > y->caller_id;
}

/* ---- from the index ---- */

static enum status add_path(void *context, uint32_t position, const struct path_sum *p, struct error *err)
{
    struct contexts *c = context;
    struct open_node own = { .method = p->sums.method_id };
    c->paths.count = position;
    if (!find_node(c, p->parent != NO_PATH ? &c->paths.items[p->parent] : NULL, own.method, &own.node))
        return error_memory(err, "%s", c->trace->dir);
    if (own.node == NO_NODE) /* which ones are left out depends on the order of the events */
        return ERR_NOT_FOUND;
    struct open_node *to = vec_push(&c->paths);
    if (to == NULL)
        return error_memory(err, "%s", c->trace->dir);
    *to = own;
    struct hs_context *row = &c->rows.items[own.node];
    row->calls += p->sums.calls;
    row->left += p->sums.left;
    row->exceptions += p->sums.exceptions;
    row->total_ns += p->nested && c->kind == HS_CONTEXT_EDGES ? 0 : p->sums.total_ns;
    row->self_ns += p->sums.self_ns;
    row->max_ns = p->sums.max_ns > row->max_ns ? p->sums.max_ns : row->max_ns;
    return OK;
}

/* 1: the index does not have it. */
static int contexts_ready(struct contexts *c, struct hs_error *error)
{
    struct error err;
    enum status st = index_paths(c->trace, add_path, c, &err);
    vec_free(&c->paths);
    if (st == OK)
        return 0;
    c->rows.count = c->parents.count = 0;
    map_free(&c->nodes);
    return st == ERR_NOT_FOUND ? 1 : give(error, &err);
}

/* ---- the tree in order ---- */

struct place {
    uint32_t parent, row; /* as in `parents`; position in rows */
    const struct hs_context *context;
};

static int by_parent(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    int order = by_total(x->context, y->context);
    return order != 0 ? order : x->context->method_id < y->context->method_id ? -1 : 1; /* they are never the same */
}

/* What a method called behind it: the rows by caller, then from each to the first that it called. */
static bool order_tree(struct contexts *c)
{
    size_t count = c->rows.count, done = 0, open = 0;
    struct place *places = calloc(count + 1, sizeof *places);
    size_t *first = calloc(count + 2, sizeof *first); /* by parent: its first place; one more */
    size_t *next = calloc(count + 1, sizeof *next);   /* places that are still to come: from here .. */
    size_t *end = calloc(count + 1, sizeof *end);     /* .. to here, by depth */
    struct hs_context *ordered = calloc(count + 1, sizeof *ordered);
    bool fits = places != NULL && first != NULL && next != NULL && end != NULL && ordered != NULL;
    if (!fits)
        goto out;
    for (size_t i = 0; i < count; i++)
        places[i] = (struct place){ c->parents.items[i], (uint32_t)i, &c->rows.items[i] };
    qsort(places, count, sizeof *places, by_parent);
    for (size_t i = 0; i < count; i++)
        first[places[i].parent + 1]++;
    for (size_t i = 1; i <= count + 1; i++)
        first[i] += first[i - 1];
    end[0] = first[1];
    for (open = 1; open > 0;) {
        if (next[open - 1] == end[open - 1]) {
            open--;
            continue;
        }
        const struct place *p = &places[next[open - 1]++];
        ordered[done++] = *p->context;
        next[open] = first[p->row + 1];
        end[open] = first[p->row + 2];
        open++;
    }
    memcpy(c->rows.items, ordered, count * sizeof *ordered);
out:
    free(places);
    free(first);
    free(next);
    free(end);
    free(ordered);
    return fits;
}

/* ---- the answer ---- */

static void threads_free(struct contexts *c)
{
    for (size_t i = 0; c->threads != NULL && i < c->trace->stream_count; i++) {
        calls_done(&c->threads[i].calls);
        vec_free(&c->threads[i].nodes);
    }
    free(c->threads);
    c->threads = NULL;
    map_free(&c->nodes);
}

static void contexts_done(struct list_answer *base)
{
    struct contexts *c = (struct contexts *)base;
    threads_free(c);
    vec_free(&c->rows);
    vec_free(&c->parents);
    arena_done(&base->arena);
    free(c);
}

int hs_contexts_open(hs_trace *trace, enum hs_context_kind kind, uint64_t from, uint64_t to, size_t max,
                     hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "contexts");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct contexts *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &err);
    c->base.done = contexts_done;
    c->trace = trace;
    c->kind = kind;
    c->max = max;
    c->threads = calloc(trace->stream_count + 1, sizeof *c->threads);
    int failed = c->threads != NULL ? 1 : give(error, &err);
    if (failed > 0 && from == 0 && to == HS_NO_SEQ)
        failed = contexts_ready(c, error);
    if (failed > 0)
        failed = entries_each(trace, from, to, apply, c, error);
    threads_free(c);
    if (failed == 0 && c->rows.count > 1) {
        if (kind == HS_CONTEXT_EDGES)
            qsort(c->rows.items, c->rows.count, sizeof *c->rows.items, by_method);
        else if (!order_tree(c))
            failed = give(error, &err);
    }
    if (failed != 0) {
        list_answer_free(&c->base);
        return -1;
    }
    return cursor_over(ROW_context, c->rows.items, sizeof *c->rows.items, c->rows.count, &c->base, out, error);
}

uint64_t hs_contexts_cut(const hs_cursor *contexts)
{
    const struct contexts *c = (const struct contexts *)cursor_answer(contexts, ROW_context);
    return c != NULL ? c->cut : 0;
}
