/* test_patterns.c - logging/capture/patterns.h: the pattern language of logstart= and logend=. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "logging/capture/patterns.h"

static struct text text(const char *s) { return (struct text){ s, strlen(s) }; }

/* Does the pattern match this event? */
static bool matches(const char *pattern, const char *class_name, const char *method, const char *desc, enum event event)
{
    struct pattern *p = NULL;
    struct error err;
    if (pattern_add(&p, pattern, &err) != OK)
        fail_msg("%s: %s", pattern, err.text);
    bool yes = pattern_events(p, text(class_name), text(method), text(desc)) >> event & 1;
    pattern_free(p);
    return yes;
}

static bool entry(const char *pattern)
{
    return matches(pattern, "com/acme/Cart", "add", "(ILjava/lang/String;)V", EVENT_METHOD_ENTRY);
}

static void parts_match_the_whole_name(void **state)
{
    (void)state;
    assert_true(entry("com/acme/Cart"));
    assert_true(entry("com/acme/Cart#add"));
    assert_true(entry("com/acme/Cart#add#\\(ILjava/lang/String;\\)V#METHOD_ENTRY"));
    assert_false(entry("acme"));
    assert_false(entry("com/acme/Car"));
    assert_false(entry("com/acme/Cart2"));
    assert_false(entry("com/acme/Cart#ad"));
    assert_false(entry("com/acme/Cart#dd"));
    assert_false(entry("##\\(I"));
}

static void they_are_regular_expressions(void **state)
{
    (void)state;
    assert_true(entry(".*"));
    assert_true(entry("com.acme.Cart")); /* a dot is any character, the slash too */
    assert_true(entry(".+Cart#(add|remove)"));
    assert_true(entry("com/[a-z]+/\\w+#a.{2}"));
    assert_true(entry("#(?i)ADD"));
    assert_true(entry("##.*String;\\)V"));
    assert_true(entry("(?!com/other).*#add"));
    assert_false(entry("#(add)?remove"));
    assert_false(entry("##()V")); /* an empty group */
    assert_true(matches("Caf\xc3\xa9#.", "Caf\xc3\xa9", "m", "()V", EVENT_CALL));
    assert_true(matches("Caf.", "Caf\xc3\xa9", "m", "()V", EVENT_CALL)); /* one character, whatever its bytes */
    /* names that are no UTF-8 do no harm */
    assert_false(matches("a.c#m",
                         "a\xed\xa0\x80"
                         "c\xff",
                         "m", "()V", EVENT_CALL));
}

static void an_empty_part_matches_everything(void **state)
{
    (void)state;
    assert_true(entry("#"));
    assert_true(entry("###"));
    assert_true(entry("#add"));
    assert_true(entry("#add##"));
    assert_true(entry("###METHOD_ENTRY"));
    assert_true(entry("com/acme/Cart###"));
    assert_false(entry("###CALL"));
    assert_true(matches("###", "A", "m", "()V", EVENT_LABEL));
    assert_false(matches("###", "A", "m", "()V", EVENT_RESERVED)); /* no event that is ever recorded */
}

static void events_are_a_list(void **state)
{
    (void)state;
    assert_true(matches("#m##CALL;CATCH", "A", "m", "()V", EVENT_CATCH));
    assert_true(matches("#m##CALL;CATCH", "A", "m", "()V", EVENT_CALL));
    assert_false(matches("#m##CALL;CATCH", "A", "m", "()V", EVENT_CALL_PARAM));
    assert_true(matches("#m##CALL;", "A", "m", "()V", EVENT_CALL));
    assert_true(matches("#m##METHOD_EXIT", "A", "m", "()V", EVENT_METHOD_NORMAL_EXIT));
    assert_true(matches("#m##METHOD_EXIT", "A", "m", "()V", EVENT_METHOD_EXCEPTIONAL_EXIT));
    assert_false(matches("#m##METHOD_EXIT", "A", "m", "()V", EVENT_METHOD_ENTRY));
}

static void several_match_what_any_does(void **state)
{
    (void)state;
    struct pattern *p = NULL;
    struct error err;
    assert_int_equal(pattern_events(NULL, text("A"), text("m"), text("()V")), 0);
    assert_int_equal(pattern_add(&p, "A#m##CALL", &err), OK);
    assert_int_equal(pattern_add(&p, "B###CATCH", &err), OK);
    assert_int_equal(pattern_events(p, text("A"), text("m"), text("()V")), UINT64_C(1) << EVENT_CALL);
    assert_int_equal(pattern_events(p, text("B"), text("m"), text("()V")), UINT64_C(1) << EVENT_CATCH);
    assert_int_equal(pattern_events(p, text("C"), text("m"), text("()V")), 0);
    assert_int_equal(pattern_named(p), UINT64_C(1) << EVENT_CALL | UINT64_C(1) << EVENT_CATCH);
    pattern_free(p);
}

static void refused(const char *pattern, const char *why)
{
    struct pattern *p = NULL;
    struct error err = { 0 };
    assert_int_equal(pattern_add(&p, pattern, &err), ERR_USAGE);
    assert_null(p);
    if (strstr(err.text, why) == NULL)
        fail_msg("%s: %s", pattern, err.text);
}

static void what_is_wrong_is_reported(void **state)
{
    (void)state;
    refused("", "empty");
    refused("(", "class '(' is not a regular expression");
    refused("a#[", "method '[' is not a regular expression");
    refused("a#b#*#CALL", "descriptor '*' is not a regular expression");
    refused("a#b#c#d", "no event 'd'");
    refused("a#b#c#CALL;;CATCH", "no event ''");
    refused("a###call", "no event 'call'");
    refused("a###RESERVED", "no event 'RESERVED'");
    refused("a###CALL CATCH", "no event");
    refused("a#b#c#CALL#", "more than four parts");
    refused("####", "more than four parts");
    refused("\xff", "not a regular expression");
}

static void what_takes_too_long_does_not_match(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_false(matches("(a+)+b", name, "m", "()V", EVENT_CALL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_match_the_whole_name),         cmocka_unit_test(they_are_regular_expressions),
        cmocka_unit_test(an_empty_part_matches_everything),   cmocka_unit_test(events_are_a_list),
        cmocka_unit_test(several_match_what_any_does),        cmocka_unit_test(what_is_wrong_is_reported),
        cmocka_unit_test(what_takes_too_long_does_not_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
