/* report_contexts.c - callers and callees of methods, and the call tree merged by path. */
#include <string.h>

#include "reader/command/names.h"
#include "reader/command/report.h"
#include "reader/command/show.h"

enum { ROWS_MAX = 200000 }; /* of the tree */

struct view {
    struct session *session;
    const struct context_choice *choice;
    uint64_t resolution, whole_ns; /* whole_ns: of all calls */
    bool unknown;                  /* a time was left out */
};

static const char *const no_caller = "(no recorded caller)";

static void method_of(hs_trace *t, uint32_t id, const struct hs_class **c, const struct hs_method **m)
{
    *m = hs_method_get(t, id);
    *c = *m != NULL ? hs_class_get(t, (*m)->class_no) : NULL;
}

static bool matches(hs_trace *t, uint32_t id, const char *class_glob, const char *method_glob)
{
    const struct hs_class *c;
    const struct hs_method *m;
    method_of(t, id, &c, &m);
    return c != NULL && hs_class_matches(class_glob, c->name) && hs_method_matches(method_glob, m->name, m->desc);
}

static bool is_wanted(const struct view *v, const struct hs_context *x)
{
    const struct context_choice *w = v->choice;
    if (w->kind == CONTEXT_TREE)
        return true;
    return matches(v->session->trace, w->kind == CONTEXT_CALLERS ? x->method_id : x->caller_id, w->class_glob,
                   w->method_glob);
}

static void method_json(struct view *v, uint32_t id)
{
    const struct hs_class *c;
    const struct hs_method *m;
    method_of(v->session->trace, id, &c, &m);
    show_method_members(&v->session->out, c != NULL ? c->name : "?", c != NULL ? m->name : "?",
                        c != NULL ? m->desc : "");
}

static void json(struct view *v, const struct hs_context *x)
{
    struct json *j = &v->session->out.json;
    json_object(j);
    if (v->choice->kind == CONTEXT_TREE)
        json_member_u64(j, "depth", x->depth);
    method_json(v, x->method_id);
    if (v->choice->kind != CONTEXT_TREE && x->caller_id != HS_NO_METHOD) {
        json_name(j, "caller");
        json_object(j);
        method_json(v, x->caller_id);
        json_end(j);
    }
    json_member_u64(j, "calls", x->calls);
    report_time_json(j, "total_ns", x->total_ns, v->resolution);
    report_percent_json(j, "total_percent", x->total_ns, v->whole_ns, v->resolution);
    report_time_json(j, "self_ns", x->self_ns, v->resolution);
    report_percent_json(j, "self_percent", x->self_ns, v->whole_ns, v->resolution);
    report_time_json(j, "max_ns", x->max_ns, v->resolution);
    json_member_u64(j, "exceptions", x->exceptions);
    json_end_line(j);
}

static void method_text(struct view *v, uint32_t id)
{
    const struct hs_class *c;
    const struct hs_method *m;
    method_of(v->session->trace, id, &c, &m);
    if (c != NULL)
        show_method_text(&v->session->out, c->name, m->name, m->desc, "\n");
    else
        out_line(&v->session->out, no_caller);
}

static void text(struct view *v, const struct hs_context *x, uint32_t *heading)
{
    struct out *o = &v->session->out;
    enum context_view kind = v->choice->kind;
    uint32_t subject = kind == CONTEXT_CALLERS ? x->method_id : x->caller_id;
    if (kind != CONTEXT_TREE && *heading != subject) {
        out_format(o, "%s", kind == CONTEXT_CALLERS ? "callers of " : "callees of ");
        method_text(v, subject);
        *heading = subject;
    }
    v->unknown |= !report_costs_text(o, x->calls, x->total_ns, x->self_ns, v->whole_ns, x->left > 0, v->resolution);
    if (!out_narrow(o))
        out_format(o, " %10llu", (unsigned long long)x->exceptions);
    out_text(o, "  ");
    if (kind == CONTEXT_TREE)
        out_padded(o, "", (int)(x->depth < DEPTH_SHOWN_MAX ? 2 * x->depth : 2 * DEPTH_SHOWN_MAX));
    method_text(v, kind == CONTEXT_CALLERS ? x->caller_id : x->method_id);
}

/* Callees: the rows of one caller after the other. */
struct callee {
    const struct hs_context *context;
    size_t at;
};
static int by_caller(const void *a, const void *b)
{
    const struct callee *x = a, *y = b;
    if (x->context->caller_id != y->context->caller_id)
        return x->context->caller_id < y->context->caller_id ? -1 : 1;
    if (x->context->total_ns != y->context->total_ns)
        return x->context->total_ns > y->context->total_ns ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The rows to be shown, in order. False: out of memory. */
static bool choose(struct view *v, hs_cursor *contexts, struct callee **rows, size_t *count)
{
    const struct hs_context *x;
    *count = 0;
    *rows = malloc(((size_t)hs_cursor_count(contexts) + 1) * sizeof **rows);
    while (*rows != NULL && hs_context_next(contexts, &x, NULL) > 0) {
        v->whole_ns += x->self_ns;
        if (is_wanted(v, x)) {
            (*rows)[*count] = (struct callee){ x, *count };
            ++*count;
        }
    }
    if (*rows != NULL && v->choice->kind == CONTEXT_CALLEES && *count > 1)
        qsort(*rows, *count, sizeof **rows, by_caller);
    return *rows != NULL;
}

int report_contexts(struct session *s, const struct context_choice *choice)
{
    struct view v = { .session = s, .choice = choice, .resolution = report_resolution(s->trace) };
    struct hs_error error = HS_ERROR_INIT;
    struct callee *rows;
    hs_cursor *contexts;
    size_t count;
    uint32_t heading = HS_NO_METHOD;
    bool tree = choice->kind == CONTEXT_TREE;
    if (hs_contexts_open(s->trace, tree ? HS_CONTEXT_TREE : HS_CONTEXT_EDGES, choice->from, choice->to,
                         tree ? ROWS_MAX : SIZE_MAX, &contexts, &error) != 0)
        return session_fail(s, "%s", error.text);
    if (!choose(&v, contexts, &rows, &count)) {
        hs_cursor_close(contexts);
        return session_fail(s, "out of memory");
    }
    if (!choice->json) {
        report_heading(&s->out);
        out_format(&s->out, "%s  method\n", out_narrow(&s->out) ? "" : " exceptions");
    }
    for (size_t i = 0; i < count && i < choice->limit; i++) {
        if (choice->json)
            json(&v, rows[i].context);
        else
            text(&v, rows[i].context, &heading);
    }
    if (!choice->json && v.unknown)
        report_unknown_note(&s->out, v.resolution);
    free(rows);
    uint64_t cut = hs_contexts_cut(contexts);
    hs_cursor_close(contexts);
    if (cut > 0)
        (void)cli_fail(EXIT_DONE, s->context,
                       "the tree has its first %d paths; %llu calls of further ones are in the totals of their callers",
                       ROWS_MAX, (unsigned long long)cut);
    names_empty(s, count, choice->limit, "call of such a method");
    return session_close(s, EXIT_DONE);
}
