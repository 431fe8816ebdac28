/* test_show.c - reader/command/show.h: values of every kind as text and as JSON. Each text is found again by
 * `print --value` (reader/cursor/wanted.h), and two values share a text only if they are equal numbers. */
#include "reader_fixture.h"

#include "reader/cursor/wanted.h"

/* the command's writers, without the command */
#include "output.h"
#include "reader/command/show.c"
#include "reader/command/show_places.c"
#include "reader/command/show_redacted.c"
#include "reader/command/show_values.c"

static const struct {
    char kind;
    uint64_t bits;
    const char *text, *json;
} rows[] = {
    { 'Z', 0, "false", "false" },
    { 'Z', 1, "true", "true" },
    { 'B', (uint64_t)-128, "-128", "-128" },
    { 'S', 32767, "32767", "32767" },
    { 'I', (uint64_t)INT32_MIN, "-2147483648", "-2147483648" },
    { 'J', INT64_MAX, "9223372036854775807", "9223372036854775807" },
    { 'J', (uint64_t)INT64_MIN, "-9223372036854775808", "-9223372036854775808" },
    { 'C', 'a', "'a' (97)", "97" },
    { 'C', '7', "'7' (55)", "55" },
    { 'C', ' ', "' ' (32)", "32" },
    { 'C', '\'', "'\\'' (39)", "39" },
    { 'C', '"', "'\"' (34)", "34" },
    { 'C', '\\', "'\\\\' (92)", "92" },
    { 'C', 0, "'\\u0000' (0)", "0" },
    { 'C', '\t', "'\\t' (9)", "9" },
    { 'C', '\n', "'\\n' (10)", "10" },
    { 'C', 0x1b, "'\\u001b' (27)", "27" },
    { 'C', 0x7f, "'\\u007f' (127)", "127" },
    { 'C', 0x9b, "'\\u009b' (155)", "155" },
    { 'C', 0xe9, "'\xc3\xa9' (233)", "233" },
    { 'C', 0x20ac, "'\xe2\x82\xac' (8364)", "8364" },
    { 'C', 0x202e, "'\\u202e' (8238)", "8238" },
    { 'C', 0xd83d, "'\\ud83d' (55357)", "55357" },
    { 'C', 0xdc00, "'\\udc00' (56320)", "56320" },
    { 'C', 0xffff, "'\xef\xbf\xbf' (65535)", "65535" },
    { 'F', 0, "0.0", "0.0" },
    { 'F', 0x80000000, "-0.0", "-0.0" },
    { 'F', 0x3dcccccd, "0.1", "0.1" },
    { 'F', 1, "1.4013e-45", "1.4013e-45" },
    { 'F', 0x7f7fffff, "3.4028235e+38", "3.4028235e+38" },
    { 'F', 0x7fc00000, "NaN", "\"NaN\"" },
    { 'F', 0xffc12345, "NaN", "\"NaN\"" },
    { 'F', 0x7f800000, "Infinity", "\"Infinity\"" },
    { 'F', 0xff800000, "-Infinity", "\"-Infinity\"" },
    { 'D', 0x8000000000000000, "-0.0", "-0.0" },
    { 'D', 0x401c000000000000, "7.0", "7.0" },
    { 'D', 0x3fb999999999999a, "0.1", "0.1" },
    { 'D', 0x7ff8000000000000, "NaN", "\"NaN\"" },
    { 'D', 0xfff0000000000001, "NaN", "\"NaN\"" },
    { 'D', 0x7ff0000000000000, "Infinity", "\"Infinity\"" },
    { 'D', 0xfff0000000000000, "-Infinity", "\"-Infinity\"" },
    { 'L', 0, "null", "null" },
    { 'L', OBJECT_LATIN1, "\"a\\\"\\n\xc3\xa9\\u0001z/\"#2001",
      "{\"id\":2001,\"type\":\"java.lang.String\",\"string\":\"a\\\"\\n\xc3\xa9\\u0001z/\"}" },
    { 'L', OBJECT_UTF16, "\"\xf0\x9f\x98\x80x\\ud800\\u0000\"#2002",
      "{\"id\":2002,\"type\":\"java.lang.String\",\"string\":\"\xf0\x9f\x98\x80x\\ud800\\u0000\"}" },
    { 'L', OBJECT_CUT, "\"begin\"...#2003",
      "{\"id\":2003,\"type\":\"java.lang.String\",\"string\":\"begin\",\"length\":5000,\"cut\":true}" },
    { 'L', OBJECT_USER, "a.b.C$$Lambda$14/0x0000000800c03000#2000",
      "{\"id\":2000,\"type\":\"a.b.C$$Lambda$14/0x0000000800c03000\"}" },
    { 'L', OBJECT_UNKNOWN, "object#2004", "{\"id\":2004}" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct fake_event some[] = { { 0, 1, ID_ENTRY, 0 } };
static uint32_t cut(void) { return 1; }

static hs_trace *trace;
static char *dir;
static struct out out;
static struct show show;

static int begin(void **state)
{
    struct hs_error error = HS_ERROR_INIT;
    (void)state;
    dir = fixture_write(some, 1, cut);
    return hs_open(dir, 0, NULL, &trace, &error) == 0 && out_init_memory(&out) && show_init(&show, trace, &out) ? 0
                                                                                                                : -1;
}

static int end(void **state)
{
    (void)state;
    show_done(&show);
    out_done(&out);
    hs_close(trace);
    fixture_remove(dir);
    return 0;
}

/* What was written since the last time. */
static const char *written(void)
{
    out_char(&out, '\0');
    out.used = 0;
    json_init(&out.json, out.json.write, &out);
    return out.data;
}

static void a_value_has_one_text_and_one_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        show_value_text(&show, rows[i].kind, rows[i].bits);
        assert_string_equal(written(), rows[i].text);
        show_value_json(&show, rows[i].kind, rows[i].bits);
        assert_string_equal(written(), rows[i].json);
    }
}

