/* test_fold.c - reader/replay/replay.h: sequences written as letters; expected is what is kept, with counts as
 * (..)xN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/replay/replay.h"

enum { KEPT = 4096 };
static char kept[KEPT];
static size_t length;
static struct {
    size_t at;
    uint32_t steps;
    uint64_t times;
} repeats[KEPT];
static size_t repeat_count;

static void drop(void *context, size_t to)
{
    (void)context;
    assert_true(to <= length);
    length = to;
    while (repeat_count > 0 && repeats[repeat_count - 1].at >= to)
        repeat_count--;
}

static size_t repeat(void *context, size_t at, uint32_t steps, uint64_t times, size_t note)
{
    (void)context;
    assert_true(at + steps <= length);
    if (note == FOLD_NO_HANDLE)
        note = repeat_count++;
    else
        assert_true(note < repeat_count && repeats[note].at == at && repeats[note].steps == steps &&
                    repeats[note].times < times);
    repeats[note].at = at;
    repeats[note].steps = steps;
    repeats[note].times = times;
    return note;
}

/* Upper and lower case of a letter are one site with two hashes; a digit: the step before it is made so often again. */
static struct fold_sum fold(const char *steps)
{
    static const struct fold_ops ops = { drop, repeat };
    struct fold f = { .ops = &ops };
    length = repeat_count = 0;
    fold_open(&f);
    for (const char *p = steps; *p != '\0'; p++) {
        if (*p >= '0' && *p <= '9') {
            assert_true(fold_again(&f, (uint64_t)(*p - '0')));
            continue;
        }
        fold_next(&f, *p & 31);
        fold_add(&f, *p & 31, length, length);
        kept[length++] = *p;
        fold_open(&f);
        (void)fold_close(&f);
        fold_hash(&f, fold_mix(7, (uint64_t)*p));
    }
    struct fold_sum sum = fold_close(&f);
    assert_false(f.no_memory);
    assert_int_equal(f.steps.count + f.paths.count + f.frames.count, 0);
    fold_done(&f);
    return sum;
}

static const char *written(void)
{
    static char text[8 * KEPT];
    size_t n = 0;
    for (size_t i = 0; i <= length; i++) {
        for (uint32_t steps = 1; steps <= i; steps++) /* those that end here, the short ones first */
            for (size_t r = 0; r < repeat_count; r++)
                if (repeats[r].at + steps == i && repeats[r].steps == steps)
                    n += (size_t)snprintf(text + n, sizeof text - n, ")x%llu", (unsigned long long)repeats[r].times);
        for (uint32_t steps = KEPT; i < length && steps > 0; steps--)
            for (size_t r = 0; r < repeat_count; r++)
                if (repeats[r].at == i && repeats[r].steps == steps)
                    text[n++] = '(';
        if (i < length)
            text[n++] = kept[i];
    }
    text[n] = '\0';
    return text;
}

static void loops_are_folded_with_their_paths(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "" },
        { "ABC", "ABC" },
        { "AAAA", "(A)x4" },
        { "ABABAB", "(AB)x3" },
        { "XABCABCABCY", "X(ABC)x3Y" },
        { "ABACABACAC", "(AB)x2(AC)x3" },     /* paths, whatever their order */
        { "ABBBCABBCABBBBC", "(A(B)x3C)x3" }, /* a loop in a loop: how often it ran does not matter */
        { "BBBDBBDBD", "((B)x3D)x3" },        /* both begin with the same step */
        { "BBDBBD", "((B)x2D)x2" },
        { "ABABCABABC", "((AB)x2C)x2" },
        { "aAaA", "(a)x2(A)x2" }, /* one site, two paths */
        { "aAaaB", "(a)x3AB" },
        { "BaAaACBAaC", "(B(a)x2(A)x2C)x2" }, /* the same paths, in another order */
        { "ABAC", "ABAC" },                   /* nothing came again */
        { "ABXAB", "ABXAB" },                 /* ABX came once, AB is the beginning of a second round */
        { "ABXABXAB", "(ABX)x2AB" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)fold(cases[i][0]);
        if (strcmp(written(), cases[i][1]) != 0)
            fail_msg("%s is folded to %s, expected %s", cases[i][0], written(), cases[i][1]);
    }
}

static void assert_same(const char *a, const char *b, bool same)
{
    struct fold_sum x = fold(a), y = fold(b);
    if ((x.hash == y.hash && x.length == y.length) != same)
        fail_msg("%s and %s %s the same", a, b, same ? "are not" : "are");
}

static void a_step_again_is_a_further_step(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "AA3", "AAAAA" },
        { "XAA2BYAA1", "XAAAABYAAA" },
        { "BAA3BA", "BAAAAABA" },
        { "aAAA3aa2BaA", "aAAAAAAaaaaBaA" },
        { "BBB2DBB1DB", "BBBBBDBBBDB" },
        { "XABABAA4BXAB", "XABABAAAAAABXAB" },
    };
    static char once[8 * KEPT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fold_sum again = fold(cases[i][0]);
        (void)snprintf(once, sizeof once, "%s", written());
        struct fold_sum whole = fold(cases[i][1]);
        if (strcmp(once, written()) != 0 || again.hash != whole.hash || again.length != whole.length)
            fail_msg("%s is folded to %s, expected %s", cases[i][0], once, written());
    }
}

static void sums_distinguish_the_paths_and_not_how_often(void **state)
{
    (void)state;
    assert_same("A", "AAA", true);
    assert_same("XABY", "XABABABY", true);
    assert_same("ABBC", "ABBBBC", true);
    assert_same("aAa", "Aaa", true);
    assert_same("ABACAB", "ACABACAC", true);
    assert_same("ABACAB", "ABABAB", false);
    assert_same("AB", "BA", false);
    assert_same("AB", "ABC", false);
    assert_same("a", "A", false);
    assert_same("", "A", false);
}

/* What is kept and counted, taken together, is what was there. */
static void nothing_is_lost_or_invented(void **state)
{
    (void)state;
    uint64_t seed = 1;
    char steps[600];
    for (unsigned round = 0; round < 3000; round++) {
        size_t n = 0, letters = 1 + round % 5, want[128] = { 0 }, have[128] = { 0 };
        while (n < 1 + round % 599) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            steps[n++] = (char)((seed >> 40 & 1 ? 'a' : 'A') + (char)((seed >> 33) % letters));
        }
        steps[n] = '\0';
        (void)fold(steps);
        for (size_t i = 0; i < n; i++)
            want[(unsigned char)steps[i]]++;
        for (size_t i = 0; i < length; i++)
            have[(unsigned char)kept[i]]++;
        for (size_t c = 0; c < 128; c++)
            assert_true((have[c] > 0) == (want[c] > 0) && have[c] <= want[c]);
        for (size_t i = 0; i < repeat_count; i++)
            assert_true(repeats[i].times >= 2 && repeats[i].times <= n);
    }
}

static void a_long_loop_costs_little(void **state)
{
    (void)state;
    char *steps = malloc(300001);
    for (size_t i = 0; i < 300000; i++)
        steps[i] = "ABBC"[i % 4];
    steps[300000] = '\0';
    (void)fold(steps);
    assert_string_equal(written(), "(A(B)x2C)x75000");
    free(steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_folded_with_their_paths),
        cmocka_unit_test(a_step_again_is_a_further_step),
        cmocka_unit_test(sums_distinguish_the_paths_and_not_how_often),
        cmocka_unit_test(nothing_is_lost_or_invented),
        cmocka_unit_test(a_long_loop_costs_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
