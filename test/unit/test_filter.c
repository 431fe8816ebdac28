/* test_filter.c - weaver/filter.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "formats/jvm/cpool.h"
#include "weaver/filter.h"

static struct filter f;
static int begin(void **state)
{
    (void)state;
    return filter_init(&f) ? 0 : -1;
}
static int end(void **state)
{
    (void)state;
    filter_done(&f);
    return 0;
}

static struct text text(const char *s) { return (struct text){ s, strlen(s) }; }
static bool wants(const char *name) { return filter_wants(&f, text(name), text(""), NULL); }

static void system_packages_are_left_out_by_default(void **state)
{
    (void)state;
    static const char *const system[] = { "java/lang/String", "javax/swing/JFrame", "jdk/internal/misc/VM",
                                          "sun/misc/Unsafe", "com/sun/proxy/$Proxy1" };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        assert_false(wants(system[i]));
    static const char *const others[] = { "Main",    "com/acme/Foo",   "javafx/Thing",
                                          "javac/X", "org/ietf/Other", "com/sunny/Day",
                                          "" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(wants(others[i]));
}

static void prefixes_may_have_dots_or_slashes(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "com.acme.", FILTER_EXCLUDE));
    assert_true(filter_add(&f, "org/lib/", FILTER_EXCLUDE));
    assert_false(wants("com/acme/Foo"));
    assert_true(wants("com/acmeFoo"));
    assert_false(wants("org/lib/Foo"));
}

static void the_longest_prefix_decides_whatever_the_order(void **state)
{
    for (int order = 0; order < 2; order++) {
        end(state);
        begin(state);
        static const struct {
            const char *prefix;
            enum filter_kind kind;
        } rows[] = { { "com/", FILTER_EXCLUDE }, { "com/acme/", FILTER_INCLUDE }, { "com/acme/gen/", FILTER_EXCLUDE } };
        for (int i = 0; i < 3; i++)
            assert_true(filter_add(&f, rows[order ? 2 - i : i].prefix, rows[order ? 2 - i : i].kind));
        assert_false(wants("com/other/A"));
        assert_true(wants("com/acme/A"));
        assert_false(wants("com/acme/gen/A"));
        assert_true(wants("org/A"));
    }
}

static void an_include_beats_an_exclude_of_the_same_length(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "com/acme/", FILTER_INCLUDE));
    assert_true(filter_add(&f, "com/acme/", FILTER_EXCLUDE));
    assert_true(wants("com/acme/A"));
    assert_true(filter_add(&f, "java/", FILTER_INCLUDE)); /* also one of the defaults */
    assert_true(wants("java/lang/String"));
    assert_false(wants("javax/swing/JFrame"));
}

static void a_longer_include_opens_a_part_of_the_system(void **state)
{
    (void)state;
    assert_false(filter_includes_system(&f));
    assert_true(filter_add(&f, "com/acme/", FILTER_INCLUDE));
    assert_false(filter_includes_system(&f));
    assert_true(filter_add(&f, "java.util.", FILTER_INCLUDE));
    assert_true(filter_includes_system(&f));
    assert_true(wants("java/util/ArrayList"));
    assert_false(wants("java/lang/String"));
}

static void an_include_above_a_system_package_means_the_system_too(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "com/", FILTER_INCLUDE));
    assert_true(filter_includes_system(&f)); /* com/sun/ lies in it, though the default is longer and keeps it out */
    assert_false(wants("com/sun/A"));
    assert_true(wants("com/A"));
}

static void an_exclude_never_opens_the_system(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "java/util/", FILTER_EXCLUDE));
    assert_false(filter_includes_system(&f));
}

static void the_reason_is_the_prefix_or_the_location(void **state)
{
    (void)state;
    struct text why = text("untouched");
    assert_true(filter_add(&f, "com.acme.", FILTER_EXCLUDE));
    assert_true(filter_add_location(&f, "/lib/"));
    assert_true(filter_wants(&f, text("Main"), text(""), &why) && text_is(why, "untouched"));
    assert_false(filter_wants(&f, text("com/acme/A"), text(""), &why));
    assert_true(text_is(why, "com/acme/"));
    assert_false(filter_wants(&f, text("Main"), text("file:/opt/lib/x.jar"), &why));
    assert_true(text_is(why, "/lib/"));
    assert_false(filter_wants(&f, text("java/lang/String"), text(""), NULL));
}

static void only_leaves_everything_else_out(void **state)
{
    (void)state;
    struct text why;
    assert_true(filter_add(&f, "com.acme.", FILTER_ONLY));
    assert_true(filter_add(&f, "org.app.Main", FILTER_ONLY));
    assert_true(wants("com/acme/A") && wants("com/acme/gen/A") && wants("org/app/Main$1"));
    assert_false(wants("org/lib/A") || wants("Main") || wants("") || wants("jdk/proxy1/$Proxy0"));
    assert_false(filter_wants(&f, text("org/lib/A"), text(""), &why));
    assert_true(text_is(why, "not named by only="));
    assert_false(filter_includes_system(&f));
    assert_true(filter_add(&f, "org/lib/", FILTER_INCLUDE)); /* is no part of it */
    assert_false(wants("org/lib/A"));
}

