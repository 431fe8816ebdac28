/* test_expression.c - the language of conditions and expressions (reader/expression).
 *
 * The values of Java expressions are those that a JVM computes: the test writes a program with the rows below, runs it,
 * and compares. What is not known, and values as answers show them, Java does not have: those rows say their answer. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/jvm/arithmetic.h"
#include "reader/expression/expression.h"
#include "reader/trace.h"

enum { BOX, OTHER_BOX, HIDDEN_BOX, TEXT, CUT_TEXT, CONSTANT, DATE, DECIMAL, OBJECTS, FIRST_OBJECT = 100 };

/* What the names are, here and in Java; a kind of 0 is not known, and not for Java. */
static const struct variable {
    const char *name, *java;
    char kind;
    uint64_t bits;
} variables[] = {
    { "b", "byte b = -128;", 'B', (uint64_t)-128 },
    { "s", "short s = -300;", 'S', (uint64_t)-300 },
    { "c", "char c = 'x';", 'C', 'x' },
    { "high", "char high = '\\uffff';", 'C', 0xffff },
    { "i", "int i = 7;", 'I', 7 },
    { "zero", "int zero = 0;", 'I', 0 },
    { "min", "int min = Integer.MIN_VALUE;", 'I', (uint64_t)INT32_MIN },
    { "max", "int max = Integer.MAX_VALUE;", 'I', INT32_MAX },
    { "j", "long j = 5000000000L;", 'J', 5000000000 },
    { "jmin", "long jmin = Long.MIN_VALUE;", 'J', (uint64_t)INT64_MIN },
    { "jmax", "long jmax = Long.MAX_VALUE;", 'J', INT64_MAX },
    { "f", "float f = 0.1f;", 'F', 0x3dcccccd },
    { "d", "double d = 0.1;", 'D', 0x3fb999999999999a },
    { "nan", "double nan = Double.NaN;", 'D', 0x7ff8000000000000 },
    { "fnan", "float fnan = Float.NaN;", 'F', 0x7fc00000 },
    { "inf", "double inf = Double.POSITIVE_INFINITY;", 'D', 0x7ff0000000000000 },
    { "minus", "double minus = -0.0;", 'D', 0x8000000000000000 },
    { "huge", "double huge = 1e300;", 'D', 0x7e37e43c8800759c },
    { "yes", "boolean yes = true;", 'Z', 1 },
    { "no", "boolean no = false;", 'Z', 0 },
    { "box", "Integer box = Integer.valueOf(1000);", 'L', FIRST_OBJECT + BOX },
    { "other", "Integer other = Integer.valueOf(1000);", 'L', FIRST_OBJECT + OTHER_BOX },
    { "text", "String text = new String(\"abc\");", 'L', FIRST_OBJECT + TEXT },
    { "none", "Object none = null;", 'L', 0 },
    { "hidden", NULL, 'L', FIRST_OBJECT + HIDDEN_BOX },
    { "cut", NULL, 'L', FIRST_OBJECT + CUT_TEXT },
    { "state", NULL, 'L', FIRST_OBJECT + CONSTANT },
    { "date", NULL, 'L', FIRST_OBJECT + DATE },
    { "price", NULL, 'L', FIRST_OBJECT + DECIMAL },
    { "unknown", NULL, 0, 0 },
};
enum { VARIABLES = sizeof variables / sizeof *variables };

