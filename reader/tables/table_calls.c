/* table_calls.c - the table calls: one row for each call, from the tree of each thread without folding.
 *
 * A filter chooses rows, and never what a row says: the tree is walked from its begin, so that parent and depth are
 * right, and a call that is left behind the range has its result. */
#include "reader/command/show.h"
#include "reader/tables/tables.h"

struct calls_state {
    struct sites sites;
    hs_cursor *threads, *tree;
    struct picked picked;        /* of the thread of `tree` */
    struct chosen_events chosen; /* the filter, of that thread */
    u64_vec parents;             /* seq of the call that is open at each depth */
    uint32_t thread;
    uint64_t last;  /* no call behind this seq is wanted */
    struct out out; /* memory for `arguments` */
    struct show show;
};

static const unsigned entry[] = { HS_EVENT_METHOD_ENTRY };

static bool calls_open(struct rows *r)
{
    struct calls_state *s = r->state;
    if (!sites_init(r, &s->sites))
        return false;
    if (!out_init_memory(&s->out) || !show_init(&s->show, r->from.trace, &s->out))
        return rows_fail(r, "out of memory");
    s->out.name_max = 0;
    if (hs_threads_open(r->from.trace, &s->threads, &r->error) == 0)
        return true;
    r->failed = true;
    return false;
}

/* The filter for METHOD_ENTRY of one thread. */
static bool open_picked(struct rows *r, struct calls_state *s)
{
    const struct chosen_events *filter = r->from.filter;
    if (filter != NULL) {
        s->chosen = *filter;
        s->chosen.filter.threads = &s->thread;
        s->chosen.filter.thread_count = 1;
        r->from.filter = &s->chosen;
    }
    bool ok = picked_open(r, &s->picked, entry, 1);
    r->from.filter = filter;
    return ok;
}

/* The tree of the next thread that has one. False: there are no more, or it failed. */
static bool next_tree(struct rows *r, struct calls_state *s)
{
    static const struct hs_filter everything = HS_FILTER_ALL;
    const struct hs_filter *f = r->from.filter != NULL ? &r->from.filter->filter : &everything;
    struct hs_tree_options o = HS_TREE_OPTIONS_INIT;
    const struct hs_thread *t;
    int more;
    while ((more = hs_thread_next(s->threads, &t, &r->error)) > 0 && (t->events == 0 || !chosen_thread(f, t->thread)))
        ;
    r->failed |= more < 0;
    if (more <= 0)
        return false;
    s->thread = o.thread = t->thread;
    o.fold = HS_FOLD_NONE;
    s->last = f->to;
    s->parents.count = 0;
    if (!open_picked(r, s))
        return false;
    if (hs_tree_open(r->from.trace, &o, &s->tree, &r->error) == 0)
        return true;
    r->failed = true;
    return false;
}

static void end_tree(struct calls_state *s)
{
    hs_cursor_close(s->tree);
    s->tree = NULL;
    picked_close(&s->picked);
}

static void put_arguments(struct rows *r, struct calls_state *s, const struct hs_call *c)
{
    struct json *j = &s->out.json;
    if (!rows_want(r, COLUMN_calls_arguments))
        return;
    s->out.used = 0;
    json_init(j, j->write, &s->out);
    json_array(j);
    for (uint32_t i = 0; i < c->argument_count; i++)
        show_value_json(&s->show, c->arguments[i]->kind, c->arguments[i]->bits);
    json_end(j);
    if (s->out.failed != 0)
        (void)rows_fail(r, "the arguments of the call at seq %llu take more than 1 MB", (unsigned long long)c->seq);
    else
        put_text(r, COLUMN_calls_arguments, s->out.data, s->out.used);
}

static void add_call(struct rows *r, struct calls_state *s, const struct hs_call *c)
{
    const struct site *site = site_get(r, &s->sites, c->dataid);
    put_int(r, COLUMN_calls_seq, (int64_t)c->seq);
    put_int(r, COLUMN_calls_thread, s->thread);
    if (c->depth > 0)
        put_seq(r, COLUMN_calls_parent, s->parents.items[c->depth - 1]);
    put_int(r, COLUMN_calls_depth, c->depth);
    if (site != NULL && site->placed) {
        put_int(r, COLUMN_calls_method_id, site->method_id);
        put_number(r, COLUMN_calls_class, site->class_name);
        put_number(r, COLUMN_calls_method, site->method);
        put_number(r, COLUMN_calls_desc, site->desc);
    }
    if (site != NULL)
        put_line(r, COLUMN_calls_file, site);
    if (c->receiver != NULL)
        put_reference(r, COLUMN_calls_this_id, c->receiver->bits);
    put_arguments(r, s, c);
    if (c->result != NULL)
        put_value(r, COLUMN_calls_result_kind, c->result->kind, c->result->bits);
    if (c->threw)
        put_reference(r, COLUMN_calls_exception_id, c->exception);
    put_int(r, COLUMN_calls_calls, (int64_t)c->calls);
    put_bool(r, COLUMN_calls_left, c->left);
    rows_end(r);
}

static bool calls_next(struct rows *r)
{
    struct calls_state *s = r->state;
    const struct hs_call *c;
    while (rows_room(r)) {
        if (s->tree == NULL && !next_tree(r, s))
            return false;
        int more = hs_call_next(s->tree, &c, &r->error);
        r->failed |= more < 0;
        if (more <= 0 || c->seq > s->last) {
            end_tree(s);
            continue;
        }
        /* a depth grows by one a call, so this is as long as the stack of the program was deep */
        size_t had = s->parents.count;
        if (!vec_extend(&s->parents, (size_t)c->depth + 1))
            return rows_fail(r, "out of memory");
        for (size_t i = had; i < s->parents.count; i++)
            s->parents.items[i] = HS_NO_SEQ;
        s->parents.items[c->depth] = c->seq;
        s->parents.count = (size_t)c->depth + 1;
        if (picked_has(r, &s->picked, c->seq))
            add_call(r, s, c);
    }
    return !r->failed;
}

static void calls_close(struct rows *r)
{
    struct calls_state *s = r->state;
    end_tree(s);
    hs_cursor_close(s->threads);
    sites_done(&s->sites);
    vec_free(&s->parents);
    show_done(&s->show);
    out_done(&s->out);
}

const struct table_source source_calls = { sizeof(struct calls_state), calls_open, calls_next, calls_close };