static void an_exclude_takes_out_of_only_however_short(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "com/acme/pay/", FILTER_ONLY));
    assert_true(filter_add(&f, "com/acme/", FILTER_EXCLUDE));
    assert_false(wants("com/acme/pay/A"));
    assert_true(filter_add(&f, "com/acme/pay/Keep", FILTER_INCLUDE)); /* puts a part back */
    assert_true(wants("com/acme/pay/Keep"));
    assert_false(wants("com/acme/pay/A"));
    assert_false(wants("com/acme/Keep"));
    assert_true(filter_add_location(&f, "/lib/"));
    assert_false(filter_wants(&f, text("com/acme/pay/Keep"), text("file:/lib/x.jar"), NULL));
}

static void only_opens_the_system_packages_that_it_names(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "jdk.proxy", FILTER_ONLY));
    assert_true(filter_add(&f, "com.", FILTER_ONLY));
    assert_true(wants("jdk/proxy1/$Proxy0") && wants("com/acme/A"));
    assert_false(wants("jdk/internal/misc/VM") || wants("com/sun/proxy/$Proxy1"));
    assert_true(filter_includes_system(&f));
}

static void a_star_stands_for_any_text(void **state)
{
    (void)state;
    assert_true(filter_add(&f, "com.acme.very.long.name.", FILTER_INCLUDE));
    assert_true(filter_add(&f, "*$MockitoMock$", FILTER_EXCLUDE));
    assert_false(wants("com/acme/very/long/name/List$MockitoMock$17")); /* more of it matches */
    assert_true(wants("com/acme/very/long/name/List"));
    assert_false(wants("$MockitoMock$"));
    end(state);
    begin(state);
    assert_true(filter_add(&f, "com/*/gen/*Impl", FILTER_EXCLUDE));
    assert_true(filter_add(&f, "com/a/b/gen/", FILTER_INCLUDE));
    assert_false(wants("com/a/gen/XImpl") || wants("com/a/b/gen/XImpl") || wants("com/gen/gen/Impl$1"));
    assert_true(wants("com/gen/XImpl") && wants("com/a/gen/ImpX") && wants("com/a/Impl/gen/X"));
    assert_false(filter_includes_system(&f));
    assert_true(filter_add(&f, "*Proxy", FILTER_INCLUDE));
    assert_true(filter_includes_system(&f));
    assert_true(wants("com/sun/proxy/$Proxy1") && wants("jdk/proxy2/$Proxy7"));
}

static void locations_match_anywhere_in_the_source(void **state)
{
    (void)state;
    assert_true(filter_add_location(&f, "junit"));
    assert_false(filter_wants(&f, text("a/B"), text("file:/m2/junit-4.jar"), NULL));
    assert_false(filter_wants(&f, text("a/B"), text("junit"), NULL));
    assert_true(filter_wants(&f, text("a/B"), text("file:/m2/juni"), NULL));
    assert_true(filter_wants(&f, text("junit/B"), text(""), NULL)); /* no location, no match */
    assert_true(filter_add(&f, "a/", FILTER_INCLUDE));
    assert_false(filter_wants(&f, text("a/B"), text("junit"), NULL)); /* a place is left out whatever is in it */
}

static void the_never_list_is_exact_but_for_packages_and_inner_classes(void **state)
{
    (void)state;
    static const char *const never[] = {
        "java/lang/Object",
        "java/lang/HindsightHook",
        "java/lang/ref/Reference",
        "java/lang/VirtualThread",
        "java/lang/VirtualThread$VThreadContinuation",
        "jdk/internal/vm/Continuation",
        "jdk/internal/vm/Continuation$Pinned",
        "jdk/internal/misc/Unsafe",
    };
    static const char *const may[] = {
        "java/lang/Objects",
        "java/lang/Obj",
        "java/lang/ref/References",
        "java/lang/ref/Reference$ReferenceHandler",
        "java/lang/HindsightHook2",
        "Main",
        "",
        "java/lang/String",
        "jdk/internal/vm/ContinuationScope",
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_non_null(filter_never(text(never[i])));
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        assert_null(filter_never(text(may[i])));
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(system_packages_are_left_out_by_default),
        TEST(prefixes_may_have_dots_or_slashes),
        TEST(the_longest_prefix_decides_whatever_the_order),
        TEST(an_include_beats_an_exclude_of_the_same_length),
        TEST(a_longer_include_opens_a_part_of_the_system),
        TEST(an_include_above_a_system_package_means_the_system_too),
        TEST(an_exclude_never_opens_the_system),
        TEST(the_reason_is_the_prefix_or_the_location),
        TEST(only_leaves_everything_else_out),
        TEST(an_exclude_takes_out_of_only_however_short),
        TEST(only_opens_the_system_packages_that_it_names),
        TEST(a_star_stands_for_any_text),
        TEST(locations_match_anywhere_in_the_source),
        TEST(the_never_list_is_exact_but_for_packages_and_inner_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