static const char *const java[] = {
    /* literals */
    "0",
    "42",
    "0x7fffffff",
    "0xffffffff",
    "0x80000000",
    "017",
    "0b1010",
    "1_000_000",
    "-2147483648",
    "2147483647",
    "9223372036854775807L",
    "-9223372036854775808L",
    "0xffffffffffffffffL",
    "1.5",
    "1.5f",
    ".5",
    "1e3",
    "1e-3",
    "1f",
    "1d",
    "0.1f",
    "16777217f",
    "0.1",
    "'a'",
    "'\\n'",
    "'\\''",
    "'\\\\'",
    "'\\u20ac'",
    "'\\101'",
    "'\\0'",
    "true",
    "false",
    "\"\"",
    "\"a\\tb\"",
    "\"\\u20ac\"",
    "\"\\\"\"",
    /* sums and overflow */
    "max + 1",
    "min - 1",
    "min * -1",
    "max * 2",
    "max * max",
    "-min",
    "jmax + 1",
    "jmin - 1",
    "-jmin",
    "jmax * 2",
    "max + 1L",
    "i + j",
    "b + b",
    "s * s",
    "b - 1",
    "s + b",
    "s * max",
    "+b",
    "-b",
    "+c",
    "-c",
    "high + 1",
    "c + 1",
    "c + c",
    "c - 'a'",
    "'a' + 'b'",
    "(char) (c + 1)",
    "(char) -1",
    "(char) 65536",
    "i * 1.5",
    "i * 1.5f",
    "j * 1.5f",
    "max + 0f",
    "jmax + 0f",
    "jmax + 0.0",
    "f + d",
    "f * f",
    "d + d + d",
    "0.1 + 0.2",
    "0.1f + 0.2f",
    "f + 0.0",
    /* division */
    "7 / 2",
    "-7 / 2",
    "7 / -2",
    "-7 % 3",
    "7 % -3",
    "min / -1",
    "min % -1",
    "jmin / -1",
    "jmin % -1L",
    "1 / zero",
    "1 % zero",
    "1L / zero",
    "j % zero",
    "1.0 / zero",
    "-1.0 / zero",
    "0.0 / zero",
    "1 / 0.0f",
    "5.5 % 2",
    "-5.5 % 2",
    "5.5 % 0",
    "inf % 2",
    "5 % inf",
    "minus % 1",
    "1e300 % 3",
    "7.5f % 2",
    "b / 3",
    "s % 7",
    "c / 2",
    "high / s",
    "1 / minus",
    "b / s",
    "i / 2 * 2",
    "i - i % 2",
    "100 / 10 / 5",
    "j / 3",
    "max / 2.0",
    /* NaN, infinity, -0.0 */
    "nan == nan",
    "nan != nan",
    "nan < 1",
    "nan >= 1",
    "!(nan < 1)",
    "!(nan == 1)",
    "nan != 1",
    "fnan == fnan",
    "fnan != 0",
    "minus == 0.0",
    "minus < 0.0",
    "-minus",
    "minus + 0.0",
    "minus + minus",
    "0.0 - 0.0",
    "minus * 5",
    "inf - inf",
    "inf * 0",
    "inf > 1e308",
    "-inf",
    "huge * huge",
    "-huge * huge",
    "nan + 1",
    "1 / inf",
    "-(0.0)",
    "0.0 == -0.0",
    "(float) huge",
    "(float) minus",
    "(double) fnan",
    /* shifts and bits */
    "1 << 31",
    "1 << 32",
    "1 << 33",
    "1 << -1",
    "-1 >> 31",
    "-1 >>> 31",
    "-1 >>> 32",
    "-1 >>> 1",
    "min >> 1",
    "min >>> 1",
    "1L << 63",
    "1L << 64",
    "-1L >>> 1",
    "-1L >> 63",
    "1 << 33L",
    "b >> 1",
    "b >>> 1",
    "s >>> 28",
    "c << 8",
    "i << j",
    "i & 3",
    "i | 8",
    "i ^ -1",
    "~i",
    "~b",
    "~jmax",
    "~c",
    "b & 0xff",
    "s & 0xffffL",
    "jmin ^ jmax",
    "yes & no",
    "yes | no",
    "yes ^ yes",
    "yes ^ no",
    "!yes",
    "!no",
    "yes & !no",
    "high & b",
    "i & ~1 | 4 ^ 2",
    /* comparisons */
    "1 < 2",
    "2 <= 2",
    "2 > 2",
    "2 >= 2",
    "c == 'x'",
    "c == 120",
    "c > b",
    "b < s",
    "s == -300",
    "j > max",
    "j == 5e9",
    "max == 2147483647.0",
    "max == 2147483648f",
    "f == 0.1f",
    "f == 0.1",
    "f != 0.1",
    "f < 0.1",
    "d == 0.1",
    "jmax == 9.223372036854775807E18",
    "jmax == jmax - 1.0",
    "(jmax - 1) == jmax",
    "i == 7L",
    "yes == true",
    "yes != no",
    "1 < 2 == true",
    "'a' < 'b'",
    "high > 0",
    "5 == c",
    "b == -128L",
    "min < jmin",
    /* casts */
    "(byte) 300",
    "(byte) -129",
    "(short) 40000",
    "(short) max",
    "(int) 3.99",
    "(int) -3.99",
    "(int) nan",
    "(int) inf",
    "(int) -inf",
    "(int) 1e10",
    "(long) 1e30",
    "(long) -1e30",
    "(long) nan",
    "(char) 3.7",
    "(char) huge",
    "(byte) 1e10",
    "(byte) 200.5f",
    "(short) jmax",
    "(int) j",
    "(int) jmin",
    "(float) 0.1",
    "(float) max",
    "(float) jmax",
    "(double) f",
    "(double) jmax",
    "(double) 0.1f",
    "(long) f",
    "(int) c",
    "(char) 120",
    "(short) high",
    "(byte) high",
    "(char) b",
    "(int) 'a' + 1",
    "(byte) 127 + 1",
    "(byte) (127 + 1)",
    "(int) (char) (byte) -1",
    "(long) max + 1",
    "(boolean) yes",
    "-(byte) 128",
    "(int) 1e9f",
    /* concatenation */
    "\"\" + 1",
    "1 + 2 + \"x\"",
    "\"x\" + 1 + 2",
    "\"x\" + (1 + 2)",
    "\"\" + c",
    "c + \"\"",
    "c + 1 + \"\"",
    "\"\" + c + 1",
    "'a' + 'b' + \"\"",
    "\"\" + 'a' + 'b'",
    "\"\" + 1.0",
    "\"\" + 1.0f",
    "\"\" + 0.1f",
    "\"\" + 1e7",
    "\"\" + 9999999.0",
    "\"\" + 1e-3",
    "\"\" + 1.5e-4",
    "\"\" + 1.25e10",
    "\"\" + 123456789.5",
    "\"\" + nan",
    "\"\" + inf",
    "\"\" + -inf",
    "\"\" + minus",
    "\"\" + f",
    "\"\" + d",
    "\"\" + 100.0",
    "\"\" + 1e10f",
    "\"\" + true",
    "\"\" + none",
    "none + \"\"",
    "\"\" + null",
    "\"\" + b",
    "\"\" + s",
    "\"\" + jmin",
    "\"\" + min",
    "text + text",
    "text + 1 + 'c'",
    "1 + text",
    "\"\" + box",
    "\"a\" + \"b\" + \"\\n\"",
    "\"\" + high",
    "\"n=\" + i * 2",
    "\"n=\" + -i",
    "\"\" + (i > 3)",
    "text + null",
    "\"\" + 1e300",
    "\"\" + 12345.678f",
    "\"\" + 0.1 + 0.2",
    /* boxes and references */
    "box + 1",
    "box * box",
    "box == 1000",
    "1000 == box",
    "box != 1000L",
    "box == 1000.0",
    "box == other",
    "box != other",
    "box < other",
    "box <= other",
    "box >= 1000",
    "-box",
    "~box",
    "(int) box",
    "(double) box",
    "box / 7",
    "box / zero",
    "none == null",
    "none != null",
    "text == null",
    "null == null",
    "box == null",
    "text != null",
    "none == text",
    "text instanceof String",
    "none instanceof String",
    "(Object) text == text",
    "box == box",
    "box << 1",
    "box == j",
    /* conditions */
    "yes && no",
    "yes || no",
    "no && 1 / zero == 0",
    "yes || 1 / zero == 0",
    "yes && 1 / zero == 0",
    "no || 1 / zero == 0",
    "no & 1 / zero == 0",
    "yes ? 1 : 2",
    "no ? 1 : 2",
    "yes ? 1 : 2.0",
    "no ? 1L : 2",
    "yes ? 'a' : 0",
    "yes ? i : 2L",
    "i > 3 ? \"big\" : \"small\"",
    "no ? 1 : yes ? 2 : 3",
    "yes ? no ? 1 : 2 : 3",
    "1==1?2:3",
    "i==7?i==8?1:2:3",
    "yes ? 1 : 1 / zero",
    "no ? 1 : 1 / zero",
    "!(i == 7)",
    "!(i != 7)",
    "!(i < 7) && !(i > 7)",
    "(1 + 2) * 3",
    "1 + 2 * 3 - 4 / 2 % 3",
    "1 + 2 << 3 - 1",
    "1 | 2 ^ 3 & 4",
    "1 < 2 & 3 < 4",
    "-1 - -1",
    "- - 1",
    "~~5",
    "!!yes",
    "((((1))))",
    "i == 7 && c == 'x' || no",
    "no && no || yes",
    "no && (no || yes)",
    "!no == yes",
    "!yes != yes",
    "1 + -2",
    "5 - +3",
    "i*2+1",
    "i-1==6",
    "i- -1",
};
enum { JAVA = sizeof java / sizeof *java };

