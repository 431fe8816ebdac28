/* cmd_overflows.c - `hindsight overflows`: arithmetic that wrapped, conversions that lost bits. */
#include <string.h>

#include "reader/answers/plain.h"
#include "reader/command/conditions.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/command/spot.h"

struct args {
    struct common common;
    const char *thread, *class_glob, *method_glob, *where;
    uint64_t from, to;
    bool each, csv;
};
#define WORDS "seq thread class method line pc op loss bits left right result"
static const struct option_row options[] = {
    { "each", 0, NULL, OPTION_FLAG, offsetof(struct args, each), "each time, the newest first; else each instruction" },
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, where), "of which this is true: names are " WORDS },
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread), "of this thread: number, name or glob" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "in a class: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "in a method: get*, put(String, int), or with its descriptor" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "first event that counts" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "last event that counts" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_overflows = {
    .about =
        "Arithmetic that did not give the exact result: int and long that wrapped (+ - * / ++, also of "
        "Integer.MIN_VALUE negated), conversions that lost bits (l2i, i2b, i2c, i2s), met the greatest or least value "
        "of their type (d2i), or rounded an integer (l2d, l2f, i2f). One row for each instruction: how often, the "
        "first and the last time, with the operands and the result of the first. Shifts and fractions do not count.\n"
        "Operands are those that the recording shows: it needs EXEC and LOCAL, and the groups of what else is "
        "computed with. What hash codes compute wraps by intention: --where '!(method == hashCode)'.\n" WHERE_HELP,
    .example = "hindsight overflows --where 'op == imul'",
    .options = options,
};

static void overflow_value(struct show *s, const char *key, const struct hs_value *v)
{
    if (v->kind == 0)
        return;
    json_name(&s->out->json, key);
    show_value_json(s, v->kind, v->bits);
}

#define ROWS "reader/answers/overflows.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_overflow *x, const struct hs_class *c, const struct hs_method *m, bool each
#include "reader/answers/row.h"
#define ROWS "reader/answers/overflows.def"
#define ROW  const struct hs_overflow *x, const struct hs_class *c, const struct hs_method *m, bool each
#include "reader/answers/plain_row.h"

struct view {
    const struct args *args;
    struct show show;
    struct plain_row plain;
};

/* imul wrapped: 100000 * 100000 gave 1410065408, exactly 10000000000 */
static void operation_text(struct show *s, const struct hs_overflow *x)
{
    struct out *o = s->out;
    const bool negates = strcmp(x->symbol, "unary -") == 0;
    s->at = x->seq;
    out_format(o, "%s: ", x->what);
    out_colour(o, COLOUR_VALUE);
    if (x->left.kind != 0) {
        show_value_text(s, x->left.kind, x->left.bits);
        out_format(o, " %s ", x->symbol);
    } else {
        out_format(o, "%s ", negates ? "-" : x->symbol);
    }
    show_value_text(s, x->right.kind, x->right.bits);
    out_colour(o, COLOUR_NONE);
    out_text(o, " gave ");
    out_colour(o, COLOUR_VALUE);
    show_value_text(s, x->result.kind, x->result.bits);
    out_colour(o, COLOUR_NONE);
    if (x->exact != NULL)
        out_format(o, ", exactly %s", x->exact);
}

static void text(struct show *s, const struct hs_overflow *x, const struct hs_class *c, const struct hs_method *m,
                 bool each)
{
    struct out *o = s->out;
    if (each)
        out_format(o, "%12llu %6u  ", (unsigned long long)x->seq, x->thread);
    else
        out_format(o, "%12llu %12llu %12llu  ", (unsigned long long)x->count, (unsigned long long)x->seq,
                   (unsigned long long)x->last);
    out_colour(o, COLOUR_NAME);
    out_name(o, c->name);
    out_char(o, '.');
    out_name(o, m->name);
    out_spot(o, c, (struct spot){ x->file, x->line });
    out_colour(o, COLOUR_NONE);
    out_text(o, "  ");
    operation_text(s, x);
    out_char(o, '\n');
}

static void heading(struct view *v)
{
    if (v->args->csv) {
        overflows_plain_names(&v->plain);
        plain_csv_heading(v->show.out, &v->plain);
    } else if (!v->args->common.json && v->args->each) {
        out_format(v->show.out, "%12s %6s  %s\n", "seq", "thread", "where and what");
    } else if (!v->args->common.json) {
        out_format(v->show.out, "%12s %12s %12s  %s\n", "times", "first", "last", "where and what, the first time");
    }
}

