/* test_hook_cost.c - logging/sinks/hook_cost.h, on intervals whose parts are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logging/sinks/hook_cost.h"

enum { BOUND = 130, EVENTS = 400000, PART = EVENTS / 10 * 9 };

static uint64_t seed;
static uint32_t jitter(uint32_t ns) /* below it */
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 33) % ns;
}

/* Events with `work` ns of the program in every second interval, and a hook of 40 to 59 ns in each; the corrected times
 * of the two kinds of intervals, in all, without the first tenth. */
static void run(uint32_t work, uint64_t sums[2], uint64_t *taken)
{
    struct hook_cost h = { 0 };
    uint64_t now = 1000, before = 0, took;
    sums[0] = sums[1] = *taken = 0;
    seed = 1;
    for (int i = 0; i < EVENTS; i++) {
        now += 40 + jitter(20) + (i % 2 == 0 ? 0 : work);
        uint64_t corrected = hook_cost_correct(&h, BOUND, now, &took);
        assert_true(corrected >= before);
        if (i >= EVENTS - PART) {
            sums[i % 2] += corrected - before;
            *taken += took;
        }
        before = corrected;
    }
}

static void hooks_alone_take_no_time(void **state)
{
    (void)state;
    uint64_t sums[2], taken;
    run(0, sums, &taken);
    assert_true(sums[0] + sums[1] < 2 * PART); /* less than 2 ns an event, of 50 */
    assert_true(taken > UINT64_C(48) * PART && taken < UINT64_C(51) * PART);
}

static void work_stays(void **state)
{
    (void)state;
    static const uint32_t works[] = { 30, 200, 5000 };
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        uint64_t sums[2], taken, all = (uint64_t)works[i] * (PART / 2);
        run(works[i], sums, &taken);
        uint64_t found = sums[0] + sums[1], slack = all / 20 + UINT64_C(16) * PART;
        assert_true(found <= all + slack && found + slack >= all);
        assert_true(sums[1] > sums[0]);
    }
}

/* No interval is short: what is taken off is bounded. */
static void a_program_without_short_methods_loses_little(void **state)
{
    (void)state;
    struct hook_cost h = { 0 };
    uint64_t now = 1000, taken, corrected = 0, first = 0;
    for (int i = 0; i < 10000; i++) {
        now += 10000;
        corrected = hook_cost_correct(&h, BOUND, now, &taken);
        assert_true(taken <= BOUND);
        first = i == 0 ? corrected : first;
    }
    assert_true(corrected - first >= UINT64_C(9999) * (10000 - BOUND));
    assert_true(hook_cost_bound() >= 40 && hook_cost_bound() < HOOK_COST_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_alone_take_no_time),
        cmocka_unit_test(work_stays),
        cmocka_unit_test(a_program_without_short_methods_loses_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
