/* allocations.c - hs_allocations_open: the objects that woven code made, and what became of them.
 *
 * One pass over the events. Of each object three numbers are kept (struct use): when it was made, its last event, and
 * its row; of each row its objects. What an object was used for needs no search: events of use name it. Collections
 * that only grow are found beside it (growth.h). */
#include <stdlib.h>
#include <string.h>

#include "reader/cursor/cursor.h"
#include "reader/query/entries.h"
#include "reader/query/given.h"
#include "reader/query/growth.h"

/* Events that read something of their value. Arguments and results count if they are given to code that is not woven
 * (given.h). */
static const bool reads[EVENT_LIMIT] = {
    [EVENT_METHOD_ENTRY] = true,  [EVENT_CALL] = true,
    [EVENT_METHOD_THROW] = true,  [EVENT_ARRAY_LOAD] = true,
    [EVENT_ARRAY_LENGTH] = true,  [EVENT_GET_INSTANCE_FIELD] = true,
    [EVENT_MONITOR_ENTER] = true, [EVENT_OBJECT_INSTANCEOF] = true,
};

enum { PAGES = 1 << (32 - OBJECT_PAGE_BITS) };
struct use {
    uint64_t made, last; /* seq + 1; 0: none */
    uint64_t content;    /* of an array: a hash of its length and of all that was put into it, in order; 0: not known */
    uint32_t row;        /* + 1; 0: it is not asked for */
    bool read, given;    /* to code that is not woven */
};
/* A method by the calls that led to it; node 0 is what no method is around. */
struct node {
    uint32_t parent, method;
};
struct number_of {
    uint64_t key;
    uint32_t number;
};
struct row {
    struct hs_allocation made;
    uint32_t node, class_id;
    uint32_t next; /* another row of this node and place + 1 */
};
struct thread_pass {
    uint64_t thread; /* + 1 */
    struct given_thread given;
    struct growth_thread growth;
    struct call_stack calls;
    u32_vec nodes; /* of the open calls */
    uint64_t gap, length;
    uint32_t stored; /* the array of the store under way */
    uint64_t index;
    uint32_t owner_row; /* of the array of arrays whose elements follow + 1 */
};
struct allocations {
    struct list_answer base;
    struct hs_allocation *rows;
    uint64_t cut;
};
struct pass {
    hs_trace *trace;
    const struct hs_allocation_options *options;
    struct allocations *out;
    uint8_t *chosen; /* by data ID: 0 not looked at, 1 its objects are not asked for, 2 they are */
    uint32_t site_count;
    VEC(struct thread_pass) threads;
    MAP(struct number_of) thread_numbers, node_numbers, row_numbers;
    VEC(struct node) nodes;
    VEC(struct row) rows;
    struct growth growth;
    MAP(struct number_of) texts; /* hash of a row and the text of a string, or content of an array, of it: how often */
    struct use **pages;          /* by object id */
    uint32_t page_count;
    bool no_memory, has_gaps;
};

static struct use *use_of(struct pass *p, uint32_t id)
{
    struct use **page = &p->pages[id >> OBJECT_PAGE_BITS];
    if (id >> OBJECT_PAGE_BITS >= p->page_count)
        p->page_count = (id >> OBJECT_PAGE_BITS) + 1;
    if (*page == NULL)
        *page = calloc(OBJECT_PAGE_IDS, sizeof **page);
    p->no_memory = p->no_memory || *page == NULL;
    return *page != NULL ? &(*page)[id & (OBJECT_PAGE_IDS - 1)] : NULL;
}

static void mark_given(void *context, uint32_t id)
{
    struct use *u = use_of(context, id);
    if (u != NULL)
        u->read = u->given = true;
}

static struct thread_pass *thread_of(struct pass *p, uint32_t thread)
{
    struct number_of *n = map_get(&p->thread_numbers, (uint64_t)thread + 1);
    if (n == NULL && (n = map_put(&p->thread_numbers, (uint64_t)thread + 1)) != NULL) {
        struct thread_pass *new = vec_push(&p->threads);
        if (new != NULL)
            *new = (struct thread_pass){ .thread = (uint64_t)thread + 1 };
        p->no_memory = new == NULL;
        n->number = (uint32_t)p->threads.count;
    }
    p->no_memory = p->no_memory || n == NULL;
    return p->no_memory ? NULL : &p->threads.items[n->number - 1];
}

