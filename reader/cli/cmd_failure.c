/* cmd_failure.c - `hindsight failure [TEST]`: one page about a test that failed. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/cli/failure_show.h"
#include "reader/command/cli.h"
#include "reader/command/source.h"

struct args {
    struct common common;
    const char *html, *junit_xml;
    bool github;
};
static const struct option_row options[] = {
    { "html", 0, "FILE", OPTION_FILE, offsetof(struct args, html),
      "write the page to this file, with the source: one file, without script, that a browser opens from disk" },
    { "junit-xml", 0, "FILE", OPTION_FILE, offsetof(struct args, junit_xml),
      "add the page of each test that failed to this report of the build, the XML of JUnit" },
    { "github", 0, NULL, OPTION_FLAG, offsetof(struct args, github),
      "print annotations for GitHub, of each test that failed and of the lines that its value came from" },
    { 0 },
};
enum { REPORTED_MAX = 50 }; /* tests in annotations and in a report */
const struct usage usage_failure = {
    .source = true,
    .about =
        "TEST is Class, Class.method, the name that the framework shows, or a glob; without it the first test that "
        "failed. Of an assertion that is known (JUnit, TestNG, Hamcrest, AssertJ, Truth, kotlin.test) it shows what "
        "was "
        "expected and what came, and where that came from: the steps of why --all, joined to one for each line of the "
        "program, each with the value that it gave. Of another exception it shows where its null, index or other value "
        "came from. Frames and steps of test frameworks and of the JDK are left out.",
    .example = "hindsight failure",
    .options = options,
};

/* The rows of a cursor of tests, whose texts live as long as it: 0, -1. */
static int read_tests(hs_cursor *cursor, struct failure_tests *out, struct hs_error *error)
{
    const struct hs_test *test;
    int more;
    while ((more = hs_test_next(cursor, &test, error)) > 0) {
        struct hs_test *to = vec_push(&out->list);
        if (to == NULL) {
            (void)snprintf(error->text, sizeof error->text, "out of memory");
            return -1;
        }
        *to = *test;
    }
    return more;
}

/* The test that is asked for: the first that failed, else the first; NULL: there is none. `*others` failed, too. */
static const struct hs_test *choose(const struct failure_tests *tests, const char *wanted, uint64_t *others)
{
    const struct hs_test *found = NULL;
    *others = 0;
    for (size_t i = 0; i < tests->list.count; i++) {
        const struct hs_test *test = &tests->list.items[i];
        const bool failed = found != NULL && found->status == HS_TEST_FAILED, fails = test->status == HS_TEST_FAILED;
        const bool fits = wanted != NULL ? test_is_named(test, wanted) : fails || test->status == HS_TEST_UNFINISHED;
        *others += fits && fails && failed;
        if (fits && (found == NULL || (!failed && fails)))
            found = test;
    }
    return found;
}

/* A report of a build that pages are added to. */
struct report {
    failure_bytes bytes;
    size_t added;
    size_t number; /* of the run, if its method was run several times, else 0 */
};

static int write_html(struct session *s, const struct args *a, struct show *show, const struct failure *f,
                      struct hs_error *error)
{
    failure_bytes page = { 0 };
    bool ok = failure_html(show, f, s->sources, &page);
    if (!ok)
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    else if (!(ok = failure_file_write(a->html, &page)))
        (void)snprintf(error->text, sizeof error->text, "--html %.300s: %s", a->html, strerror(errno));
    vec_free(&page);
    return ok ? 0 : -1;
}

static int put_in_reports(struct session *s, const struct args *a, struct show *show, const struct failure *f,
                          struct report *report, struct hs_error *error)
{
    const char *why;
    if (a->github)
        failure_github(show, f, s->sources);
    const int added = report != NULL ? failure_junit_xml(show, f, report->number, &report->bytes, &why) : 0;
    if (added < 0)
        (void)snprintf(error->text, sizeof error->text, "--junit-xml %.300s: %s", a->junit_xml, why);
    else if (report != NULL)
        report->added += (size_t)added;
    return added < 0 ? -1 : 0;
}

static void show_page(struct session *s, const struct args *a, struct show *show, const struct failure *f)
{
    const bool calls = s->context->host != NULL && s->context->host->assistant;
    const uint64_t bytes = a->common.budget < SIZE_MAX / TOKEN_BYTES ? a->common.budget * TOKEN_BYTES : SIZE_MAX;
    if (a->common.budget == 0)
        failure_page(show, f, SIZE_MAX, calls);
    else if (!failure_page_within(show, f, (size_t)bytes, calls))
        (void)cli_fail(EXIT_DONE, s->context, "rows were left out to keep to the budget: a greater one has more");
}

static int show_failure(struct session *s, const struct args *a, const struct failure_tests *tests,
                        const struct hs_test *test, struct report *report, struct hs_error *error)
{
    struct failure f;
    struct show show;
    if (!show_init(&show, s->trace, &s->out)) {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
        return -1;
    }
    show.bare_boxes = true;
    int failed = failure_find(s->trace, tests, test, &f, error);
    if (failed == 0 && a->html != NULL)
        failed = write_html(s, a, &show, &f, error);
    else if (failed == 0 && (a->github || report != NULL))
        failed = put_in_reports(s, a, &show, &f, report, error);
    else if (failed == 0 && a->common.json)
        failure_json_row(&show, &f);
    else if (failed == 0)
        show_page(s, a, &show, &f);
    failure_free(&f);
    show_done(&show);
    return failed;
}

