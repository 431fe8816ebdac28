/* test_expression_known.c - what is not known, and values as answers show them (reader/expression).
 *
 * Java has neither, so the rows say their answer: for a frame, and for a row of an answer. */
#include "expression_host.h"

static const struct {
    const char *text, *frame, *row; /* the value in a frame, and in a row; NULL: the same */
} rows[] = {
    /* what is not known decides nothing, also behind a ! */
    { "unknown == 1", "unknown", NULL },
    { "unknown != 1", "unknown", NULL },
    { "!(unknown == 1)", "unknown", NULL },
    { "!(unknown != 1)", "unknown", NULL },
    { "unknown", "unknown", NULL },
    { "-unknown", "unknown", NULL },
    { "unknown + 1 > 2", "unknown", NULL },
    { "unknown == null", "unknown", NULL },
    { "unknown == 1 || yes", "Z 1", NULL },
    { "yes || unknown == 1", "Z 1", NULL },
    { "unknown == 1 || no", "unknown", NULL },
    { "no || unknown == 1", "unknown", NULL },
    { "unknown == 1 && no", "Z 0", NULL },
    { "no && unknown == 1", "Z 0", NULL },
    { "unknown == 1 && yes", "unknown", NULL },
    { "!(unknown == 1 && no)", "Z 1", NULL },
    { "unknown & false", "Z 0", NULL },
    { "true | unknown", "Z 1", NULL },
    { "true & unknown", "unknown", NULL },
    { "false ^ unknown", "unknown", NULL },
    { "unknown ? 1 : 2", "unknown", NULL },
    { "unknown instanceof String", "unknown", NULL },
    { "unknown =~ a", "unknown", NULL },
    { "hidden == 1000", "unknown", NULL },
    { "hidden != 1000", "unknown", NULL },
    { "hidden + 1", "unknown", NULL },
    { "hidden == hidden", "Z 1", NULL },
    { "call(1)", "unknown", NULL },
    { "text.size == 3", "unknown", NULL },
    { "none.size", "unknown", NULL },
    { "box[0]", "unknown", NULL },
    { "#12 == null", "Z 0", NULL },
    { "#12 == OPEN", "failed: no variable, field or class is called so here: OPEN", "unknown" },
    { "text.call(1, 2) == 3", "unknown", NULL },
    { "new a.b.C(1)", "unknown", NULL },
    { "new int[] { 1, 2 }", "unknown", NULL },
    { "new int[3]", "unknown", NULL },
    /* texts by what they hold; of one that was cut the rest is not known */
    { "text == \"abc\"", "Z 1", NULL },
    { "\"abc\" == text", "Z 1", NULL },
    { "text != \"abd\"", "Z 1", NULL },
    { "text == 'abc'", "Z 1", NULL },
    { "text == abc", "Z 1", NULL },
    { "text == \"ab\"...", "Z 1", NULL },
    { "text < abd", "Z 1", NULL },
    { "text =~ ^a.c$", "Z 1", NULL },
    { "text =~ \"^b\"", "Z 0", NULL },
    { "cut == \"abcd\"", "unknown", NULL },
    { "cut != \"abcd\"", "unknown", NULL },
    { "!(cut == \"abcd\")", "unknown", NULL },
    { "cut == \"abc\"", "Z 0", NULL },
    { "cut == \"abx\"", "Z 0", NULL },
    { "cut =~ c$", "unknown", NULL },
    { "text + \"d\" == \"abcd\"", "Z 1", NULL },
    /* as answers show them */
    { "state == EXPIRED", "Z 1", NULL },
    { "state == State.EXPIRED", "Z 1", NULL },
    { "state == Other.EXPIRED", "Z 0", NULL },
    { "state != OPEN", "Z 1", NULL },
    { "!(state == OPEN)", "Z 1", NULL },
    { "date == 2026-01-02", "Z 1", NULL },
    { "date == 2026-01-03", "Z 0", NULL },
    { "price == 120", "Z 1", NULL },
    { "price == 120.0", "Z 1", NULL },
    { "price > 20.5", "Z 1", NULL },
    { "box == Integer#100", "Z 1", NULL },
    { "box == #100", "Z 1", NULL },
    { "box == Long#100", "Z 0", NULL },
    { "text == \"abc\"#103", "Z 1", NULL },
    { "c == \"x\"#103", "Z 0", NULL },
    { "text == \"\"#103", "Z 1", NULL },
    { "c == 'x' (120)", "Z 1", NULL },
    { "c == x", "Z 1", NULL },
    { "nan == NaN", "Z 1", NULL },
    { "nan != NaN", "Z 0", NULL },
    { "thread == pool-1", "Z 1", NULL },
    { "thread == 3", "Z 1", NULL },
    { "thread =~ ^pool", "Z 1", NULL },
    { "class == Inner", "Z 1", NULL },
    { "class == a.b.*", "Z 1", NULL },
    { "class == Outer.Inner && thread == pool-1", "Z 1", NULL },
    { "x:long == 5", "Z 1", NULL },
    { "Base.x == 6", "Z 1", NULL },
    { "[3] == 7", "Z 1", NULL },
    { "yes == 1", "Z 1", NULL },
    { "no == 0", "Z 1", NULL },
    { "i == \"7\"", "failed: these two cannot be compared by: ==", "Z 0" },
    { "i != \"7\"", "failed: these two cannot be compared by: !=", "Z 1" },
    /* a row compares as answers show values, a frame as Java: a float with a decimal, a digit with a character */
    { "f == 0.1", "Z 0", "Z 1" },
    { "c == 5", "Z 0", NULL },
    { "zero == '0'", "Z 0", NULL },
    /* names of both sides */
    { "max > i", "Z 1", NULL },
    { "i < max - 1", "Z 1", NULL },
    { "i == i", "Z 1", NULL },
    { "i == max", "Z 0", NULL },
    { "i == b+135", "Z 1", NULL },
    /* ! binds weaker than a comparison that needs it */
    { "!i == 7", "Z 0", NULL },
    { "!i < 7", "Z 1", NULL },
    { "!state == OPEN", "Z 1", NULL },
    { "!!i == 7", "Z 1", NULL },
    /* what does not fit */
    { "i && yes", "failed: a boolean is needed on each side of && and ||, and before ?", "unknown" },
    { "true + 1", "failed: numbers are needed on both sides of: +", "unknown" },
    { "1.5 & 1", "failed: whole numbers are needed on both sides of: &", "unknown" },
    { "nothing", "failed: no variable, field or class is called so here: nothing", "unknown" },
    { "i == nothing", "failed: no variable, field or class is called so here: nothing", "Z 0" },
    { "(int) yes", "failed: a number is needed behind a cast", "unknown" },
    { "(String) box", "java.lang.ClassCastException: the object is not of the class of the cast", NULL },
    { "none[0]", "java.lang.NullPointerException: null has no elements", NULL },
    /* what is no expression */
    { "", "'', character 1: expected a name or a value", NULL },
    { "1 +", "'1 +', character 4: expected a name or a value", NULL },
    { "i", "I 7", NULL },
    { "i = 7", "'i = 7', character 3: expected one of == != < <= > >= =~", NULL },
    { "i ==", "'i ==', character 5: expected a value", NULL },
    { "i == 1 i", "'i == 1 i', character 8: expected && or ||", NULL },
    { "(i == 1", "'(i == 1', character 8: expected &&, || or )", NULL },
    { "i =~ '('", "'i =~ '('', character 9: expected a regular expression before this place", NULL },
    { "i == 'a", "'i == 'a', character 8: expected the end of the quoted text", NULL },
    { "i == 'x' (121)", "'i == 'x' (121)', character 9: expected the code of this character", NULL },
    { "99999999999999999999", "'99999999999999999999', character 1: expected a number of at most 64 bits", NULL },
};

