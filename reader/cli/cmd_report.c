/* cmd_report.c - `hindsight report`: what the calls of each method took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/format.h"
#include "reader/command/names.h"
#include "reader/command/report.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    const char *sort, *class_glob, *method_glob, *mark;
    const char *callers, *callees;
    bool tree, percentiles, paths, blocks;
    uint64_t snapshot;
};
static const struct option_row options[] = {
    { "sort", 's', "self|total|calls|min|avg|max|exceptions|name", OPTION_CHOICE, offsetof(struct args, sort),
      "the key to sort by (default self; calls without times)" },
    { "callers", 0, "METHOD", OPTION_TEXT, offsetof(struct args, callers),
      "instead: who called the methods METHOD, a name or Class.name; globs" },
    { "callees", 0, "METHOD", OPTION_TEXT, offsetof(struct args, callees), "instead: what these methods called" },
    { "tree", 't', NULL, OPTION_FLAG, offsetof(struct args, tree),
      "instead: the tree of calls of all threads, equal paths merged" },
    { "percentiles", 0, NULL, OPTION_FLAG, offsetof(struct args, percentiles),
      "also the times below which 50, 90 and 99 % of the calls stayed" },
    { "paths", 'p', NULL, OPTION_FLAG, offsetof(struct args, paths),
      "instead: the distinct sequences of calls that each method made, with counts" },
    { "blocks", 'b', NULL, OPTION_FLAG, offsetof(struct args, blocks),
      "instead: the basic blocks that calls of each method went through (needs LABEL)" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only methods of these classes" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob), "only these methods" },
    MARK_OPTION(args),
    SNAPSHOT_OPTION(args),
    { 0 },
};
const struct usage usage_report = {
    .about =
        "Needs events of the group EXEC, or format=timing; of format=freq and latest it has calls and "
        "exceptions without times. Times are exact with timestamp=true or format=timing. "
        "Otherwise they come from the coarse clock, which ticks about every millisecond: a time below two ticks "
        "is not known and printed as -; in JSON it is absent, and resolution_ns is the limit. Sums over "
        "many calls (total, self) are right on average. total counts nested calls of a method once, and avg, which "
        "is total by calls, is - where that makes it less than such calls can have taken; calls that "
        "did not return have no time; percent is of the time in all calls together. p50, p90 and p99 are upper "
        "bounds, less than twice the right value. histogram (--json) counts calls that took less than 2, 4, 8, "
        "... ns, with all calls below resolution_ns in one bucket. A method whose class was woven several times "
        "has one row; classes of one name that several loaders defined have rows of their own.\nWith --mark a "
        "call counts if it began inside; one that did not return inside has no time. "
        "--snapshot is for format=timing.\nCallers are the recorded calls around a call. The totals of all "
        "callers of a method add up to its own total. In the tree a total is that of all calls of the path.\n"
        "Paths: (a b)x3 is a loop that went through a and b three times; loops with different counts are the same "
        "path, which shows the counts of its first call. A block is printed as the line where it begins, in JSON "
        "as its pc. Paths and blocks are of calls that returned or threw in the recording.",
    .example = "hindsight report --sort calls --limit 20",
    .options = options,
};

/* A row with the names that it is sorted and shown by. */
struct row {
    const struct hs_cost *cost; /* of the cursor */
    const char *class_name, *method, *desc;
    uint64_t resolution; /* times below this are not known */
    bool without_hooks;  /* the recorder's time was taken off: format=timing */
};

static uint64_t average(const struct hs_cost *c)
{
    uint64_t ns;
    return report_average(c, &ns) ? ns : 0;
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->class_name, y->class_name);
    if (order == 0)
        order = strcmp(x->method, y->method);
    return order != 0 ? order : strcmp(x->desc, y->desc);
}

#define DESCENDING(name, value)                                                                                        \
    static int by_##name(const void *a, const void *b)                                                                 \
    {                                                                                                                  \
        const struct hs_cost *x = ((const struct row *)a)->cost, *y = ((const struct row *)b)->cost;                   \
        uint64_t p = (value(x)), q = (value(y));                                                                       \
        return p != q ? (p > q ? -1 : 1) : by_name(a, b);                                                              \
    }
#define CALLS(c)      (c)->calls
#define TOTAL(c)      (c)->total_ns
#define SELF(c)       (c)->self_ns
#define MIN(c)        (c)->min_ns
#define MAX(c)        (c)->max_ns
#define EXCEPTIONS(c) (c)->exceptions
DESCENDING(calls, CALLS)
DESCENDING(total, TOTAL)
DESCENDING(self, SELF)
DESCENDING(min, MIN)
DESCENDING(avg, average)
DESCENDING(max, MAX)
DESCENDING(exceptions, EXCEPTIONS)

static const struct {
    const char *name;
    int (*compare)(const void *, const void *);
} keys[] = { { "self", by_self }, { "total", by_total }, { "calls", by_calls },           { "min", by_min },
             { "avg", by_avg },   { "max", by_max },     { "exceptions", by_exceptions }, { "name", by_name } };
