"""kin.py - random classes for generate.py whose fields are hard to tell apart: chains of three to five classes that
hide each other's fields (of instances, static, private), interfaces with state, inner classes, enums and records with
fields, reached through every class that names them; arrays that unwoven code fills and copies; nested arrays;
exceptions that are rethrown, wrapped, suppressed, swallowed and thrown on by finally.

`kin(id)` does random steps on a few of these objects. Programs with threads write no static field here, since these are
shared."""

NAMES = ["f", "g", "h", "state"]
KINDS = ["int", "int", "long", "String", "Object", "K0", "int[]", "double", "boolean"]


class Kin:
    def make_kin(self):
        """chooses the classes: levels[i] are {name: (type, static)} that class Ki declares"""
        r = self.random
        self.levels = []
        for i in range(r.randrange(3, 6)):
            names = [n for n in NAMES if r.random() < (0.8 if i == 0 else 0.45)]
            self.levels.append({n: (r.choice(KINDS), r.random() < 0.3) for n in names})
        self.levels[0]["base"] = ("int", False)
        self.levels[0]["made"] = ("int", True)
        self.rates = r.randrange(1, len(self.levels))  # the class that implements Rates
        self.more = r.randrange(self.rates, len(self.levels))  # and More, which hides of Rates

    def found(self, level, name):
        """type, static of the field that the name means in class K<level>, or None"""
        for i in range(level, -1, -1):
            if name in self.levels[i]:
                return self.levels[i][name]
        return None

    def fields_of(self, level, static=None):
        out = []
        for n in NAMES + ["base", "made"]:
            f = self.found(level, n)
            if f and static in (None, f[1]):
                out.append((n, f[0], f[1]))
        return out

    def some_value(self, type):
        r = self.random
        return {
            "int": lambda: "x * %d + %d" % (r.randrange(1, 9), r.randrange(99)),
            "long": lambda: "(long) x << %d" % r.randrange(40),
            "String": lambda: '"s" + (x & %d)' % r.choice([1, 3, 7]),
            "Object": lambda: r.choice(['(Object) "o"', "(Object) (x & 63)", "null", "new int[] { x }"]),
            "K0": lambda: r.choice(["null", "new K%d(x)" % r.randrange(len(self.levels))]),
            "int[]": lambda: "new int[] { x, %d, 3 }" % r.randrange(9),
            "double": lambda: "x / %d.0" % r.randrange(1, 9),
            "boolean": lambda: "(x & %d) == 0" % r.choice([1, 2, 4]),
        }[type]()

    def levels_source(self):
        return "\n".join(self.level(i) for i in range(len(self.levels)))

    def level(self, i):
        r, above, body = self.random, "K%d" % (i - 1), []
        for n, (t, static) in self.levels[i].items():
            first = (
                " = %s" % self.some_value(t).replace("x", "7") if r.random() < 0.5 and t != "K0" and n != "made" else ""
            )
            body.append(
                "%s%s%s %s%s;"
                % (r.choice(["", "protected ", "public ", "volatile "]), "static " if static else "", t, n, first)
            )
        body.append("private int own = %d;" % i)
        body.append("int own%d() { return own++; }" % i)
        arguments = r.choice(["x", "x + 1", "x & 7"])
        body.append("K%d(int x) { %s%s }" % (i, "super(%s); " % arguments if i else "", " ".join(self.own_steps(i, 2))))
        if r.random() < 0.5:
            body.append("K%d(int x, String s) { this(x + s.length()); %s }" % (i, " ".join(self.own_steps(i, 1))))
        for n, t, static in self.fields_of(i, False):
            body.append("void put%d%s(%s v) { %s = v; }" % (i, n, t, r.choice(["", "this."]) + n))
            body.append("%s get%d%s() { return %s; }" % (t, i, n, n))
            if i and self.found(i - 1, n) and not self.found(i - 1, n)[1]:
                j = r.randrange(i)
                while not self.found(j, n) or self.found(j, n)[1]:
                    j += 1
                body.append(
                    "%s hid%d%s(%s v) { ((K%d) this).%s = v; return super.%s; }"
                    % (self.found(i - 1, n)[0], i, n, self.found(j, n)[0], j, n, n)
                )
        body.append(
            "void change(int x) { %s%s }"
            % ("super.change(x + 1); " if i and r.random() < 0.7 else "", " ".join(self.own_steps(i, 3)))
        )
        implements = (["Rates"] if i == self.rates else []) + (["More"] if i == self.more else [])
        if i == 1:
            body.append(
                "class In { int q = own; In(int d) { q += d + base; own += q; base--; } "
                "int both() { return q + own + K1.this.base; } }"
            )
        return "static class K%d%s%s {\n%s\n}" % (
            i,
            " extends " + above if i else "",
            " implements " + ", ".join(implements) if implements else "",
            "\n".join(body),
        )

    def own_steps(self, i, count):
        """assignments in class Ki, of fields that it has"""
        out = []
        for _ in range(count):
            n, t, static = self.random.choice(self.fields_of(i, False))
            out.append("%s = %s;" % (n, self.random.choice(["null", "this"]) if t == "K0" else self.some_value(t)))
        return out

    def kin_source(self):
        self.make_kin()
        threads = self.threads
        return f"""
interface Rates {{
    int[] RATES = {{ 3, 1, Help.TABLE[1] }};
    String BANK = "bank" + RATES.length;
    Cell<String> NOTE = new Cell<>(BANK);
    int LOW = Help.TABLE[0];
}}
interface More extends Rates {{ int LOW = RATES[0] + Rates.LOW; Object MARK = new Object(); }}
static class Shelf implements More {{ static int seen = LOW; int low() {{ return LOW + Rates.LOW; }} }}
{self.levels_source()}
record Spot(int a, K0 k, int[] xs) {{
    static final Spot ZERO = new Spot(0, null, new int[2]);
    Spot {{ if (xs == null) xs = new int[1]; }}
}}
enum Step {{
    UP(1), DOWN(2) {{ int more = 5; int step(int x) {{ return super.step(x) + more{'' if threads else '++'} % 2; }} }};
    int by;
    Step(int by) {{ this.by = by * 3; }}
    int step(int x) {{ return x + by; }}
}}
static class Books extends java.util.AbstractList<Integer> {{
    int count;
    public Integer get(int i) {{ return i + modCount; }}
    public int size() {{ return count; }}
    public boolean add(Integer x) {{ count++; modCount++; return true; }}
}}
static class Door implements AutoCloseable {{
    static final Object KEY = new Object();
    final int n;
    Door(int n) {{ this.n = n; }}
    public void close() {{ if (n % 3 == 0) throw new IllegalStateException("door " + n); }}
}}
{self.faults()}
static void kin(int id) {{
    int x = id * 5 + 1;
    K0[] ks = new K0[{len(self.levels) + 1}];
    {" ".join("ks[%d] = new K%d(x + %d);" % (i, i, i) for i in range(len(self.levels)))}
    ks[{len(self.levels)}] = new K{len(self.levels) - 1}(x) {{
        int seen = id;
        void change(int y) {{ seen += id + y; super.change(y); base += seen; }}
    }};
    int[] xs = new int[6], ys = {{ 9, 8, 7, 6, 5, 4 }};
    Object[] os = new Object[4];
    K0[][] grid = new K0[2][3];
    int[][][] cube = new int[2][2][];
    Books books = new Books();
    for (int round = 0; round < {self.random.randrange(3, 7)}; round++) {{
        x = x * 7 + round & 1023;
        K0 k = ks[x % ks.length];
        try {{
            {chr(10).join(self.kin_step() for _ in range(self.random.randrange(10, 18)))}
        }} catch (RuntimeException e) {{ caught(e); }}
    }}
    {" ".join("mix(text(k%d(ks, %d)));" % (i, i) for i in range(len(self.levels)))}
    mix(xs[0] + ys[1] + books.get(1));
}}
{chr(10).join(self.reader(i) for i in range(len(self.levels)))}"""

    def reader(self, i):
        """reads all that class Ki shows"""
        shown = lambda n, t: "mix(text(k.%s))" % n if t in ("String", "Object", "K0", "int[]") else "mix(k.%s)" % n
        lines = ["%s;" % shown(n, t) for n, t, static in self.fields_of(i, False)]
        if not self.threads:
            lines += ["%s;" % shown(n, t).replace("k.", "K%d." % i) for n, t, static in self.fields_of(i, True)]
        if i >= self.rates:
            lines.append("mix(K%d.RATES[1] + K%d.BANK.length() + Rates.LOW + More.LOW);" % (i, i))
        return "static Object k%d(K0[] ks, int at) {\nK%d k = (K%d) ks[at];\n%s\nmix(k.own%d());\nreturn k.base;\n}" % (
            i,
            i,
            i,
            "\n".join(lines),
            i,
        )

    def kin_step(self):
        r = self.random
        level = r.randrange(len(self.levels))
        of = "((K%d) ks[%s])" % (level, r.randrange(level, len(self.levels) + 1))
        n, t, _ = r.choice(self.fields_of(level, False))
        statics = self.fields_of(level, True)
        ways = [
            lambda: "%s.%s = %s;" % (of, n, self.some_value(t)),
            lambda: "%s.%s = %s;" % (of, n, self.some_value(t)),
            lambda: "%s.put%d%s(%s);" % (of, level, n, self.some_value(t)),
            lambda: "{0} {1} = {2}.{3}; mix(text({1}));".format(t, self.fresh("r"), of, n),
            lambda: "%s.get%d%s();" % (of, level, n),
            lambda: "%s.change(x);" % of,
            lambda: "k.change(x & 15);",
            lambda: "x += k.base++ & 3;",
            lambda: "xs[x & 7] = x;",
            lambda: "ys[x % 6] += xs[x % 5];",
            lambda: "System.arraycopy(ys, x & 1, xs, 1, 3);",
            lambda: "java.util.Arrays.fill(xs, x & 3, 5, x);",
            lambda: "java.util.Arrays.sort(ys);",
            lambda: "xs = ys.clone(); mix(xs[2]);",
            lambda: "xs = java.util.Arrays.copyOf(ys, 6);",
            lambda: "mix(xs[x % 6] + ys[x % 6]);",
            lambda: "for (int y : xs) mix(y);",
            lambda: "os[x & 3] = k; os = os.clone(); mix(text(os[x & 1]));",
            lambda: "java.util.Arrays.fill(os, \"full\" + (x & 1)); mix(text(os[1]));",
            lambda: "((Object[]) new String[2])[x & 1] = x % 5 == 0 ? (Object) x : \"t\";",
            lambda: "grid[x & 1][x % 3] = k; mix(text(grid[x >> 1 & 1][0]));",
            lambda: "grid[1] = ks.length > 3 ? new K0[] { k, null, k } : grid[0];",
            lambda: "cube[x & 1][x >> 1 & 1] = new int[] { x, 2 }; if (cube[0][1] != null) mix(cube[0][1][0]++);",
            lambda: "cube = new int[2][2][3]; cube[1][0][2] = x; mix(cube[1][0][2]);",
            lambda: "Spot spot%d = new Spot(x, k, xs); mix(spot%d.xs()[0] + spot%d.a());"
            % ((self.fresh_number(),) * 3),
            lambda: "mix(Step.values()[x & 1].step(x));",
            lambda: "books.add(x); mix(books.get(2));",
            lambda: "fault%d(x, k);" % r.randrange(5),
            lambda: "try { fault%d(x, k); } catch (RuntimeException e) { x++; }" % r.randrange(5),
            lambda: "mix(new Shelf().low() + Shelf.RATES[x % 3] + More.NOTE.get().length()"
            " + (Shelf.MARK == More.MARK ? 1 : 0));",
            lambda: "if (ks[1] instanceof K1 k1) { K1.In in = k1.new In(x); mix(in.both() + in.q++); }",
        ]
        if not self.threads and statics:
            s, st, _ = r.choice(statics)
            ways += [lambda: "K%d.%s = %s;" % (level, s, self.some_value(st))] * 4
            ways += [lambda: "mix(text(K%d.%s));" % (level, s)] * 3
            ways += [lambda: "Shelf.seen += x; Books.class.getName();", lambda: "K%d.made++;" % level]
        return r.choice(ways)()

    def fresh_number(self):
        return int(self.fresh("x")[1:])

    def faults(self):
        return """
static int fault0(int x, K0 k) {
    try {
        if (x % 3 == 0) throw new Trouble(x);
        return k.base / (x % 4);
    } catch (ArithmeticException e) {
        k.base++;
        throw e;
    } finally { k.base--; }
}
static int fault1(int x, K0 k) {
    try {
        return fault0(x, k);
    } catch (Trouble e) {
        RuntimeException other = new IllegalStateException("x" + x, e);
        if (x % 2 == 0) throw other;
        return e.code;
    }
}
@SuppressWarnings("finally")
static int fault2(int x, K0 k) {
    try { fault1(x, k); throw new Trouble(x + 1); } finally { if (x % 5 < 3) return k.base; }
}
static int fault3(int x, K0 k) {
    try (Door a = new Door(x); Door b = new Door(x + 1)) {
        synchronized (k) { if (x % 4 == 1) throw new Trouble(x); }
        return a.n + b.n;
    }
}
static int fault4(int x, K0 k) {
    RuntimeException kept = null;
    for (int i = 0; i < 3; i++) {
        try { fault3(x + i, k); } catch (RuntimeException e) { if (kept == null) kept = e; else kept.addSuppressed(e); }
    }
    if (kept != null && x % 2 == 0) throw kept;
    Object o = kept == null ? k : kept.getMessage();
    try { return ((String) o).length(); } catch (ClassCastException e) { return -1; }
}"""