static void what_is_not_java_is_three_valued(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int row = 0; row < 2; row++) {
            const char *want = row == 1 && rows[i].row != NULL ? rows[i].row : rows[i].frame;
            char own[400];
            describe(rows[i].text, row == 1, own);
            if (strcmp(own, want) == 0)
                continue;
            print_error("%s in a %s: %s, expected %s\n", rows[i].text, row == 1 ? "row" : "frame", own, want);
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

/* For every comparison: a value is exactly one of equal, different, not known. */
static void a_comparison_and_its_opposite_agree(void **state)
{
    (void)state;
    static const char *const pairs[][2] = { { "==", "!=" }, { "<", ">=" }, { ">", "<=" } };
    static const char *const values[] = { "1",    "0x10", "-1.5",    "NaN",       "null",
                                          "true", "word", "\"abc\"", "'x' (120)", "#100" };
    for (size_t v = 0; v < VARIABLES; v++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            for (size_t p = 0; p < 3; p++) {
                char a[200], b[200], left[400], right[400];
                snprintf(a, sizeof a, "!(%s %s %s)", variables[v].name, pairs[p][0], values[k]);
                snprintf(b, sizeof b, "%s %s %s", variables[v].name, pairs[p][1], values[k]);
                describe(a, true, left);
                describe(b, true, right);
                const bool real = p > 0 && strchr("FD", variables[v].kind) != NULL && variables[v].kind != 0;
                if (strcmp(left, right) != 0 && !real) /* NaN is neither less nor not, as in Java */
                    fail_msg("%s is %s, %s is %s", a, left, b, right);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_java_is_three_valued),
        cmocka_unit_test(a_comparison_and_its_opposite_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
