/* api/tests.h - the tests that a run of JUnit or TestNG made. */
#ifndef HINDSIGHT_API_TESTS_H
#define HINDSIGHT_API_TESTS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_test_status {
    HS_TEST_PASSED = 0,
    HS_TEST_FAILED = 1,
    HS_TEST_ABORTED = 2,   /* an assumption did not hold */
    HS_TEST_SKIPPED = 3,   /* disabled or ignored, or what it depends on failed */
    HS_TEST_UNFINISHED = 4 /* it began, and no end of it was recorded */
};
struct hs_test {
    const char *framework;           /* "JUnit Platform", "JUnit 4", "JUnit 3", "TestNG" */
    const char *class_name, *method; /* NULL: not known */
    const char *name;                /* as the framework shows it; NULL: not known */
    enum hs_test_status status;
    bool container;     /* no test but what holds tests, such as a class, whose set-up failed or which was skipped */
    uint64_t begin;     /* seq of the event by which the framework announced it; of a skipped one where it said so */
    uint64_t end;       /* of the event by which it announced the end; HS_NO_SEQ: none */
    uint32_t thread;    /* that announced it */
    uint32_t exception; /* id of the Throwable with which it failed or was aborted; 0: none */
    const char *reason; /* why it was skipped; NULL: not given */
    bool dropped;       /* it passed, and events between its begin and its end were dropped (keep=) */
};

/* The tests by `begin`, found in the recorded calls by which a framework notifies its listeners; none if there is no
 * such call. Of the JUnit Platform these are the tests of all its engines (Jupiter, Vintage, Kotest, Spek, ...). Needs
 * the groups EXEC and PARAM; the classes of the framework with these methods must have been woven (tests=on leaves no
 * more of it than these). */
HS_API int hs_tests_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_test_next(hs_cursor *cursor, const struct hs_test **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