/* Where the sources of Maven and Gradle projects are, or a folder src, below the current one. */
static const char *usual_sources(void)
{
    static const char maven[] = "src/main/java:src/test/java", plain[] = "src";
    return access("src/test/java", R_OK) == 0 ? maven : access(plain, R_OK) == 0 ? plain : NULL;
}

/* Which run of its method the test is, from 1 on; 0: it is the only one. */
static size_t number_of(const struct failure_tests *tests, size_t at)
{
    const struct hs_test *test = &tests->list.items[at];
    size_t before = 0, all = 0;
    for (size_t i = 0; i < tests->list.count; i++) {
        const struct hs_test *x = &tests->list.items[i];
        const bool same = x->class_name != NULL && x->method != NULL && test->class_name != NULL &&
                          test->method != NULL && strcmp(x->class_name, test->class_name) == 0 &&
                          strcmp(x->method, test->method) == 0;
        all += same;
        before += same && i < at;
    }
    return all > 1 ? before + 1 : 0;
}

/* In a report of the build stands no test that has not ended. */
static bool is_reported(const struct hs_test *test, const struct args *a, const char *wanted)
{
    const bool fails = test->status == HS_TEST_FAILED || (test->status == HS_TEST_UNFINISHED && a->junit_xml == NULL);
    return fails && (wanted == NULL || test_is_named(test, wanted));
}

/* All tests that failed, and are named, in the reports of others. */
static int report_failures(struct session *s, const struct args *a, const struct failure_tests *tests,
                           const char *wanted, struct hs_error *error)
{
    struct report report = { 0 };
    const bool xml = a->junit_xml != NULL;
    int failed = 0;
    if (xml && !failure_file_read(a->junit_xml, &report.bytes)) {
        (void)snprintf(error->text, sizeof error->text, "--junit-xml %.300s: %s", a->junit_xml, strerror(errno));
        vec_free(&report.bytes);
        return -1;
    }
    size_t shown = 0;
    for (size_t i = 0; failed == 0 && i < tests->list.count && shown < REPORTED_MAX; i++)
        if (is_reported(&tests->list.items[i], a, wanted)) {
            report.number = number_of(tests, i);
            failed = show_failure(s, a, tests, &tests->list.items[i], xml ? &report : NULL, error);
            shown++;
        }
    if (failed == 0 && report.added > 0 && !failure_file_write(a->junit_xml, &report.bytes)) {
        (void)snprintf(error->text, sizeof error->text, "--junit-xml %.300s: %s", a->junit_xml, strerror(errno));
        failed = -1;
    }
    if (failed == 0 && xml)
        (void)cli_fail(EXIT_DONE, s->context, "%s: %zu of %zu tests that failed are in it and were added", a->junit_xml,
                       report.added, shown);
    vec_free(&report.bytes);
    return failed;
}

/* 0, -1: the session is then to be ended with the error. */
static int answer(struct session *s, const struct args *a, const struct failure_tests *tests, const char *wanted,
                  struct hs_error *error)
{
    uint64_t others;
    const struct hs_test *test = choose(tests, wanted, &others);
    const bool any = tests->list.count > 0;
    if (test == NULL && wanted != NULL) {
        if (any)
            (void)snprintf(error->text, sizeof error->text, "no test is named '%.300s'; `hindsight tests` lists them",
                           wanted);
        else
            (void)snprintf(error->text, sizeof error->text, "%s: " TEST_NONE, hs_dir(s->trace));
        return -1;
    }
    if (test == NULL) {
        (void)cli_fail(EXIT_DONE, s->context, any ? "no test failed" : TEST_NONE);
        return 0;
    }
    if (a->html == NULL && (a->github || a->junit_xml != NULL))
        return report_failures(s, a, tests, wanted, error);
    if (show_failure(s, a, tests, test, NULL, error) != 0)
        return -1;
    if (others > 0)
        (void)cli_fail(EXIT_DONE, s->context, "%llu more failed: hindsight tests --status failed",
                       (unsigned long long)others);
    return 0;
}

int cmd_failure(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    struct failure_tests tests = { 0 };
    const char *wanted;
    hs_cursor *cursor;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.html != NULL && (a.github || a.junit_xml != NULL))
        return cli_fail(EXIT_USAGE, context, "--html is about one test, --github and --junit-xml about all: ask twice");
    const char *trace = cli_trace_and_word(&a.common, &wanted);
    const bool guessed = a.common.source == NULL;
    if (guessed)
        a.common.source = usual_sources();
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    if (guessed && s.sources != NULL)
        sources_guessed(s.sources);
    if (hs_tests_open(s.trace, &cursor, &error) != 0)
        return session_fail(&s, "%s", error.text);
    int failed = read_tests(cursor, &tests, &error);
    if (failed == 0)
        failed = answer(&s, &a, &tests, wanted, &error);
    vec_free(&tests.list);
    hs_cursor_close(cursor);
    return failed != 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
