"""library.py SEED COUNT FOLDER: asks each row of library.txt with COUNT random arguments: Truth prints what the JVM
answers, Recorded only comes by; expressions.txt has the questions, rows.txt the row of each."""
import os
import random
import re
import sys

seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
r = random.Random(seed)
pick = r.choice

INTS = "0 1 -1 2 3 7 10 16 31 32 33 63 64 97 255 -128 1000 65535 -65536 1000000007 2147483647 -2147483648 i j".split()
LONGS = "0L 1L -1L 2L 10L 63L 255L 4294967296L -4294967297L 9223372036854775807L -9223372036854775808L l".split()
LETTERS = ["a", "b", "A", "Z", "z", "0", "9", " ", ",", ".", ";", "-", "x", "ab", ", ", "  ", "\\n", "\\t", "/", "ba"]
WIDE = ["\\u00e4", "\\u20ac", "\\ud83d\\ude00"]
DOUBLES = "0.0 -0.0 1.0 -1.5 0.5 2.5 -2.5 3.49 1e6 -123.456 0.001 1.0/3 f Double.NaN Double.POSITIVE_INFINITY".split()
MODES = "UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN".split()
NUMBERS = "0 1 -1 3 10 0.5 -2.50 12.340 1E+3 -7e-9 99999999999999999999.5 0.125 100 3.14159 -0.00 2.5".split()


def text(wide=0.1):
    parts = [pick(WIDE if r.random() < wide else LETTERS) for _ in range(pick([0, 1, 1, 2, 3, 4, 6, 9]))]
    return '"%s"' % "".join(parts) if r.random() < 0.9 else pick(["s", "s", "list.get(0)", '"one"'])


def digits():
    """The text of a number, or of none."""
    return '"%s"' % pick(
        [
            "0",
            "12",
            "-7",
            "+5",
            "ff",
            "-80",
            "2147483647",
            "-2147483648",
            "2147483648",
            "x",
            "",
            "1 ",
            "zz",
            "9223372036854775807",
            "-9223372036854775809",
            "1010",
            "7b",
            "-",
            "1_0",
        ]
    )


def list_(kind):
    one = {"L": lambda: text(0), "N": lambda: pick(["1", "2", "3", "5", "8", "-4", "100", "i"])}[kind]
    of = lambda: "List.of(%s)" % ", ".join(one() for _ in range(r.randint(1, 6)))
    return pick(
        [
            of,
            of,
            lambda: {"L": "list", "N": "numbers"}[kind],
            lambda: "Arrays.asList(%s)" % ", ".join(one() for _ in range(3)),
        ]
    )()


GIVEN = {
    "I": lambda: pick(INTS) if r.random() < 0.8 else str(r.randint(-(2**31), 2**31 - 1)),
    "J": lambda: pick(LONGS) if r.random() < 0.8 else "%dL" % r.randint(-(2**63), 2**63 - 1),
    "i": lambda: str(r.randint(-1, 9)),  # an index
    "r": lambda: pick("2 2 8 10 16 16 36 3 1 37".split()),  # a radix
    "S": text,
    "A": lambda: text(0),
    "B": digits,
    "C": lambda: pick(["'a'", "'Z'", "'0'", "' '", "','", "'\\n'", "'_'", "c", "'\\u00e4'"]),
    "D": lambda: pick(DOUBLES),
    "F": lambda: "(float) (%s)" % pick(DOUBLES),
    "Z": lambda: pick(["true", "false", "t"]),
    "X": lambda: '"%s"'
    % pick([",", ", ", "\\\\.", "\\\\s+", " ", ";", "ab", "\\\\|", "\\\\s", "a", "\\\\d+", "-", ":", "[,;]", "a|b"]),
    "L": lambda: list_("L"),
    "N": lambda: list_("N"),
    "O": lambda: pick([text(0), "i", "3", "null", "l", "c", "numbers", "pair", '"one"']),
    "P": lambda: pick(["Optional.empty()", "Optional.of(%s)" % text(0), "Optional.of(3)", "maybe"]),
    "d": lambda: pick(["big", "big2", 'new BigDecimal("%s")' % pick(NUMBERS), 'new BigDecimal("%s")' % pick(NUMBERS)]),
    "w": lambda: pick(
        ["huge", 'new BigInteger("%d")' % r.randint(-(10 ** pick([1, 3, 12, 30])), 10**20), "BigInteger.TWO"]
    ),
    "m": lambda: pick(MODES),
    "x": lambda: pick(
        ["new int[] { 3, 1, 2 }", "arr", "new int[0]", "new int[] { %s, %s }" % (pick(INTS), pick(INTS))]
    ),
    "y": lambda: pick(["words", "new String[] { \"b\", \"a\" }", "new String[0]", 'new String[] { "b", null }']),
}


