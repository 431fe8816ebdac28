/* test_rows.h - a test with what answers show of it: its time, and the exception with which it failed. */
#ifndef READER_CLI_TEST_ROWS_H
#define READER_CLI_TEST_ROWS_H

#include "reader/command/show.h"
#include "reader/command/suspect_runs.h"

struct test_row {
    const struct hs_test *test;
    const struct hs_thrown *thrown; /* NULL: it has no exception, or nothing is known of it */
    const char *type;               /* of the exception; NULL: none, or not known */
    const char *ms;                 /* "-": not known. Until the next test_row_of of the thread */
    uint64_t ns;                    /* UINT64_MAX: not known */
};
struct test_row test_row_of(hs_trace *t, const struct hs_test *test);
/* The answer tests.def. */
void test_heading(struct out *o);
void test_row_text(struct show *show, const struct test_row *x);
void test_row_json(struct show *show, const struct test_row *x);
/* passed, failed, aborted, skipped, unfinished */
const char *test_status_name(enum hs_test_status status);
bool test_status_find(const char *name, enum hs_test_status *out);
#define TEST_STATUSES "passed|failed|aborted|skipped|unfinished"
#define TEST_NONE                                                                                                      \
    "no test of JUnit or TestNG: none ran, or the classes of the framework were not recorded (record --tests has "     \
    "them)"
/* CartTest.three */
void test_name_text(struct out *o, const struct hs_test *test);
/* Does the text name the test: its class, its method, Class.method, its name, or a glob of one of them? */
bool test_is_named(const struct hs_test *test, const char *text);

#endif
