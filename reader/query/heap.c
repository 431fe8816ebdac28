/* heap.c - hs_heap_open: the objects at a moment, by type or by what they retain.
 *
 * The graph is that of heap_pass.h. Its node 0 holds the roots: what the frames of each thread have (state.h), what
 * threads have in hand, constants, static fields. What was given to code that is not woven is reached in a second walk,
 * from there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "reader/query/dominators.h"
#include "reader/query/heap_pass.h"
#include "reader/query/state.h"

struct root {
    uint32_t node;
    const char *text; /* NULL: a constant, or what a thread has in hand */
};
typedef VEC(struct root) root_vec;
/* What is known at one moment. */
struct moment {
    struct dominators reached, outside;
};
struct heap_answer {
    struct list_answer base;
    struct hs_heap_row *rows;
};
struct heap_query {
    hs_trace *trace;
    const struct hs_heap_options *options;
    struct heap_answer *out;
    struct heap_pass pass;
    root_vec roots;
    struct arena scratch; /* frames of one thread */
    bool *before;         /* by node: it was reached at `since` */
    size_t before_count;  /* of what was seen then; others come behind */
    VEC(struct hs_heap_row) rows;
    bool no_memory;
};

static bool no_memory(struct heap_query *q)
{
    q->no_memory = true;
    return false;
}

/* ---- roots ---- */

static void add_root(struct heap_query *q, uint32_t node, const char *text)
{
    struct root *r = node != 0 ? vec_push(&q->roots) : NULL;
    if (r != NULL)
        *r = (struct root){ node, text };
    else if (node != 0)
        (void)no_memory(q);
}
static void add_object(struct heap_query *q, uint64_t id, const char *text)
{
    add_root(q, heap_node(&q->pass, id), text);
}

static const char *text_of(struct heap_query *q, const char *a, const char *b, const char *c, const char *d)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    char *to = arena_chars(&q->out->base.arena, size);
    if (to == NULL)
        (void)no_memory(q);
    else
        (void)snprintf(to, size, "%s%s%s%s", a, b, c, d);
    return to;
}

static void add_variable(struct heap_query *q, const char *where, const struct hs_variable *v)
{
    if (v->kind == KIND_REF && heap_node(&q->pass, v->value) != 0)
        add_object(q, v->value, text_of(q, where, ":", v->name, ""));
}

