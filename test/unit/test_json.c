/* The JSON writer: punctuation and nesting, escapes, numbers, and calls that would make no JSON. */
#undef NDEBUG /* misuse has to end the process */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "formats/json.c"

struct pair {
    const char *in;
    size_t in_size;
    const char *out;
};
#define PAIR(in, out)                                                                                                  \
    {                                                                                                                  \
        in, sizeof in - 1, out                                                                                         \
    }

static struct writer made;
static struct json start(void)
{
    struct json j;
    made.size = 0;
    json_init(&j, json_to_writer, &made);
    return j;
}

static void check(const char *expected)
{
    write_u1(&made, '\0');
    assert_false(made.bad);
    assert_string_equal((const char *)made.data, expected);
}

static void objects_and_arrays_nest(void **state)
{
    (void)state;
    struct json j = start();
    json_object(&j);
    json_name(&j, "empty");
    json_array(&j);
    json_end(&j);
    json_name(&j, "list");
    json_array(&j);
    json_u64(&j, 1);
    json_null(&j);
    json_object(&j);
    json_end(&j);
    json_array(&j);
    json_bool(&j, true);
    json_bool(&j, false);
    json_end(&j);
    json_object(&j);
    json_member_u64(&j, "a", 2);
    json_member_text(&j, "b", "c");
    json_end(&j);
    json_end(&j);
    json_name_u64(&j, UINT64_MAX);
    json_i64(&j, -3);
    json_member_bool(&j, "quote\"", false);
    json_members(&j, "", 0);
    json_members(&j, "\"made\":1,\"before\":2", 19);
    json_end_line(&j);
    json_object(&j);
    json_members(&j, "\"x\":1", 5);
    json_member_i64(&j, "y", 0);
    json_end_line(&j);
    check("{\"empty\":[],\"list\":[1,null,{},[true,false],{\"a\":2,\"b\":\"c\"}],\"18446744073709551615\":-3,"
          "\"quote\\\"\":false,\"made\":1,\"before\":2}\n{\"x\":1,\"y\":0}\n");
}