/* ---- calls, for the tree ---- */

static uint32_t top_node(const struct thread_pass *t)
{
    return t->calls.calls.count > 0 ? t->nodes.items[t->calls.calls.count - 1] : 0;
}

static uint32_t find_node(struct pass *p, uint32_t parent, uint32_t method)
{
    if (parent > 0 && p->nodes.items[parent - 1].method == method)
        return parent;
    const uint64_t key = ((uint64_t)parent << 32 | method) + 1;
    const struct number_of *known = map_get(&p->node_numbers, key);
    if (known != NULL)
        return known->number;
    if (p->nodes.count >= HS_ALLOCATION_NODES_MAX) {
        p->out->cut++;
        return parent;
    }
    struct number_of *new = map_put(&p->node_numbers, key);
    struct node *node = new != NULL ? vec_push(&p->nodes) : NULL;
    p->no_memory = p->no_memory || node == NULL;
    if (node == NULL)
        return parent;
    *node = (struct node){ parent, method };
    return new->number = (uint32_t)p->nodes.count;
}

static void follow_calls(struct pass *p, struct thread_pass *t, const struct effect *f)
{
    struct call_took took;
    const uint32_t method = same_method(p->trace, f->method);
    if (f->op == EFFECT_LEAVE) {
        (void)calls_leave(&t->calls, method, 0, &took);
        return;
    }
    const size_t depth = t->calls.calls.count;
    const uint32_t node = find_node(p, top_node(t), method);
    if (p->no_memory || !vec_extend(&t->nodes, depth + 1) || calls_enter(&t->calls, method, 0) == NULL)
        p->no_memory = true;
    else
        t->nodes.items[depth] = node;
}

/* ---- objects that are made ---- */

static bool is_chosen(struct pass *p, const struct hs_event *e)
{
    const struct hs_allocation_options *o = p->options;
    uint8_t *known = &p->chosen[e->dataid];
    bool of_thread = o->threads == NULL;
    if (*known == 0) {
        const struct hs_dataid *d = hs_dataid_get(p->trace, e->dataid);
        const struct hs_method *m = d != NULL ? hs_method_get(p->trace, d->method_id) : NULL;
        const struct hs_class *c = m != NULL ? hs_class_get(p->trace, m->class_no) : NULL;
        *known = c != NULL && (o->class_glob == NULL || hs_class_matches(o->class_glob, c->name)) &&
                         (o->method_glob == NULL || hs_method_matches(o->method_glob, m->name, m->desc))
                     ? 2
                     : 1;
    }
    for (size_t i = 0; !of_thread && i < o->thread_count; i++)
        of_thread = o->threads[i] == e->thread;
    return *known == 2 && of_thread && e->seq >= o->from && e->seq <= o->to;
}

/* The types of what one place makes: of an array of arrays, and of a lambda, several. */
static bool has_types(unsigned event)
{
    return event == EVENT_MULTI_NEW_ARRAY_ELEMENT || event == EVENT_INVOKE_DYNAMIC_RESULT;
}

/* Its position + 1; 0: out of memory. */
static uint32_t row_of(struct pass *p, uint32_t node, uint32_t class_id, const struct hs_event *e)
{
    struct number_of *n = map_put(&p->row_numbers, ((uint64_t)node << 32 | e->dataid) + 1);
    for (uint32_t at = n != NULL ? n->number : 0; at != 0; at = p->rows.items[at - 1].next)
        if (p->rows.items[at - 1].class_id == class_id)
            return at;
    struct row *row = n != NULL ? vec_push(&p->rows) : NULL;
    p->no_memory = p->no_memory || row == NULL;
    if (row == NULL)
        return 0;
    *row = (struct row){ { .seq = e->seq, .first_id = (uint32_t)e->value, .thread = e->thread, .dataid = e->dataid },
                         node,
                         class_id,
                         n->number };
    return n->number = (uint32_t)p->rows.count;
}

