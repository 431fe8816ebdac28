/* test_event.c - formats/event.h: numbers on disk stay what they are; groups and conditions.
 *
 * The tables below repeat numbers and names on purpose: traces that exist hold them. Add rows for new ones, never
 * change one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "formats/event.h"

struct numbered {
    unsigned number;
    const char *name;
};

static const struct numbered fixed_events[] = {
    { 1, "METHOD_ENTRY" },
    { 2, "METHOD_PARAM" },
    { 3, "METHOD_NORMAL_EXIT" },
    { 4, "METHOD_EXCEPTIONAL_EXIT" },
    { 5, "METHOD_OBJECT_INITIALIZED" },
    { 6, "METHOD_THROW" },
    { 7, "CALL" },
    { 8, "CALL_PARAM" },
    { 9, "CALL_RETURN" },
    { 10, "NEW_OBJECT" },
    { 11, "NEW_OBJECT_CREATED" },
    { 12, "INVOKE_DYNAMIC" },
    { 13, "INVOKE_DYNAMIC_PARAM" },
    { 14, "INVOKE_DYNAMIC_RESULT" },
    { 15, "GET_INSTANCE_FIELD" },
    { 16, "GET_INSTANCE_FIELD_RESULT" },
    { 17, "GET_STATIC_FIELD" },
    { 18, "PUT_INSTANCE_FIELD" },
    { 19, "PUT_INSTANCE_FIELD_VALUE" },
    { 20, "PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION" },
    { 21, "PUT_STATIC_FIELD" },
    { 22, "ARRAY_LOAD" },
    { 23, "ARRAY_LOAD_INDEX" },
    { 24, "ARRAY_LOAD_RESULT" },
    { 25, "ARRAY_STORE" },
    { 26, "ARRAY_STORE_INDEX" },
    { 27, "ARRAY_STORE_VALUE" },
    { 28, "NEW_ARRAY" },
    { 29, "NEW_ARRAY_RESULT" },
    { 30, "MULTI_NEW_ARRAY" },
    { 31, "MULTI_NEW_ARRAY_OWNER" },
    { 32, "MULTI_NEW_ARRAY_ELEMENT" },
    { 33, "ARRAY_LENGTH" },
    { 34, "ARRAY_LENGTH_RESULT" },
    { 35, "MONITOR_ENTER" },
    { 36, "MONITOR_ENTER_RESULT" },
    { 37, "MONITOR_EXIT" },
    { 38, "OBJECT_CONSTANT_LOAD" },
    { 39, "OBJECT_INSTANCEOF" },
    { 40, "OBJECT_INSTANCEOF_RESULT" },
    { 41, "LOCAL_LOAD" },
    { 42, "LOCAL_STORE" },
    { 43, "LOCAL_INCREMENT" },
    { 44, "RET" },
    { 45, "LABEL" },
    { 46, "CATCH_LABEL" },
    { 47, "CATCH" },
    { 48, "LINE_NUMBER" },
    { 49, "JUMP" },
    { 50, "DIVIDE" },
    { 51, "RESERVED" },
    { 52, "EVENTS_LEFT_OUT" },
};
static const struct numbered fixed_attrs[] = {
    { 1, "type" },
    { 2, "name" },
    { 3, "index" },
    { 4, "varindex" },
    { 5, "owner" },
    { 6, "desc" },
    { 7, "opcode" },
    { 8, "methodtype" },
    { 9, "jumpto" },
    { 10, "amount" },
    { 11, "created" },
    { 12, "blocktype" },
    { 13, "start" },
    { 14, "end" },
    { 15, "location" },
    { 16, "synchronized" },
    { 17, "bootstrap_owner" },
    { 18, "bootstrap_name" },
    { 19, "bootstrap_desc" },
    { 20, "dimensions" },
    { 21, "instruction" },
    { 22, "volatile" },
    { 23, "implementation_owner" },
    { 24, "implementation_name" },
    { 25, "implementation_desc" },
    { 26, "implementation_type" },
};
static const struct numbered fixed_groups[] = {
    { 0, "EXEC" },   { 1, "CALL" }, { 2, "PARAM" }, { 3, "FIELD" }, { 4, "ARRAY" },
    { 5, "OBJECT" }, { 6, "SYNC" }, { 7, "LOCAL" }, { 8, "LABEL" }, { 9, "LINE" },
};
static const char fixed_kinds[][2] = {
    /* letter, hook */
    { 'V', 'V' }, { 'Z', 'I' }, { 'B', 'I' }, { 'C', 'I' }, { 'S', 'I' }, { 'I', 'I' },
    { 'J', 'J' }, { 'F', 'F' }, { 'D', 'D' }, { 'L', 'L' }, { 'P', 'I' },
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static unsigned count_names(const char *(*name)(unsigned))
{
    unsigned n = 0;
    for (unsigned i = 0; i < 1000; i++)
        n += name(i) != NULL;
    return n;
}

