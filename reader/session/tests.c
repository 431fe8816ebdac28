/* tests.c - hs_tests_open: what frameworks reported to their listeners, joined to tests. */
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "formats/vec.h"
#include "reader/cursor/cursor.h"
#include "reader/session/test_notices.h"

static const char *const framework_names[] = {
#define TEST_FRAMEWORK(id, name) name,
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what)
#include "reader/session/test_frameworks.def"
};

/* Who reported a test. */
struct test_reporter {
    const char *key;
    enum framework framework;
    bool twice; /* a framework of higher rank reports it, too */
};
struct test_list {
    hs_trace *trace;
    struct list_answer *answer;
    notice_vec notices;
    VEC(struct hs_test) tests;
    VEC(size_t) open;                    /* tests that have begun and not ended, by index */
    VEC(struct test_reporter) reporters; /* of each test */
    size_t containers;                   /* of the platform that are open */
};

static int no_memory(const hs_trace *t, struct hs_error *error)
{
    struct error err;
    (void)state_memory(t, &err);
    return give(error, &err);
}

/* ---- joining ---- */

static size_t find_open(const struct test_list *l, const struct notice *t)
{
    for (size_t i = l->open.count; i-- > 0;) {
        const size_t at = l->open.items[i];
        const struct test_reporter *by = &l->reporters.items[at];
        if (by->framework == t->framework && by->key != NULL && t->key != NULL && strcmp(by->key, t->key) == 0)
            return i;
    }
    return SIZE_MAX;
}

static struct hs_test *add_test(struct test_list *l, const struct notice *t)
{
    struct hs_test *test = vec_push(&l->tests);
    struct test_reporter *by = vec_push(&l->reporters);
    if (test == NULL || by == NULL)
        return NULL;
    *by = (struct test_reporter){ t->key, t->framework, false };
    *test = (struct hs_test){ .framework = framework_names[t->framework],
                              .class_name = t->class_name,
                              .method = t->method,
                              .name = t->name,
                              .status = HS_TEST_UNFINISHED,
                              .container = !t->leaf,
                              .begin = t->seq,
                              .end = HS_NO_SEQ,
                              .thread = t->thread };
    return test;
}

/* What is open in the thread holds the test that begins; of some it is not known that they are no tests themselves. */
static void hold_tests(struct test_list *l, const struct notice *t)
{
    for (size_t i = 0; i < l->open.count; i++) {
        struct hs_test *test = &l->tests.items[l->open.items[i]];
        if (test->thread == t->thread && test->framework == framework_names[t->framework] && !test->container) {
            test->container = true;
            l->containers += t->framework == PLATFORM;
        }
    }
}

static void end_test(struct test_list *l, size_t open, const struct notice *t)
{
    struct hs_test *test = &l->tests.items[l->open.items[open]];
    test->end = t->seq;
    if (t->what != ENDS)
        test->status = (enum hs_test_status)t->what;
    else if (test->status == HS_TEST_UNFINISHED)
        test->status = HS_TEST_PASSED;
    if (t->exception != 0)
        test->exception = t->exception;
    if (test->status == HS_TEST_PASSED) /* it was expected */
        test->exception = 0;
    if (t->framework == PLATFORM && test->container)
        l->containers--;
    memmove(&l->open.items[open], &l->open.items[open + 1], (l->open.count - open - 1) * sizeof *l->open.items);
    l->open.count--;
}

/* A framework runs the tests of an older one, or is run by it: then both report each test, one inside of the other.
 * Does one of higher rank report this one? */
static bool is_reported_twice(struct test_list *l, const struct notice *t)
{
    for (size_t i = 0; i < l->open.count; i++) {
        struct test_reporter *by = &l->reporters.items[l->open.items[i]];
        if (l->tests.items[l->open.items[i]].thread != t->thread)
            continue;
        if (by->framework < t->framework)
            return true;
        by->twice |= by->framework > t->framework && t->what == BEGINS;
    }
    return t->framework != PLATFORM && l->containers > 0;
}

