/* test_test_parts.c - logging/capture/test_parts.h: which parts of a run of tests are dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "logging/capture/test_parts.h"

enum { TIMES = 4000, THREADS = 5 };

/* What was dropped, by stamp. */
static bool dropped[TIMES];
static struct test_parts parts;

static struct part_edge at(uint64_t stamp, uint32_t thread)
{
    return (struct part_edge){ .stamp = stamp, .thread = thread };
}

static void begin(enum keep keep)
{
    parts = (struct test_parts){ .keep = keep };
    memset(dropped, 0, sizeof dropped);
    test_parts_start(&parts, at(0, 0));
}

static void settle(void)
{
    struct part_edge from, to;
    while (test_parts_settle(&parts, &from, &to)) {
        assert_true(from.stamp <= to.stamp && to.stamp < TIMES);
        for (uint64_t t = from.stamp; t < to.stamp; t++)
            dropped[t] = true;
    }
}

/* A test of the thread, from one stamp to the other. */
static void run(uint32_t thread, uint64_t from, uint64_t to, bool fails)
{
    test_parts_begin(&parts, at(from, thread));
    if (fails)
        test_parts_fail(&parts, thread);
    test_parts_end(&parts, at(to, thread));
    settle();
}

/* The stamps from..to are dropped, or kept, all of them. */
static void check(uint64_t from, uint64_t to, bool gone)
{
    for (uint64_t t = from; t < to; t++)
        assert_int_equal(dropped[t], gone);
}

static void passed_tests_are_dropped(void **state)
{
    (void)state;
    begin(KEEP_FAILED);
    run(1, 10, 20, false);
    run(1, 30, 40, true);
    run(1, 50, 60, false);
    check(0, 10, false);
    check(10, 20, true);
    check(20, 50, false);
    check(50, 60, true);
    assert_int_equal(parts.dropped, 2);
    test_parts_free(&parts);
}

static void what_holds_tests_counts_for_nothing(void **state)
{
    (void)state;
    begin(KEEP_FAILED);
    test_parts_begin(&parts, at(10, 1)); /* a class, whose set-up comes before its first test */
    run(1, 20, 30, false);
    run(1, 40, 50, false);
    test_parts_end(&parts, at(60, 1));
    test_parts_begin(&parts, at(70, 1)); /* its tests run in other threads */
    test_parts_hold(&parts, 1);
    run(2, 80, 90, false);
    test_parts_end(&parts, at(100, 1));
    settle();
    for (uint64_t t = 0; t < 110; t++)
        assert_int_equal(dropped[t], (t >= 20 && t < 30) || (t >= 40 && t < 50) || (t >= 80 && t < 90));
    assert_int_equal(parts.dropped, 3);
    test_parts_free(&parts);
}

static void spans_are_kept(void **state)
{
    (void)state;
    begin(KEEP_FAILED);
    test_parts_begin(&parts, at(10, 1));
    test_parts_begin_span(&parts, at(12, 1));
    test_parts_begin_span(&parts, at(13, 2));
    test_parts_end_span(&parts, at(15, 1));
    test_parts_end_span(&parts, at(16, 2));
    test_parts_end_span(&parts, at(17, 2)); /* of no begin */
    test_parts_end(&parts, at(20, 1));
    settle();
    check(10, 12, true);
    check(12, 16, false);
    check(16, 20, true);
    test_parts_free(&parts);
}

static void nothing_is_dropped_while_it_is_not_decided(void **state)
{
    (void)state;
    begin(KEEP_FAILED);
    test_parts_begin(&parts, at(10, 1));
    run(2, 20, 30, false);
    check(0, 40, false);
    test_parts_stop(&parts);
    settle();
    check(0, 40, false);
    test_parts_free(&parts);
}

static void one_passed_test_is_kept_beside_failed_ones(void **state)
{
    (void)state;
    begin(KEEP_FAILED_AND_ONE);
    test_parts_begin(&parts, at(5, 1)); /* a class: the last one before the failed one */
    run(1, 10, 20, false);
    run(1, 30, 40, false);
    run(1, 50, 60, true);
    run(1, 70, 80, false);
    test_parts_end(&parts, at(90, 1));
    test_parts_begin(&parts, at(100, 1)); /* none before: the first one behind */
    run(1, 110, 120, true);
    run(1, 130, 140, false);
    run(1, 150, 160, false);
    test_parts_end(&parts, at(170, 1));
    test_parts_begin(&parts, at(180, 1)); /* none fails */
    run(1, 190, 200, false);
    test_parts_end(&parts, at(210, 1));
    settle();
    for (uint64_t t = 0; t < 220; t++)
        assert_int_equal(dropped[t],
                         (t >= 10 && t < 20) || (t >= 70 && t < 80) || (t >= 150 && t < 160) || (t >= 190 && t < 200));
    assert_int_equal(parts.dropped, 4);
    test_parts_free(&parts);
}

/* Tests of several threads that begin and end at random: a stamp is dropped if tests ran then, and all passed. */
static void tests_in_parallel(void **state)
{
    static uint8_t ran[TIMES], failed[TIMES];
    uint64_t since[THREADS];
    bool fails[THREADS];
    (void)state;
    for (unsigned seed = 1; seed <= 50; seed++) {
        srand(seed);
        begin(KEEP_FAILED);
        memset(ran, 0, sizeof ran);
        memset(failed, 0, sizeof failed);
        memset(since, 0, sizeof since);
        for (uint64_t t = 1; t < TIMES; t++) {
            const unsigned thread = (unsigned)rand() % THREADS;
            if (since[thread] == 0 && t < TIMES - 500 && rand() % 4 == 0) {
                since[thread] = t;
                fails[thread] = rand() % 10 == 0;
                test_parts_begin(&parts, at(t, thread));
            } else if (since[thread] != 0 && rand() % 8 == 0) {
                if (fails[thread])
                    test_parts_fail(&parts, thread);
                test_parts_end(&parts, at(t, thread));
                for (uint64_t u = since[thread]; u < t; u++) {
                    ran[u] = 1;
                    failed[u] |= fails[thread];
                }
                since[thread] = 0;
                settle();
            }
        }
        for (unsigned i = 0; i < THREADS; i++) /* one that has not ended keeps all from its begin on */
            for (uint64_t u = since[i]; since[i] != 0 && u < TIMES; u++)
                failed[u] = 1;
        for (uint64_t t = 0; t < TIMES; t++)
            assert_int_equal(dropped[t], ran[t] && !failed[t]);
        test_parts_free(&parts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passed_tests_are_dropped),
        cmocka_unit_test(what_holds_tests_counts_for_nothing),
        cmocka_unit_test(spans_are_kept),
        cmocka_unit_test(nothing_is_dropped_while_it_is_not_decided),
        cmocka_unit_test(one_passed_test_is_kept_beside_failed_ones),
        cmocka_unit_test(tests_in_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
