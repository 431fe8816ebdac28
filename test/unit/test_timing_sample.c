/* test_timing_sample.c - times of methods whose calls are timed in windows, and counted else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logging/sinks/timing_sample.h"

static struct {
    uint32_t caller;
    uint64_t ns;
} added;

static void add(void *context, uint32_t caller, uint64_t ns)
{
    (void)context;
    added.caller = caller;
    added.ns += ns;
}

static void timed(struct timing_kept *k, uint32_t caller, uint64_t ns, unsigned calls)
{
    const struct call_took took = { .total = ns, .self = ns / 2 };
    for (unsigned i = 0; i < calls; i++) {
        k->row.calls++;
        k->row.left++;
        k->row.total_ns += took.total;
        k->row.self_ns += took.self;
        k->row.histogram[timing_bucket(ns)]++;
        timing_sample_add(k, caller, &took);
    }
}

static uint64_t calls_of(const struct timing_row *row)
{
    uint64_t calls = 0;
    for (int i = 0; i < TIMING_BUCKETS; i++)
        calls += row->histogram[i];
    return calls;
}

/* 100 calls before, 1000 that are counted, a window of 100 of 20 ns, 50 more counted. */
static void counted_calls_take_what_timed_ones_do(void **state)
{
    (void)state;
    struct timing_kept k = { .exits = 1 };
    timed(&k, 0, 40, 100);
    timing_sample_begin(&k, 100);
    k.now = (struct timing_times){ 0 };
    timed(&k, 7, 20, 100);
    added.ns = 0;
    timing_sample_look(&k, 1200, add, NULL);
    assert_int_equal(added.caller, 7);
    assert_int_equal(added.ns, 20 * 1000);
    timing_sample_look(&k, 1250, add, NULL);
    assert_int_equal(added.ns, 20 * 1050);
    const struct timing_row row = timing_sample_row(&k, &k.counted, 1250, 1249, 3);
    assert_int_equal(row.calls, 1250);
    assert_int_equal(row.left, 1249);
    assert_int_equal(row.exceptions, 3);
    assert_int_equal(row.total_ns, 40 * 100 + 20 * 1150);
    assert_int_equal(row.self_ns, row.total_ns / 2);
    assert_int_equal(calls_of(&row), 1249);
}

/* A window of calls that take twice as long: its error is the difference. One call that waited is not taken for all. */
static void windows_differ(void **state)
{
    (void)state;
    struct timing_kept k = { .exits = 1 };
    timed(&k, 7, 20, 100);
    timing_sample_look(&k, 100, add, NULL);
    timed(&k, 7, 40, 100);
    timed(&k, 7, 5000000, 1);
    added.ns = 0;
    timing_sample_look(&k, 1201, add, NULL);
    assert_int_equal(added.ns, 40 * 1000);
    assert_int_equal(k.counted.self_ns, 20 * 1000);
    assert_int_equal(k.error_ns, 10 * 1000);
    assert_int_equal(timing_sample_row(&k, &k.counted, 1201, 1201, 0).total_ns,
                     20 * 100 + 40 * 100 + 5000000 + 40 * 1000);
}

/* Its own time is without that of calls that were counted, and never below 0. */
static void callers_lose_what_counted_calls_take(void **state)
{
    (void)state;
    struct timing_kept k = { .row = { .calls = 1, .left = 1, .total_ns = 1000, .self_ns = 900 } };
    k.counted_below_ns = 600;
    assert_int_equal(timing_sample_row(&k, &k.counted, 1, 1, 0).self_ns, 300);
    k.counted_below_ns = 6000;
    assert_int_equal(timing_sample_row(&k, &k.counted, 1, 1, 0).self_ns, 0);
    assert_int_equal(timing_sample_row(&k, &k.counted, 1, 1, 0).total_ns, 1000);
}

static const struct timing_kept *the_caller(const void *k, uint32_t caller) { return caller == 7 ? k : NULL; }

/* Its calls were too long in a window, as the thread was interrupted: they take no longer than their caller did. */
static void counted_calls_fit_into_their_caller(void **state)
{
    (void)state;
    struct timing_kept k = { .exits = 1 }, caller = { .row = { .calls = 1, .left = 1, .self_ns = 15000 } };
    timed(&k, 7, 20, 100);
    added.ns = 0;
    timing_sample_look(&k, 1100, add, NULL);
    caller.counted_below_ns = added.ns;
    const uint64_t beyond = timing_sample_beyond(&k, the_caller, &caller);
    assert_int_equal(beyond, 20 * 1000 - 15000);
    const struct timing_times counted = timing_sample_counted(&k, beyond);
    assert_int_equal(counted.total_ns, 15000);
    assert_int_equal(counted.self_ns, 7500);
    assert_int_equal(timing_sample_row(&k, &counted, 1100, 1100, 0).total_ns, 20 * 100 + 15000);
    caller.row.calls = 2; /* one of them runs, and its time is not known */
    assert_int_equal(timing_sample_beyond(&k, the_caller, &caller), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_calls_take_what_timed_ones_do),
        cmocka_unit_test(windows_differ),
        cmocka_unit_test(callers_lose_what_counted_calls_take),
        cmocka_unit_test(counted_calls_fit_into_their_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
