/* test_super_calls.c - logging/drain/super_calls.h: exits of constructors that no handler sees.
 *
 * A stream of one thread is written as letters; what the drain would insert is written as `!` before the event that
 * proves it. ( enter   ) leave   x exceptional exit   s call of this or super   d that call is done   . another event
 * n neutral */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "logging/drain/super_calls.h"

static uint8_t role_of(char c)
{
    switch (c) {
    case '(': return ROLE_ENTER;
    case ')': return ROLE_LEAVE;
    case 'x': return ROLE_EXCEPTIONAL;
    case 's': return ROLE_SUPER;
    case 'm': return ROLE_SUPER_MARK;
    case 'd': return ROLE_SUPER_DONE;
    case 'c': return ROLE_CATCH;
    case 'l': return ROLE_CATCH_LABEL;
    case 'n': return ROLE_NEUTRAL;
    default: return ROLE_NONE;
    }
}

static void check(const char *stream, const char *want)
{
    struct super_calls f = { 0 };
    char got[128];
    size_t n = 0;
    for (uint32_t i = 0; stream[i] != '\0'; i++) {
        uint8_t role = role_of(stream[i]);
        while (super_calls_left(&f, role)) {
            assert_true(super_calls_top(&f) < i);
            super_calls_pop(&f);
            got[n++] = '!';
        }
        assert_true(super_calls_apply(&f, i, role));
        got[n++] = stream[i];
    }
    got[n] = '\0';
    assert_string_equal(got, want);
    super_calls_done(&f);
}

static void a_constructor_that_returns_from_super_is_not_left(void **state)
{
    (void)state;
    check("(.s(..)d.)", "(.s(..)d.)");
    check("(sd)", "(sd)"); /* super is not woven */
    check("(m(.)d.)", "(m(.)d.)");
    check("(s(.s(..)d.)d.)", "(s(.s(..)d.)d.)");
}

static void an_event_of_someone_else_proves_that_it_was_left(void **state)
{
    (void)state;
    check("(s(x.", "(s(x!."); /* the callee left by an exception, and the caller catches it */
    check("(s(xc", "(s(x!c");
    check("(s(xl", "(s(x!l");
    check("(s.", "(s!."); /* a super that is not woven threw */
    check("(s(x)", "(s(x!)");
}

static void nested_constructors_are_left_together(void **state)
{
    (void)state;
    check("(s(s(s(x.", "(s(s(s(x!!!.");
    check("(s(s.", "(s(s!!.");
}

static void constructors_below_one_that_catches_stay(void **state)
{
    (void)state;
    /* inside super, a method makes another object, whose super throws, and catches */
    check("(s(.(s(xc.)d)", "(s(.(s(x!c.)d)");
}

static void what_a_woven_callee_does_proves_nothing(void **state)
{
    (void)state;
    check("(s(.(.).()x.", "(s(.(.).()x!.");
}

static void events_without_frames_prove_nothing(void **state)
{
    (void)state;
    check("(snnnd)", "(snnnd)");
    check("(snnn.", "(snnn!.");
}

static void no_pending_constructor_nothing_to_do(void **state)
{
    (void)state;
    check("(.)x.()d.lc", "(.)x.()d.lc");
}

static void the_call_is_remembered(void **state)
{
    (void)state;
    struct super_calls f = { 0 };
    assert_true(super_calls_apply(&f, 77, ROLE_SUPER));
    assert_true(super_calls_apply(&f, 80, ROLE_ENTER));
    assert_true(super_calls_apply(&f, 99, ROLE_SUPER));
    assert_int_equal(super_calls_top(&f), 99);
    super_calls_pop(&f);
    assert_int_equal(super_calls_top(&f), 77);
    assert_true(super_calls_left(&f, ROLE_NONE)); /* its callee went with the pop */
    super_calls_pop(&f);
    assert_false(super_calls_left(&f, ROLE_NONE));
    super_calls_done(&f);
}

/* Methods have ten data IDs each: METHOD_ENTRY 10, 20, ... */
static void set_roles(uint8_t roles[60])
{
    for (int m = 10; m < 60; m += 10) {
        roles[m] = ROLE_ENTER;
        roles[m + 2] = ROLE_SUPER;
        roles[m + 3] = ROLE_SUPER_DONE;
        roles[m + 5] = ROLE_CATCH_LABEL;
        roles[m + 9] = ROLE_EXCEPTIONAL;
    }
}

