"""many.py FOLDER N: N classes of tests of JUnit 4, Jupiter and TestNG in turn, which together have every outcome.

What a class has follows from its number: tests that pass, fail, throw, are skipped, do not hold an assumption, take too
long; parameters, repetition, nested classes, and a set-up of the class that fails."""
import os, sys

folder, count = sys.argv[1], int(sys.argv[2])
os.makedirs(folder, exist_ok=True)

BODY = {
    "passes": "assertEquals(%(n)d, add(%(n)d, 0));",
    "fails": "assertEquals(%(n)d, add(%(n)d, 1));",
    "throwsIt": "Object none = add(1, 1) > 0 ? null : this; none.toString();",
    "catchesIt": "try { none().toString(); } catch (NullPointerException e) { assertEquals(2, add(1, 1)); }",
}
COMMON = "    static int add(int a, int b) { return a + b; }\n    static Object none() { return null; }\n"


def test(annotation, name, body, n, parameter=""):
    return "    %s public void %s(%s) throws Exception { %s }\n" % (annotation, name, parameter, body % {"n": n})


def junit4(n):
    out = "import static org.junit.Assert.*;\nimport org.junit.*;\nimport org.junit.runners.*;\nimport java.util.*;\n"
    of = n // 3
    if of % 5 == 1:
        out += "@org.junit.runner.RunWith(Parameterized.class)\n"
    out += "public class Many%d {\n" % n + COMMON
    if of % 5 == 1:
        out += "    @Parameterized.Parameters public static List<Object[]> all() {\n"
        out += "        return Arrays.asList(new Object[] {1}, new Object[] {2}, new Object[] {3});\n    }\n"
        out += "    @Parameterized.Parameter public int x;\n"
        out += test("@Test", "small", "assertTrue(x < 3);", n)
    if of % 5 == 2:
        out += "    @BeforeClass public static void before() { throw new IllegalStateException(); }\n"
    for name, body in BODY.items():
        out += test("@Test", name, body, n)
    out += test("@Test @Ignore", "later", "", n)
    out += test("@Test", "elsewhere", "Assume.assumeTrue(add(1, 1) == 3);", n)
    out += test("@Test(expected = NullPointerException.class)", "expects", "none().toString();", n)
    out += test("@Test(expected = NullPointerException.class)", "expectsMore", "assertEquals(1, add(1, 0));", n)
    if of % 5 == 3:
        out += test("@Test(timeout = 50)", "slow", "Thread.sleep(60_000);", n)
    return out + "}\n"


def jupiter(n):
    out = "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\n"
    out += "import org.junit.jupiter.params.ParameterizedTest;\nimport org.junit.jupiter.params.provider.ValueSource;\n"
    of = n // 3
    out += "%spublic class Many%d {\n" % ("@Disabled\n" if of % 7 == 6 else "", n) + COMMON
    if of % 5 == 2:
        out += "    @BeforeAll static void before() { throw new IllegalStateException(); }\n"
    for name, body in BODY.items():
        out += test("@Test", name, body, n)
    out += test("@Test @Disabled", "later", "", n)
    out += test("@Test", "elsewhere", "Assumptions.assumeTrue(add(1, 1) == 3);", n)
    out += test("@ParameterizedTest @ValueSource(ints = {1, 2, 3})", "small", "assertTrue(x < 3);", n, "int x")
    out += test("@RepeatedTest(2)", "again", "assertEquals(2, add(1, 1));", n)
    if of % 5 == 3:
        out += test("@Test @Timeout(1)", "slow", "Thread.sleep(60_000);", n)
    if of % 5 in (0, 4):
        inner = test("@Test", "deep", "assertEquals(2, add(1, %d));" % (1 + of % 2), n)
        out += "    @Nested public class Inner {\n" + inner
        out += "        @Nested public class Innermost {\n" + inner + "        }\n    }\n"
    return out + "}\n"


def testng(n):
    out = "import static org.testng.Assert.*;\nimport org.testng.*;\nimport org.testng.annotations.*;\n"
    of = n // 3
    out += "public class Many%d {\n" % n + COMMON
    if of % 5 == 2:
        out += "    @BeforeClass public void before() { throw new IllegalStateException(); }\n"
    for name, body in BODY.items():
        out += test("@Test", name, body, n)
    out += test("@Test", "elsewhere", 'throw new SkipException("elsewhere");', n)
    out += "    @DataProvider public Object[][] all() { return new Object[][] {{1}, {2}, {3}}; }\n"
    out += test('@Test(dataProvider = "all")', "small", "assertTrue(x < 3);", n, "int x")
    out += test('@Test(dependsOnMethods = "fails")', "depends", "", n)
    out += test("@Test(expectedExceptions = NullPointerException.class)", "expects", "none().toString();", n)
    if of % 5 == 3:
        out += test("@Test(timeOut = 50)", "slow", "Thread.sleep(60_000);", n)
    return out + "}\n"


for number in range(count):
    with open(os.path.join(folder, "Many%d.java" % number), "w") as f:
        f.write([junit4, jupiter, testng][number % 3](number))
