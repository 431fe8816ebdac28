"""generate.py SEED EXPRESSIONS FOLDER: makes a program twice, with statements chosen by the seed. In Truth.java an
expression behind each statement is evaluated and printed by the JVM; in Recorded.java a call of at(N) stands there
instead, and expressions.txt has the expressions, one a line. A model of eval that shares no code with it: the JVM."""
import os
import random
import sys

SKELETON = """
    enum Color { RED, GREEN, BLUE; int next() { return (ordinal() + 1) % 3; } }
    record Pair(int left, String right) { int both() { return left + right.length(); } }
    interface Measured { }
    interface Sized extends Measured { int size(); default int doubled() { return 2 * size(); } }
    static class Base implements Sized {
        int x; long y; private String name; final double d;
        static int limit = 40;
        static final String PREFIX = "p";
        Base(int x, String name) { this.x = x; this.y = x * 3L - 7; this.name = name; this.d = x / 4.0; }
        public int size() { return x * 2 + name.length(); }
        int twice(int n) { return n + n; }
        long twice(long n) { return n * 2 + 1; }
        String twice(String n) { return n + n; }
        int many(int... all) { int s = all.length; for (int a : all) s = s * 31 + a; return s; }
        int risky(int d) { return x / d; }
        int safe(int d) { try { return risky(d); } catch (ArithmeticException e) { return -d - 1; } }
        int checked(int v) { if (v > limit) throw new IllegalStateException("over " + limit + ": " + v); return v; }
        int guarded(int v) { try { return checked(v); } catch (IllegalArgumentException e) { return 0; }
            finally { v = 3; } }
        int power(int n) { return n <= 0 ? 1 : x * power(n - 1); }
        long sum(int[] a) { long s = 0; for (int i = 0; i < a.length; i++) { if (a[i] == 0) continue; s += a[i]; }
            return s; }
        String kind(Color c) { switch (c) { case RED: return "r"; case GREEN: return "g"; default: return name; } }
        String word(String s) { switch (s) { case "one": return "1"; case "two": return "2";
            default: return s + name; } }
        String joined(List<String> l) { StringBuilder b = new StringBuilder(); for (String s : l) { if (b.length() > 0)
            b.append(','); b.append(s).append(l.size()); } return b.toString(); }
        boolean holds(Object o) { return o instanceof Base b && b.x == x; }
        int[] row(int n) { int[] r = new int[n]; for (int i = 0; i < n; i++) r[i] = x + i * i; return r; }
        int applied(int n) { IntUnaryOperator f = v -> v * 3 + x; return f.applyAsInt(n); }
        int streamed(List<String> l) { return x + l.stream().filter(s -> s.length() > 1).mapToInt(String::length)
            .sum(); }
        String joinedUp(List<String> l) { return l.stream().map(s -> s + x).skip(1).limit(3)
            .collect(Collectors.joining(",", "<", ">")); }
        boolean anyLong(List<String> l, int n) { return l.stream().anyMatch(s -> s.charAt(n) > 'n'); }
        boolean allShort(List<String> l) { return l.stream().map(String::length).distinct().allMatch(n -> n < 40); }
        long counted(int[] a) { return Arrays.stream(a).filter(v -> v > x).count(); }
        int squares(int n) { return IntStream.rangeClosed(1, n & 15).map(v -> v * v + x).sum(); }
        List<String> shorter(List<String> l) { return l.stream().filter(s -> !s.isEmpty()).map(s -> s.substring(1))
            .collect(Collectors.toList()); }
        String first(List<String> l) { return l.stream().filter(s -> s.startsWith("w")).findFirst().orElse("none"); }
        BigDecimal taxed(BigDecimal v) { return v.multiply(new BigDecimal("1.19")).setScale(2, MODES[x & 3]); }
        BigInteger factorial(int n) { return n < 2 ? BigInteger.valueOf(1)
            : factorial(n - 1).multiply(BigInteger.valueOf(n)); }
        private int secret() { return x; }
        int told() { return secret(); }
        static String who() { return "B"; }
        Base self() { return this; }
        @Override public boolean equals(Object o) { return o instanceof Base && ((Base) o).x == x; }
        @Override public int hashCode() { return x * 7; }
        @Override public String toString() { return "B(" + x + "," + name + ")"; }
    }
    static class Derived extends Base {
        int x;
        Derived(int x, String name) { super(x + 1, name + "!"); this.x = x * 10; }
        @Override public int size() { return super.size() + x; }
        int both() { return x - super.x; }
        private int secret() { return 1000 + x; }
        static String who() { return "D"; }
        @Override Derived self() { return this; }
        int onlyHere(long v) { return (int) v + x; }
    }
    static class Key {
        final int n; final String s;
        Key(int n, String s) { this.n = n; this.s = s; }
        @Override public boolean equals(Object o) { if (this == o) return true;
            if (o == null || getClass() != o.getClass()) return false; Key k = (Key) o;
            return n == k.n && Objects.equals(s, k.s); }
        @Override public int hashCode() { return Objects.hash(n, s); }
        boolean like(Object o) { return o != null && getClass().equals(o.getClass()); }
        String named() { String s = getClass().getName(); return s.substring(s.indexOf(36)) + n; }
    }
    static class Special extends Key { Special(int n, String s) { super(n, s); } }
    static class Box<T extends Base> {
        T value; final List<T> all = new ArrayList<>(); final Map<String, T> named = new LinkedHashMap<>();
        Box(T value) { this.value = value; all.add(value); named.put("k", value); }
        T first() { return all.get(0); }
        <U> U same(U u) { return u; }
        Box<T> again() { return this; }
    }
    static class Boxed extends Box<Derived> { Boxed(Derived d) { super(d); } }
    static class Holder {
        Base held; Object any; Base[] row; Box<? extends Base> wild; Boxed boxed; int x = 17; char ch = 'h';
        class Inner { int x = 3; int sum() { return x + Holder.this.x; } int deeper(int n) { return n * sum(); } }
        final Inner inner = new Inner();
        Holder(Base b, Derived d) { held = d; any = b; row = new Base[] { b, d }; wild = new Box<>(d);
            boxed = new Boxed(d); }
        Base get() { return held; }
    }
    static String over(Object o) { return "o"; }
    static String over(Base b) { return "b"; }
    static String over(Derived d) { return "d"; }
    static String over(String s) { return "s"; }
    static String over(int i) { return "i"; }
    static String over(long l) { return "l"; }
    static String over(Integer i) { return "I"; }
    static String over(Object... o) { return "v"; }
    enum Shape { DOT { int area(int n) { return 0; } }, SQUARE { int area(int n) { return n * n + ordinal(); } };
        abstract int area(int n); String twice() { return name() + this; } }
    record Line(Pair from, Pair to) { int length() { return to.left() - from.left(); } }
    static final RoundingMode[] MODES = { RoundingMode.UP, RoundingMode.DOWN, RoundingMode.CEILING, RoundingMode.FLOOR,
        RoundingMode.HALF_UP, RoundingMode.HALF_DOWN, RoundingMode.HALF_EVEN, RoundingMode.UNNECESSARY };
    static BigDecimal in(BigDecimal v, int digits, int mode) { return v.round(new MathContext(digits, MODES[mode])); }
    static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n / 2); }
    static double mean(int... v) { double s = 0; for (int i : v) s += i; return s / v.length; }
"""


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *ways):
        return self.r.choice(ways)

    def index(self, d):
        return self.pick("0", "1", "2", "i & 3", "arr.length - 1", "7", "-1")

    def int_(self, d):
        r = self.r
        if d <= 0:
            return self.pick(
                "i", "j", "b.x", "3", "0", "-1", str(r.randint(-90, 90)), "Integer.MAX_VALUE", "0x7f", "c", "arr.length"
            )
        d -= 1
        n = lambda: self.int_(d)
        return self.pick(
            *[lambda o=o: "(%s %s %s)" % (n(), o, n()) for o in "+ - * / % & | ^ << >> >>>".split()],
            lambda: "(-(%s))" % n(),
            lambda: "(~%s)" % n(),
            lambda: "(%s) (0 + %s)"
            % (self.pick("int", "byte", "short", "char"), self.pick(self.int_, self.long_, self.double_)(d)),
            lambda: "(%s ? %s : %s)" % (self.bool_(d), n(), n()),
            lambda: "%s.%s" % (self.base(), self.pick("x", "size()", "hashCode()", "doubled()")),
            lambda: "%s.twice(%s)" % (self.base(), n()),
            lambda: "%s.risky(%s)" % (self.base(), n()),
            lambda: "%s.safe(%s)" % (self.base(), n()),
            lambda: "%s.checked(%s)" % (self.base(), n()),
            lambda: "%s.guarded(%s)" % (self.base(), n()),
            lambda: "%s.power(%s)" % (self.base(), self.r.randint(0, 9)),
            lambda: "%s.applied(%s)" % (self.base(), n()),
            lambda: "%s.many(%s)" % (self.base(), ", ".join(n() for _ in range(self.r.randint(0, 3)))),
            lambda: "depth(%s)" % n(),
            lambda: "new int[][] { { %s, i }, { %s } }[%s][%s]"
            % (n(), n(), self.pick("0", "1", "i & 1"), self.pick("0", "1")),
            lambda: "new %s[%s][%s]%s"
            % (self.pick("long", "String", "int"), n(), n(), self.pick(".length", "[].length")),
            lambda: "%s.length()" % self.str_(d),
            lambda: "%s.indexOf(%s)" % (self.str_(d), self.str_(0)),
            lambda: "%s.compareTo(%s)" % (self.str_(d), self.str_(0)),
            lambda: "arr[%s]" % self.index(d),
            lambda: "%s.row(4)[%s]" % (self.base(), self.index(d)),
            lambda: "list.size()",
            lambda: "map.size()",
            lambda: "%s.hashCode()"
            % self.pick("list", "set", "map", "fixed", "map.keySet()", "map.entrySet()", "Set.of(i)"),
            lambda: "map.get(%s)" % self.pick('"one"', '"two"', '"none"'),
            lambda: "map.getOrDefault(%s, (int) (%s))" % (self.pick('"one"', '"none"'), n()),
            lambda: "list.indexOf(%s)" % self.str_(0),
            lambda: "Math.%s(%s, %s)" % (self.pick("max", "min", "floorMod", "floorDiv", "addExact"), n(), n()),
            lambda: "Math.abs(%s)" % n(),
            lambda: "Integer.compare(%s, %s)" % (n(), n()),
            lambda: "Integer.parseInt(%s)" % self.pick('"12"', '"-7"', '"x"'),
            lambda: "color.%s" % self.pick("ordinal()", "next()", "compareTo(Color.RED)"),
            lambda: "pair.%s" % self.pick("left()", "both()", "hashCode()"),
            lambda: "Objects.hash(%s, %s)" % (n(), self.str_(0)),
            lambda: "((Derived) %s).both()" % self.base(),
            lambda: "%s.charAt(%s)" % (self.str_(d), self.index(d)),
            lambda: "%s.%s" % (self.typed(), self.pick("x", "x", "told()", "size()", "self().x")),
            lambda: "%s.secret()" % self.pick("b", "e", "h.held", "h.get()", "((Base) e)", "h.row[1]", "(t ? b : e)"),
            lambda: "h.%s" % self.pick("x", "inner.x", "inner.sum()", "inner.deeper(i)", "ch", "row.length"),
            lambda: "%s.%s" % (self.base(), self.pick("streamed(list)", "squares(i)", "shorter(list).size()")),
            lambda: "shape.%s" % self.pick("area(i)", "ordinal()", "twice().length()"),
            lambda: "line.%s" % self.pick("length()", "from().left()", "to.left", "hashCode()"),
            lambda: "(c %s %s)" % (self.pick("+", "-", "*", ">>"), n()),
            lambda: "((%s) %s)" % (self.pick("byte", "char", "short"), self.long_(d)),
        )()

    def typed(self):
        """Objects whose static type hides that of the object."""
        return self.pick(
            "h.held",
            "h.get()",
            "h.row[1]",
            "h.row[i & 1]",
            "h.wild.value",
            "h.wild.first()",
            "h.boxed.value",
            "h.boxed.first()",
            "h.boxed.all.get(0)",
            'h.boxed.named.get("k")',
            "bases.get(0)",
            "bases.get(1)",
            "bb.value",
            "bb.first()",
            "bb.again().first()",
            'bb.named.get("k")',
            "bd.value",
            "bd.first()",
            "bd.all.get(0)",
            "bb.same(e)",
            "bb.same(h.held)",
            "(t ? b : e)",
            "((Base) e)",
            "((Base) h.any)",
            "((Derived) h.held)",
            "h.held.self()",
            "e.self()",
            "maybe.get()",
            "bases.iterator().next()",
        )

    def long_(self, d):
        if d <= 0:
            return self.pick("l", "b.y", "5L", "-1L", "Long.MIN_VALUE", "(1L << 40)")
        d -= 1
        return self.pick(
            *[
                lambda o=o: "(%s %s %s)" % (self.long_(d), o, self.pick(self.long_, self.int_)(d))
                for o in "+ - * / % & | ^".split()
            ],
            *[lambda o=o: "(%s %s %s)" % (self.long_(d), o, self.int_(d)) for o in "<< >> >>>".split()],
            lambda: "(long) (%s)" % self.pick(self.int_, self.double_)(d),
            lambda: "%s.twice(%s)" % (self.base(), self.long_(d)),
            lambda: "%s.sum(%s)"
            % (self.base(), self.pick("arr", "new int[] { %s, %s }" % (self.int_(0), self.int_(0)))),
            lambda: "Math.max(%s, %s)" % (self.long_(d), self.int_(d)),
            lambda: "%s.counted(%s)" % (self.base(), self.pick("arr", "new int[] { i, j }")),
        )()

    def double_(self, d):
        if d <= 0:
            return self.pick("f", "b.d", "0.5", "-0.0", "1e3", "(f * 0)", "2.5f")
        d -= 1
        return self.pick(
            *[
                lambda o=o: "(%s %s %s)" % (self.double_(d), o, self.pick(self.double_, self.int_, self.long_)(d))
                for o in "+ - * / %".split()
            ],
            lambda: "(double) (%s)" % self.long_(d),
            lambda: "(float) (%s)" % self.double_(d),
            lambda: "Math.%s(%s)" % (self.pick("sqrt", "floor", "ceil", "abs"), self.double_(d)),
            lambda: "Math.max(%s, %s)" % (self.double_(d), self.double_(d)),
            lambda: "mean(%s, %s)" % (self.int_(d), self.int_(d)),
        )()

    def mixed(self, d):
        """A conditional whose sides have several types of numbers, or boxes of them."""
        side = lambda: self.pick(
            lambda: self.int_(d),
            lambda: self.long_(0),
            lambda: self.double_(0),
            lambda: self.pick("c", "'x'", "97", "(short) i", "(byte) 3", "%s.size()" % self.base(), "i", "j", "f"),
            lambda: "map.get(%s)" % self.pick('"one"', '"none"', '"two"'),
        )()
        return "(%s ? %s : %s)" % (self.bool_(d), side(), side())

    def bool_(self, d):
        if d <= 0:
            return self.pick("t", "true", "(i > j)", "list.isEmpty()", "(b == e)", "(color == Color.GREEN)")
        d -= 1
        a = self.pick(self.int_, self.long_, self.double_)
        c = self.pick(self.int_, self.long_, self.double_)
        return self.pick(
            *[lambda o=o: "(%s %s %s)" % (a(d), o, c(d)) for o in "< <= > >= == !=".split()],
            lambda: "(%s && %s)" % (self.bool_(d), self.bool_(d)),
            lambda: "(%s || %s)" % (self.bool_(d), self.bool_(d)),
            lambda: "(!%s)" % self.bool_(d),
            lambda: "(%s instanceof %s)"
            % (self.base(), self.pick("Base", "Derived", "Sized", "Measured", "Comparable")),
            lambda: "%s.equals(%s)" % (self.base(), self.base()),
            lambda: "%s.holds(%s)" % (self.base(), self.base()),
            lambda: "%s.equals(%s)" % (self.str_(d), self.str_(0)),
            lambda: "%s.%s(%s)" % (self.str_(d), self.pick("contains", "startsWith", "endsWith"), self.str_(0)),
            lambda: "list.contains(%s)" % self.str_(0),
            lambda: "%s.%s(%s)"
            % (self.key(), self.pick("equals", "like"), self.pick(self.key(), self.key(), "pair", "s")),
            lambda: "%s.containsAll(%s)" % (self.pick("list", "set", "queue"), self.pick("list", "set", "List.of(s)")),
            lambda: "%s(null)"
            % self.pick("List.of(s).contains", "fixed.containsKey", "list.contains", "map.containsKey"),
            lambda: "%s.%s" % (self.base(), self.pick("anyLong(list, 0)", "anyLong(list, i & 1)", "allShort(list)")),
            lambda: "map.containsKey(%s)" % self.str_(0),
            lambda: "%s.equals(%s)" % (self.collection(), self.collection()),
            lambda: "fixed.%s" % self.pick('containsKey("k")', "containsKey(s)", "equals(map)", "isEmpty()"),
            lambda: "pair.equals(new Pair(%s, %s))" % (self.int_(0), self.str_(0)),
            lambda: "Objects.equals(%s, %s)" % (self.str_(0), self.str_(0)),
        )()

    def key(self):
        return self.pick("key", "key", "new Key(i, s)", "new Special(i, s)", "new Key(3, s)")

    def collection(self):
        return self.pick(
            "list",
            "set",
            "queue",
            "map",
            "fixed",
            "map.keySet()",
            "map.entrySet()",
            "fixed.keySet()",
            "List.of(s)",
            "Set.of(s)",
            "new ArrayList<>(set)",
            "Map.of(s, i)",
        )

    def base(self):
        return self.pick(
            "b", "e", "b", "e", "new Base(i, s)", "new Derived(%d, %s)" % (self.r.randint(-4, 9), self.str_(0))
        )

    def str_(self, d):
        if d <= 0:
            return self.pick("s", '"one"', '"a"', '""', '"\\u00e4x"', "list.get(0)", "Base.PREFIX")
        d -= 1
        return self.pick(
            lambda: "(%s + %s)" % (self.str_(d), self.pick(self.int_, self.long_, self.bool_, self.str_)(d)),
            lambda: "(%s + c)" % self.str_(d),
            lambda: "%s.%s" % (self.base(), self.pick("toString()", "twice(s)", "kind(color)", "joined(list)")),
            lambda: "%s.word(%s)" % (self.base(), self.str_(d)),
            lambda: "%s.substring(%s)" % (self.str_(d), self.index(d)),
            lambda: "%s.%s()" % (self.str_(d), self.pick("trim", "toString")),
            lambda: '("" + %s)' % self.mixed(d),
            lambda: '("" + %s)' % self.mixed(d),
            lambda: "%s.replace(%s)" % (self.str_(d), self.pick("'a', 'b'", '"o", "aa"', '"w1", s', "s, s")),
            lambda: "String.valueOf(%s)" % self.int_(d),
            lambda: "((Base) %s).name" % self.base(),
            lambda: "color.name()",
            lambda: "pair.toString()",
            lambda: "pair.right()",
            lambda: "list.get(%s)" % self.index(d),
            lambda: "queue.%s()" % self.pick("peek", "peekFirst", "peekLast", "getFirst", "getLast", "element"),
            lambda: "%s.named()" % self.key(),
            lambda: '("" + %s)' % self.pick("color", "pair", "list", "b", "e", "c"),
            lambda: "new StringBuilder(%s).reverse().toString()" % self.str_(0),
            lambda: "over(%s)"
            % self.pick(
                "b",
                "e",
                "h.held",
                "h.any",
                "(Object) e",
                "(Base) e",
                "i",
                "l",
                "c",
                "list.get(0)",
                'map.get("two")',
                "s",
                "color",
                "bb.value",
                "bd.first()",
                "bases.get(1)",
                "pair",
                "arr",
                "h.row",
                "b, e",
                "",
                "t",
                "(short) i",
                "(Integer) i",
                "bb.same(i)",
                "f",
                "bb.same(e)",
                "h.row[1]",
            ),
            lambda: "%s.%s" % (self.pick("Base", "Derived"), "who()"),
            lambda: "%s.%s" % (self.base(), self.pick("joinedUp(list)", "first(list)", "shorter(list).toString()")),
            self.format,
            self.format,
            lambda: '("" + %s)' % self.pick("shape", "line", "h.held", "bases", "maybe", "h.ch", "(char) (c + 1)"),
        )()

    def format(self):
        """String.format: specifiers with the flags that their conversions allow."""
        texts, values = [], []
        for _ in range(self.r.randint(1, 3)):
            conversion = self.pick("d", "x", "o", "s", "S", "c", "b", "f", "e", "h", "X", "d", "f")
            flags = {
                "d": ["", "-", "+", "0", ",", "(", " ", ",("],
                "x": ["", "0", "#", "-"],
                "f": ["", "-", "+", "0", ","],
            }
            flag = self.r.choice(flags.get(conversion, ["", "-"]))
            width = str(self.r.randint(1, 12)) if flag in ("-", "0") or self.r.random() < 0.5 else ""
            precise = "." + str(self.r.randint(0, 5)) if conversion in "fesb" and self.r.random() < 0.5 else ""
            texts.append("%" + flag + width + precise + conversion)
            values.append(
                {
                    "d": self.pick("i", "l", "j", "b.x", "(byte) i", "map.get(\"one\")"),
                    "c": "c",
                    "f": "f",
                    "e": "f",
                }.get(
                    conversion,
                    self.pick("i", "l", "(short) j")
                    if conversion in "xoX"
                    else self.pick("s", "t", "i", "color", "null"),
                )
            )
            if conversion in "fe":
                values[-1] = self.pick(
                    "f", "-0.0", "0.5", "(i / 8.0)", "(float) (j / 4.0)", "1234.5678", "0.15", "f * 0"
                )
        text = self.pick("", "a", "<") + self.pick("|", " ", "%%", "%n").join(texts)
        if self.r.random() < 0.3:
            return '"%s".formatted(%s)' % (text, ", ".join("(Object) " + v if v == "null" else v for v in values))
        return 'String.format("%s", %s)' % (text, ", ".join("(Object) " + v if v == "null" else v for v in values))

    def decimal(self, d):
        if d <= 0:
            return self.pick(
                "big",
                "big",
                "BigDecimal.valueOf(i)",
                "BigDecimal.valueOf(l, 3)",
                "BigDecimal.valueOf(0.25)",
                'new BigDecimal("%s")'
                % self.pick("0", "-0.00", "12.340", "1E+3", "-7e-9", "99999999999999999999.5", ".5", "0.125"),
                "new BigDecimal(j)",
                "new BigDecimal(huge, 2)",
            )
        d -= 1
        n = lambda: self.decimal(d)
        mode = self.pick(*["MODES[%d]" % k for k in range(8)], "MODES[i & 7]")
        return self.pick(
            *[
                lambda o=o: "%s.%s(%s)" % (n(), o, n())
                for o in "add subtract multiply divide max min add subtract multiply".split()
            ],
            lambda: "%s.divide(%s, %s)" % (n(), n(), mode),
            lambda: "%s.divide(%s, %d, %s)" % (n(), n(), self.r.randint(-3, 12), mode),
            lambda: "%s.setScale(%d, %s)" % (n(), self.r.randint(-3, 6), mode),
            lambda: "%s.setScale(%d)" % (n(), self.r.randint(0, 12)),
            lambda: "%s.%s()" % (n(), self.pick("negate", "abs", "stripTrailingZeros")),
            lambda: "%s.pow(%d)" % (n(), self.r.randint(-1, 7)),
            lambda: "%s.taxed(%s)" % (self.base(), n()),
            lambda: "in(%s, %d, %d)" % (n(), self.r.randint(0, 9), self.r.randint(0, 7)),
            lambda: "%s.%s(%s, new MathContext(%d%s))"
            % (n(), self.pick("multiply", "divide"), n(), self.r.randint(0, 12), self.pick("", ", " + mode)),
        )()

    def whole(self, d):
        if d <= 0:
            return self.pick(
                "huge",
                "huge",
                "BigInteger.valueOf(l)",
                "BigInteger.valueOf(i)",
                'new BigInteger("%s")' % self.pick("-12345678901234567890123", "0", "4294967296", "-1"),
                "big.unscaledValue()",
                "big.toBigInteger()",
            )
        d -= 1
        return self.pick(
            *[
                lambda o=o: "%s.%s(%s)" % (self.whole(d), o, self.whole(d))
                for o in "add subtract multiply divide remainder mod max min".split()
            ],
            lambda: "%s.%s()" % (self.whole(d), self.pick("negate", "abs")),
            lambda: "%s.pow(%d)" % (self.whole(d), self.r.randint(-1, 9)),
            lambda: "%s.factorial(%d)" % (self.base(), self.r.randint(0, 40)),
        )()

    def big(self, d):
        n = self.pick(self.decimal, self.whole)
        asked = "signum() intValue() longValue() doubleValue() hashCode() toString()".split()
        if n == self.decimal:
            asked += "scale() precision() toPlainString() unscaledValue()".split()
        return self.pick(
            n,
            n,
            lambda d: "%s.%s" % (n(d), self.pick(*asked)),
            lambda d: "%s.compareTo(%s)" % (n(d), n(d)),
            lambda d: "%s.equals(%s)" % (n(d), self.pick(n, self.decimal, self.whole)(d)),
            lambda d: '("" + %s)' % n(d),
            lambda d: "bigs.indexOf(%s)" % self.decimal(d),
        )(d)

    def expression(self):
        ways = self.int_, self.long_, self.double_, self.bool_, self.str_, self.big
        return self.pick(*ways)(self.r.randint(1, 3))

    def statement(self):
        n = self.r.randint(-20, 60)
        return self.pick(
            "i = %d;" % n,
            "j = i * 3 - %d;" % n,
            "l = %dL * i + 1;" % n,
            "f = %d / 8.0 + l;" % n,
            "t = i > %d;" % n,
            'c = (char) (\'a\' + (i & 7));',
            's = s.length() > 12 ? "a" : s + "%d";' % (n & 7),
            's = "two";',
            "b.x = %d;" % n,
            "b.y += 11;",
            "e.x -= 2;",
            "b = new Base(%d, s);" % n,
            "b = e;",
            "e = new Derived(%d, \"n\");" % n,
            'list.add("w%d");' % n,
            "list.add(s);",
            'map.put("one", %d);' % n,
            'map.put("two", i);',
            'map.remove("one");',
            "set.add(s);",
            "set = new HashSet<>(list);",
            "queue.addFirst(s);",
            "key = new Key(%d, s);" % n,
            "key = new Special(i, s);",
            "queue = new ArrayDeque<>(list);",
            "fixed = Map.of(s, i, s + 1, %d);" % n,
            "fixed = Map.copyOf(map);",
            "arr[%d] = %d;" % (n & 1, n),
            "arr = new int[] { i, %d, j };" % n,
            "color = Color.values()[%d];" % (n % 3),
            "pair = new Pair(i, s);",
            "Base.limit = %d;" % n,
            "h.held = b;",
            'h = new Holder(b, new Derived(%d, "h"));' % n,
            "h.row[1].x = i;",
            "bases.set(1, b);",
            "bb = new Box<>(%s);" % self.pick("b", "e"),
            'bd = new Box<>(new Derived(%d, "d"));' % n,
            "shape = Shape.values()[%d];" % (n & 1),
            "line = new Line(pair, new Pair(%d, s));" % n,
            "maybe = Optional.of(%s);" % self.pick("b", "e"),
            'big = new BigDecimal("%d.%03d");' % (n, abs(n) * 7),
            "big = big.multiply(new BigDecimal(i)).movePointLeft(3);",
            "bigs.add(big);",
            "huge = huge.multiply(BigInteger.valueOf(%d));" % (n * 1000003 | 1),
            "huge = BigInteger.valueOf(l).pow(3);",
        )


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    m = Maker(seed)
    steps = [(m.statement(), m.expression()) for _ in range(count)]
    blocks = [steps[i : i + 40] for i in range(0, count, 40)]
    locals_ = (
        '        int i = 4, j = -2; long l = 9; double f = 1.5; boolean t = false; char c = \'q\'; String s = "one";\n'
        '        Base b = new Base(5, "b"), e = new Derived(2, "e"); int[] arr = { 1, 2, 3 };\n'
        '        Color color = Color.GREEN;\n'
        '        Pair pair = new Pair(3, "r"); List<String> list = new ArrayList<>(List.of("one", "x"));\n'
        "        Map<String, Integer> map = new LinkedHashMap<>(), fixed = Map.of();\n"
        '        Set<String> set = new LinkedHashSet<>(Set.of("one")); Deque<String> queue = new ArrayDeque<>();\n'
        '        Holder h = new Holder(b, new Derived(7, "h")); List<Base> bases = new ArrayList<>(List.of(b, e));\n'
        '        Key key = new Key(3, "one");\n'
        '        Box<Base> bb = new Box<>(e); Box<Derived> bd = new Box<>(new Derived(8, "d"));\n'
        "        Shape shape = Shape.SQUARE; Line line = new Line(pair, new Pair(9, s));\n"
        "        Optional<Base> maybe = Optional.of(e); BigInteger huge = new BigInteger(\"123456789012345678901\");\n"
        '        BigDecimal big = new BigDecimal("3.50"); List<BigDecimal> bigs = new ArrayList<>(List.of(big));\n'
    )
    for name, check in ("Truth", "        try { check(%d, %s); } catch (Throwable x) { thrown(%d, x); }\n"), (
        "Recorded",
        "        at(%d);\n",
    ):
        out = [
            "".join("import java.%s.*;\n" % p for p in ("math", "util", "util.function", "util.stream"))
            + "\nclass %s {%s" % (name, SKELETON)
        ]
        n = 0
        for k, block in enumerate(blocks):
            out.append("    static void part%d() {\n%s" % (k, locals_))
            for statement, expression in block:
                out.append("        " + statement + "\n")
                out.append(check % ((n, expression, n) if name == "Truth" else (n,)))
                n += 1
            out.append("    }\n")
        out.append("    static void at(int n) { }\n")
        if name == "Truth":
            out.append(open(os.path.join(os.path.dirname(__file__), "show.java.in")).read())
        out.append("    public static void main(String[] args) {\n")
        out += ["        part%d();\n" % k for k in range(len(blocks))]
        out.append("    }\n}\n")
        with open("%s/%s.java" % (folder, name), "w") as f:
            f.write("".join(out))
    with open(folder + "/expressions.txt", "w") as f:
        f.write("".join(expression + "\n" for _, expression in steps))


main()