static void event_numbers_on_disk_never_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fixed_events); i++) {
        const char *name = event_name(fixed_events[i].number);
        assert_non_null(name);
        assert_string_equal(name, fixed_events[i].name);
        assert_int_equal(event_find(fixed_events[i].name), fixed_events[i].number);
    }
    assert_int_equal(count_names(event_name), COUNT(fixed_events));
}

static void attribute_numbers_on_disk_never_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fixed_attrs); i++) {
        const char *name = attr_name(fixed_attrs[i].number);
        assert_non_null(name);
        assert_string_equal(name, fixed_attrs[i].name);
    }
    assert_int_equal(count_names(attr_name), COUNT(fixed_attrs));
}

static void group_bits_on_disk_never_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fixed_groups); i++)
        assert_string_equal(group_name(fixed_groups[i].number), fixed_groups[i].name);
    assert_int_equal(count_names(group_name), COUNT(fixed_groups));
}

static void kind_letters_on_disk_never_change(void **state)
{
    (void)state;
    unsigned known = 0;
    for (unsigned k = 0; k < 256; k++)
        known += kind_known(k);
    for (size_t i = 0; i < COUNT(fixed_kinds); i++)
        assert_int_equal(kind_hook((unsigned char)fixed_kinds[i][0]), fixed_kinds[i][1]);
    assert_int_equal(known, COUNT(fixed_kinds));
    assert_false(kind_has_value('V'));
    assert_true(kind_has_value('Z'));
}

static void unknown_names_have_no_number(void **state)
{
    (void)state;
    assert_int_equal(event_find("METHOD"), 0);
    assert_int_equal(event_find(""), 0);
    assert_null(event_name(0));
    assert_null(event_text(EVENT_LIMIT));
}

static void every_event_has_a_sentence_and_a_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fixed_events); i++) {
        unsigned e = fixed_events[i].number;
        assert_true(strlen(event_text(e)) > 5);
        assert_true(event_groups(e) != 0);
        assert_true((event_groups(e) >> event_first_group(e) & 1) != 0);
        assert_true(event_woven(e, GROUP_ALL));
        assert_false(event_woven(e, 0));
    }
}

static void parameters_need_two_groups_and_catch_any_of_five(void **state)
{
    (void)state;
    assert_false(event_woven(EVENT_METHOD_PARAM, GROUP_BIT(PARAM)));
    assert_false(event_woven(EVENT_METHOD_PARAM, GROUP_BIT(PARAM) | GROUP_BIT(CALL)));
    assert_true(event_woven(EVENT_METHOD_PARAM, GROUP_BIT(PARAM) | GROUP_BIT(EXEC)));
    assert_true(event_woven(EVENT_CALL_PARAM, GROUP_BIT(PARAM) | GROUP_BIT(CALL)));
    assert_true(event_woven(EVENT_CATCH, GROUP_BIT(SYNC)));
    assert_true(event_woven(EVENT_CATCH, GROUP_BIT(EXEC)));
    assert_false(event_woven(EVENT_CATCH, GROUP_BIT(LINE)));
    assert_int_equal(event_first_group(EVENT_METHOD_PARAM), GROUP_EXEC);
}