static bool take(struct test_list *l, const struct notice *t)
{
    size_t open = find_open(l, t);
    if (is_reported_twice(l, t))
        return true;
    if (t->what == BEGINS) {
        hold_tests(l, t);
        const struct hs_test *test = add_test(l, t);
        size_t *to = vec_push(&l->open);
        if (test == NULL || to == NULL)
            return false;
        *to = l->tests.count - 1;
        l->containers += t->framework == PLATFORM && test->container;
        return true;
    }
    if (t->what == THROWS) {
        if (open != SIZE_MAX)
            l->tests.items[l->open.items[open]].exception = t->exception;
        return true;
    }
    if (t->what >= STATUS_SO_FAR && open != SIZE_MAX) {
        struct hs_test *test = &l->tests.items[l->open.items[open]];
        if (test->status == HS_TEST_FAILED) /* what failed first, not a tear-down after it */
            return true;
        test->status = (enum hs_test_status)(t->what - STATUS_SO_FAR);
        test->exception = t->exception;
        return true;
    }
    if (open != SIZE_MAX) {
        end_test(l, open, t);
        return true;
    }
    /* It was never begun: it was skipped, or what stands for its class failed. */
    const int status = t->what >= STATUS_SO_FAR ? t->what - STATUS_SO_FAR : t->what;
    struct hs_test *test = t->what != ENDS ? add_test(l, t) : NULL;
    if (test != NULL) {
        test->status = (enum hs_test_status)status;
        test->end = t->seq;
        test->exception = t->exception;
        test->reason = t->reason;
        test->container = !t->leaf;
    }
    return test != NULL || t->what == ENDS;
}

/* Containers that passed, or have not ended, are of no interest, nor what is reported twice. */
static void drop_containers(struct test_list *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->tests.count; i++) {
        const struct hs_test *t = &l->tests.items[i];
        if (l->reporters.items[i].twice)
            continue;
        if (!t->container || t->status == HS_TEST_FAILED || t->status == HS_TEST_SKIPPED ||
            t->status == HS_TEST_ABORTED)
            l->tests.items[n++] = *t;
    }
    l->tests.count = n;
}

/* Marks the passed tests in which there is a gap. */
static int mark_dropped(struct test_list *l, struct hs_error *error)
{
    VEC(uint64_t) gaps = { 0 }; /* seqs of the first events behind them */
    const struct hs_interval *interval;
    hs_cursor *intervals;
    int more;
    if (hs_info(l->trace, "dropped_tests") == NULL)
        return 0;
    if (hs_intervals_open(l->trace, &intervals, error) != 0)
        return -1;
    while ((more = hs_interval_next(intervals, &interval, error)) > 0) {
        uint64_t *gap = vec_push(&gaps);
        if (gap == NULL) {
            more = no_memory(l->trace, error);
            break;
        }
        *gap = interval->first;
    }
    hs_cursor_close(intervals);
    for (size_t i = 0; i < l->tests.count && more == 0; i++) {
        struct hs_test *t = &l->tests.items[i];
        size_t behind;
        LOWER_BOUND(behind, gaps.count, gaps.items[behind] <= t->begin);
        t->dropped = t->status == HS_TEST_PASSED && behind < gaps.count && gaps.items[behind] <= t->end;
    }
    vec_free(&gaps);
    return more;
}

static int find_tests(struct test_list *l, struct hs_error *error)
{
    struct error err = { 0 };
    if (test_notices_read(l->trace, &l->answer->arena, &l->notices, &err) != OK)
        return give(error, &err);
    for (size_t i = 0; i < l->notices.count; i++)
        if (!take(l, &l->notices.items[i]))
            return no_memory(l->trace, error);
    drop_containers(l);
    return mark_dropped(l, error);
}

static int give_tests(struct test_list *l, hs_cursor **out, struct hs_error *error)
{
    const size_t n = l->tests.count;
    struct hs_test *tests = arena_array(&l->answer->arena, n + 1, sizeof *tests);
    if (tests == NULL)
        return no_memory(l->trace, error);
    if (n > 0)
        memcpy(tests, l->tests.items, n * sizeof *tests);
    struct list_answer *answer = l->answer;
    l->answer = NULL;
    return cursor_over(ROW_test, tests, sizeof *tests, n, answer, out, error);
}

int hs_tests_open(hs_trace *trace, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "tests");
    struct test_list l = { .trace = trace, .answer = list_answer_new() };
    int failed = l.answer == NULL ? no_memory(trace, error) : find_tests(&l, error);
    if (failed == 0)
        failed = give_tests(&l, out, error);
    list_answer_free(l.answer);
    vec_free(&l.notices);
    vec_free(&l.tests);
    vec_free(&l.open);
    vec_free(&l.reporters);
    return failed;
}
