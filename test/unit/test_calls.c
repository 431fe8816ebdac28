/* test_calls.c - formats/calls.h against a list that is searched from its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "formats/calls.h"

enum { DEEPEST = 400 };

/* The model: a list that is searched from its end. */
static struct call model[DEEPEST];
static size_t depth;

static bool model_leave(uint32_t method, uint64_t now, struct call_took *took)
{
    size_t at = depth;
    while (at > 0 && model[at - 1].method != method)
        at--;
    if (at == 0)
        return false;
    depth = at - 1;
    took->total = now - model[depth].entered;
    took->self = took->total - model[depth].inner;
    took->nested = false;
    for (size_t i = 0; i < depth; i++)
        took->nested |= model[i].method == method;
    if (depth > 0)
        model[depth - 1].inner += took->total;
    return true;
}

static void calls_are_left_as_they_were_entered(void **state)
{
    (void)state;
    for (uint32_t methods = 1; methods < 100000; methods *= 7) {
        struct call_stack s = { 0 };
        uint64_t now = 0;
        uint32_t seed = methods;
        depth = 0;
        for (int i = 0; i < 100000; i++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t method = (seed >> 8) % methods * 64; /* far apart, as data IDs are */
            bool enters = (seed >> 4) % 16 < (i / 1000 % 2 == 0 ? 10u : 6u) && depth < DEEPEST;
            now += seed % 5;
            if (i % 10000 == 9999) {
                calls_forget(&s);
                depth = 0;
            }
            if (enters) {
                assert_non_null(calls_enter(&s, method, now));
                model[depth++] = (struct call){ .method = method, .entered = now };
                continue;
            }
            struct call_took got, want;
            if (depth > 0 && seed % 8 != 0) /* mostly the innermost, sometimes any: those above vanished */
                method = model[depth - 1].method;
            bool was = model_leave(method, now, &want);
            assert_int_equal(calls_leave(&s, method, now, &got), was);
            if (was)
                assert_true(got.total == want.total && got.self == want.self && got.nested == want.nested);
            assert_int_equal(s.calls.count, depth);
        }
        calls_done(&s);
    }
}

static void nothing_is_kept_while_nothing_runs(void **state)
{
    struct call_stack s = { .gap = 7 };
    struct call_took took;
    (void)state;
    assert_false(calls_leave(&s, 5, 1, &took));
    assert_non_null(calls_enter(&s, 5, 1));
    assert_false(calls_leave(&s, 6, 2, &took));
    assert_true(calls_leave(&s, 5, 3, &took));
    assert_int_equal(took.total, 2);
    assert_true(s.tops == NULL && s.calls.items == NULL);
    assert_int_equal(s.gap, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_left_as_they_were_entered),
        cmocka_unit_test(nothing_is_kept_while_nothing_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
