/* test_cut.c - logging/recording/cut.h: which events of a counted piece of code an exception leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/event.h"
#include "formats/journal.h"
#include "logging/recording/cut.h"

/* Two methods; the second: LABEL 0, LOCAL_LOAD 1, ARRAY_LOAD 4, its result behind 4, LOCAL_STORE 5 in one record, and
 * then a CALL at 8. */
enum { J = KIND_JOINED };
static const uint8_t kinds[] = { 'V', 'V', 'V', J | 'V', J | 'V', J | 'V', J | 'V', 'V', 'V' };
static const struct {
    uint32_t method, pc;
    unsigned event;
} rows[] = {
    { 6, 0, EVENT_METHOD_ENTRY },
    { 6, 9, EVENT_METHOD_EXCEPTIONAL_EXIT },
    { 7, 0, EVENT_LABEL },
    { 7, 1, EVENT_LOCAL_LOAD },
    { 7, 4, EVENT_ARRAY_LOAD },
    { 7, 4, EVENT_ARRAY_LOAD_RESULT },
    { 7, 5, EVENT_LOCAL_STORE },
    { 7, 8, EVENT_CALL },
    { 7, 12, EVENT_METHOD_EXCEPTIONAL_EXIT },
};
enum { COUNT = sizeof rows / sizeof *rows };
static struct cuts cuts;

static int begin(void **state)
{
    (void)state;
    assert_true(cuts_init(&cuts, 1000));
    for (uint32_t i = 0; i < COUNT; i++)
        cuts_add(&cuts, i, rows[i].method, rows[i].event, rows[i].pc);
    return 0;
}
static uint32_t found(uint32_t id, uint32_t pc)
{
    uint32_t first = UINT32_MAX, n = cuts_find(&cuts, kinds, COUNT, id, pc, &first);
    if (n > 0)
        assert_int_equal(first, 2);
    return n;
}

static void events_in_front_of_the_instruction_have_happened(void **state)
{
    (void)state;
    for (uint32_t id = 2; id < COUNT; id++) { /* whichever data ID names the method */
        assert_int_equal(found(id, 4), 3);    /* not the result */
        assert_int_equal(found(id, 0), 1);
        assert_int_equal(found(id, 5), 0); /* the last one of the record: its counter has it */
        assert_int_equal(found(id, 8), 0); /* that of the call, too */
    }
}

static void what_is_not_known_is_no_cut(void **state)
{
    (void)state;
    struct cuts none = { 0 };
    uint32_t first = 0;
    assert_int_equal(found(1, 0), 0); /* another method */
    assert_int_equal(found(COUNT, 4), 0);
    assert_int_equal(cuts_find(&none, kinds, COUNT, 4, 4, &first), 0);
    assert_int_equal(cuts_find(&cuts, kinds, 4, 3, 4, &first), 0); /* the rest has no row yet */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events_in_front_of_the_instruction_have_happened, begin, NULL),
        cmocka_unit_test_setup_teardown(what_is_not_known_is_no_cut, begin, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
