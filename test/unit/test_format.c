/* test_format.c - formats/format.h: names are those of traces that exist, and every row is found by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/format.h"

static void every_row_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        const struct format *f = format_get(i);
        assert_int_equal(f->id, i);
        assert_ptr_equal(format_find(f->name), f);
        assert_ptr_equal(format_of_trace(f->name), f);
        if (f->alias[0] != '\0')
            assert_ptr_equal(format_find(f->alias), f);
    }
}

/* Traces have these names in them. */
static void names_do_not_change(void **state)
{
    (void)state;
    assert_true(format_find("omni")->stream);
    assert_true(format_keeps_last_values(format_find("latest")));
    assert_ptr_equal(format_find("nearomni"), format_find("latest"));
    assert_true(format_find("freq")->snapshots);
    assert_true(format_find("timing")->times);
    assert_true(format_keeps_nothing(format_find("discard")));
}

static void other_names_are_no_format(void **state)
{
    (void)state;
    assert_null(format_find(""));
    assert_null(format_find("omn"));
    assert_null(format_find("omnia"));
    const struct format *f = format_of_trace("later");
    assert_true(format_keeps_nothing(f) && !f->values && !f->times);
}

static void a_trace_that_names_no_format_has_a_stream(void **state)
{
    (void)state;
    assert_true(format_of_trace(NULL)->stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_name),
        cmocka_unit_test(names_do_not_change),
        cmocka_unit_test(other_names_are_no_format),
        cmocka_unit_test(a_trace_that_names_no_format_has_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