/* ---- the host ---- */

static bool lookup(struct evaluation *e, const char *name, struct expression_value *out)
{
    (void)e;
    for (size_t i = 0; i < VARIABLES; i++)
        if (strcmp(variables[i].name, name) == 0) {
            *out =
                variables[i].kind != 0 ? expression_number(variables[i].kind, variables[i].bits) : expression_unknown;
            return true;
        }
    *out = expression_unknown;
    if (strcmp(name, "thread") == 0) {
        *out = expression_number('J', 3);
        out->text = "pool-1";
    } else if (strcmp(name, "class") == 0) {
        *out = expression_number(EXPRESSION_TEXT, 0);
        out->text = "a.b.Outer$Inner";
        out->is_class = true;
    } else if (strcmp(name, "x:long") == 0 || strcmp(name, "Base.x") == 0 || strcmp(name, "[3]") == 0) {
        *out = expression_number('J', name[0] == 'x' ? 5 : name[0] == 'B' ? 6 : 7);
    }
    return out->known;
}

static enum expression_answer string_of(void *context, uint64_t id, struct writer *out, bool *cut)
{
    (void)context;
    *cut = id == FIRST_OBJECT + CUT_TEXT;
    if (id != FIRST_OBJECT + TEXT && !*cut)
        return EXPRESSION_NO;
    write_bytes(out, "abc", 3);
    return EXPRESSION_YES;
}

