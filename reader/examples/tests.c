/* tests.c - which tests ran, and how did they end?   tests TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    static const char *const statuses[] = { "passed", "failed", "aborted", "skipped", "unfinished" };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_test *test;
    hs_cursor *tests;
    int more;
    hs_trace *trace = open_trace(argc, argv, 1, "tests TRACE");
    if (hs_tests_open(trace, &tests, &error) != 0) {
        hs_close(trace);
        return fail(&error);
    }
    while ((more = hs_test_next(tests, &test, &error)) > 0) {
        (void)printf("%s ", statuses[test->status]);
        print_name(test->class_name != NULL ? test->class_name : "?");
        (void)printf(" ");
        print_name(test->method != NULL ? test->method : "?");
        (void)printf(" %" PRIu64 "\n", test->begin);
    }
    hs_cursor_close(tests);
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