static void levels_up_to_the_last_keep_their_kind(void **state)
{
    (void)state;
    char expected[1024] = "";
    struct json j = start();
    for (unsigned i = 0; i < JSON_DEPTH_MAX; i++) {
        if (i % 3 == 0) {
            json_array(&j);
            strcat(expected, "[");
        } else {
            json_object(&j);
            strcat(expected, "{");
        }
        if (i % 3 != 0 && i + 1 < JSON_DEPTH_MAX) {
            json_name(&j, "n");
            strcat(expected, "\"n\":");
        }
    }
    for (unsigned i = JSON_DEPTH_MAX; i-- > 0;) {
        json_end(&j);
        strcat(expected, i % 3 == 0 ? "]" : "}");
    }
    check(expected);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        PAIR("", "\"\""),
        PAIR("a\"b\\c/d", "\"a\\\"b\\\\c/d\""),
        PAIR("\b\t\n\f\r\x01\x0b\x1f\x7f", "\"\\b\\t\\n\\f\\r\\u0001\\u000b\\u001f\\u007f\""),
        PAIR("a\0z", "\"a\\u0000z\""),
        PAIR("\xc3\xa4\xf0\x9f\x98\x80", "\"\xc3\xa4\xf0\x9f\x98\x80\""),
        PAIR("\xc2\x9b\xe2\x80\xa8\xe2\x80\xae", "\"\\u009b\\u2028\\u202e\""),
        PAIR("x\xed\xa0\xbdy\xed\xb8\x80", "\"x\\ud83dy\\ude00\""),
        PAIR("\xc0\x80", "\"\\u0000\""), /* U+0000 in a C string */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct json j = start();
        json_text_n(&j, pairs[i].in, pairs[i].in_size);
        check(pairs[i].out);
    }
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        PAIR("\xff"
             "a",
             "\"\\ufffda\""),
        PAIR("\xc0\xaf", "\"\\ufffd\\ufffd\""), /* overlong */
        PAIR("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""),
        PAIR("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""), /* beyond U+10FFFF */
        PAIR("\xe2\x82", "\"\\ufffd\\ufffd\""),                       /* cut off */
        PAIR("\xc3"
             "x\x80",
             "\"\\ufffdx\\ufffd\""),
        PAIR("\xf8\x88\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct json j = start();
        json_text_n(&j, pairs[i].in, pairs[i].in_size);
        check(pairs[i].out);
    }
}

static void texts_are_made_in_parts(void **state)
{
    (void)state;
    struct json j = start();
    json_array(&j);
    json_text_begin(&j);
    json_text_part(&j, "a.b", 3);
    json_text_code(&j, '"');
    json_text_code(&j, 0x1f600);
    json_text_code(&j, 0xdead);
    json_text_part(&j, "", 0);
    json_text_end(&j);
    json_text(&j, "next");
    json_end(&j);
    check("[\"a.b\\\"\xf0\x9f\x98\x80\\udead\",\"next\"]");
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint32_t float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void numbers_are_exact(void **state)
{
    (void)state;
    struct json j = start();
    json_array(&j);
    json_u64(&j, 0);
    json_u64(&j, UINT64_MAX);
    json_i64(&j, INT64_MIN);
    json_i64(&j, INT64_MAX);
    json_u64(&j, (UINT64_C(1) << 53) + 1);
    json_double(&j, bits_of(0.1));
    json_double(&j, bits_of(3));
    json_double(&j, bits_of(-0.0));
    json_double(&j, bits_of(1e300));
    json_double(&j, bits_of(5e-324));
    json_double(&j, bits_of(0.1 + 0.2));
    json_float(&j, float_bits(0.1f));
    json_float(&j, float_bits(16777216));
    json_rounded(&j, 1.0 / 3, 6);
    json_rounded(&j, 2, 6);
    json_end(&j);
    check("[0,18446744073709551615,-9223372036854775808,9223372036854775807,9007199254740993,0.1,3.0,-0.0,1e+300,"
          "4.94065645841247e-324,0.30000000000000004,0.1,16777216.0,0.333333,2]");
}

static void special_numbers_are_texts(void **state)
{
    (void)state;
    struct json j = start();
    json_array(&j);
    json_double(&j, bits_of(NAN));
    json_double(&j, bits_of(-INFINITY));
    json_float(&j, float_bits(INFINITY));
    json_rounded(&j, NAN, 3);
    json_end(&j);
    check("[\"NaN\",\"-Infinity\",\"Infinity\",\"NaN\"]");
}

/* ---- misuse ---- */

static void value_without_a_name(struct json *j) { json_object(j), json_u64(j, 1); }
static void name_in_an_array(struct json *j) { json_array(j), json_name(j, "a"); }
static void name_outside(struct json *j) { json_name(j, "a"); }
static void name_after_a_name(struct json *j) { json_object(j), json_name(j, "a"), json_name(j, "b"); }
static void name_without_a_value(struct json *j) { json_object(j), json_name(j, "a"), json_end(j); }
static void end_of_nothing(struct json *j) { json_end(j); }
static void end_of_a_line_inside(struct json *j) { json_array(j), json_array(j), json_end_line(j); }
static void value_inside_a_text(struct json *j) { json_array(j), json_text_begin(j), json_null(j); }
static void end_inside_a_text(struct json *j) { json_array(j), json_text_begin(j), json_end(j); }
static void part_outside_of_a_text(struct json *j) { json_array(j), json_text_part(j, "a", 1); }
static void members_in_an_array(struct json *j) { json_array(j), json_members(j, "\"a\":1", 5); }
static void too_deep(struct json *j)
{
    for (unsigned i = 0; i <= JSON_DEPTH_MAX; i++)
        json_array(j);
}

static void misuse_fails_an_assert(void **state)
{
    (void)state;
    static void (*const wrong[])(struct json *) = {
        value_without_a_name, name_in_an_array,       name_outside,         name_after_a_name,
        name_without_a_value, end_of_nothing,         end_of_a_line_inside, value_inside_a_text,
        end_inside_a_text,    part_outside_of_a_text, members_in_an_array,  too_deep,
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int status;
        struct json j = start();
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            (void)signal(SIGABRT, SIG_DFL); /* cmocka catches it */
            (void)close(STDERR_FILENO);
            wrong[i](&j);
            _exit(0);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            fail_msg("misuse %zu is not noticed", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_arrays_nest),   cmocka_unit_test(levels_up_to_the_last_keep_their_kind),
        cmocka_unit_test(texts_are_escaped),         cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(texts_are_made_in_parts),   cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(special_numbers_are_texts), cmocka_unit_test(misuse_fails_an_assert),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    writer_free(&made);
    return failed;
}