enum { KEYS = sizeof keys / sizeof *keys };

/* Was more time taken off than is left, in all or in half of the calls? Then what is left may be of the recorder,
 * too. */
static bool is_mostly_hooks(const struct hs_cost *c)
{
    return c->hooks_ns > c->self_ns || (c->left > 0 && c->hooks_ns / c->left > report_percentile(c, 50));
}

/* Bucket by bucket; those of which only the resolution is known in the bucket of that. */
static void histogram_json(struct json *j, const struct row *r)
{
    enum { BUCKETS = sizeof r->cost->histogram / sizeof *r->cost->histogram };
    uint64_t counts[BUCKETS];
    unsigned coarse = 0, last = BUCKETS;
    memcpy(counts, r->cost->histogram, sizeof counts);
    while (r->resolution > 1 && coarse + 1 < BUCKETS && r->resolution >> (coarse + 1) != 0)
        coarse++;
    for (unsigned i = 0; i < coarse; i++) {
        counts[coarse] += counts[i];
        counts[i] = 0;
    }
    while (last > 0 && counts[last - 1] == 0)
        last--;
    json_member_u64s(j, "histogram", counts, last);
}

static const struct percentile {
    unsigned percent;
    const char *key, *heading;
} percentiles[] = { { 50, "p50_ns", "p50 ms" }, { 90, "p90_ns", "p90 ms" }, { 99, "p99_ns", "p99 ms" } };
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

/* A time of calls that returned. */
static void percentile_member(struct out *o, const struct row *r, unsigned i)
{
    if (r->cost->left > 0)
        report_time_json(&o->json, percentiles[i].key, report_percentile(r->cost, percentiles[i].percent),
                         r->resolution);
}

static void time_member(struct out *o, const char *key, const struct row *r, uint64_t ns)
{
    report_time_json(&o->json, key, ns, r->resolution);
}

static void percent_member(struct out *o, const char *key, const struct row *r, uint64_t ns, uint64_t whole_ns)
{
    report_percent_json(&o->json, key, ns, whole_ns, r->resolution);
}

#define ROWS "reader/answers/costs.def"
#define ROW  const struct row *r, const struct hs_cost *c, uint64_t whole_ns
#include "reader/answers/row.h"

static void heading(struct out *o, bool with_percentiles)
{
    report_heading(o);
    if (!out_narrow(o) || with_percentiles) {
        report_time_heading(o, "min ms");
        report_time_heading(o, "avg ms");
        for (unsigned i = 0; i < PERCENTILES && with_percentiles; i++)
            report_time_heading(o, percentiles[i].heading);
        report_time_heading(o, "max ms");
        out_text(o, " exceptions");
    }
    out_line(o, "  method");
}

/* False: the clock is too coarse for one of the times. */
static bool text(struct out *o, const struct row *r, uint64_t whole_ns, bool with_percentiles)
{
    const struct hs_cost *c = r->cost;
    const bool left = c->left > 0;
    bool known = report_costs_text(o, c->calls, c->total_ns, c->self_ns, whole_ns, left, r->resolution);
    if (!out_narrow(o) || with_percentiles) { /* else it is in JSON, and where there is room */
        uint64_t mean = 0;
        known &= report_time_text(o, c->min_ns, left, r->resolution);
        const bool averaged = report_average(c, &mean), mean_known = report_time_text(o, mean, averaged, r->resolution);
        known &= mean_known || !averaged;
        for (unsigned i = 0; i < PERCENTILES && with_percentiles; i++)
            known &= report_time_text(o, report_percentile(c, percentiles[i].percent), left, r->resolution);
        known &= report_time_text(o, c->max_ns, left, r->resolution);
        out_format(o, " %10llu", (unsigned long long)c->exceptions);
    }
    out_text(o, "  ");
    show_method_text(o, r->class_name, r->method, r->desc, is_mostly_hooks(c) ? " ~\n" : "\n");
    return known;
}

/* `*whole_ns`: the time in all calls. */
static struct row *rows_of(hs_trace *t, const struct args *a, hs_cursor *costs, size_t *out, uint64_t *whole_ns)
{
    struct row *rows = malloc(((size_t)hs_cursor_count(costs) + 1) * sizeof *rows);
    const struct hs_cost *cost;
    uint64_t resolution = report_resolution(t);
    const bool without_hooks = format_of_trace(hs_info(t, "format"))->times;
    *out = 0;
    *whole_ns = 0;
    while (rows != NULL && hs_cost_next(costs, &cost, NULL) > 0) {
        *whole_ns += cost->self_ns;
        const struct hs_method *m = hs_method_get(t, cost->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c != NULL && hs_class_matches(a->class_glob, c->name) &&
            hs_method_matches(a->method_glob, m->name, m->desc))
            rows[(*out)++] = (struct row){ cost, c->name, m->name, m->desc, resolution, without_hooks };
    }
    return rows;
}

