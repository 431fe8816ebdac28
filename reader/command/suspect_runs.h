/* suspect_runs.h - the runs that `suspects` compares: tests of a trace, or whole recordings. */
#ifndef READER_COMMAND_SUSPECT_RUNS_H
#define READER_COMMAND_SUSPECT_RUNS_H

#include "formats/vec.h"
#include "reader/trace.h"

struct suspect_runs {
    VEC(struct hs_suspect_run) list;
    VEC(char *) names; /* one for each: a test, or the path of a trace */
};
/* A whole recording. False: out of memory. */
bool suspect_runs_add(struct suspect_runs *r, hs_trace *trace, const char *path, bool failed);
/* A test that passed or failed; when all have been added, in the order of their begins, suspect_runs_part: of those
 * that ran at the same time only what their threads did. */
bool suspect_runs_add_test(struct suspect_runs *r, hs_trace *trace, const struct hs_test *test);
void suspect_runs_part(struct suspect_runs *r);
/* The tests that passed, and those that failed and that `wanted` (NULL: all) takes; `*all` is the number of tests of
 * any status. 0, or -1 and the error. */
typedef bool test_wanted_fn(const struct hs_test *test, const char *text);
int suspect_runs_add_tests(struct suspect_runs *r, hs_trace *trace, test_wanted_fn *wanted, const char *text,
                           size_t *all, struct hs_error *error);
void suspect_runs_done(struct suspect_runs *r);
/* Of tests: does the row say nothing of the program? It is of the test method itself, that it was entered or left by
 * what made it fail, or of the framework. */
bool suspect_of_test(const struct hs_suspect *x, const char *test);

/* Is it a class of a test framework or of an assertion library, or of the JDK? */
bool test_library(const char *class_name);

#endif