static uint64_t show_rows(struct view *v, hs_cursor *rows)
{
    const struct args *a = v->args;
    hs_trace *t = v->show.trace;
    const struct hs_overflow *x;
    uint64_t shown = 0;
    while (shown < a->common.limit && v->show.out->failed == 0 && hs_overflow_next(rows, &x, NULL) > 0) {
        const struct hs_method *m = hs_method_get(t, x->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c == NULL)
            continue;
        v->show.at = v->plain.show.at = x->seq;
        if (a->common.json) {
            overflows_json(v->show.out, &v->show, x, c, m, a->each);
        } else if (a->csv) {
            overflows_plain(&v->plain, x, c, m, a->each);
            plain_csv(v->show.out, &v->plain);
        } else {
            text(&v->show, x, c, m, a->each);
        }
        shown++;
    }
    return shown;
}

/* What the answer does not have; the exit status. */
static int tell_missing(struct session *s, const hs_cursor *rows, const struct args *a, const hs_condition *where,
                        uint64_t shown)
{
    static const unsigned needed[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_LOCAL_LOAD };
    enum { NEEDED = sizeof needed / sizeof *needed };
    uint64_t times;
    const uint64_t unknown = hs_overflows_unknown(rows, &times);
    char why[NAMES_UNWOVEN_MAX];
    const char *reason = "";
    int status = EXIT_DONE;
    for (size_t i = 0; i < NEEDED && *reason == '\0'; i++)
        reason = names_unwoven(s, &needed[i], 1, why);
    if (shown == 0 && where != NULL && a->common.limit > 0)
        status = condition_tell_unknown(where, s, WORDS, false);
    if (status == EXIT_DONE)
        names_empty(s, shown, a->common.limit, "arithmetic that wrapped or lost bits");
    if (unknown > 0 || times > 0)
        (void)cli_fail(EXIT_DONE, s->context,
                       "not known of %llu instruction%s of the methods that ran, and of %llu execution%s of others: "
                       "their operands were not recorded%s",
                       (unsigned long long)unknown, unknown != 1 ? "s" : "", (unsigned long long)times,
                       times != 1 ? "s" : "", reason);
    if (hs_overflows_cut(rows) && (a->common.limit == UINT64_MAX || a->common.limit > HS_OVERFLOWS_MAX)) {
        (void)cli_fail(EXIT_DONE, s->context, "%s: incomplete: only the newest %d are shown", hs_dir(s->trace),
                       HS_OVERFLOWS_MAX);
        status = EXIT_INCOMPLETE;
    }
    return status;
}

static int answer(struct session *s, const struct args *a, const struct hs_overflow_options *o)
{
    struct view v = { .args = a };
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows = NULL;
    if (hs_overflows_open(s->trace, o, &rows, &error) != 0)
        return session_refused(s, &error);
    const bool has_plain = plain_init(&v.plain, s->trace);
    if (!has_plain || !show_init(&v.show, s->trace, &s->out)) {
        if (has_plain)
            plain_done(&v.plain);
        hs_cursor_close(rows);
        return session_fail(s, "out of memory");
    }
    if (hs_cursor_count(rows) > 0 || a->csv)
        heading(&v);
    const uint64_t shown = show_rows(&v, rows);
    const int status = tell_missing(s, rows, a, o->where, shown);
    hs_cursor_close(rows);
    show_done(&v.show);
    plain_done(&v.plain);
    return session_close(s, status);
}

int cmd_overflows(struct context *context)
{
    struct args a = { .to = UINT64_MAX };
    struct hs_overflow_options o = HS_OVERFLOW_OPTIONS_INIT;
    struct session s;
    u32_vec threads = { 0 };
    hs_condition *where = NULL;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.csv && a.common.json)
        return cli_fail(EXIT_USAGE, context, "--csv and --json: give one of them");
    status = condition_parse(context, a.where, &where);
    if (status == PARSED)
        status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status == PARSED) {
        status = names_range_threads(&s, a.from, a.to, a.thread, &threads);
        if (status == PARSED)
            status = names_class(&s, a.class_glob);
        if (status == PARSED)
            status = names_method(&s, a.class_glob, a.method_glob);
        o.from = a.from;
        o.to = a.to;
        o.threads = threads.items;
        o.thread_count = threads.count;
        o.class_glob = a.class_glob;
        o.method_glob = a.method_glob;
        o.where = where;
        o.each = a.each;
        o.max = a.each && a.common.limit < HS_OVERFLOWS_MAX ? (size_t)a.common.limit : 0;
        status = status == PARSED ? answer(&s, &a, &o) : session_close(&s, status);
    }
    vec_free(&threads);
    hs_condition_free(where);
    return status;
}