/* 20 is in super(...), code that is not woven makes a 30
 * there, whose own super(...) throws, and goes on. */
static void the_return_of_another_constructor_proves_an_exit(void **state)
{
    uint8_t roles[60] = { 0 };
    struct super_calls f = { 0 };
    (void)state;
    set_roles(roles);
    const uint32_t swallowed[] = { 20, 22, 30, 32, 40 }; /* nor has 40 an exit */
    for (unsigned i = 0; i < sizeof swallowed / sizeof *swallowed; i++)
        assert_true(super_calls_apply(&f, swallowed[i], roles[swallowed[i]]));
    super_calls_meet(&f, roles, 23);
    assert_true(super_calls_left_by(&f, roles, 23));
    assert_int_equal(super_calls_top(&f), 32);
    super_calls_pop(&f);
    super_calls_meet(&f, roles, 23);
    assert_false(super_calls_left_by(&f, roles, 23));
    assert_true(super_calls_apply(&f, 23, ROLE_SUPER_DONE));
    assert_int_equal(f.stack.count, 0);
    super_calls_done(&f);
}

static void an_exit_that_is_missing_is_passed(void **state)
{
    uint8_t roles[60] = { 0 };
    struct super_calls f = { 0 };
    (void)state;
    set_roles(roles);
    const uint32_t overflow[] = { 10, 20, 22, 30, 32, 40, 50 }; /* 10 calls new 20, whose super(...) is 30 */
    for (unsigned i = 0; i < sizeof overflow / sizeof *overflow; i++)
        assert_true(super_calls_apply(&f, overflow[i], roles[overflow[i]]));
    super_calls_meet(&f, roles, 49); /* 50 has no exit */
    assert_false(super_calls_left(&f, ROLE_EXCEPTIONAL));
    assert_true(super_calls_apply(&f, 49, ROLE_EXCEPTIONAL));
    assert_true(super_calls_left(&f, ROLE_NONE));
    assert_true(super_calls_apply(&f, 40, ROLE_ENTER)); /* a handler of it runs, and is not left */
    super_calls_meet(&f, roles, 15);                    /* until 10 catches */
    assert_true(super_calls_left(&f, ROLE_CATCH_LABEL));
    assert_int_equal(super_calls_top(&f), 32);
    super_calls_pop(&f);
    assert_true(super_calls_left(&f, ROLE_CATCH_LABEL));
    assert_int_equal(super_calls_top(&f), 22);
    super_calls_pop(&f);
    assert_false(super_calls_left(&f, ROLE_CATCH_LABEL));
    super_calls_done(&f);
}

static void a_call_that_returns_ends_what_was_entered_in_it(void **state)
{
    const uint8_t roles[30] = { [10] = ROLE_ENTER, [12] = ROLE_SUPER, [13] = ROLE_SUPER_DONE, [20] = ROLE_ENTER };
    struct super_calls f = { 0 };
    (void)state;
    assert_true(super_calls_apply(&f, 12, ROLE_SUPER));
    assert_true(super_calls_apply(&f, 20, ROLE_ENTER));
    super_calls_meet(&f, roles, 13);
    assert_true(super_calls_apply(&f, 13, ROLE_SUPER_DONE));
    assert_int_equal(f.stack.count, 0);
    super_calls_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constructor_that_returns_from_super_is_not_left),
        cmocka_unit_test(an_event_of_someone_else_proves_that_it_was_left),
        cmocka_unit_test(nested_constructors_are_left_together),
        cmocka_unit_test(constructors_below_one_that_catches_stay),
        cmocka_unit_test(what_a_woven_callee_does_proves_nothing),
        cmocka_unit_test(events_without_frames_prove_nothing),
        cmocka_unit_test(no_pending_constructor_nothing_to_do),
        cmocka_unit_test(the_call_is_remembered),
        cmocka_unit_test(the_return_of_another_constructor_proves_an_exit),
        cmocka_unit_test(an_exit_that_is_missing_is_passed),
        cmocka_unit_test(a_call_that_returns_ends_what_was_entered_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
