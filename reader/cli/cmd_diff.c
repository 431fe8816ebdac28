/* cmd_diff.c - `hindsight diff A B`: where two runs differ (reader/analysis/diff/diff.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/analysis/diff/diff.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *kind, *class_glob, *method_glob;
    bool first, fail_if_any;
};
static const struct option_row options[] = {
    { "kind", 'k', "K,K", OPTION_TEXT, offsetof(struct args, kind),
      "only differences of these kinds: call, value, coverage" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only in methods of these classes" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "only in these methods: get*, put(String, int), or with the descriptor" },
    { "first", 0, NULL, OPTION_FLAG, offsetof(struct args, first), "only the first difference of each thread" },
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "exit status 1 if there is a difference, for checks" },
    { 0 },
};
const struct usage usage_diff = {
    .about =
        "First, for each thread, the first event in which the runs differ. Then the calls that only one run made, and "
        "the receivers, arguments, results and exits that differ in calls that both made, with the calls around them. "
        "Then the methods, and the lines of methods with the same code, that only one run reached.\n"
        "Threads are compared by name, those of one name in their order. Methods are the same by their code, else by "
        "class, name and descriptor. Strings are compared by content, other objects by type and by where they were "
        "first seen, never by id. Needs events of EXEC, and of PARAM for arguments: calls are those of recorded "
        "methods. "
        "What calls to code that is not woven are given, and return, is compared for the first difference alone.\n"
        "The exit status is 0 with and without differences.",
    .example = "hindsight diff trace hindsight-20261120-2031-4711 --kind call,value",
    .options = options,
};

/* --kind: names joined by commas. False: one of them is no kind. */
static bool parse_kinds(const char *text, unsigned *kinds)
{
    static const struct {
        const char *name;
        unsigned kind;
    } names[] = { { "call", DIFF_CALL }, { "value", DIFF_VALUE }, { "coverage", DIFF_COVERAGE } };
    *kinds = text == NULL ? DIFF_ALL : 0;
    while (text != NULL) {
        size_t length = strcspn(text, ","), i = 0;
        while (i < 3 && !(strlen(names[i].name) == length && strncmp(names[i].name, text, length) == 0))
            i++;
        if (i == 3)
            return false;
        *kinds |= names[i].kind;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

static bool any_wanted(const struct diff *d)
{
    for (size_t i = 0; i < d->methods.count; i++)
        if (d->methods.items[i].wanted)
            return true;
    return d->methods.count == 0;
}

static bool compare_all(struct diff *d, bool first)
{
    bool ok = true;
    for (size_t i = 0; ok && i < d->threads.count && d->kinds != DIFF_COVERAGE && !diff_full(d); i++)
        ok = diff_first(d, &d->threads.items[i]);
    if (first || !ok)
        return ok;
    diff_identity_clear(d);
    for (size_t i = 0; ok && i < d->threads.count && d->kinds != DIFF_COVERAGE && !diff_full(d); i++)
        ok = diff_calls(d, &d->threads.items[i]);
    if (ok && (d->kinds & DIFF_COVERAGE) != 0 && !diff_full(d))
        ok = diff_coverage(d);
    return ok;
}

/* What percall= left out of one trace is unknown, not different. */
static void tell_partial(const struct diff *d, struct context *context)
{
    const unsigned long long calls = d->partial_calls, methods = d->partial_methods;
    const char *more = diff_full(d) ? "at least " : ""; /* --limit ended the comparison */
    if (calls > 0)
        (void)cli_fail(EXIT_DONE, context,
                       "note: %s%llu calls that both runs made are compared without the events that percall= left out",
                       more, calls);
    if (methods > 0)
        (void)cli_fail(EXIT_DONE, context,
                       "note: lines of %s%llu methods are not compared where percall= left events of them out", more,
                       methods);
}

/* Without a difference in what both traces have woven, which may be little. */
static void tell_empty(const struct diff *d, const struct session *a, bool first)
{
    char what[256];
    size_t n = (size_t)snprintf(what, sizeof what, first ? "first difference" : "difference");
    if (diff_woven(d->sides[0].trace) != diff_woven(d->sides[1].trace)) {
        n += (size_t)snprintf(what + n, sizeof what - n, " in the groups that both have woven: ");
        group_set_text(d->groups, what + n, sizeof what - n);
    }
    names_empty(a, d->found, d->limit, what);
}

static int run(struct session *a, struct session *b, const struct args *args, unsigned kinds)
{
    struct session *both[2] = { a, b };
    struct diff d = { .out = &a->out,
                      .class_glob = args->class_glob,
                      .method_glob = args->method_glob,
                      .kinds = kinds,
                      .json = args->common.json,
                      .limit = args->common.limit,
                      .error = HS_ERROR_INIT };
    bool ok = diff_identity_init(&d);
    int status = PARSED, shows = 0;
    for (; ok && shows < 2; shows++) {
        struct diff_side *side = &d.sides[shows];
        side->trace = both[shows]->trace;
        side->site_count = hs_dataid_count(side->trace);
        side->sites = calloc((size_t)side->site_count + 1, sizeof *side->sites);
        ok = side->sites != NULL && show_init(&side->show, side->trace, d.out);
        if (!ok)
            break;
    }
    ok = ok || diff_no_memory(&d);
    ok = ok && diff_match_methods(&d) && diff_match_threads(&d);
    if (ok && !any_wanted(&d)) /* b does not have it either */
        status = names_method(a, d.class_glob, d.method_glob);
    if (ok && status == PARSED)
        ok = compare_all(&d, args->first);
    diff_rows_end(&d);
    while (shows > 0)
        show_done(&d.sides[--shows].show);
    for (int side = 0; side < 2; side++) {
        free(d.sides[side].sites);
        map_free(&d.sides[side].by_id);
        map_free(&d.sides[side].made);
    }
    vec_free(&d.methods);
    vec_free(&d.threads);
    diff_identity_done(&d);
    if (!ok)
        return session_fail(a, "%s", d.error.text);
    if (status != PARSED)
        return session_close(a, status);
    tell_partial(&d, a->context);
    tell_empty(&d, a, args->first);
    return session_close(a, args->fail_if_any && d.found > 0 ? EXIT_FAILED : EXIT_DONE);
}

int cmd_diff(struct context *context)
{
    struct args args = { 0 };
    struct session a, b;
    unsigned kinds;
    int status = cli_parse(context, &args);
    if (status != PARSED)
        return status;
    if (args.common.argument_count != 2)
        return cli_fail(EXIT_USAGE, context, "name two traces; see hindsight diff -h");
    if (!parse_kinds(args.kind, &kinds))
        return cli_fail(EXIT_USAGE, context, "--kind wants call, value or coverage, joined by commas, not '%s'",
                        args.kind);
    status = session_open_stream(&a, context, &args.common, args.common.arguments[0]);
    if (status != PARSED)
        return status;
    status = session_open_stream(&b, context, &args.common, args.common.arguments[1]);
    if (status != PARSED) {
        (void)session_close(&a, status);
        return status;
    }
    status = run(&a, &b, &args, kinds);
    int other = session_close(&b, EXIT_DONE);
    return status == EXIT_DONE ? other : status;
}