/* Splits METHOD, Class.METHOD or a.b.Class.METHOD(desc) at the dot before the name of the method. */
static void split_method(char *text, const char **class_glob, const char **method_glob)
{
    char *end = strchr(text, '('), *dot = NULL;
    for (char *p = text; *p != '\0' && p != end; p++)
        if (*p == '.')
            dot = p;
    *class_glob = dot != NULL ? text : NULL;
    *method_glob = dot != NULL ? dot + 1 : text;
    if (dot != NULL)
        *dot = '\0';
}

static int show_contexts(struct session *s, const struct args *a, uint64_t from, uint64_t to)
{
    struct context_choice choice = {
        .kind = CONTEXT_TREE, .json = a->common.json, .limit = a->common.limit, .from = from, .to = to
    };
    const char *given = a->callers != NULL ? a->callers : a->callees;
    char *method = given != NULL ? strdup(given) : NULL;
    int status = PARSED;
    if (given != NULL && method == NULL)
        return session_fail(s, "out of memory");
    if (method != NULL) {
        choice.kind = a->callers != NULL ? CONTEXT_CALLERS : CONTEXT_CALLEES;
        split_method(method, &choice.class_glob, &choice.method_glob);
        status = names_method_of(s, a->callers != NULL ? "callers" : "callees", choice.class_glob, choice.method_glob);
    }
    status = status == PARSED ? report_contexts(s, &choice) : session_close(s, status);
    free(method);
    return status;
}

static int show_paths(struct session *s, const struct args *a, uint64_t from, uint64_t to)
{
    struct path_choice choice = { a->blocks ? HS_PATH_BLOCKS : HS_PATH_CALLS,
                                  a->common.json,
                                  a->common.limit,
                                  a->class_glob,
                                  a->method_glob,
                                  from,
                                  to };
    return report_paths(s, &choice);
}

static int show_costs(struct session *s, const struct args *a, size_t key, uint64_t from, uint64_t to)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *costs;
    uint64_t whole_ns;
    size_t shown;
    bool known = true, hooks = false;
    if (hs_costs_open(s->trace, from, to, &costs, &error) != 0)
        return session_fail(s, "%s", error.text);
    struct row *rows = rows_of(s->trace, a, costs, &shown, &whole_ns);
    if (rows == NULL)
        return session_fail(s, "out of memory");
    bool by_default_calls = a->sort == NULL && report_resolution(s->trace) == HS_NO_TIME;
    if (shown > 1)
        qsort(rows, shown, sizeof *rows, by_default_calls ? by_calls : keys[key].compare);
    if (!a->common.json)
        heading(&s->out, a->percentiles);
    for (size_t i = 0; i < shown && i < a->common.limit; i++) {
        if (a->common.json)
            costs_json(&s->out, &rows[i], rows[i].cost, whole_ns);
        else
            known &= text(&s->out, &rows[i], whole_ns, a->percentiles);
        hooks |= is_mostly_hooks(rows[i].cost);
    }
    if (!known)
        report_unknown_note(&s->out, rows[0].resolution);
    if (hooks && !a->common.json)
        out_format(&s->out,
                   "~: the recorder took longer than this method itself; its time is taken off, and what is left "
                   "is known to some ns a call\n");
    free(rows);
    hs_cursor_close(costs);
    names_empty_without(s, shown, a->common.limit, "call of such a method", USE_ENTER);
    return session_close(s, EXIT_DONE);
}

int cmd_report(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    size_t key = 0;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    while (key < KEYS && strcmp(keys[key].name, a.sort != NULL ? a.sort : "self") != 0)
        key++;
    if (key == KEYS)
        return cli_fail(EXIT_USAGE, context,
                        "--sort wants self, total, calls, min, avg, max, exceptions or name, not '%s'", a.sort);
    bool contexts = a.callers != NULL || a.callees != NULL || a.tree;
    if ((a.callers != NULL) + (a.callees != NULL) + a.tree + a.paths + a.blocks > 1)
        return cli_fail(EXIT_USAGE, context, "only one of --callers, --callees, --tree, --paths and --blocks");
    if (contexts && (a.class_glob != NULL || a.method_glob != NULL))
        return cli_fail(EXIT_USAGE, context,
                        "--class and --method cannot be combined with --callers, --callees, --tree");
    if ((status = session_open(&s, context, &a.common, a.common.arguments[0])) != PARSED)
        return status;
    if (a.snapshot != 0 && (status = session_snapshot(&s, a.snapshot)) != PARSED)
        return status;
    bool needs_stream = contexts || a.paths || a.blocks || a.mark != NULL ||
                        format_keeps_nothing(format_of_trace(hs_info(s.trace, "format")));
    if (needs_stream && (status = session_needs_stream(&s)) != PARSED)
        return status;
    uint64_t from = 0, to = UINT64_MAX;
    if (a.mark != NULL)
        status = session_mark(&s, a.mark, &from, &to);
    if (status == PARSED)
        status = names_method(&s, a.class_glob, a.method_glob);
    if (status != PARSED)
        return session_close(&s, status);
    if (contexts)
        return show_contexts(&s, &a, from, to);
    if (a.paths || a.blocks)
        return show_paths(&s, &a, from, to);
    return show_costs(&s, &a, key, from, to);
}
