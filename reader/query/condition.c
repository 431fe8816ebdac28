/* condition.c - conditions on rows: parsing, deciding, and what of one narrows a filter; see reader/api/conditions.h.
 *
 * Parts of a condition that are joined by && alone and compare the words event, class, method, thread or seq with a
 * constant, or a value with an object, narrow the filter of a cursor, so that the index says which chunks are read. The
 * whole condition is decided for the events that are left. */
#include "reader/query/condition.h"
#include "reader/query/handover.h"
#include "reader/query/periods.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static struct condition *condition_of(hs_condition *c) { return (struct condition *)c; }

static bool add_name(struct condition *c, const char *name, uint32_t joined)
{
    struct condition_name *to = vec_push(&c->names);
    if (to != NULL)
        *to = (struct condition_name){ .row = { .name = name, .joined = joined } };
    return to != NULL;
}

/* The names below a part; words behind a comparison are none. `next` is the next number that is free. */
static bool add_names(struct condition *c, const struct expression *t, uint32_t joined, uint32_t *next)
{
    bool ok = true;
    if (t == NULL)
        return true;
    if (t->path != NULL)
        return add_name(c, t->path, joined);
    const bool alone = t->type == EXPRESSION_OR || t->type == EXPRESSION_CONDITIONAL ||
                       (t->type == EXPRESSION_UNARY && t->op == OPERATOR_NOT);
    const bool word = t->type == EXPRESSION_COMPARISON && t->shown != NULL && t->left->type != EXPRESSION_LITERAL;
    const struct expression *below[] = { t->left, word ? NULL : t->right, t->third };
    for (size_t i = 0; ok && i < 3; i++)
        if (below[i] != NULL)
            ok = add_names(c, below[i], alone ? (*next)++ : joined, next);
    for (size_t i = 0; ok && i < t->count; i++)
        ok = add_names(c, t->arguments[i], alone ? (*next)++ : joined, next);
    return ok;
}

/* A name alone is no condition: NULL if there is none, where one is needed. */
static const struct expression *find_lone_name(const struct expression *t)
{
    const struct expression *found = NULL;
    if (t->path != NULL)
        return t;
    if (t->type == EXPRESSION_UNARY && t->op == OPERATOR_NOT)
        return find_lone_name(t->left);
    for (size_t i = 0; (t->type == EXPRESSION_AND || t->type == EXPRESSION_OR) && found == NULL && i < t->count; i++)
        found = find_lone_name(t->arguments[i]);
    return found;
}

const struct hs_condition_name *hs_condition_name_get(const hs_condition *condition, uint32_t n)
{
    const struct condition *c = (const struct condition *)condition;
    return c != NULL && n < c->names.count ? &c->names.items[n].row : NULL;
}

/* ---- rows ---- */

/* The row is of this trace. */
static struct row *row_of(struct condition *c, hs_trace *trace)
{
    struct row *w = &c->row;
    if (w->objects.trace != trace) {
        trace_objects_done(&w->objects);
        free(c->dataids);
        c->dataids = NULL;
        c->dataid_count = 0;
        quick_done(&c->quick);
        w->objects.trace = trace;
    }
    w->condition = c;
    w->event = NULL;
    w->call = NULL;
    w->overflow = NULL;
    return w;
}

enum hs_truth hs_condition_event(hs_condition *condition, hs_trace *trace, const struct hs_event *event)
{
    struct condition *c = condition_of(condition);
    row_of(c, trace)->event = event;
    return condition_part(c, c->tree->root, event->seq);
}

enum hs_truth hs_condition_call(hs_condition *condition, hs_trace *trace, uint32_t thread, const struct hs_call *call)
{
    struct condition *c = condition_of(condition);
    struct row *w = row_of(c, trace);
    w->call = call;
    w->thread = thread;
    return condition_part(c, c->tree->root, call->seq);
}

enum hs_truth hs_condition_overflow(hs_condition *condition, hs_trace *trace, const struct hs_overflow *row)
{
    struct condition *c = condition_of(condition);
    row_of(c, trace)->overflow = row;
    return condition_part(c, c->tree->root, row->seq);
}

/* What accesses show satisfies the condition: has every name a value by them? Sets w->old as the whole state of the
 * object would, which takes a search in the chunks of each of its fields. */
