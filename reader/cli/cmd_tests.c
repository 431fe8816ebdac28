/* cmd_tests.c - `hindsight tests`: the tests that JUnit or TestNG ran. */
#include <string.h>

#include "reader/cli/test_rows.h"
#include "reader/command/cli.h"
#include "reader/command/context.h"

struct args {
    struct common common;
    const char *status, *test;
};
static const struct option_row options[] = {
    { "status", 0, TEST_STATUSES, OPTION_CHOICE, offsetof(struct args, status), "only tests that ended so" },
    { "test", 't', "NAME", OPTION_TEXT, offsetof(struct args, test),
      "only these: Class, Class.method, the name that the framework shows, or a glob" },
    { 0 },
};
const struct usage usage_tests = {
    .about = "One row for each test of JUnit 3, 4, the JUnit Platform (Jupiter, Vintage, Kotest, Spek) and TestNG, by "
             "what the framework reported to its listeners; a class (or another container) only if it failed, as by "
             "its set-up, or was skipped. A test that is unfinished began, and no event shows its end. begin and end "
             "are events: what the test did lies between them, in its thread and in those that it started. Needs the "
             "groups EXEC and PARAM, and the classes of the framework in the recording.",
    .example = "hindsight tests --status failed",
    .options = options,
};

int cmd_tests(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_test *test;
    hs_cursor *tests;
    enum hs_test_status wanted = HS_TEST_PASSED;
    uint64_t shown = 0, all = 0;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.status != NULL && !test_status_find(a.status, &wanted))
        return cli_fail(EXIT_USAGE, context, "--status wants passed, failed, aborted, skipped or unfinished, not '%s'",
                        a.status);
    if ((status = session_open_stream(&s, context, &a.common, a.common.arguments[0])) != PARSED)
        return status;
    if (hs_tests_open(s.trace, &tests, &error) != 0)
        return session_fail(&s, "%s", error.text);
    if (!show_init(&show, s.trace, &s.out)) {
        hs_cursor_close(tests);
        return session_fail(&s, "out of memory");
    }
    if (!a.common.json)
        test_heading(&s.out);
    for (; shown < a.common.limit && hs_test_next(tests, &test, NULL) > 0; all++) {
        if ((a.status != NULL && test->status != wanted) || (a.test != NULL && !test_is_named(test, a.test)))
            continue;
        const struct test_row row = test_row_of(s.trace, test);
        (a.common.json ? test_row_json : test_row_text)(&show, &row);
        shown++;
    }
    hs_cursor_close(tests);
    show_done(&show);
    if (shown == 0 && all == 0 && a.common.limit > 0)
        (void)cli_fail(EXIT_DONE, context, TEST_NONE);
    else if (shown == 0 && a.common.limit > 0)
        (void)cli_fail(EXIT_DONE, context, "none of %llu tests satisfies every option", (unsigned long long)all);
    return session_close(&s, EXIT_DONE);
}
