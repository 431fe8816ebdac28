/* Costs of methods, lives of objects, and the door of fsck, on the small synthetic trace. */
#include "reader_fixture.h"

static uint32_t four(void) { return 4; }

static const struct fake_event events[] = {
    { 0, 1, ID_ENTRY, 0 },
    { 0, 1, ID_PARAM_INT, 5 },
    { 0, 1, ID_PARAM_REF, OBJECT_LATIN1 },
    { 0, 2, ID_ENTRY, 0 },
    { 0, 2, ID_PARAM_REF, OBJECT_USER },
    { 0, 3, ID_EXIT_VOID, 0 },
    { 0, 4, ID_ENTRY_OTHER, 0 },
    { 0, 5, ID_EXIT_OTHER, OBJECT_USER },
    { 0, 6, ID_EXIT_VOID, 0 },
    { 1, 2, ID_ENTRY_OTHER, 0 },
};
enum { COUNT = sizeof events / sizeof *events };

static hs_trace *open_fixture(char **dir)
{
    hs_trace *t = NULL;
    struct hs_error error = HS_ERROR_INIT;
    *dir = fixture_write(events, COUNT, four);
    assert_int_equal(hs_open(*dir, 0, NULL, &t, &error), 0);
    return t;
}

static void calls_are_counted_per_method(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    hs_cursor *costs;
    const struct hs_cost *first, *second;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_costs_open(t, 0, HS_NO_SEQ, &costs, &error), 0);
    assert_int_equal(hs_cursor_count(costs), 2);
    assert_int_equal(hs_cost_next(costs, &first, &error), 1);
    assert_int_equal(hs_cost_next(costs, &second, &error), 1); /* rows are kept */
    assert_true(first->method_id == 100 && first->calls == 2 && first->left == 2);
    assert_true(second->method_id == 102 && second->calls == 2 && second->left == 1); /* one still runs */
    assert_true(first->exceptions == 0 && first->total_ns == 0);                      /* no clock */
    assert_int_equal(hs_cost_next(costs, &second, &error), 0);
    hs_cursor_close(costs);
    hs_close(t);
    fixture_remove(dir);
}

static void a_life_goes_from_the_first_to_the_last_event(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    hs_cursor *lives;
    const struct hs_life *life;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_lives_open(t, &lives, &error), 0);
    assert_int_equal(hs_cursor_seek(lives, OBJECT_USER, &error), 0);
    assert_int_equal(hs_life_next(lives, &life, &error), 1);
    assert_int_equal(life->id, OBJECT_USER);
    assert_true(life->first == 4 && life->last == 8); /* thread 1's entry has stamp 2: it comes before the exit */
    assert_int_equal(hs_cursor_seek(lives, OBJECT_FAR, &error), 0);
    assert_true(hs_life_next(lives, &life, &error) == 0 || life->id != OBJECT_FAR);
    hs_cursor_close(lives);
    assert_int_equal(hs_life_get(t, OBJECT_USER, &life, &error), 1);
    assert_true(life->first == 4 && life->last == 8);
    assert_int_equal(hs_life_get(t, OBJECT_FAR, &life, &error), 0);
    hs_close(t);
    fixture_remove(dir);
}

struct reported {
    unsigned count, code, thread;
};

static void report(void *context, const struct hs_violation *v)
{
    struct reported *reported = context;
    reported->count++;
    reported->code += strcmp(v->rule, "code") == 0;
    reported->thread += strcmp(v->rule, "thread") == 0;
    assert_true(v->what[0] != '\0');
}

static void a_trace_without_class_files_is_reported(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    struct reported reported = { 0 };
    const struct hs_fsck_result *r;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_fsck(t, report, &reported, &r, &error), 0);
    assert_true(r->events == COUNT && r->violations == reported.count && reported.code == 1 && reported.thread == 0);
    hs_close(t);
    fixture_remove(dir);
}

static void rules_have_names_and_sentences(void **state)
{
    (void)state;
    hs_cursor *rules;
    const struct hs_rule *rule;
    size_t n = 0;
    assert_int_equal(hs_rules_open(&rules, NULL), 0);
    for (; hs_rule_next(rules, &rule, NULL) > 0; n++)
        assert_true(strlen(rule->name) <= 10 && strlen(rule->sentence) > 20);
    assert_true(n > 15);
    hs_cursor_close(rules);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted_per_method),
        cmocka_unit_test(a_life_goes_from_the_first_to_the_last_event),
        cmocka_unit_test(a_trace_without_class_files_is_reported),
        cmocka_unit_test(rules_have_names_and_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
