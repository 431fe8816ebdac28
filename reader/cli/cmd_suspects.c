/* cmd_suspects.c - `hindsight suspects`: what sets failing tests, or failing recordings, apart from the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/vec.h"
#include "reader/cli/test_rows.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *test, *class_glob;
    struct texts passed, failed;
};
static const struct option_row options[] = {
    { "passed", 'p', "TRACE", OPTION_TEXTS, offsetof(struct args, passed),
      "a recording of a run that passed, to which TRACE, which failed, is compared; may be repeated" },
    { "failed", 0, "TRACE", OPTION_TEXTS, offsetof(struct args, failed), "another one that failed; may be repeated" },
    { "test", 't', "NAME", OPTION_TEXT, offsetof(struct args, test),
      "without --passed: only these of the failing tests: Class, Class.method, the name that the framework shows, or a "
      "glob" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only what is in these classes" },
    { 0 },
};
const struct usage usage_suspects = {
    .about =
        "What failing runs did more often than passing ones: branches that went a way, values that were null, 0, "
        "negative, empty, exceptions, methods. The runs are the tests of the trace (`hindsight tests`); with --passed "
        "they are whole recordings. A run did it or did not, how often does not count.\n"
        "ochiai is 1 for what all failing runs did and no passing one; increase says by how much it raises the share "
        "of failing ones among the runs that came to that branch or value. Rows come by ochiai, then by increase, then "
        "by their first moment, which is given in the first failing run. Branches need the group LABEL, values PARAM, "
        "CALL, FIELD and LOCAL.",
    .example = "hindsight suspects failed --passed good-1 --passed good-2",
    .options = options,
};

/* ---- rows ---- */

enum { NUMBER_TEXT = 48 };

static const char *two_places(double value, char *to)
{
    (void)snprintf(to, NUMBER_TEXT, "%.2f", value);
    return to;
}

static const char *share(uint64_t of, uint64_t all, char *to)
{
    (void)snprintf(to, NUMBER_TEXT, "%llu/%llu", (unsigned long long)of, (unsigned long long)all);
    return to;
}

static void score_member(struct out *o, const char *key, double value)
{
    json_name(&o->json, key);
    json_rounded(&o->json, value, 3);
}

static void where_text(struct out *o, const struct hs_suspect *x, const char *run)
{
    out_colour(o, COLOUR_NAME);
    out_name(o, x->method);
    out_colour(o, COLOUR_NONE);
    if (x->line >= 0)
        out_format(o, ":%d", (int)x->line);
    if (x->what != NULL) {
        out_text(o, "  ");
        out_name(o, x->what);
    }
    out_text(o, "  in ");
    out_name(o, run);
}

#define ROWS "reader/answers/suspects.def"
#define ROW  const struct hs_suspect *x, const char *run, char *number
#include "reader/answers/row.h"

/* ---- runs ---- */

struct runs {
    struct session *sessions;
    size_t opened;
    VEC(struct hs_suspect_run) list;
    VEC(char *) names; /* one for each */
};

/* False: out of memory. */
static bool add_run(struct runs *r, const struct hs_suspect_run *run, const char *class_name, const char *name)
{
    struct hs_suspect_run *to = vec_push(&r->list);
    char **text = vec_push(&r->names);
    const size_t n = strlen(name) + (class_name != NULL ? strlen(class_name) + 1 : 0) + 1;
    if (to == NULL || text == NULL || (*text = malloc(n)) == NULL)
        return false;
    *to = *run;
    (void)snprintf(*text, n, "%s%s%s", class_name != NULL ? class_name : "", class_name != NULL ? "." : "", name);
    return true;
}

static void runs_done(struct runs *r)
{
    for (size_t i = 0; i < r->names.count; i++)
        free(r->names.items[i]);
    vec_free(&r->names);
    vec_free(&r->list);
}

/* Tests that ran at the same time are those of their threads alone. */
static void part_by_thread(struct runs *r, const uint32_t *threads)
{
    for (size_t i = 0; i < r->list.count; i++)
        for (size_t k = i + 1; k < r->list.count && r->list.items[k].from < r->list.items[i].to; k++) {
            r->list.items[i].thread = threads[i];
            r->list.items[k].thread = threads[k];
        }
}