static bool is_number(char kind) { return strchr("BSIJFD", kind) != NULL; }

static void texts_of_different_values_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = i + 1; k < ROWS; k++)
            if (!is_number(rows[i].kind) || !is_number(rows[k].kind))
                assert_string_not_equal(rows[i].text, rows[k].text);
}

/* Finds all values that have the text, and of the others only equal numbers. */
static void a_text_finds_its_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        struct error err = { 0 };
        struct wanted w;
        ok(wanted_parse(&w, rows[i].text, &err));
        for (size_t k = 0; k < ROWS; k++) {
            bool same = strcmp(rows[i].text, rows[k].text) == 0;
            bool found = wanted_is(&w, trace, (uint8_t)rows[k].kind, rows[k].bits);
            if (found != same)
                fail_msg("%s finds %s: %d", rows[i].text, rows[k].text, found);
        }
        wanted_done(&w);
    }
}

static void other_texts_find_a_value_too(void **state)
{
    static const struct {
        const char *text;
        char kind;
        uint64_t bits;
        bool found;
    } others[] = {
        { "a", 'C', 'a', true },
        { "'a'", 'C', 'a', true },
        { "97", 'C', 'a', true },
        { "\"a\"", 'C', 'a', false },
        { "'''", 'C', '\'', true },
        { "'\\' (92)", 'C', '\\', true },
        { "NaN", 'L', OBJECT_LATIN1, false },
        { "0.0", 'D', 0x8000000000000000, false },
        { "\"begin\"", 'L', OBJECT_CUT, false },
        { "\"beg\"...", 'L', OBJECT_CUT, true },
        { "\"begin\"...#2001", 'L', OBJECT_CUT, false },
        { "\"other\"...#2003", 'L', OBJECT_CUT, false },
        { "String#2003", 'L', OBJECT_CUT, true },
        { "#2003", 'L', OBJECT_CUT, true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct error err = { 0 };
        struct wanted w;
        ok(wanted_parse(&w, others[i].text, &err));
        if (wanted_is(&w, trace, (uint8_t)others[i].kind, others[i].bits) != others[i].found)
            fail_msg("%s: %d", others[i].text, !others[i].found);
        wanted_done(&w);
    }
}

static void texts_that_are_no_value_are_refused(void **state)
{
    static const char *const none[] = { "\"a\"#", "\"a\"#0", "\"a\"#x", "\"a\"#12x", "\"a\"12", "'ab'", "'a' (98)" };
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct error err = { 0 };
        struct wanted w;
        assert_int_equal(wanted_parse(&w, none[i], &err), ERR_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_has_one_text_and_one_json),
        cmocka_unit_test(texts_of_different_values_differ),
        cmocka_unit_test(a_text_finds_its_value),
        cmocka_unit_test(other_texts_find_a_value_too),
        cmocka_unit_test(texts_that_are_no_value_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