static void make(struct pass *p, const struct thread_pass *t, const struct hs_event *e, unsigned event, struct use *u)
{
    if (!is_chosen(p, e))
        return;
    const uint32_t class_id = has_types(event) ? objects_class(p->trace, e->value) : 0;
    u->made = e->seq + 1;
    u->row = row_of(p, top_node(t), class_id, e);
    if (u->row == 0)
        return;
    struct hs_allocation *a = &p->rows.items[u->row - 1].made;
    a->count++;
    a->last = e->seq;
    if (event == EVENT_NEW_ARRAY_RESULT) {
        a->elements += t->length;
        u->content = map_hash(&t->length, sizeof t->length) | 1;
    }
}

/* ARRAY_STORE a, ARRAY_STORE_INDEX i, ARRAY_STORE_VALUE v. One that threw counts: in an equal array it would, too. */
static void store(struct pass *p, struct thread_pass *t, const struct hs_event *e, unsigned event)
{
    if (event == EVENT_ARRAY_STORE)
        t->stored = e->value <= UINT32_MAX ? (uint32_t)e->value : 0;
    if (event == EVENT_ARRAY_STORE_INDEX)
        t->index = e->value;
    struct use *u = event == EVENT_ARRAY_STORE_VALUE && t->stored != 0 ? use_of(p, t->stored) : NULL;
    if (u == NULL || u->content == 0)
        return;
    const uint64_t parts[] = { u->content, t->index, e->value };
    u->content = map_hash(parts, sizeof parts) | 1;
}

/* An event whose value is an object. */
static void use(struct pass *p, struct thread_pass *t, const struct hs_event *e, unsigned event)
{
    struct use *u = use_of(p, (uint32_t)e->value);
    if (u == NULL)
        return;
    const bool makes = event == EVENT_INVOKE_DYNAMIC_RESULT
                           ? u->last == 0
                           : event_has(event, USE_CREATE) && event != EVENT_METHOD_OBJECT_INITIALIZED;
    u->read = u->read || reads[event];
    if (makes && u->made == 0)
        make(p, t, e, event, u);
    u->last = e->seq + 1;
    if (event == EVENT_MULTI_NEW_ARRAY_OWNER)
        t->owner_row = u->row;
    else if (event == EVENT_MULTI_NEW_ARRAY_ELEMENT && t->owner_row != 0)
        p->rows.items[t->owner_row - 1].made.elements++;
}

static void take(struct pass *p, const struct hs_event *e)
{
    const struct effect *f = effects_get(p->trace, e->dataid);
    const bool object = e->kind == KIND_REF && e->value != 0 && e->value <= UINT32_MAX;
    struct thread_pass *t = thread_of(p, e->thread);
    if (t == NULL || e->dataid >= p->site_count)
        return;
    const bool is_first = t->gap == 0;
    if (gap_passed(p->trace, &t->gap, e->stamp)) {
        p->has_gaps = p->has_gaps || !is_first;
        given_flush(&t->given, mark_given, p);
        calls_forget(&t->calls);
    }
    if (f->event == EVENT_NEW_ARRAY)
        t->length = (uint64_t)(e->kind == KIND_INT && (int64_t)e->value > 0 ? e->value : 0);
    if (!given_step(p->trace, &t->given, e, f, mark_given, p))
        p->no_memory = true;
    const bool calls = p->options->by == HS_ALLOCATIONS_TREE && (f->op == EFFECT_ENTER || f->op == EFFECT_LEAVE);
    if (calls && f->op == EFFECT_ENTER)
        follow_calls(p, t, f);
    if (object && !growth_step(p->trace, &p->growth, &t->growth, e, f->event))
        p->no_memory = true;
    if (object && f->event < EVENT_LIMIT)
        use(p, t, e, f->event);
    store(p, t, e, f->event);
    if (calls && f->op == EFFECT_LEAVE)
        follow_calls(p, t, f);
}

/* ---- what became of them ---- */

/* Has a string of the row that was looked at before the text of this one, or an array its content? */
static bool is_repeated(struct pass *p, const struct use *u, uint32_t id)
{
    const struct hs_object *o = hs_object_get(p->trace, id);
    uint64_t content = u->given || p->has_gaps ? 0 : u->content;
    if (content == 0 && (o == NULL || !o->has_string || o->cut))
        return false;
    if (content == 0)
        content = map_hash(o->data, o->data_bytes);
    const bool by_type = p->options->by == HS_ALLOCATIONS_TYPE;
    const uint64_t of[3] = { by_type ? 0 : u->row, by_type && o != NULL ? o->class_id : 0, content };
    struct number_of *n = map_put(&p->texts, map_hash(of, sizeof of) | 1);
    p->no_memory = p->no_memory || n == NULL;
    return n != NULL && n->number++ > 0;
}

