#!/usr/bin/env python3
"""generate.py SEED [--no-switch-expressions] [--short]: writes a random Java 17 program, class P<SEED>, to standard
output; the same one for the same seed. Without switch expressions it is another one, for the Eclipse compiler: that of
Debian 12 cannot compile most programs that have them ("internal compiler error"). A short one repeats less, so that its
trace is small.

It has a class with fields of all types (Node), a subclass, inner, generic and anonymous classes, a record, an enum,
interfaces, methods of random statements (statements.py, terms.py), and classes that hide each other's fields (kin.py).
main() runs some of them, catches what they throw, and prints a checksum. It ends: loops and methods burn fuel. In three
of ten programs two or three threads do this, each with a state of its own, so that the output stays the same.

The first line tells run.sh what there is to know: `// threads: N groups: G+G`."""
import random, sys

from kin import Kin
from statements import Statements
from terms import FIELDS, PLAIN_TYPES, STATICS, Frame, Variable, bracket

GROUPS = ["EXEC", "CALL", "PARAM", "FIELD", "ARRAY", "OBJECT", "SYNC", "LOCAL", "LABEL", "LINE"]


class Method:
    def __init__(self, number, name, owner, static, result, parameters, varargs=None, locked=False):
        self.number, self.name, self.owner, self.static, self.result = number, name, owner, static, result
        self.parameters, self.varargs, self.locked = parameters, varargs, locked


