/* cmd_report.c - `hindsight report`: what the calls of each method took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "reader/cli/names.h"
#include "reader/cli/report.h"
#include "reader/cli/show.h"

struct args {
    struct common common;
    const char *sort, *class_glob, *method_glob, *mark;
    bool paths, blocks;
    uint64_t snapshot;
};
static const struct option_row options[] = {
    { "sort", 's', "self|total|calls|min|avg|max|exceptions|name", OPTION_CHOICE, offsetof(struct args, sort),
      "the key to sort by (default self)" },
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
    .about = "Needs events of the group EXEC, or format=timing. Times are exact with timestamp=true or format=timing. "
             "Otherwise they come from the coarse clock, which ticks about every millisecond: a time below two ticks "
             "is not known and printed as <2.1 (ms); in JSON it is absent, and resolution_ns is the limit. Sums over "
             "many calls (total, self) are right on average. total counts nested calls of a method once; calls that "
             "did not return have no time. histogram (--json) counts calls that took less than 2, 4, 8, ... ns, with "
             "all calls below resolution_ns in one bucket.\nWith --mark a call counts if it began inside; one that did "
             "not return inside has no time. --snapshot is for format=timing.\nPaths: (a b)x3 is a loop that went "
             "through a and b three times; loops with different counts are the same path. A block is printed as the "
             "line where it begins, in JSON as its pc.",
    .example = "hindsight report --sort calls --limit 20",
    .options = options,
};

/* A row with the names that it is sorted and shown by. */
struct row {
    const struct hs_cost *cost; /* of the cursor */
    const char *class_name, *method, *desc;
    uint64_t resolution; /* times below this are not known */
};

static uint64_t average(const struct hs_cost *c) { return c->left > 0 ? c->total_ns / c->left : 0; }

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

/* Is the time exact? With a coarse clock only times from its resolution on are. */
static bool known(const struct row *r, uint64_t ns) { return r->resolution <= 1 || ns >= r->resolution; }

static void time_json(struct out *o, const struct row *r, const char *name, uint64_t ns)
{
    if (known(r, ns))
        json_member_u64(&o->json, name, ns);
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

static void json(struct out *o, const struct row *r)
{
    struct json *j = &o->json;
    const struct hs_cost *c = r->cost;
    json_object(j);
    show_method_members(o, r->class_name, r->method, r->desc);
    json_member_u64(j, "calls", c->calls);
    time_json(o, r, "total_ns", c->total_ns);
    time_json(o, r, "self_ns", c->self_ns);
    time_json(o, r, "min_ns", c->min_ns);
    time_json(o, r, "max_ns", c->max_ns);
    json_member_u64(j, "exceptions", c->exceptions);
    histogram_json(j, r);
    if (r->resolution > 1 && r->resolution != HS_NO_TIME)
        json_member_u64(j, "resolution_ns", r->resolution);
    json_end_line(j);
}

enum { TIME_WIDTH = 11 };

static void time_text(struct out *o, const struct row *r, bool is_known, uint64_t ns)
{
    char below[32] = "-"; /* without a clock, or a call that was left */
    if (is_known && r->cost->left > 0) {
        out_format(o, " %*.3f", TIME_WIDTH, (double)ns / 1e6);
        return;
    }
    if (r->cost->left > 0 && r->resolution != HS_NO_TIME)
        (void)snprintf(below, sizeof below, "<%.1f", (double)(r->resolution + 99999) / 1e6);
    out_format(o, " %*s", TIME_WIDTH, below);
}

static void text(struct out *o, const struct row *r)
{
    const struct hs_cost *c = r->cost;
    out_format(o, "%12llu", (unsigned long long)c->calls);
    time_text(o, r, known(r, c->total_ns), c->total_ns);
    time_text(o, r, known(r, c->self_ns), c->self_ns);
    time_text(o, r, known(r, c->min_ns), c->min_ns);
    time_text(o, r, known(r, average(c)), average(c));
    time_text(o, r, known(r, c->max_ns), c->max_ns);
    out_format(o, " %10llu  ", (unsigned long long)c->exceptions);
    show_method_text(o, r->class_name, r->method, r->desc, "\n");
}

static struct row *rows_of(hs_trace *t, const struct args *a, hs_cursor *costs, size_t *out)
{
    struct row *rows = malloc(((size_t)hs_cursor_count(costs) + 1) * sizeof *rows);
    const struct hs_cost *cost;
    uint64_t resolution = format_of_trace(hs_info(t, "format"))->times ? 1 : hs_clock_resolution_ns(t);
    *out = 0;
    while (rows != NULL && hs_cost_next(costs, &cost, NULL) > 0) {
        const struct hs_method *m = hs_method_get(t, cost->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c != NULL && hs_class_matches(a->class_glob, c->name) &&
            hs_method_matches(a->method_glob, m->name, m->desc))
            rows[(*out)++] = (struct row){ cost, c->name, m->name, m->desc, resolution };
    }
    return rows;
}

int cmd_report(int argc, char **argv)
{
    struct args a = { .sort = "self" };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *costs;
    size_t shown, key = 0;
    int status = cli_parse(argc, argv, &a);
    if (status != PARSED)
        return status;
    while (key < KEYS && strcmp(keys[key].name, a.sort) != 0)
        key++;
    if (key == KEYS)
        return cli_fail(EXIT_USAGE, argv[0],
                        "--sort wants self, total, calls, min, avg, max, exceptions or name, not '%s'", a.sort);
    if (a.paths && a.blocks)
        return cli_fail(EXIT_USAGE, argv[0], "--paths and --blocks cannot be combined");
    if ((status = session_open(&s, argv[0], &a.common, a.common.arguments[0])) != PARSED)
        return status;
    if (a.snapshot != 0 && (status = session_snapshot(&s, a.snapshot)) != PARSED)
        return status;
    if (!format_of_trace(hs_info(s.trace, "format"))->times && (status = session_needs_stream(&s)) != PARSED)
        return status;
    uint64_t from = 0, to = UINT64_MAX;
    if ((a.mark != NULL || a.paths || a.blocks) && (status = session_needs_stream(&s)) != PARSED)
        return status;
    if (a.mark != NULL)
        status = session_mark(&s, a.mark, &from, &to);
    if (status == PARSED)
        status = names_method(&s, a.class_glob, a.method_glob);
    if (status != PARSED)
        return session_close(&s, status);
    if (a.paths || a.blocks) {
        struct path_choice choice = { a.blocks ? HS_PATH_BLOCKS : HS_PATH_CALLS,
                                      a.common.json,
                                      a.common.limit,
                                      a.class_glob,
                                      a.method_glob,
                                      from,
                                      to };
        return report_paths(&s, &choice);
    }
    if (hs_costs_open(s.trace, from, to, &costs, &error) != 0)
        return session_fail(&s, "%s", error.text);
    struct row *rows = rows_of(s.trace, &a, costs, &shown);
    if (rows == NULL)
        return session_fail(&s, "out of memory");
    if (shown > 1)
        qsort(rows, shown, sizeof *rows, keys[key].compare);
    if (!a.common.json)
        out_format(&s.out, "%12s %11s %11s %11s %11s %11s %10s  %s\n", "calls", "total ms", "self ms", "min ms",
                   "avg ms", "max ms", "exceptions", "method");
    for (size_t i = 0; i < shown && i < a.common.limit; i++)
        (a.common.json ? json : text)(&s.out, &rows[i]);
    free(rows);
    hs_cursor_close(costs);
    names_empty(&s, shown, a.common.limit, "call of such a method");
    return session_close(&s, EXIT_DONE);
}