static void add_frame(struct heap_query *q, const struct hs_frame *f)
{
    const struct hs_method *m = hs_method_get(q->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(q->trace, m->class_no) : NULL;
    const char *where = c != NULL ? text_of(q, c->name, ".", m->name, "") : NULL;
    if (where == NULL)
        return;
    if (f->has_this)
        add_object(q, f->self, text_of(q, where, ":", "this", ""));
    for (size_t i = 0; i < f->parameter_count; i++) {
        bool written = false;
        for (size_t k = 0; k < f->local_count; k++)
            written = written || f->locals[k]->slot == f->parameters[i]->slot;
        if (!written)
            add_variable(q, where, f->parameters[i]);
    }
    for (size_t i = 0; i < f->local_count; i++)
        add_variable(q, where, f->locals[i]);
    for (size_t i = 0; i < f->monitor_count; i++)
        add_object(q, f->monitors[i]->object, text_of(q, where, " monitor", "", ""));
}

/* The frames of a thread after its last event, without the one that this leaves. */
static enum status add_thread(struct heap_query *q, const struct heap_thread *t, struct error *err)
{
    const struct effect *f = effects_get(q->trace, t->last.dataid);
    const struct hs_thread *thread = hs_thread_get(q->trace, t->thread);
    const struct hs_frame *frames = NULL;
    size_t count = 0;
    enum status st = stack_at(q->trace, t->last.seq, &q->scratch, &frames, &count, err);
    if (st != OK)
        return st;
    const bool leaves = f->op == EFFECT_LEAVE && count > 0 && frames[0].method_id == f->method;
    for (size_t i = leaves; i < count; i++)
        add_frame(q, &frames[i]);
    if (count > (size_t)leaves) {
        if (thread != NULL)
            add_object(q, thread->object_id, text_of(q, "thread ", thread->name, "", ""));
        if (t->last.kind == KIND_REF)
            add_object(q, t->last.value, NULL);
        for (size_t i = 0; i < t->given.ids.count; i++)
            add_object(q, t->given.ids.items[i], NULL);
    }
    arena_clear(&q->scratch);
    return OK;
}

static void add_statics(struct heap_query *q)
{
    const held_part *part = q->pass.parts.count > 0 ? &q->pass.parts.items[0] : NULL;
    for (size_t i = 0; part != NULL && i < part->cap; i++) {
        const struct held *h = &part->slots[i];
        if (h->key == 0 || (h->key - 1) >> 32 != 0 || h->value == 0)
            continue;
        const struct heap_field *f = &q->pass.fields.items[(h->key - 1) - 1];
        add_root(q, (uint32_t)h->value, text_of(q, "static ", f->declaring, ".", f->name));
    }
}

static enum status find_roots(struct heap_query *q, struct error *err)
{
    enum status st = OK;
    q->roots.count = 0;
    add_statics(q);
    for (size_t i = 0; st == OK && i < q->pass.threads.count; i++)
        st = add_thread(q, &q->pass.threads.items[i], err);
    for (uint32_t node = 1; node < q->pass.nodes.count; node++)
        if ((q->pass.nodes.items[node].flags & HEAP_CONSTANT) != 0)
            add_root(q, node, NULL);
    return st;
}

/* ---- the graph ---- */

/* What code that is not woven may hold. */
static bool may_be_outside(const struct heap_pass *p, uint32_t node)
{
    const unsigned flags = p->nodes.items[node].flags;
    return (flags & HEAP_OUTSIDE) != 0 || (flags & (HEAP_MADE | HEAP_CONSTANT)) == 0;
}

/* The edges of node 0: the roots, or what may be held outside. Returns their number; writes them unless `to` is
 * NULL. */
static size_t edges_of_roots(const struct heap_query *q, bool outside, uint32_t *to)
{
    size_t n = 0;
    for (size_t i = outside; i < (outside ? q->pass.nodes.count : q->roots.count); i++) {
        if (outside && !may_be_outside(&q->pass, (uint32_t)i))
            continue;
        if (to != NULL)
            to[n] = outside ? (uint32_t)i : q->roots.items[i].node;
        n++;
    }
    return n;
}

/* The references between objects: counts those of each object behind it in `first`, or writes
 * them from there on. */
static void each_edge(const struct heap_pass *p, size_t *first, uint32_t *edges)
{
    for (size_t k = 0; k < p->parts.count; k++)
        for (size_t i = 0; i < p->parts.items[k].cap; i++) {
            const struct held *h = &p->parts.items[k].slots[i];
            const uint64_t from = h->key != 0 ? (h->key - 1) >> 32 : 0;
            if (from == 0 || h->value == 0)
                continue;
            if (edges != NULL)
                edges[first[from]++] = (uint32_t)h->value;
            else
                first[from + 1]++;
        }
}

/* `first` and `edges` are the caller's to free. */
static bool make_graph(struct heap_query *q, bool outside, struct graph *g, size_t **first, uint32_t **edges)
{
    const size_t nodes = q->pass.nodes.count;
    *edges = NULL;
    *first = calloc(nodes + 2, sizeof **first);
    if (*first == NULL)
        return no_memory(q);
    (*first)[1] = edges_of_roots(q, outside, NULL);
    each_edge(&q->pass, *first, NULL);
    for (size_t i = 0; i < nodes; i++)
        (*first)[i + 1] += (*first)[i];
    *edges = calloc((*first)[nodes] + 1, sizeof **edges);
    if (*edges == NULL)
        return no_memory(q);
    (void)edges_of_roots(q, outside, *edges);
    each_edge(&q->pass, *first, *edges);                       /* moves each `first` to its end, */
    memmove(*first + 1, *first, (nodes + 1) * sizeof **first); /* where the next one begins */
    (*first)[1] = edges_of_roots(q, outside, NULL);
    (*first)[0] = 0;
    *g = (struct graph){ (uint32_t)nodes, *first, *edges };
    return true;
}

static bool find_reached(struct heap_query *q, bool outside, bool dominators, struct dominators *out)
{
    struct graph g;
    size_t *first;
    uint32_t *edges;
    bool ok = make_graph(q, outside, &g, &first, &edges);
    if (ok)
        ok = dominators ? dominators_find(&g, out) : dominators_reach(&g, out);
    free(first);
    free(edges);
    return ok || no_memory(q);
}

static bool is_in(const struct dominators *d, uint32_t node) { return d->number[node] != 0; }

/* ---- rows ---- */

static const char *type_of(const struct heap_query *q, uint32_t node)
{
    const struct hs_object *o = hs_object_get(q->trace, q->pass.nodes.items[node].id);
    return o != NULL ? o->type : NULL;
}

static bool wanted(const struct heap_query *q, const char *type)
{
    const char *glob = q->options->type_glob;
    return glob == NULL || (type != NULL && hs_class_matches(glob, type));
}

static void object_rows(struct heap_query *q, const struct moment *now)
{
    const struct dominators *d = &now->reached;
    for (uint32_t place = 1; place < d->reached && !q->no_memory; place++) {
        const uint32_t node = d->node[place];
        const char *type = type_of(q, node);
        struct hs_heap_row *row = wanted(q, type) ? vec_push(&q->rows) : NULL;
        if (row != NULL)
            *row = (struct hs_heap_row){ .type = type,
                                         .id = q->pass.nodes.items[node].id,
                                         .reached = 1,
                                         .retained = d->retained[place],
                                         .dominator = q->pass.nodes.items[d->node[d->idom[place]]].id,
                                         .before = node < q->before_count && q->before[node],
                                         .made = node >= q->before_count };
        else if (wanted(q, type))
            (void)no_memory(q);
    }
}

/* Roots of objects: the first that has a name. */
static int by_object(const void *a, const void *b)
{
    const struct root *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->text == NULL || y->text == NULL ? (x->text == NULL) - (y->text == NULL) : strcmp(x->text, y->text);
}
static void name_roots(struct heap_query *q)
{
    if (q->roots.count > 1)
        qsort(q->roots.items, q->roots.count, sizeof *q->roots.items, by_object);
    for (size_t i = 0; i < q->rows.count; i++) {
        const uint32_t node = heap_node(&q->pass, q->rows.items[i].id);
        size_t at = 0;
        LOWER_BOUND(at, q->roots.count, q->roots.items[at].node < node);
        if (at < q->roots.count && q->roots.items[at].node == node)
            q->rows.items[i].root = q->roots.items[at].text;
    }
}

/* The rows of types, by class object. */
struct type_rows {
    MAP(struct type_number {
        uint64_t key; /* class object + 1 */
        uint32_t number;
    })
    of_class;
    u32_vec of_node; /* its row + 1 */
};

static struct hs_heap_row *type_row(struct heap_query *q, struct type_rows *types, uint32_t node)
{
    const uint32_t class_id = objects_class(q->trace, q->pass.nodes.items[node].id);
    struct type_number *n = map_put(&types->of_class, (uint64_t)class_id + 1);
    if (n != NULL && n->number == 0) {
        struct hs_heap_row *row = vec_push(&q->rows);
        if (row != NULL)
            *row = (struct hs_heap_row){ .type = type_of(q, node) };
        n->number = row != NULL ? (uint32_t)q->rows.count : 0;
    }
    if (n == NULL || n->number == 0) {
        (void)no_memory(q);
        return NULL;
    }
    types->of_node.items[node] = n->number;
    return &q->rows.items[n->number - 1];
}

static void count_object(struct heap_query *q, struct type_rows *types, const struct moment *now, uint32_t node)
{
    struct hs_heap_row *row = type_row(q, types, node);
    if (row == NULL)
        return;
    const bool reached = is_in(&now->reached, node), outside = is_in(&now->outside, node);
    const bool seen_before = node < q->before_count, before = seen_before && q->before[node];
    row->reached += reached;
    row->outside += !reached && outside;
    row->unheld += !reached && !outside;
    row->before += before;
    row->made += reached && !seen_before;
    row->gone += !reached && before;
}

/* What would not be reached without the objects of a type: the objects that one of them dominates. `up` has the next
 * dominator of the same type; places come behind those of their dominators. */
static void retained_by_type(struct heap_query *q, const struct type_rows *types, const struct dominators *d)
{
    struct open {
        uint32_t place, type;
    };
    uint32_t *child = calloc((size_t)d->reached + 1, sizeof *child),
             *next = calloc((size_t)d->reached + 1, sizeof *next);
    uint32_t *open = calloc((size_t)d->reached + 1, sizeof *open);
    uint32_t *inside = calloc(q->rows.count + 1, sizeof *inside); /* by row: open places of its type */
    size_t depth = 0;
    if (child == NULL || next == NULL || open == NULL || inside == NULL) {
        (void)no_memory(q);
    } else if (d->reached > 0) {
        for (uint32_t w = d->reached; w-- > 1;) { /* the children of a place as a list */
            next[w] = child[d->idom[w]];
            child[d->idom[w]] = w;
        }
        open[depth++] = 0;
        while (depth > 0) {
            const uint32_t at = open[depth - 1], w = child[at];
            if (w == 0) {
                if (at != 0)
                    inside[types->of_node.items[d->node[at]] - 1]--;
                depth--;
                continue;
            }
            child[at] = next[w];
            const uint32_t row = types->of_node.items[d->node[w]] - 1;
            if (inside[row]++ == 0)
                q->rows.items[row].retained += d->retained[w];
            open[depth++] = w;
        }
    }
    free(child);
    free(next);
    free(open);
    free(inside);
}

/* Classes of one name are one row. */
static int by_name(const void *a, const void *b)
{
    const struct hs_heap_row *x = a, *y = b;
    if (x->type == NULL || y->type == NULL)
        return (x->type == NULL) - (y->type == NULL);
    return strcmp(x->type, y->type);
}
static void join_names(struct heap_query *q)
{
    size_t kept = 0;
    if (q->rows.count > 1)
        qsort(q->rows.items, q->rows.count, sizeof *q->rows.items, by_name);
    for (size_t i = 0; i < q->rows.count; i++) {
        const struct hs_heap_row *row = &q->rows.items[i];
        struct hs_heap_row *to = kept > 0 ? &q->rows.items[kept - 1] : NULL;
        if (to == NULL || by_name(to, row) != 0) {
            q->rows.items[kept++] = *row;
            continue;
        }
        to->reached += row->reached;
        to->outside += row->outside;
        to->unheld += row->unheld;
        to->retained += row->retained;
        to->before += row->before;
        to->made += row->made;
        to->gone += row->gone;
    }
    q->rows.count = kept;
}

static void type_rows(struct heap_query *q, const struct moment *now)
{
    struct type_rows types = { 0 };
    const size_t count = q->pass.nodes.count;
    if (!vec_extend(&types.of_node, count + 1))
        (void)no_memory(q);
    for (uint32_t node = 1; !q->no_memory && node < count; node++)
        count_object(q, &types, now, node);
    if (!q->no_memory)
        retained_by_type(q, &types, &now->reached);
    map_free(&types.of_class);
    vec_free(&types.of_node);
    size_t kept = 0;
    for (size_t i = 0; i < q->rows.count; i++)
        if (wanted(q, q->rows.items[i].type))
            q->rows.items[kept++] = q->rows.items[i];
    q->rows.count = kept;
    join_names(q);
}

static int most_first(const void *a, const void *b)
{
    const struct hs_heap_row *x = a, *y = b;
    if (x->id != 0 && x->retained != y->retained)
        return x->retained > y->retained ? -1 : 1;
    if (x->reached != y->reached)
        return x->reached > y->reached ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    const uint64_t others = x->outside + x->unheld, theirs = y->outside + y->unheld;
    return others != theirs ? (others > theirs ? -1 : 1) : by_name(a, b);
}

/* ---- the answer ---- */

/* What is known after the events so far. */
static enum status look(struct heap_query *q, struct moment *m, bool outside, struct error *err)
{
    heap_pass_settle(&q->pass);
    const enum status st = find_roots(q, err);
    if (st == OK && !q->no_memory && find_reached(q, false, outside, &m->reached) && outside)
        (void)find_reached(q, true, false, &m->outside);
    return st;
}

static enum status look_before(struct heap_query *q, struct error *err)
{
    struct moment then = { 0 };
    const enum status st = look(q, &then, false, err);
    q->before_count = q->pass.nodes.count;
    q->before = calloc(q->before_count, sizeof *q->before);
    q->no_memory = q->no_memory || q->before == NULL;
    for (uint32_t node = 1; st == OK && !q->no_memory && node < q->before_count; node++)
        q->before[node] = is_in(&then.reached, node);
    dominators_done(&then.reached);
    return st;
}

static enum status run(struct heap_query *q, struct error *err)
{
    const struct hs_heap_options *o = q->options;
    const struct hs_filter filter = { .size = sizeof filter, .to = o->at };
    const struct hs_event *e;
    struct moment now = { 0 };
    struct walk w;
    bool asked = o->since == HS_NO_SEQ;
    enum status st = OK;
    walk_open_filter(&w, q->trace, &filter);
    while (st == OK && !q->no_memory && !q->pass.no_memory && walk_step(&w, &e)) {
        if (!asked && e->seq > o->since) {
            st = look_before(q, err);
            asked = true;
        }
        heap_pass_take(&q->pass, e);
    }
    st = walk_end(&w, st, err);
    q->no_memory = q->no_memory || q->pass.no_memory;
    if (st == OK && !q->no_memory && !asked)
        st = look_before(q, err);
    if (st == OK && !q->no_memory)
        st = look(q, &now, true, err);
    if (st == OK && !q->no_memory) {
        (o->objects ? object_rows : type_rows)(q, &now);
        if (q->rows.count > 1)
            qsort(q->rows.items, q->rows.count, sizeof *q->rows.items, most_first);
        if (o->max > 0 && o->objects && q->rows.count > o->max)
            q->rows.count = o->max;
        if (o->objects)
            name_roots(q);
    }
    dominators_done(&now.reached);
    dominators_done(&now.outside);
    return st;
}

static void heap_done(struct list_answer *base)
{
    struct heap_answer *a = (struct heap_answer *)base;
    free(a->rows);
    arena_done(&a->base.arena);
    free(a);
}

/* ---- types at the end, as the index keeps them ---- */

#define CELL(member, holds) WHOLE_CELL(struct hs_heap_row, member, holds)
static const struct whole_cell cells[] = { CELL(type, CELL_TEXT),       CELL(reached, CELL_NUMBER),
                                           CELL(outside, CELL_NUMBER),  CELL(unheld, CELL_NUMBER),
                                           CELL(retained, CELL_NUMBER), CELL(before, CELL_NUMBER),
                                           CELL(made, CELL_NUMBER),     CELL(gone, CELL_NUMBER) };
static const struct whole_shape shape = { sizeof(struct hs_heap_row), sizeof cells / sizeof *cells, cells };

int hs_heap_open(hs_trace *t, const struct hs_heap_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "heap");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    if (options == NULL || options->size != sizeof *options) {
        (void)error_set(&err, ERR_USAGE, "struct hs_heap_options has another size than this library knows");
        return give(error, &err);
    }
    if (options->since != HS_NO_SEQ && options->since > options->at) {
        (void)error_set(&err, ERR_USAGE, "the moment `since` is behind `at`");
        return give(error, &err);
    }
    struct heap_query q = { .trace = t, .options = options, .out = calloc(1, sizeof *q.out), .pass = { .trace = t } };
    if (q.out == NULL || !effects_ready(t)) {
        free(q.out);
        return give(error, &err);
    }
    q.out->base.done = heap_done;
    const bool types =
        options->at == HS_NO_SEQ && options->since == HS_NO_SEQ && !options->objects && options->type_glob == NULL;
    void *kept;
    size_t count;
    if (types && index_kept_rows(t, SECTION_HEAP, &shape, &q.out->base.arena, &kept, &count)) {
        q.out->rows = kept;
        return cursor_over(ROW_heap_row, q.out->rows, sizeof *q.out->rows, count, &q.out->base, out, error);
    }
    q.no_memory = !heap_pass_begin(&q.pass);
    enum status st = q.no_memory ? OK : run(&q, &err);
    if (st == OK && q.no_memory)
        st = error_set(&err, ERR_MEMORY, "out of memory");
    count = q.rows.count;
    q.out->rows = q.rows.items;
    heap_pass_done(&q.pass);
    vec_free(&q.roots);
    arena_done(&q.scratch);
    free(q.before);
    if (st != OK) {
        list_answer_free(&q.out->base);
        return give(error, &err);
    }
    if (types)
        index_keep_rows(t, SECTION_HEAP, &shape, q.out->rows, count);
    return cursor_over(ROW_heap_row, q.out->rows, sizeof *q.out->rows, count, &q.out->base, out, error);
}
