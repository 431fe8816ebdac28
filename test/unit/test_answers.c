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
    struct hs_error error;
    *dir = fixture_write(events, COUNT, four);
    assert_int_equal(hs_open(*dir, &t, &error), 0);
    return t;
}

static void calls_are_counted_per_method(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    struct hs_cost *costs;
    struct hs_error error;
    size_t count;
    assert_int_equal(hs_costs(t, &costs, &count, &error), 0);
    assert_int_equal(count, 2);
    assert_true(costs[0].method_id == 100 && costs[0].calls == 2 && costs[0].left == 2);
    assert_true(costs[1].method_id == 102 && costs[1].calls == 2 && costs[1].left == 1); /* one still runs */
    assert_true(costs[0].exceptions == 0 && costs[0].total_ns == 0);                     /* no clock */
    free(costs);
    hs_close(t);
    fixture_remove(dir);
}

static void a_life_goes_from_the_first_to_the_last_event(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    hs_lives *lives;
    struct hs_error error;
    uint64_t first, last;
    assert_int_equal(hs_lives_open(t, &lives, &error), 0);
    assert_true(hs_lives_get(lives, OBJECT_USER, &first, &last));
    assert_true(first == 4 && last == 8); /* thread 1's entry has stamp 2: it comes before the exit */
    assert_false(hs_lives_get(lives, OBJECT_FAR, &first, &last));
    hs_lives_close(lives);
    hs_close(t);
    fixture_remove(dir);
}

struct told {
    unsigned count, code, thread;
};

static void tell(void *context, const struct hs_violation *v)
{
    struct told *told = context;
    told->count++;
    told->code += strcmp(v->rule, "code") == 0;
    told->thread += strcmp(v->rule, "thread") == 0;
    assert_true(v->what[0] != '\0');
}

static void a_trace_without_class_files_is_told(void **state)
{
    (void)state;
    char *dir;
    hs_trace *t = open_fixture(&dir);
    struct told told = { 0 };
    struct hs_fsck_result r;
    struct hs_error error;
    assert_int_equal(hs_fsck(t, tell, &told, &r, &error), 0);
    assert_true(r.events == COUNT && r.violations == told.count && told.code == 1 && told.thread == 0);
    hs_close(t);
    fixture_remove(dir);
}

static void rules_have_names_and_sentences(void **state)
{
    (void)state;
    const char *sentence = NULL, *name;
    size_t n = 0;
    for (; (name = hs_fsck_rule(n, &sentence)) != NULL; n++)
        assert_true(strlen(name) <= 10 && strlen(sentence) > 20);
    assert_true(n > 15);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted_per_method),
        cmocka_unit_test(a_life_goes_from_the_first_to_the_last_event),
        cmocka_unit_test(a_trace_without_class_files_is_told),
        cmocka_unit_test(rules_have_names_and_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