static void group_sets_are_parsed_in_any_case(void **state)
{
    (void)state;
    group_set set = 0;
    const char *bad = NULL;
    int n = 0;
    assert_true(group_set_parse("exec+Call", &set, &bad, &n));
    assert_int_equal(set, GROUP_BIT(EXEC) | GROUP_BIT(CALL));
    assert_true(group_set_parse("ALL", &set, &bad, &n));
    assert_int_equal(set, GROUP_ALL);
    assert_true(group_set_parse("LINE", &set, &bad, &n));
    assert_int_equal(set, GROUP_BIT(LINE));
}

static void an_unknown_group_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bad;
    } cases[] = { { "EXEC+FOO+CALL", "FOO" }, { "", "" }, { "EXEC+", "" }, { "EXECS", "EXECS" }, { "EXE", "EXE" } };
    for (size_t i = 0; i < COUNT(cases); i++) {
        group_set set = 77;
        const char *bad = NULL;
        int n = -1;
        assert_false(group_set_parse(cases[i].text, &set, &bad, &n));
        assert_int_equal(set, 77);
        assert_int_equal(n, strlen(cases[i].bad));
        assert_memory_equal(bad, cases[i].bad, (size_t)n);
    }
}

static void attributes_know_their_type(void **state)
{
    (void)state;
    assert_int_equal(attr_type_of(ATTR_index), ATTR_INT);
    assert_int_equal(attr_type_of(ATTR_owner), ATTR_TEXT);
    assert_int_equal(attr_type_of(ATTR_volatile), ATTR_BOOL);
    assert_int_equal(attr_type_of(9999), ATTR_TEXT);
}

static void uses_say_which_events_a_question_walks(void **state)
{
    (void)state;
    static const struct {
        uint32_t uses;
        unsigned events[8];
    } cases[] = {
        { USE_ENTER | USE_LEAVE, { EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT } },
        { USE_EXCEPTION, { EVENT_METHOD_EXCEPTIONAL_EXIT, EVENT_METHOD_THROW, EVENT_CATCH } },
        { USE_CREATE,
          { EVENT_METHOD_OBJECT_INITIALIZED, EVENT_NEW_OBJECT_CREATED, EVENT_NEW_ARRAY_RESULT, EVENT_MULTI_NEW_ARRAY,
            EVENT_MULTI_NEW_ARRAY_OWNER, EVENT_MULTI_NEW_ARRAY_ELEMENT } },
        { USE_WRITE_FIELD,
          { EVENT_PUT_INSTANCE_FIELD, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, EVENT_PUT_STATIC_FIELD } },
        { USE_READ_FIELD, { EVENT_GET_INSTANCE_FIELD, EVENT_GET_STATIC_FIELD } },
        { USE_STATIC, { EVENT_GET_STATIC_FIELD, EVENT_PUT_STATIC_FIELD } },
        { USE_READ_ELEMENT | USE_WRITE_ELEMENT, { EVENT_ARRAY_LOAD, EVENT_ARRAY_STORE } },
        { USE_WRITE_LOCAL, { EVENT_METHOD_PARAM, EVENT_LOCAL_STORE, EVENT_LOCAL_INCREMENT } },
        { USE_LOCK, { EVENT_MONITOR_ENTER_RESULT } },
        { USE_UNLOCK, { EVENT_MONITOR_EXIT } },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsigned found[EVENT_LIMIT];
        size_t n = event_list(cases[i].uses, found), want = 0;
        while (want < COUNT(cases[i].events) && cases[i].events[want] != 0)
            want++;
        assert_int_equal(n, want);
        assert_memory_equal(found, cases[i].events, n * sizeof *found);
    }
    assert_false(event_has(EVENT_LIMIT, UINT32_MAX) || event_has(0, UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_numbers_on_disk_never_change),
        cmocka_unit_test(attribute_numbers_on_disk_never_change),
        cmocka_unit_test(group_bits_on_disk_never_change),
        cmocka_unit_test(kind_letters_on_disk_never_change),
        cmocka_unit_test(unknown_names_have_no_number),
        cmocka_unit_test(every_event_has_a_sentence_and_a_group),
        cmocka_unit_test(parameters_need_two_groups_and_catch_any_of_five),
        cmocka_unit_test(group_sets_are_parsed_in_any_case),
        cmocka_unit_test(an_unknown_group_is_named),
        cmocka_unit_test(attributes_know_their_type),
        cmocka_unit_test(uses_say_which_events_a_question_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