/* The tests that passed, and those that failed. PARSED, or the exit status. */
static int add_tests(struct runs *r, const struct args *a)
{
    struct session *s = &r->sessions[0];
    struct hs_error error = HS_ERROR_INIT;
    VEC(uint32_t) threads = { 0 };
    const struct hs_test *test;
    hs_cursor *tests;
    size_t all = 0;
    bool ok = true;
    if (hs_tests_open(s->trace, &tests, &error) != 0)
        return session_fail(s, "%s", error.text);
    for (; ok && hs_test_next(tests, &test, NULL) > 0; all++) {
        const bool failed = test->status == HS_TEST_FAILED;
        if (test->container || test->dropped || (!failed && test->status != HS_TEST_PASSED) ||
            (failed && a->test != NULL && !test_is_named(test, a->test)))
            continue;
        const char *name = test->method != NULL ? test->method : test->name != NULL ? test->name : "?";
        uint32_t *thread = vec_push(&threads);
        ok = thread != NULL &&
             add_run(r, &(struct hs_suspect_run){ s->trace, test->begin, test->end, UINT32_MAX, failed },
                     test->class_name, name);
        if (ok)
            *thread = test->thread;
    }
    if (ok)
        part_by_thread(r, threads.items);
    hs_cursor_close(tests);
    vec_free(&threads);
    if (ok && all == 0)
        return session_close(s, cli_fail(EXIT_FAILED, s->context, TEST_NONE ": name the traces of several runs"));
    return ok ? PARSED : session_fail(s, "out of memory");
}

/* Opens a trace, whole as a run unless its tests are. PARSED, or the exit status. */
static int open_trace(struct runs *r, struct context *context, const struct args *a, const char *path, bool failed)
{
    struct session *s = &r->sessions[r->opened];
    const int status = session_open_stream(s, context, &a->common, path);
    if (status != PARSED)
        return status;
    r->opened++;
    if (a->passed.count == 0)
        return PARSED;
    const struct hs_suspect_run run = { s->trace, 0, UINT64_MAX, UINT32_MAX, failed };
    return add_run(r, &run, NULL, path != NULL ? path : ".") ? PARSED : cli_fail(EXIT_FAILED, context, "out of memory");
}

/* The failing one first: its output is that of the command. */
static int open_traces(struct runs *r, struct context *context, const struct args *a)
{
    int status = open_trace(r, context, a, a->common.arguments[0], true);
    for (size_t i = 0; status == PARSED && i < a->failed.count; i++)
        status = open_trace(r, context, a, a->failed.items[i], true);
    for (size_t i = 0; status == PARSED && i < a->passed.count; i++)
        status = open_trace(r, context, a, a->passed.items[i], false);
    return status;
}

/* Of the test itself: that it was entered, or left by what made it fail. Of the framework: that it heard of that. */
static bool says_nothing(const struct hs_suspect *x, const char *test)
{
    return test_library(x->method) ||
           ((x->kind == HS_SUSPECT_METHOD || x->kind == HS_SUSPECT_EXCEPTION) && strcmp(x->method, test) == 0);
}

static int write_rows(struct runs *r, const struct args *a)
{
    struct session *s = &r->sessions[0];
    struct hs_suspect_options o = HS_SUSPECT_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_suspect *row;
    hs_cursor *rows;
    char number[NUMBER_TEXT];
    uint64_t shown = 0;
    o.runs = r->list.items;
    o.count = r->list.count;
    o.class_glob = a->class_glob;
    if (hs_suspects_open(&o, &rows, &error) != 0)
        return session_refused(s, &error);
    if (!a->common.json)
        suspects_heading(&s->out);
    while (shown < a->common.limit && hs_suspect_next(rows, &row, NULL) > 0) {
        const char *run = r->names.items[row->run];
        if (a->passed.count == 0 && says_nothing(row, run))
            continue;
        (a->common.json ? suspects_json : suspects_text)(&s->out, row, run, number);
        shown++;
    }
    hs_cursor_close(rows);
    if (shown == 0 && a->common.limit > 0)
        (void)cli_fail(EXIT_DONE, s->context, "nothing that failing runs did more often than passing ones was found");
    return PARSED;
}

int cmd_suspects(struct context *context)
{
    struct args a = { 0 };
    struct runs r = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.passed.count == 0 && a.failed.count > 0)
        return cli_fail(EXIT_USAGE, context, "--failed wants --passed: name a recording of a run that passed");
    if (a.passed.count > 0 && a.test != NULL)
        return cli_fail(EXIT_USAGE, context, "--test is about the tests of one trace: leave --passed out");
    r.sessions = calloc(1 + a.passed.count + a.failed.count, sizeof *r.sessions);
    if (r.sessions == NULL)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    status = open_traces(&r, context, &a);
    bool closed = false; /* the first session, by what failed */
    if (status == PARSED && (status = names_class(&r.sessions[0], a.class_glob)) == PARSED && a.passed.count == 0)
        closed = (status = add_tests(&r, &a)) != PARSED;
    if (status == PARSED)
        closed = (status = write_rows(&r, &a)) != PARSED;
    for (size_t i = r.opened; i-- > 0;)
        if (i > 0 || !closed) {
            const int ended = session_close(&r.sessions[i], status == PARSED ? EXIT_DONE : status);
            status = status == PARSED || status == EXIT_DONE ? ended : status;
        }
    runs_done(&r);
    free(r.sessions);
    return status == PARSED ? EXIT_DONE : status;
}