static bool accesses_decide(struct row *w)
{
    hs_trace *t = w->objects.trace;
    struct hs_handover handed = { .seq = HS_NO_SEQ };
    struct error err;
    uint64_t resumed;
    if (w->unsure)
        return false;
    if (w->oldest >= w->at)
        return true;
    if (period_begin_at(t, w->at, &resumed, &err) != OK ||
        handover_last(t, w->id, w->oldest + 1, w->at, &handed, &err) != OK)
        return false;
    w->old = handed.seq != HS_NO_SEQ || w->oldest < resumed;
    return !w->old || !w->of_final;
}

enum hs_truth hs_condition_object(hs_condition *condition, hs_trace *trace, uint32_t id, uint64_t seq, bool *old)
{
    struct condition *c = condition_of(condition);
    struct row *w = row_of(c, trace);
    w->id = id;
    w->at = seq;
    w->state = NULL;
    w->failed = w->old = w->unsure = w->of_final = false;
    w->oldest = HS_NO_SEQ;
    w->accessed_alone = true; /* of many objects few satisfy it, and most others by what they last had */
    enum hs_truth truth = condition_part(c, c->tree->root, seq);
    w->accessed_alone = false;
    if (truth == HS_UNKNOWN || (truth == HS_TRUE && !accesses_decide(w))) {
        w->state = NULL;
        w->failed = w->old = false;
        truth = condition_part(c, c->tree->root, seq);
    }
    if (old != NULL)
        *old = w->old;
    return truth;
}

/* ---- data IDs ----
 *
 * A comparison whose name no event of a data ID has, or whose name is of the place and not as it should be, is true of
 * none of its events. */

static bool can_be_true(struct condition *c, const struct expression *t, const struct hs_event *event)
{
    const bool any = t->type == EXPRESSION_OR;
    bool yes = !any;
    if (any || t->type == EXPRESSION_AND) {
        for (size_t i = 0; yes != any && i < t->count; i++)
            yes = can_be_true(c, t->arguments[i], event);
        return yes;
    }
    hs_trace *trace = c->row.objects.trace;
    const struct hs_dataid *d = hs_dataid_get(trace, event->dataid);
    const bool not = t->type == EXPRESSION_UNARY && t->op == OPERATOR_NOT;
    if (not )
        t = t->left; /* which has to be known */
    if (d == NULL || t->type != EXPRESSION_COMPARISON || t->shown == NULL || t->left->path == NULL)
        return true;
    return hs_event_may_have(trace, event->dataid, t->left->path) &&
           (not || !row_is_place(d, t->left->path) || condition_part(c, t, event->seq) == HS_TRUE);
}

/* For the filter. The first event of a data ID is always decided as a whole, so that its names are looked up. */
static bool passes(hs_condition *condition, hs_trace *trace, const struct hs_event *event)
{
    struct condition *c = condition_of(condition);
    if (c->row.objects.trace == trace && event->dataid < c->dataid_count && c->dataids[event->dataid] == PLAN_FAILS)
        return false;
    if (quick_fails(c, trace, event->dataid, event->kind, event->value))
        return false;
    const bool yes = hs_condition_event(condition, trace, event) == HS_TRUE;
    if (c->dataids == NULL) {
        c->dataid_count = hs_dataid_count(trace);
        c->dataids = calloc((size_t)c->dataid_count + 1, sizeof *c->dataids);
        c->dataid_count = c->dataids != NULL ? c->dataid_count : 0;
    }
    quick_learn(c, event);
    if (event->dataid < c->dataid_count && c->dataids[event->dataid] == PLAN_NONE)
        c->dataids[event->dataid] =
            (uint8_t)(!yes && !can_be_true(c, c->tree->root, event) ? PLAN_FAILS
                                                                    : quick_plan(c, event->dataid, event->kind));
    return yes;
}

static uint32_t scan(hs_condition *condition, hs_trace *trace, const uint32_t *ids, const uint64_t *values, uint32_t i,
                     uint32_t end)
{
    struct condition *c = condition_of(condition);
    return c->row.objects.trace == trace ? quick_scan(c, trace, ids, values, i, end) : i;
}

/* ---- narrowing ---- */