def main():
    rows = [line.split("#")[0].rstrip() for line in open(os.path.join(os.path.dirname(__file__), "library.txt"))]
    rows = [row for row in rows if row]
    asked = [
        (k, re.sub(r"\{(.)\}", lambda m: GIVEN[m[1]](), row.lstrip("? ")))
        for k, row in enumerate(rows)
        for _ in range(count)
    ]
    head = (
        "".join("import java.%s.*;\n" % p for p in ("math", "util", "util.function", "util.stream")) + "\nclass %s {\n"
    )
    state = """    record Pair(int a, String b) { }
    enum Color { RED, GREEN, BLUE }
    static int i = 4, j = -2, n; static long l = 9; static double f = 1.5; static boolean t = true; static char c = 'q';
    static String s = "one two"; static int[] arr = { 5, 9, -3 }; static String[] words = { "x", "yy", "x" };
    static List<String> list = new ArrayList<>(); static List<Integer> numbers = new ArrayList<>();
    static Map<String, Integer> map = new LinkedHashMap<>(); static Set<String> set = new LinkedHashSet<>();
    static Pair pair = new Pair(3, "r"); static Optional<String> maybe = Optional.of("m");
    static Color color = Color.GREEN;
    static BigDecimal big = new BigDecimal("3.50"), big2 = new BigDecimal("-0.07");
    static BigInteger huge = new BigInteger("123456789012345678901");
    static {
        list.add("one"); list.add("b"); list.add("one"); numbers.add(3); numbers.add(-1); numbers.add(2);
        map.put("a", 1); map.put("b", 2); set.add("y"); set.add("x");
    }
"""
    with open(folder + "/Recorded.java", "w") as f:
        f.write(
            head % "Recorded" + state + "    static void at(int n) { }\n    public static void main(String[] args) {\n"
        )
        # all of them are read, so that they are known
        f.write(
            "        Object[] all = { i, j, l, f, t, c, s, arr, words, list, numbers, map, set,\n"
            "            pair, maybe, color, big, big2, huge };\n"
        )
        f.write(
            "        for (int x : arr) j += 0 * x;\n        for (String x : words) s += \"\";\n"
            "        s = \"one two\";\n"
        )
        f.write("        for (int k = 0; k < %d; k++) at(k);\n    }\n}\n" % len(asked))
    show = open(os.path.join(os.path.dirname(__file__), "show.java.in")).read()
    with open(folder + "/Truth.java", "w") as f:
        f.write(head % "Truth" + state + show)
        chunk = 200
        for k, (_, expression) in enumerate(asked):
            if k % chunk == 0:
                f.write(("    }\n" if k > 0 else "") + "    static void part%d() {\n" % (k // chunk))
            f.write("        try { check(%d, %s); } catch (Throwable x) { thrown(%d, x); }\n" % (k, expression, k))
        f.write("    }\n    public static void main(String[] args) {\n")
        f.write("".join("        part%d();\n" % k for k in range((len(asked) + chunk - 1) // chunk)) + "    }\n}\n")
    with open(folder + "/expressions.txt", "w") as f:
        f.write("".join(expression + "\n" for _, expression in asked))
    with open(folder + "/rows.txt", "w") as f:
        f.write("".join(rows[k] + "\n" for k, _ in asked))


main()
