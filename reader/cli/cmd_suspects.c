/* cmd_suspects.c - `hindsight suspects`: what sets failing tests, or failing recordings, apart from the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/test_rows.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *test, *class_glob;
    struct texts passed, failed;
    bool never;
};
static const struct option_row options[] = {
    { "passed", 'p', "TRACE", OPTION_TEXTS, offsetof(struct args, passed),
      "a recording of a run that passed, to which TRACE, which failed, is compared; may be repeated" },
    { "failed", 0, "TRACE", OPTION_TEXTS, offsetof(struct args, failed), "another one that failed; may be repeated" },
    { "test", 't', "NAME", OPTION_TEXT, offsetof(struct args, test),
      "without --passed: only these of the failing tests: Class, Class.method, the name that the framework shows, or a "
      "glob" },
    { "never", 0, NULL, OPTION_FLAG, offsetof(struct args, never),
      "instead: what every passing run did and no failing one" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only what is in these classes" },
    { 0 },
};
const struct usage usage_suspects = {
    .about =
        "What failing runs did more often than passing ones: branches that went a way, values that were null, 0, "
        "negative, empty, exceptions, methods; then the lines that no such row names. The runs are the tests of the "
        "trace (`hindsight tests`); with --passed they are whole recordings. A run did it or did not, how often does "
        "not count.\n"
        "ochiai is 1 for what all failing runs did and no passing one; increase says by how much it raises the share "
        "of failing ones among the runs that came to that branch or value. Rows come by ochiai, then by increase, then "
        "by their first moment, which is given in the first failing run; lines by the last one, nearest to the end of "
        "the run first, also those that passing runs ran as often (30 of these, with --limit all). With --never what "
        "every passing run did and no failing one, in the first passing run; those come first of which failing runs "
        "came to the branch or value, and it was another one. Branches need the group LABEL, values PARAM, CALL, FIELD "
        "and LOCAL.",
    .example = "hindsight suspects failed --passed good-1 --passed good-2",
    .options = options,
};

/* ---- rows ---- */

enum { NUMBER_TEXT = 48, LINES_SHOWN = 30 };

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
    if (x->never)
        out_text(o, "  never");
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
    struct suspect_runs all;
};

/* PARSED, or the exit status. */
static int add_tests(struct runs *r, const struct args *a)
{
    struct session *s = &r->sessions[0];
    struct hs_error error = HS_ERROR_INIT;
    size_t all;
    if (suspect_runs_add_tests(&r->all, s->trace, a->test != NULL ? test_is_named : NULL, a->test, &all, &error) != 0)
        return session_fail(s, "%s", error.text);
    if (all == 0)
        return session_close(s, cli_fail(EXIT_FAILED, s->context, TEST_NONE ": name the traces of several runs"));
    return PARSED;
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
    return suspect_runs_add(&r->all, s->trace, path != NULL ? path : ".", failed)
               ? PARSED
               : cli_fail(EXIT_FAILED, context, "out of memory");
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

static int write_rows(struct runs *r, const struct args *a)
{
    struct session *s = &r->sessions[0];
    struct hs_suspect_options o = HS_SUSPECT_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_suspect *row;
    hs_cursor *rows;
    char number[NUMBER_TEXT];
    uint64_t shown = 0, lines = 0;
    o.runs = r->all.list.items;
    o.count = r->all.list.count;
    o.never = a->never;
    o.class_glob = a->class_glob;
    if (hs_suspects_open(&o, &rows, &error) != 0)
        return session_refused(s, &error);
    if (!a->common.json)
        suspects_heading(&s->out);
    while (shown < a->common.limit && hs_suspect_next(rows, &row, NULL) > 0) {
        const char *run = r->all.names.items[row->run];
        if (a->passed.count == 0 && suspect_of_test(row, run))
            continue;
        if (row->kind == HS_SUSPECT_LINE && row->increase <= 0 && a->common.limit == UINT64_MAX &&
            ++lines > LINES_SHOWN)
            continue;
        (a->common.json ? suspects_json : suspects_text)(&s->out, row, run, number);
        shown++;
    }
    hs_cursor_close(rows);
    if (shown == 0 && a->common.limit > 0)
        (void)cli_fail(EXIT_DONE, s->context,
                       a->never ? "nothing that every passing run did and no failing one was found"
                                : "nothing that failing runs did more often than passing ones was found");
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
    suspect_runs_done(&r.all);
    free(r.sessions);
    return status == PARSED ? EXIT_DONE : status;
}