static void narrow_seq(struct hs_filter *want, enum expression_operator op, int64_t n)
{
    const uint64_t seq = (uint64_t)n;
    if (n < 0)
        return;
    if ((op == OPERATOR_EQ || op == OPERATOR_GE) && seq > want->from)
        want->from = seq;
    if (op == OPERATOR_GT && seq >= want->from && seq < INT64_MAX)
        want->from = seq + 1;
    if ((op == OPERATOR_EQ || op == OPERATOR_LE) && seq < want->to)
        want->to = seq;
    if (op == OPERATOR_LT && seq > 0 && seq <= want->to)
        want->to = seq - 1;
}

/* Is it a name that is not that of the event's value, or may not be? */
static bool is_word(const char *name)
{
    static const char *const words[] = { "seq", "thread", "event", "class", "method", "line", "pc" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

/* By one part of the condition: a word, an operator, a constant. Events of
 * which the part is not true may stay: the whole condition is decided for each. */
static void narrow_part(struct condition *c, const struct expression *t, struct hs_filter *want)
{
    if (t->type != EXPRESSION_COMPARISON || t->shown == NULL || t->left->type != EXPRESSION_NAME)
        return;
    const char *name = t->left->path;
    const struct shown_value *s = t->shown;
    if (strcmp(name, "seq") == 0 && s->integer)
        narrow_seq(want, t->op, s->number);
    if (t->op != OPERATOR_EQ || s->begins)
        return;
    if (s->is_object && want->object == 0 && !is_word(name)) /* the event's own value */
        want->object = s->object;
    if (strcmp(name, "event") == 0 && want->events == NULL && hs_event_number(s->text) != 0) {
        c->event = hs_event_number(s->text);
        want->events = &c->event;
        want->event_count = 1;
    }
    if (strcmp(name, "class") == 0 && want->class_glob == NULL && !s->is_character)
        want->class_glob = s->text;
    if (strcmp(name, "method") == 0 && want->method_glob == NULL && !s->is_character && !s->is_object &&
        strpbrk(s->text, "([") == NULL)
        want->method_glob = s->text; /* a pattern matches itself, but for ( and [, which mean more in one */
    if (strcmp(name, "thread") == 0 && want->threads == NULL && s->integer && s->number >= 0 &&
        s->number <= UINT32_MAX) {
        c->thread = (uint32_t)s->number;
        want->threads = &c->thread;
        want->thread_count = 1;
    }
}

static void narrow(hs_condition *condition, struct hs_filter *want)
{
    struct condition *c = condition_of(condition);
    const struct expression *t = c->tree->root;
    if (t->type != EXPRESSION_AND)
        narrow_part(c, t, want);
    for (size_t i = 0; t->type == EXPRESSION_AND && i < t->count; i++)
        narrow_part(c, t->arguments[i], want);
}

/* ---- parsing ---- */

int hs_condition_parse(const char *text, hs_condition **out, struct hs_error *error)
{
    struct error err = { 0 };
    uint32_t next = 1;
    struct condition *c = calloc(1, sizeof *c);
    enum status st = c != NULL ? OK : error_memory(&err, "condition");
    if (st == OK)
        st = expression_parse(text, &c->tree, &err);
    const struct expression *lone = st == OK ? find_lone_name(c->tree->root) : NULL;
    if (lone != NULL)
        st = error_set(&err, ERR_USAGE, "'%.300s', character %zu: expected one of == != < <= > >= =~", text,
                       lone->at + strlen(lone->path) + 1);
    if (st == OK && !add_names(c, c->tree->root, 0, &next))
        st = error_memory(&err, "condition");
    if (st != OK) {
        hs_condition_free(c != NULL ? &c->base : NULL);
        return give(error, &err);
    }
    c->base = (hs_condition){ passes, scan, narrow };
    quick_init(c);
    *out = &c->base;
    return 0;
}

void hs_condition_free(hs_condition *condition)
{
    struct condition *c = condition_of(condition);
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->names.count; i++) {
        map_free(&c->names.items[i].types);
        accessed_done(&c->names.items[i].accessed);
    }
    vec_free(&c->names);
    trace_objects_done(&c->row.objects);
    free(c->dataids);
    quick_done(&c->quick);
    expression_free(c->tree);
    free(c);
}