static void add_uses(struct pass *p)
{
    for (uint32_t page = 0; page < p->page_count; page++)
        for (uint32_t i = 0; p->pages[page] != NULL && i < OBJECT_PAGE_IDS; i++) {
            const struct use *u = &p->pages[page][i];
            if (u->row == 0)
                continue;
            struct hs_allocation *a = &p->rows.items[u->row - 1].made;
            const uint64_t life = u->last - u->made;
            const uint32_t id = page << OBJECT_PAGE_BITS | i;
            const uint64_t added = growth_of(&p->growth, id);
            a->unread += !u->read;
            a->grown += added > 0;
            a->added += added;
            a->repeated += is_repeated(p, u, id);
            a->life += life;
            if (a->longest_id == 0 || life > a->longest) {
                a->longest = life;
                a->longest_id = id;
            }
        }
}

static void describe(struct pass *p, struct row *row)
{
    const struct hs_dataid *d = hs_dataid_get(p->trace, row->made.dataid);
    const struct hs_object *o = hs_object_get(p->trace, row->made.first_id);
    row->made.type = o != NULL ? o->type : NULL;
    row->made.method_id = d != NULL ? d->method_id : 0;
}

/* Leaves out the rows of other types. */
static void choose_types(struct pass *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->rows.count; i++) {
        struct row *row = &p->rows.items[i];
        describe(p, row);
        if (p->options->type_glob == NULL ||
            (row->made.type != NULL && hs_class_matches(p->options->type_glob, row->made.type)))
            p->rows.items[kept++] = *row;
    }
    p->rows.count = kept;
}

static void add_to(struct hs_allocation *to, const struct hs_allocation *a)
{
    if (to->count == 0 || a->seq < to->seq) {
        to->seq = a->seq;
        to->thread = a->thread;
        to->first_id = a->first_id;
    }
    if (to->count == 0 || a->longest > to->longest) {
        to->longest = a->longest;
        to->longest_id = a->longest_id;
    }
    to->last = a->last > to->last ? a->last : to->last;
    to->count += a->count;
    to->unread += a->unread;
    to->grown += a->grown;
    to->added += a->added;
    to->repeated += a->repeated;
    to->elements += a->elements;
    to->life += a->life;
}

static int most_first(const struct hs_allocation *x, const struct hs_allocation *y)
{
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->first_id < y->first_id ? -1 : x->first_id > y->first_id;
}
static int by_count(const void *a, const void *b)
{
    return most_first(&((const struct row *)a)->made, &((const struct row *)b)->made);
}
static int by_type(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->made.type == NULL || y->made.type == NULL)
        return (x->made.type != NULL) - (y->made.type != NULL);
    return strcmp(x->made.type, y->made.type);
}

/* One row for those of a type. */
static void join_types(struct pass *p)
{
    size_t kept = 0;
    if (p->rows.count > 1)
        qsort(p->rows.items, p->rows.count, sizeof *p->rows.items, by_type);
    for (size_t i = 0; i < p->rows.count; i++) {
        struct row *to = kept > 0 ? &p->rows.items[kept - 1] : NULL;
        const struct row *row = &p->rows.items[i];
        if (to == NULL || by_type(to, row) != 0) {
            p->rows.items[kept++] = *row;
            continue;
        }
        if (row->made.seq < to->made.seq) {
            to->made.dataid = row->made.dataid;
            to->made.method_id = row->made.method_id;
        }
        add_to(&to->made, &row->made);
    }
    p->rows.count = kept;
}

/* ---- the tree ---- */

/* A row, or a method with all below it, as a child of its node. */
struct child {
    struct hs_allocation made;
    uint32_t parent, node; /* node 0: it is a row */
};
static int by_parent(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    const int order = most_first(&x->made, &y->made);
    return order != 0 ? order : x->node < y->node ? -1 : x->node > y->node;
}