class Program(Statements, Kin):
    def __init__(self, seed, switch_expressions=True, short=False):
        r = random.Random(seed)
        self.seed, self.name = seed, "P%d" % seed
        super().__init__(r, r.randrange(2, 4) if seed % 10 in (3, 6, 9) else 0, [])
        self.switch_expressions = switch_expressions
        self.groups = r.sample(GROUPS, r.randrange(1, 6))
        self.exit = r.choice([0, 0, 0, 0, 3]) if not self.threads else 0
        self.uncaught = self.exit == 0 and r.random() < 0.15
        rounds = r.randrange(30, 61) * 1000 // max(1, self.threads)
        self.hot_rounds, self.short = 100 if short else rounds, short
        for number in range(r.randrange(9, 14)):
            owner = r.choice(["", "", "Node"])
            self.methods.append(
                Method(
                    number,
                    "m%d" % number,
                    owner,
                    owner == "" or r.random() < 0.2,
                    r.choice(PLAIN_TYPES + ["int[]", "String[]", "void"]),
                    [r.choice(PLAIN_TYPES + ["int[]"]) for _ in range(r.randrange(5))],
                    r.choice(["int", "String", "Object"]) if r.random() < 0.15 else None,
                    r.random() < 0.12,
                )
            )

    # ---- methods ----
    def parameters(self, m):
        vs = [Variable(self.fresh("a"), t, self.chance(25)) for t in m.parameters]
        if m.varargs:
            vs.append(Variable(self.fresh("a"), m.varargs + "[]"))
        words = ["%s%s %s" % ("final " if v.final else "", v.type, v.name) for v in vs]
        if m.varargs:
            words[-1] = words[-1].replace("[]", "...")
        return vs, ", ".join(words)

    def method(self, m, above=False):
        vs, declared = self.parameters(m)
        self.frame = Frame(m.number, m.result, not m.static, vs)
        result = "" if m.result == "void" else " " + self.literal(m.result)
        lines = [
            "if (%s <= 0) return%s;" % (self.state("fuel") if self.chance(50) else "--" + self.state("fuel"), result)
        ]
        if above and m.result != "void":  # the method that this one overrides
            v = self.fresh("t")
            lines.append("%s %s = super.%s(%s);" % (m.result, v, m.name, ", ".join(x.name for x in vs)))
            self.frame.variables.append(Variable(v, m.result))
        lines += [self.method_part() for _ in range(self.random.randrange(3, 8))]
        if m.result != "void":
            lines.append("return %s;" % self.term(m.result, 3))
        words = ("static " if m.static else "") + ("synchronized " if m.locked else "")
        return "%s%s %s(%s) {\n%s\n}" % (words, m.result, m.name, declared, "\n".join(lines))

    def method_part(self):
        """a statement, or a block in which what is thrown ends: else nearly nothing behind would ever run"""
        if self.chance(45):
            return self.statement(2)
        e = self.fresh("e")
        return "try %s catch (RuntimeException %s) { caught(%s); }" % (self.block(self.random.randrange(1, 4), 2), e, e)

    def in_class(self, owner):
        return "\n".join(self.method(m) for m in self.methods if m.owner == owner)

    def frame_of(self, *variables, this=False, result=None):
        self.frame = Frame(0, result, this, [Variable(n, t) for t, n in variables])
        self.frame.simple = True

    def text_with(self, depth, type, *variables, this=False):
        self.frame_of(*variables, this=this)
        return self.term(type, depth)

    # ---- classes ----
    def node(self):
        fields = list(FIELDS.items())
        self.random.shuffle(fields)
        declared = "\n".join(
            "%s%s %s%s;"
            % (
                "volatile " if n == "v" else "",
                t,
                n,
                {
                    "a": " = { 1, 2, 3, 4 }",
                    "la": " = new long[5]",
                    "m": " = new int[4][4]",
                    "s": ' = "s"',
                    "o": " = 1",
                    "next": " = this",
                }.get(n, ""),
            )
            for n, t in fields
        )
        return f"""
static class Node implements Shape, Comparable<Node> {{
{declared}
Node(int i) {{ this.i = i; if (i % 23 == 0) next = null; j = i + 1; }}
Node(int i, long l, Node next) {{
    this(checked(i) + {self.text_with(1, "int", ("int", "i"), ("long", "l"), ("Node", "next"))});
    this.l = l; this.next = next;
}}
Node self() {{ return this; }}
void say(int x) {{ mix({self.text_with(3, "int", ("int", "x"), this=True)}); }}
String describe() {{ return "node " + i; }}
@Override public int twice(int x) {{ return Shape.super.twice(x) - j; }}
public int area(int x) {{ return {self.text_with(2, "int", ("int", "x"), this=True)}; }}
public int compareTo(Node n) {{ return i - n.i; }}
class Inner {{
    int q;
    Inner(int q) {{ this.q = checked(q) + i; }}
    int sum(int x) {{
        final int y = x; class Deep {{ int all() {{ return q + i + y + j++; }} }} q ^= x;
        return new Deep().all() + {self.text_with(2, "int", ("int", "x"), ("int", "q"))};
    }}
}}
{self.in_class("Node")}
}}"""

    def sub(self):
        above = [m for m in self.methods if m.owner == "Node" and not m.static]
        own = [m for m in above if self.chance(70)]
        b = lambda t, *v: self.text_with(2, t, *v)
        return f"""
static class Sub extends Node {{
int extra = {b("int")};
{{ mix(extra); }}
Sub(int x) {{ super({b("int", ("int", "x"))}, checked(x), x > 5 ? null : new Node(x)); extra += x; }}
Sub(double d, int x) {{
    this(checked((int) d) + {b("int", ("double", "d"), ("int", "x"))});
    this.d = d; {self.text_statement(("double", "d"), ("int", "x"))}
}}
@Override Sub self() {{ extra++; return this; }}
@Override String describe() {{ return super.describe() + "/" + extra; }}
@Override public int twice(int x) {{ return super.twice(x) + extra; }}
{chr(10).join(self.method(m, self.chance(50)) for m in own)}
}}"""

    def text_statement(self, *variables):
        self.frame_of(*variables, this=True, result="void")
        return self.statement(1)

    def others(self):
        threads = self.threads
        fails = (
            ""
            if threads or self.chance(60)
            else "if (%s.length() < %d) throw new Trouble(7);" % ('"%s"' % ("ab" * 3), self.random.randrange(3, 9))
        )
        return f"""
interface Op {{
    int op(int a, long b);
    default int twice(int a) {{ return op(op(a, 2L), a); }}
}}
interface Shape {{
    int area(int x);
    default int twice(int x) {{ return area(area(x) & 255) + 1; }}
}}
static class Trouble extends RuntimeException {{
    final int code;
    Trouble(int code) {{ super("trouble " + code); this.code = code; }}
    static Trouble of(Object o) {{ return new Trouble(o == null ? 0 : length(text(o))); }}
}}
record Pair(int a, long b, String c) {{
    static int made;
    Pair {{ if (a % 29 == 0) throw new Trouble(a); c = c == null ? "-" : c; }}
    int both() {{ return (int) (a * 31 + b); }}
}}
enum Kind {{
    A, B {{ @Override int mixed(int a, long b) {{ return super.mixed(a, b) * 3; }} }}, C;
    final int weight = name().charAt(0) * 7;
    int mixed(int a, long b) {{ return a ^ (int) (b + ordinal()) + weight; }}
    static Kind of(int i) {{ return values()[(i & 7) % 3]; }}
}}
static class Cell<T extends Comparable<T>> implements Comparable<Cell<T>> {{
    T value;
    Cell(T value) {{ this.value = value; }}
    T get() {{ return value; }}
    Cell<T> set(T v) {{ value = v; return this; }}
    public int compareTo(Cell<T> o) {{ return value.compareTo(o.value); }}
}}
static class IntCell extends Cell<Integer> {{
    int sets;
    IntCell(int v) {{ super(v); }}
    @Override Integer get() {{ return super.get() + sets; }}
    @Override IntCell set(Integer v) {{ sets++; super.set(v + 1); return this; }}
}}
static class Help {{
    static final int[] TABLE = new int[8];
    static final String NAME;
    static {{ int k = 1; for (int i = 0; i < TABLE.length; i++) TABLE[i] = k = k * 7 % 31; NAME = "help" + k; }}
    static int first(int a, long b) {{ return TABLE[a & 7] * a / (int) (b | 1); }}
}}
static class Helper {{
    static int base = Help.TABLE[2];
    static {{ {fails} base += 5; }}
    static int of(int x) {{ return base + x; }}
}}"""

    def helpers(self):
        mixed = self.state("sum")
        return f"""
static void mix(long v) {{ {mixed} = {mixed} * 31 + v; }}
static void mix(double v) {{ mix(Double.doubleToLongBits(v)); }}
static void mix(boolean v) {{ mix(v ? 1L : 0L); }}
static void mix(String v) {{ mix(v == null ? -1L : v.hashCode()); }}
static int checked(int v) {{ if (v % 31 == 30) throw new Trouble(v); return v; }}
static String cut(String s) {{ return s != null && s.length() > 12 ? s.substring(0, 12) : s; }}
static int length(String s) {{ return s == null ? -1 : s.length(); }}
static int unbox(Object o) {{ return o instanceof Integer i ? i : o instanceof Long l && l > 2 ? (int) (long) l : -7; }}
static String text(Object o) {{
    if (o instanceof Number || o instanceof Character || o instanceof Pair || o instanceof Kind)
        return cut(o.toString() + "..");
    return o instanceof String s ? s + ".." : o == null ? "null" : o.getClass().getSimpleName() + "..";
}}
static int use(Op f, int x) {{ return f.op(x, 3L) + f.twice(x); }}
static int all(int... xs) {{ int s = 0; for (int x : xs) s = s * 5 + x; return s; }}
static int depth(int n, int a, long b) {{
    if (n <= 0 || {self.state("fuel")}-- < 0) return a;
    return depth(n - 1, a + (int) b, b * 3)
        + (n % 2 == 0 ? depth(n - 2, a, b) : {self.text_with(2, "int", ("int", "n"), ("int", "a"), ("long", "b"))});
}}
static void caught(Throwable e) {{
    mix(e.getClass().getName());
    if (!(e instanceof NullPointerException)) mix(e.getMessage()); // its message tells of the code as it is now
    int n = 0;
    for (StackTraceElement f : e.getStackTrace()) {{
        if (++n > 4) break;
        if (!f.getClassName().startsWith("{self.name}")) continue;
        mix(f.getLineNumber()); mix(f.getMethodName().startsWith("lambda") ? "lambda" : f.getMethodName());
    }}
}}"""

    def hot(self):
        """few events in each round: there are very many"""
        variables = [("int", "x"), ("long", "y"), ("int", "i"), ("int[]", "xs"), ("Node", "n"), ("double", "w")]
        self.frame = Frame(0, None, False, [Variable(n, t) for t, n in variables])
        self.frame.simple = self.frame.hot = True
        rare = self.term("long", 2)
        self.frame.variables = [v for v in self.frame.variables if v.name in ("x", "i")]
        warm = self.term("int", 1)
        return f"""
static long hot(int rounds) {{
    int x = 1; long y = 2; double w = 0.5;
    int[] xs = {{ 3, 1, 4, 1, 5 }};
    Node n = new Node(5);
    n.next = n;
    for (int i = 0; i < rounds; i++) {{
        try {{
            x += warm(x, i);
            {self.pick(["y += x", "xs[i & 3] = x", "w += i", "n.i ^= i"])};
            if ((i & 15) == 0) {{ {self.pick(["y", "n.l"])} += {rare}; n = n.next; }}
        }} catch (RuntimeException e) {{ x++; n = new Node(5); n.next = n; }}
    }}
    return x + y + (long) w + xs[2] + n.i;
}}
static int warm(int x, int i) {{
    {self.pick(["", "int k = i; x += k++ + ++k;", "if (x > i) x--;", "x = x++ + ++x * i;"])}
    return {warm} + x;
}}"""

    def acts(self):
        """what each thread does, or main()"""
        lines = []
        for k in range(self.random.randrange(5, 9)):
            m = self.pick([m for m in self.methods if m.number >= 3])
            self.frame = Frame(99, "void", False, [Variable("id", "int", True)])
            call = self.call(m, 2)
            if m.result == "void":
                shown = call
            elif m.result in ("int", "long", "float", "double", "boolean", "char", "byte", "short", "String"):
                shown = "mix(%s)" % call
            else:
                shown = "mix(text(%s))" % call
            fuel, times = (60, 1 if self.short else 3) if self.threads else (100, 1 if self.short else 4)
            again = (
                "for (int k = 0; k < %d; k++) {\n%s = %d;\n"
                "try {\n%s;\n} catch (RuntimeException | LinkageError e) {\ncaught(e);\n}\n}"
            )
            lines.append(again % (times, self.state("fuel"), fuel, shown))
        return "static void acts(final int id) {\n%s\nkin(id);\nmix(hot(%d));\n}" % ("\n".join(lines), self.hot_rounds)

    def statics(self):
        values = {"sn": "new Node(4)", "sm": "new int[4][4]", "ss": '"ss"', "so": '"object"'}
        each = lambda n, t: values.get(n, "new %s[5]" % t[:-2] if t.endswith("[]") else None)
        return "\n".join(
            "%s%s %s%s;" % ("" if self.threads else "static ", t, n, " = " + each(n, t) if each(n, t) else "")
            for n, t in [("sum", "long"), ("fuel", "int")] + list(STATICS.items())
        )

    def main(self):
        last = (
            "if (args.length == 0) throw new Trouble(99);"
            if self.uncaught
            else "System.exit(%d);" % self.exit
            if self.exit
            else ""
        )
        if not self.threads:
            return f"""
public static void main(String[] args) {{
    acts(1);
    System.out.println("{self.name} " + sum + " " + si + " " + sl + " " + sd + " " + ss + " " + sz);
    {last}
}}"""
        return f"""
static final Object LOCK = new Object();
static long total;
static volatile int done;
static class W extends Thread {{
    final int id;
{self.statics()}
    W(int id) {{ this.id = id; }}
    static W me() {{ return (W) Thread.currentThread(); }}
    @Override public void run() {{
        acts(id);
        synchronized (LOCK) {{ total += sum; done++; }}
    }}
}}
public static void main(String[] args) throws InterruptedException {{
    mixless(Help.NAME + Kind.A + Helper.of(1));
    W[] ws = new W[{self.threads}];
    for (int k = 0; k < ws.length; k++) (ws[k] = new W(k + 1)).start();
    for (W w : ws) w.join();
    for (W w : ws) System.out.println(w.id + " " + w.sum + " " + w.si + " " + w.sl + " " + w.sd + " " + w.ss);
    System.out.println("{self.name} " + total + " " + done);
    {last}
}}
static void mixless(String s) {{ if (s.isEmpty()) total++; }}"""

    def source(self):
        parts = [
            self.in_class(""),
            self.node(),
            self.sub(),
            self.others(),
            self.helpers(),
            self.hot(),
            self.kin_source(),
            self.acts(),
            self.main(),
        ]
        if not self.threads:
            parts.insert(0, self.statics())
        return "// threads: %d groups: %s\npublic class %s {\n%s\n}\n" % (
            self.threads,
            "+".join(self.groups),
            self.name,
            "\n".join(parts),
        )


if __name__ == "__main__":
    options = sys.argv[2:]
    if len(sys.argv) < 2 or not sys.argv[1].isdigit() or set(options) - {"--no-switch-expressions", "--short"}:
        sys.exit(__doc__)
    sys.stdout.write(Program(int(sys.argv[1]), "--no-switch-expressions" not in options, "--short" in options).source())