static enum expression_answer number_of(void *context, uint64_t id, struct expression_value *out)
{
    (void)context;
    *out = expression_number('I', 1000);
    return id == FIRST_OBJECT + HIDDEN_BOX                              ? EXPRESSION_NOT_KNOWN
           : id == FIRST_OBJECT + BOX || id == FIRST_OBJECT + OTHER_BOX ? EXPRESSION_YES
                                                                        : EXPRESSION_NO;
}

static enum expression_answer stands_for(void *context, uint64_t id, uint64_t moment, struct expression_standing *out)
{
    (void)context;
    (void)moment;
    static const char *const texts[OBJECTS] = { [CONSTANT] = "EXPIRED", [DATE] = "2026-01-02", [DECIMAL] = "120.00" };
    if (id - FIRST_OBJECT >= OBJECTS)
        return EXPRESSION_NO;
    if (id == FIRST_OBJECT + BOX || id == FIRST_OBJECT + OTHER_BOX)
        *out = (struct expression_standing){ .kind = 'I', .bits = 1000, .text = "1000" };
    else
        *out = (struct expression_standing){ .text = texts[id - FIRST_OBJECT],
                                             .is_constant = id == FIRST_OBJECT + CONSTANT,
                                             .constant_of = "a.b.State",
                                             .constant_size = 9 };
    return out->text != NULL ? EXPRESSION_YES : EXPRESSION_NO;
}

