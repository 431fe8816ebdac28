"""terms.py - random Java expressions and statements for generate.py.

An expression of a type is made from a table of ways (WAYS): each is a method that gives Java source of exactly that
type. What it says may throw, but always compiles: names are unique, every variable is initialised, each conversion is
written out, and what jumps stands behind a condition, so that the compiler never finds a statement that cannot be
reached. It ends: calls go to methods of lower numbers only, loops and methods burn fuel. Where a jump or a variable may
be used is told by the frame, the method or lambda that is being written."""

NUMBERS = ["int", "long", "float", "double", "char", "byte", "short"]
SCALARS = NUMBERS + ["boolean"]
ARRAYS = [
    "int[]",
    "long[]",
    "float[]",
    "double[]",
    "char[]",
    "byte[]",
    "short[]",
    "boolean[]",
    "String[]",
    "Object[]",
    "int[][]",
]
TYPES = SCALARS + ["String", "Object", "Node"] + ARRAYS
PLAIN_TYPES = (
    ["int"] * 5
    + ["long"] * 3
    + ["double"] * 2
    + ["float", "boolean", "boolean", "char", "byte", "short", "String", "String", "Object", "Node", "Node"]
)
FIELDS = {  # of class Node
    "i": "int",
    "j": "int",
    "l": "long",
    "f": "float",
    "d": "double",
    "z": "boolean",
    "c": "char",
    "b": "byte",
    "h": "short",
    "s": "String",
    "o": "Object",
    "next": "Node",
    "a": "int[]",
    "la": "long[]",
    "m": "int[][]",
    "v": "int",
}
STATICS = {  # of the program, or of the thread that runs it
    "si": "int",
    "sl": "long",
    "sf": "float",
    "sd": "double",
    "sz": "boolean",
    "sc": "char",
    "sb": "byte",
    "sh": "short",
    "ss": "String",
    "so": "Object",
    "sn": "Node",
    "sa": "int[]",
    "sda": "double[]",
    "sca": "char[]",
    "sba": "byte[]",
    "sza": "boolean[]",
    "ssa": "String[]",
    "soa": "Object[]",
    "sm": "int[][]",
    "sfa": "float[]",
    "sha": "short[]",
    "sla": "long[]",
}
WORDS = ["", "a", "ox", "yak", "zebu", "\\u00e9t\\u00e9", "heron", "no", "yes"]


class Variable:
    def __init__(self, name, type, final=False):
        self.name, self.type, self.final = name, type, final


class Frame:
    """what the code being written may use"""

    def __init__(self, limit, result, this=False, variables=()):
        # calls of methods below limit; result None: no return here
        self.limit, self.result, self.this = limit, result, this
        self.variables, self.loops = list(variables), []
        # only what ends by itself: for constructors and small methods that are called from anywhere
        self.simple = False
        self.hot = False  # few events: for loops that run very often

    def lambda_frame(self, parameters):
        f = Frame(self.limit, None, self.this, [v for v in self.variables if v.final] + parameters)
        f.simple, f.hot = self.simple, self.hot
        return f