/* Adds up what is below each method: nodes come behind their parents. */
static void add_below(struct pass *p, struct hs_allocation *sums)
{
    for (size_t i = 0; i < p->rows.count; i++)
        add_to(&sums[p->rows.items[i].node], &p->rows.items[i].made);
    for (size_t node = p->nodes.count; node > 0; node--)
        if (sums[node].count > 0)
            add_to(&sums[p->nodes.items[node - 1].parent], &sums[node]);
}

/* `next` and `end`: of each open node the children that are still to come. */
static size_t walk_tree(struct pass *p, const struct child *children, const size_t *first, size_t *next, size_t *end)
{
    size_t done = 0, open = 1;
    next[0] = first[0];
    end[0] = first[1];
    while (open > 0) {
        if (next[open - 1] == end[open - 1]) {
            open--;
            continue;
        }
        const struct child *c = &children[next[open - 1]++];
        struct hs_allocation *row = &p->out->rows[done++];
        *row = c->made;
        row->depth = (uint32_t)open - 1;
        if (c->node == 0)
            continue;
        row->dataid = HS_NO_DATAID;
        row->method_id = p->nodes.items[c->node - 1].method;
        next[open] = first[c->node];
        end[open] = first[c->node + 1];
        open++;
    }
    return done;
}

static size_t make_tree(struct pass *p)
{
    const size_t nodes = p->nodes.count, most = p->rows.count + nodes;
    struct hs_allocation *sums = calloc(nodes + 1, sizeof *sums);
    struct child *children = calloc(most + 1, sizeof *children);
    size_t *first = calloc(nodes + 2, sizeof *first), *next = calloc(nodes + 2, sizeof *next);
    size_t *end = calloc(nodes + 2, sizeof *end), count = 0, done = 0;
    p->out->rows = calloc(most + 1, sizeof *p->out->rows);
    if (sums == NULL || children == NULL || first == NULL || next == NULL || end == NULL || p->out->rows == NULL) {
        p->no_memory = true;
        goto out;
    }
    add_below(p, sums);
    for (size_t i = 0; i < p->rows.count; i++)
        children[count++] = (struct child){ p->rows.items[i].made, p->rows.items[i].node, 0 };
    for (size_t i = 0; i < nodes; i++)
        if (sums[i + 1].count > 0)
            children[count++] = (struct child){ sums[i + 1], p->nodes.items[i].parent, (uint32_t)i + 1 };
    if (count > 1)
        qsort(children, count, sizeof *children, by_parent);
    for (size_t i = 0; i < count; i++)
        first[children[i].parent + 1]++;
    for (size_t i = 1; i <= nodes + 1; i++)
        first[i] += first[i - 1];
    done = walk_tree(p, children, first, next, end);
out:
    free(sums);
    free(children);
    free(first);
    free(next);
    free(end);
    return done;
}

/* ---- the answer ---- */

static size_t make_rows(struct pass *p)
{
    add_uses(p);
    choose_types(p);
    if (p->options->by == HS_ALLOCATIONS_TREE)
        return make_tree(p);
    if (p->options->by == HS_ALLOCATIONS_TYPE)
        join_types(p);
    if (p->rows.count > 1)
        qsort(p->rows.items, p->rows.count, sizeof *p->rows.items, by_count);
    p->out->rows = calloc(p->rows.count + 1, sizeof *p->out->rows);
    p->no_memory = p->out->rows == NULL;
    for (size_t i = 0; !p->no_memory && i < p->rows.count; i++)
        p->out->rows[i] = p->rows.items[i].made;
    return p->no_memory ? 0 : p->rows.count;
}

static int run(struct pass *p, struct hs_error *error)
{
    const struct hs_event *e;
    struct walk w;
    walk_open_filter(&w, p->trace, NULL);
    while (!p->no_memory && walk_step(&w, &e))
        take(p, e);
    for (size_t i = 0; i < p->threads.count; i++)
        given_flush(&p->threads.items[i].given, mark_given, p);
    return walk_finish(&w, error);
}