static const char *type_of(void *context, uint64_t id)
{
    (void)context;
    static const char *const types[OBJECTS] = { "java.lang.Integer",   "java.lang.Integer",   "java.lang.Integer",
                                                "java.lang.String",    "java.lang.String",    "a.b.State",
                                                "java.time.LocalDate", "java.math.BigDecimal" };
    return id - FIRST_OBJECT < OBJECTS ? types[id - FIRST_OBJECT] : NULL;
}

static enum expression_answer is_a(void *context, uint64_t id, const char *name, const char **full)
{
    *full = type_of(context, id);
    if (*full == NULL)
        return EXPRESSION_NOT_KNOWN;
    return strcmp(name, "Object") == 0 || hs_class_matches(name, *full) ? EXPRESSION_YES : EXPRESSION_NO;
}

static uint64_t constant_of(void *context, uint64_t id, const char *name)
{
    (void)context;
    (void)id;
    (void)name;
    return 0;
}

static const struct expression_objects objects = {
    string_of, number_of, stands_for, type_of, is_a, constant_of, hs_class_matches,
};

/* ---- what a value is, as the program prints it ---- */

static void describe(const char *text, bool as_shown, char out[400])
{
    const struct expression_host host = { .lookup = lookup, .objects = &objects, .as_shown = as_shown };
    struct expression_tree *tree;
    struct arena arena = { 0 };
    struct error err = { 0 };
    if (expression_parse(text, &tree, &err) != OK) {
        snprintf(out, 400, "%.380s", err.text);
        return;
    }
    struct evaluation e = { .host = &host, .arena = &arena, .err = &err };
    const struct expression_value v = expression_evaluate(&e, tree->root);
    const uint64_t bits = v.kind == 'F'   ? of_int(isnan(as_float(v.bits)) ? 0x7fc00000 : (int32_t)v.bits)
                          : v.kind == 'D' ? (isnan(as_double(v.bits)) ? 0x7ff8000000000000 : v.bits)
                                          : v.bits;
    if (e.status != OK)
        snprintf(out, 400, "failed: %.380s", err.text);
    else if (v.thrown != NULL)
        snprintf(out, 400, "%s", v.thrown);
    else if (!v.known)
        snprintf(out, 400, "unknown");
    else if (v.kind == EXPRESSION_TEXT) {
        size_t n = (size_t)snprintf(out, 400, "T");
        for (const char *p = v.text; *p != '\0' && n < 390; p++)
            n += (size_t)snprintf(out + n, 400 - n, " %02x", (unsigned char)*p);
    } else
        snprintf(out, 400, "%c %" PRId64, v.kind, (int64_t)bits);
    arena_done(&arena);
    expression_free(tree);
}

