/* test_expression.c - values of Java expressions (reader/expression) are those that a JVM computes.
 *
 * The test writes a program with the rows below, runs it, and compares. What Java does not have:
 * test_expression_known.c; texts that nobody means: test_expression_hostile.c. */
#include <stdlib.h>
#include <unistd.h>

#include "expression_host.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_java),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