static void pass_done(struct pass *p)
{
    for (size_t i = 0; i < p->threads.count; i++) {
        vec_free(&p->threads.items[i].given.ids);
        vec_free(&p->threads.items[i].nodes);
        calls_done(&p->threads.items[i].calls);
    }
    vec_free(&p->threads);
    vec_free(&p->nodes);
    vec_free(&p->rows);
    map_free(&p->thread_numbers);
    map_free(&p->node_numbers);
    map_free(&p->row_numbers);
    map_free(&p->texts);
    growth_done(&p->growth);
    for (uint32_t i = 0; p->pages != NULL && i < p->page_count; i++)
        free(p->pages[i]);
    free(p->pages);
    free(p->chosen);
}

static void allocations_done(struct list_answer *base)
{
    struct allocations *a = (struct allocations *)base;
    free(a->rows);
    arena_done(&a->base.arena);
    free(a);
}

/* ---- as the index keeps it ---- */

#define CELL(member, holds) WHOLE_CELL(struct hs_allocation, member, holds)
static const struct whole_cell cells[] = {
    CELL(count, CELL_NUMBER),    CELL(seq, CELL_SEQ),        CELL(last, CELL_SEQ),          CELL(unread, CELL_NUMBER),
    CELL(elements, CELL_NUMBER), CELL(life, CELL_NUMBER),    CELL(grown, CELL_NUMBER),      CELL(added, CELL_NUMBER),
    CELL(repeated, CELL_NUMBER), CELL(longest, CELL_NUMBER), CELL(longest_id, CELL_NUMBER), CELL(first_id, CELL_NUMBER),
    CELL(thread, CELL_NUMBER),   CELL(dataid, CELL_DATAID),  CELL(method_id, CELL_METHOD),  CELL(type, CELL_TEXT),
};
static const struct whole_shape shape = { sizeof(struct hs_allocation), sizeof cells / sizeof *cells, cells };

/* The section with this answer; SECTIONS: of objects that are chosen, or the tree. */
static enum index_section section_of(const struct hs_allocation_options *o)
{
    if (o->from > 0 || o->to != UINT64_MAX || o->threads != NULL || o->class_glob != NULL || o->method_glob != NULL ||
        o->type_glob != NULL || o->by == HS_ALLOCATIONS_TREE)
        return SECTIONS;
    return o->by == HS_ALLOCATIONS_TYPE ? SECTION_MADE_BY_TYPE : SECTION_MADE_BY_PLACE;
}

int hs_allocations_open(hs_trace *t, const struct hs_allocation_options *options, hs_cursor **out,
                        struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "allocations");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    if (options == NULL || options->size != sizeof *options) {
        (void)error_set(&err, ERR_USAGE, "struct hs_allocation_options has another size than this library knows");
        return give(error, &err);
    }
    struct allocations *answer = calloc(1, sizeof *answer);
    struct pass p = { .trace = t, .options = options, .out = answer, .site_count = hs_dataid_count(t) };
    if (answer == NULL)
        return give(error, &err);
    answer->base.done = allocations_done;
    const enum index_section section = section_of(options);
    size_t count = 0;
    void *kept;
    if (section != SECTIONS && index_kept_rows(t, section, &shape, &answer->base.arena, &kept, &count)) {
        answer->rows = kept;
        return cursor_over(ROW_allocation, answer->rows, sizeof *answer->rows, count, &answer->base, out, error);
    }
    p.chosen = calloc((size_t)p.site_count + 1, 1);
    p.pages = calloc(PAGES, sizeof *p.pages);
    p.no_memory = !growth_init(&p.growth, t) || p.chosen == NULL || p.pages == NULL || !effects_ready(t);
    count = 0;
    const int failed = p.no_memory ? 0 : run(&p, error);
    if (failed == 0 && !p.no_memory)
        count = make_rows(&p);
    pass_done(&p);
    if (failed != 0 || p.no_memory) {
        list_answer_free(&answer->base);
        return failed != 0 ? -1 : give(error, &err);
    }
    if (section != SECTIONS)
        index_keep_rows(t, section, &shape, answer->rows, count);
    return cursor_over(ROW_allocation, answer->rows, sizeof *answer->rows, count, &answer->base, out, error);
}

uint64_t hs_allocations_cut(const hs_cursor *cursor)
{
    const struct allocations *a = (const struct allocations *)cursor_answer(cursor, ROW_allocation);
    return a != NULL ? a->cut : 0;
}