static void write_program(FILE *f)
{
    fputs("import java.nio.charset.StandardCharsets;\n"
          "@SuppressWarnings(\"all\")\n"
          "public class Expressions {\n"
          "    interface Row { String value(); }\n"
          "    static String of(boolean v) { return \"Z \" + (v ? 1 : 0); }\n"
          "    static String of(byte v) { return \"B \" + v; }\n"
          "    static String of(char v) { return \"C \" + (int) v; }\n"
          "    static String of(short v) { return \"S \" + v; }\n"
          "    static String of(int v) { return \"I \" + v; }\n"
          "    static String of(long v) { return \"J \" + v; }\n"
          "    static String of(float v) { return \"F \" + Float.floatToIntBits(v); }\n"
          "    static String of(double v) { return \"D \" + Double.doubleToLongBits(v); }\n"
          "    static String of(String v) {\n"
          "        StringBuilder s = new StringBuilder(\"T\");\n"
          "        for (byte b : v.getBytes(StandardCharsets.UTF_8)) s.append(String.format(\" %02x\", b));\n"
          "        return s.toString();\n"
          "    }\n"
          "    static void row(Row r) {\n"
          "        String text;\n"
          "        try { text = r.value(); } catch (ArithmeticException e) { text = e.toString(); }\n"
          "        System.out.println(\"row \" + text);\n"
          "    }\n",
          f);
    for (size_t i = 0; i < VARIABLES; i++)
        if (variables[i].java != NULL)
            fprintf(f, "    static %s\n", variables[i].java);
    fputs("    public static void main(String[] args) {\n", f);
    for (size_t i = 0; i < JAVA; i++)
        fprintf(f, "        row(() -> of(%s));\n", java[i]);
    fputs("    }\n}\n", f);
}

static void values_are_those_of_java(void **state)
{
    (void)state;
    char folder[] = "/tmp/hindsight-expression.XXXXXX", path[100], command[400], line[1000], own[400];
    const char *home = getenv("JAVA_HOME");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/Expressions.java", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    write_program(f);
    fclose(f);
    snprintf(command, sizeof command, "%s%sjava -XX:TieredStopAtLevel=1 %s 2>&1", home != NULL ? home : "",
             home != NULL && *home != '\0' ? "/bin/" : "", path);
    f = popen(command, "r");
    assert_non_null(f);
    size_t rows = 0, wrong = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "row ", 4) != 0) { /* what the compiler says */
            print_message("%s\n", line);
            continue;
        }
        if (rows < JAVA)
            describe(java[rows], false, own);
        if (rows >= JAVA || strcmp(line + 4, own) != 0) {
            print_error("%s: %s, in Java %s\n", rows < JAVA ? java[rows] : "", own, line + 4);
            wrong++;
        }
        rows++;
    }
    pclose(f);
    unlink(path);
    rmdir(folder);
    assert_int_equal(wrong, 0);
    assert_int_equal(rows, JAVA);
}

/* ---- what Java does not have ---- */

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

static void deep_texts_are_refused(void **state)
{
    (void)state;
    static const char *const units[] = { "(", "!", "-", "(int) ", "a[", "a ? ", "f(", "1 == (" };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t n = strlen(units[i]), times = 100000;
        char *text = malloc(n * times + 1), own[400];
        for (size_t k = 0; k < times; k++)
            memcpy(text + k * n, units[i], n);
        text[n * times] = '\0';
        describe(text, false, own);
        assert_non_null(strstr(own, "fewer parentheses"));
        free(text);
    }
    static const struct {
        const char *unit, *says;
    } chains[] = { { "1 +", "fewer operators" },
                   { "a.b.", "fewer operators" },
                   { "1 == ", "fewer operators" },
                   { "i == 7 && ", "unknown" },
                   { "i == 8 || ", "unknown" } };
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const size_t n = strlen(chains[i].unit), times = 10000;
        char *text = malloc(n * times + 20), own[400];
        for (size_t k = 0; k < times; k++)
            memcpy(text + k * n, chains[i].unit, n);
        memcpy(text + n * times, "unknown", 8);
        describe(text, false, own);
        if (strstr(own, chains[i].says) == NULL)
            fail_msg("%s...: %s", chains[i].unit, own);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_java),
        cmocka_unit_test(what_is_not_java_is_three_valued),
        cmocka_unit_test(a_comparison_and_its_opposite_agree),
        cmocka_unit_test(deep_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