class Terms:
    def __init__(self, random, threads, methods):
        self.random, self.threads, self.methods = random, threads, methods
        self.names = 0
        self.switch_expressions = True
        self.frame = None

    # ---- small choices ----
    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pick(self, items):
        return self.random.choice(items)

    def fresh(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def state(self, name):
        """a static of the program; where there are threads each has its own"""
        return "W.me()." + name if self.threads else name

    def fuel(self):
        return "--%s > 0" % self.state("fuel")

    def gap(self):
        """sometimes a line ends within an expression"""
        return "\n" if self.chance(4) else " "

    # ---- expressions ----
    def term(self, type, depth):
        if depth <= 0 or self.chance(12):
            return self.leaf(type)
        way = self.pick(WAYS.get(type, REFERENCE_WAYS))
        return way(self, type, depth - 1)

    def leaf(self, type):
        have = [v for v in self.frame.variables if v.type == type]
        if have and self.chance(75):
            return self.pick(have).name
        if self.chance(45) and (type in FIELDS.values() or type in STATICS.values()):
            return self.place_of(type, 0)
        return self.literal(type)

    def literal(self, type):
        r = self.random
        if type == "int":
            return self.pick(
                [
                    "0",
                    "1",
                    "2",
                    "-1",
                    "7",
                    "255",
                    "32768",
                    "-129",
                    "65536",
                    "0x7fffffff",
                    "Integer.MIN_VALUE",
                    str(r.randrange(100)),
                    str(r.randrange(-(10**6), 10**6)),
                ]
            )
        if type == "long":
            return self.pick(
                [
                    "0L",
                    "1L",
                    "-1L",
                    "5000000000L",
                    "Long.MIN_VALUE",
                    "%dL" % r.randrange(1000),
                    "%dL" % r.randrange(-(10**12), 10**12),
                ]
            )
        if type == "float":
            return self.pick(
                ["0f", "-0f", "1f", "2.5f", "1e30f", "Float.NaN", "%d.%df" % (r.randrange(100), r.randrange(100))]
            )
        if type == "double":
            return self.pick(
                [
                    "0.0",
                    "-0.0",
                    "1.0",
                    "0.1",
                    "1e200",
                    "Double.POSITIVE_INFINITY",
                    "%d.%d" % (r.randrange(1000), r.randrange(1000)),
                ]
            )
        if type == "boolean":
            return self.pick(["true", "false"])
        if type == "char":
            return self.pick(["'a'", "'\\0'", "'\\uffff'", "'%s'" % chr(97 + r.randrange(26))])
        if type in ("byte", "short"):
            return "(%s) %s" % (type, r.randrange(-200, 200))
        if type == "String":
            return "((String) null)" if self.chance(4) else '"%s"' % self.pick(WORDS)
        if type == "Object":
            return self.pick(
                [
                    "((Object) null)",
                    '(Object) "o"',
                    "(Object) 12",
                    "(Object) 'x'",
                    "(Object) 7L",
                    "(Object) new int[2]",
                    "(Object) Kind.B",
                    "(Object) new Pair(1, 2L, \"p\")",
                ]
            )
        if type == "Node":
            if self.frame.this and self.chance(50):
                return "this"
            return self.pick(
                (["((Node) null)"] if self.chance(10) else [])
                + ["new Node(%d)" % r.randrange(1, 90)] * 5
                + ([] if self.frame.simple else ["((Node) new Sub(%d))" % r.randrange(1, 90)] * 4)
            )
        if type == "int[][]":
            return self.pick(
                ["new int[4][4]"] * 8
                + ["new int[5][4]"] * 4
                + ["new int[4][]", "new int[][] { { 1, 2, 3, 4 }, { 5 }, {}, null }"]
            )
        element = type[:-2]
        if self.chance(50):
            return "new %s[%d]" % (element, r.randrange(4, 7))
        return "new %s { %s }" % (
            type,
            ", ".join(self.literal(element) for _ in range(4 + r.randrange(2) if self.chance(90) else 2)),
        )

    def place_of(self, type, depth):
        """something of this type that can be assigned to, no local variable"""
        ways = []
        fields = [n for n, t in FIELDS.items() if t == type]
        if fields:
            ways += ["field"] * 3 + (["own"] * 3 if self.frame.this else [])
        if type in STATICS.values():
            ways += ["static"] * 2
        if type + "[]" in TYPES:
            ways += ["element"] * 3
        way = self.pick(ways)
        if way == "own":
            return self.pick(["", "this."]) + self.pick(fields)
        if way == "field":
            node = self.term("Node", depth - 1)
            hops = "".join(".next" for _ in range(self.random.randrange(3) if self.chance(40) else 0))
            return "%s%s.%s" % (bracket(node), hops, self.pick(fields))
        if way == "static":
            return self.state(self.pick([n for n, t in STATICS.items() if t == type]))
        array = self.term(type + "[]", min(depth - 1, 1))
        if array.startswith("new") or array.startswith("("):
            array = "(%s)" % array
        index = self.term("int", depth - 1)
        return "%s[%s]" % (array, index if self.chance(2) else "(%s) & 3" % index)

    def place(self, type, depth):
        have = [v for v in self.frame.variables if v.type == type and not v.final]
        if have and self.chance(65):
            return self.pick(have).name
        if type in FIELDS.values() or type in STATICS.values() or type + "[]" in TYPES:
            return self.place_of(type, depth)
        return self.pick(have).name if have else None

    def way_binary(self, type, depth):
        integral = type in ("int", "long")
        op = self.pick(["+", "-", "*"] + (["/", "%", "&", "|", "^", "<<", ">>", ">>>"] if integral else ["/", "%"]))
        left = self.term(type, depth)
        if op in ("<<", ">>", ">>>"):
            right = self.term(self.pick(["int", "int", "long"]), depth)
        elif type != "int" and self.chance(35):  # of a narrower type, which is widened
            right = self.term(
                self.pick(["int", "short", "char", "byte"] + (["long", "float"] if type == "double" else [])), depth
            )
        else:
            right = self.term(type, depth)
        if op in "/%" and integral and not self.chance(5):
            right = "(%s | 1)" % right
        return "(%s%s%s %s)" % (left, self.gap(), op, guard(right))

    def way_minus(self, type, depth):
        return "(%s(%s))" % (self.pick("-~") if type in ("int", "long") else "-", self.term(type, depth))

    def way_cast(self, type, depth):
        return "((%s) (%s))" % (type, self.term(self.pick(NUMBERS), depth))

    def way_increment(self, type, depth):
        place = self.place(type, depth)
        if place is None:
            return self.leaf(type)
        op = self.pick(["++", "--"])
        return "(%s)" % (op + place if self.chance(50) else place + op)

    def way_assign(self, type, depth):
        place = self.place(type, depth)
        if place is None:
            return self.leaf(type)
        if type in SCALARS and self.chance(60):
            if type == "boolean":
                return "(%s %s %s)" % (place, self.pick(["&=", "|=", "^="]), self.term(type, depth))
            if type in ("float", "double"):
                return "(%s %s %s)" % (place, self.pick(["+=", "-=", "*="]), self.term(self.pick(NUMBERS), depth))
            return "(%s %s %s)" % (
                place,
                self.pick(["+=", "-=", "*=", "^=", "|=", "<<=", ">>>="]),
                guard(self.term(self.pick(["int", "long", "char"]), depth)),
            )
        value = self.term(type, depth)
        return "(%s = %s)" % (place, "cut(%s)" % value if type == "String" else value)

    def way_place(self, type, depth):
        place = self.place(type, depth)
        return place if place is not None else self.leaf(type)

    def way_choice(self, type, depth):
        left, right = self.term(type, depth), self.term(type, depth)
        return "(%s ? (%s) %s :%s(%s) %s)" % (
            self.term("boolean", depth),
            type,
            guard(left),
            self.gap(),
            type,
            guard(right),
        )

    def way_call(self, type, depth):
        able = [m for m in self.methods if m.number < self.frame.limit and m.result == type]
        if not able or self.frame.simple:
            return self.leaf(type)
        return self.call(self.pick(able), depth)

    def call(self, m, depth):
        words = [self.term(t, depth - 1) for t in m.parameters]
        if m.varargs:
            words += [self.term(m.varargs, depth - 1) for _ in range(self.random.randrange(4))]
        receiver = "" if m.static else bracket(self.term("Node", depth - 1)) + "."
        if m.static and m.owner:
            receiver = m.owner + "."
        return "%s%s(%s)" % (receiver, m.name, ("," + self.gap()).join(words))

    def way_switch(self, type, depth, attempt=False):
        """a switch expression; a block that yields, with a try statement. (javac 17 cannot compile that while a long or
        double, or what `new` began, is on the stack.)"""
        if not self.switch_expressions:
            return self.leaf(type)
        subject = self.pick(["int", "String", "Kind"])
        if subject == "int":
            head, labels = "(%s) & 7" % self.term("int", depth), ["case 0, 1", "case 2", "case 5"]
        elif subject == "String":
            head, labels = "text(%s)" % self.term("Object", depth), ['case "a", "ox"', 'case "yak"', 'case "12"']
        else:
            head, labels = "Kind.of(%s)" % self.term("int", depth), ["case A", "case B"]
        arms = ["%s -> %s;" % (l, self.term(type, depth - 1)) for l in labels]
        if attempt:
            t, e = self.fresh("t"), self.fresh("e")
            arms.append(
                "default -> { %s %s; try { %s = %s; } catch (RuntimeException %s) { %s = %s; } yield %s; }"
                % (type, t, t, self.term(type, depth - 1), e, t, self.term(type, depth - 1), t)
            )
        else:
            arms.append("default -> %s;" % self.term(type, depth - 1))
        return "((%s) switch (%s) {\n%s\n})" % (type, head, "\n".join(arms))

    def way_lambda(self, type, depth):
        if self.frame.simple:
            return self.leaf(type)
        x, y = Variable(self.fresh("x"), "int"), Variable(self.fresh("y"), "long")
        outer = self.frame
        self.frame = outer.lambda_frame([x, y])
        if self.chance(50):
            body = self.term("int", depth)
        else:
            first = self.term("int", depth - 1)
            body = "{ int %s = %s; return %s; }" % (self.local("int"), first, self.term("int", depth))
        self.frame = outer
        op = self.pick(
            ["(Op) (%s, %s) -> %s" % (x.name, y.name, body)] * 3 + ["(Op) Help::first", "(Op) Kind.C::mixed"]
        )
        call = (
            "use(%s, %s)" % (op, self.term("int", depth))
            if self.chance(50)
            else "((%s)).%s(%s)" % (op, "twice", self.term("int", depth))
        )
        return call if type == "int" else "((%s) %s)" % (type, call)

    def local(self, type, final=False):
        v = Variable(self.fresh("t"), type, final)
        self.frame.variables.append(v)
        return v.name

    def way_int(self, type, depth):
        """what gives an int in other ways"""
        if self.frame.hot:
            return self.leaf("int")
        t = self.term
        ways = [
            lambda: "%s.length" % bracket(t(self.pick(ARRAYS), depth)),
            lambda: "length(%s)" % t("String", depth),
            lambda: "((int) text(%s).charAt(%s & 1))" % (t("Object", depth), t("byte", 0)),
            lambda: "Math.max(%s, %s)" % (t("int", depth), t("int", depth)),
            lambda: "new Pair(%s, %s, %s).both()" % (t("int", depth), t("long", depth), t("String", depth)),
            lambda: "new Pair(%s, %s, %s).hashCode()" % (t("int", depth), t("long", depth), t("String", depth)),
            lambda: "Kind.of(%s).mixed(%s, %s)" % (t("int", depth), t("int", depth), t("long", depth)),
            lambda: "((int) new IntCell(%s).get())" % t("int", depth),
            lambda: "((int) ((Cell<Integer>) new IntCell(%s)).set(%s).get())" % (t("int", depth), t("int", depth)),
            lambda: "new IntCell(%s).compareTo(new IntCell(%s))" % (t("int", depth), t("int", depth)),
            lambda: "((int) (Integer) (%s))" % t("Object", depth)
            if self.chance(20)
            else "unbox(%s)" % t("Object", depth),
            lambda: "Float.floatToIntBits(%s)" % t("float", depth),
            lambda: "Helper.of(%s)" % t("int", depth)
            if self.chance(30)
            else "Help.first(%s, %s)" % (t("int", depth), t("long", depth)),
            lambda: "((%s) instanceof Integer %s ? (int) %s : %s)"
            % (t("Object", depth), *[self.fresh("p")] * 2, t("int", depth)),
        ]
        if not self.frame.simple:
            ways += [
                lambda: "%s.new Inner(%s).sum(%s)" % (bracket(t("Node", depth)), t("int", depth), t("int", depth)),
                lambda: "((Shape) %s).%s(%s)" % (t("Node", depth), self.pick(["area", "twice"]), t("int", depth)),
                lambda: "depth(%d, %s, %s)" % (self.random.randrange(5), t("int", depth), t("long", depth)),
            ]
        return self.pick(ways)()

    def way_compare(self, type, depth):
        t = self.pick(["int", "int", "long", "float", "double", "char", "short"])
        left = self.term(t, depth)
        return "(%s%s%s %s)" % (
            left,
            self.gap(),
            self.pick(["<", ">", "<=", ">=", "==", "!="]),
            self.pick(["0", self.term(t, depth), self.term(t, depth)]),
        )

    def way_logic(self, type, depth):
        left, right = self.term(type, depth), self.term(type, depth)
        return "(%s%s%s %s)" % (left, self.gap(), self.pick(["&&", "&&", "||", "||", "&", "|", "^", "=="]), right)

    def way_not(self, type, depth):
        return "!(%s)" % self.term(type, depth)

    def way_reference_test(self, type, depth):
        o = self.term("Object", depth)
        name = self.fresh("p")
        return self.pick(
            [
                lambda: "(%s instanceof String)" % guard(o),
                lambda: "(%s instanceof Node %s && %s.i > %s)" % (guard(o), name, name, self.leaf("int")),
                lambda: "(%s instanceof Pair %s ? %s.a() > 1 : %s)" % (guard(o), name, name, self.leaf("boolean")),
                lambda: "(%s == %s)" % (guard(o), self.term(self.pick(["Node", "Object"]), depth)),
                lambda: "(%s == null)" % self.term("String", depth),
                lambda: "(%s != null)" % self.term("Node", depth),
            ]
        )()

    def way_text(self, type, depth):
        parts = [self.term("String", depth)] + [
            self.term(self.pick(SCALARS + ["String"]), depth) for _ in range(self.random.randrange(1, 4))
        ]
        return "cut(%s)" % " + ".join("(%s)" % p for p in parts)

    def way_text_of(self, type, depth):
        if self.frame.simple:
            return self.leaf(type)
        return self.pick(
            [
                lambda: "text(%s)" % self.term("Object", depth),
                lambda: "String.valueOf(%s)" % self.term(self.pick(["int", "long", "boolean", "char"]), depth),
                lambda: "new Pair(%s, %s, %s).toString()"
                % (self.term("int", depth), self.term("long", depth), self.leaf("String")),
                lambda: "((String) (%s))" % self.term("Object", depth)
                if self.chance(15)
                else "text(%s)" % self.term("Object", depth),
                lambda: "%s.describe()" % bracket(self.term("Node", depth)),
            ]
        )()

    def way_box(self, type, depth):
        t = self.pick(["int", "long", "double", "char", "boolean", "String", "Node"] + ARRAYS)
        if t == "boolean":  # javac 17 cannot compile `(Object) (a && b) instanceof Integer i`
            return "((Object) Boolean.valueOf(%s))" % self.term(t, depth)
        return "((Object) (%s))" % self.term(t, depth)

    def way_node(self, type, depth):
        ways = [lambda: "new Node(%s)" % self.term("int", depth), lambda: "%s.next" % bracket(self.term("Node", depth))]
        if not self.frame.simple:
            ways += [
                lambda: "new Node(%s, %s, %s)"
                % (self.term("int", depth), self.term("long", depth), self.term("Node", depth)),
                lambda: "((Node) new Sub(%s))" % self.term("int", depth),
                lambda: "((Node) new Sub(%s, %s))" % (self.term("double", depth), self.term("int", depth)),
                lambda: "%s.self()" % bracket(self.term("Node", depth)),
                lambda: "((Node) (%s))" % self.term("Object", depth) if self.chance(10) else self.leaf("Node"),
            ]
        return self.pick(ways)()

    def way_array(self, type, depth):
        element = type[:-2]
        if type == "int[][]":
            return self.pick(
                ["new int[4 + ((%s) & 3)][4 + (%s & 3)]" % (self.term("int", depth), self.leaf("byte"))] * 4
                + ["new int[(%s) & 3][]" % self.term("int", depth)]
                + [self.leaf(type)] * 4
            )
        if type == "int[]" and self.chance(25):
            return "%s[(%s) & 1]" % (bracket(self.leaf("int[][]")), self.term("int", depth))
        if self.chance(35):
            return "new %s[%s]" % (
                element,
                self.term("int", depth) if self.chance(1) else "4 + ((%s) & 3)" % self.term("int", depth),
            )
        if self.chance(40):
            return "new %s { %s }" % (
                type,
                ", ".join(self.term(element, depth - 1) for _ in range(self.random.randrange(4, 6))),
            )
        return self.leaf(type)


def bracket(text):
    """as the receiver of a dot"""
    plain = text.replace("_", "").replace(".", "").isalnum() and not text[0].isdigit()
    return text if plain and text != "null" else "(%s)" % text


def guard(text):
    return (
        "(%s)" % text
        if text.startswith("-") or text.startswith("(") and not text.endswith(")")
        else "(%s)" % text
        if " " in text
        else text
    )


T = Terms
NUMBER_WAYS = (
    [T.way_binary] * 6
    + [T.way_cast] * 2
    + [T.way_increment] * 3
    + [T.way_assign] * 3
    + [T.way_place] * 3
    + [T.way_choice]
    + [T.way_call] * 2
    + [T.way_minus]
)
NARROW_WAYS = (
    [T.way_cast] * 3 + [T.way_increment] * 3 + [T.way_assign] * 2 + [T.way_place] * 3 + [T.way_choice] + [T.way_call]
)
REFERENCE_WAYS = [T.way_array] * 4 + [T.way_place] * 3 + [T.way_assign, T.way_choice, T.way_call, T.way_call]
WAYS = {
    "int": NUMBER_WAYS + [T.way_int] * 5 + [T.way_switch, T.way_lambda],
    "long": NUMBER_WAYS + [T.way_switch],
    "float": NUMBER_WAYS,
    "double": NUMBER_WAYS + [T.way_lambda],
    "char": NARROW_WAYS,
    "byte": NARROW_WAYS,
    "short": NARROW_WAYS,
    "boolean": [T.way_compare] * 4
    + [T.way_logic] * 3
    + [T.way_not, T.way_assign, T.way_place, T.way_call]
    + [T.way_reference_test] * 2,
    "String": [T.way_text] * 3
    + [T.way_text_of] * 2
    + [T.way_place, T.way_assign, T.way_choice, T.way_call, T.way_switch],
    "Object": [T.way_box] * 3 + [T.way_place, T.way_assign, T.way_choice, T.way_call],
    "Node": [T.way_node] * 4 + [T.way_place] * 2 + [T.way_assign, T.way_choice, T.way_call],
}
