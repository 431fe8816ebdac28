"""statements.py - random Java statements, upon terms.py. A statement is one text, its parts on lines of their own where
they may be: several statements can share a line, and one can have several."""
from terms import ARRAYS, NUMBERS, PLAIN_TYPES, SCALARS, TYPES, Terms, Variable, bracket, guard


class Statements(Terms):
    def block(self, count, depth):
        """statements in braces; their variables end with it"""
        f = self.frame
        kept = len(f.variables)
        lines = [self.statement(depth) for _ in range(count)]
        del f.variables[kept:]
        text = "\n".join(lines)
        return "{ %s }" % text if "\n" not in text and self.chance(30) else "{\n%s\n}" % text

    def some(self, depth):
        return self.block(self.random.randrange(1, 4), depth - 1)

    def condition(self):
        return self.term("boolean", 2)

    def statement(self, depth):
        ways = [self.declare] * 3 + [self.assign] * 5 + [self.show] * 2 + [self.jump]
        if depth > 0:
            ways += (
                [self.branch] * 3
                + [self.loop] * 2
                + [self.each, self.labelled, self.switch, self.attempt, self.attempt, self.lock]
            )
            ways += [] if self.frame.simple else [self.more]
        return self.pick(ways)(depth)

    def declare(self, depth):
        t = self.pick(PLAIN_TYPES + ARRAYS)
        final = self.chance(30)
        value = self.term(t, 3)
        if t in ("int", "float", "char", "byte", "short") and self.chance(15):
            value = "(%s) (%s + %s)" % (t, guard(self.leaf(t)), self.way_switch(t, 2, attempt=True))
        name = self.fresh("t")
        self.frame.variables.append(Variable(name, t, final))
        return "%s%s %s = %s;" % ("final " if final else "", t, name, "cut(%s)" % value if t == "String" else value)

    def assign(self, depth):
        t = self.pick(PLAIN_TYPES + ARRAYS[:3])
        place = self.place(t, 2)
        if place is None:
            return self.show(depth)
        if t in NUMBERS and self.chance(50):
            if self.chance(30):
                return self.pick(["%s++;", "--%s;"]) % place
            if self.chance(40) and "instanceof" not in place:  # a = a++ + ++a * b; a name is declared once
                return "%s = (%s) (%s++ + ++%s * (%s));" % (place, t, place, place, self.term(t, 2))
            return "%s %s= %s;" % (place, self.pick("+-*"), self.term(self.pick(["int", "long", "short", "float"]), 3))
        value = self.term(t, 3)
        return "%s = %s;" % (place, "cut(%s)" % value if t == "String" else value)

    def show(self, depth):
        t = self.pick(["int", "int", "long", "double", "float", "String", "boolean"])
        return "%s(%s);" % ("mix", self.term(t, 3))

    def jump(self, depth):
        """out of a loop, out of the method, or up to a handler; always behind a condition"""
        f = self.frame
        ways = ["throw"]
        if f.loops:
            ways += ["loop"] * 3
        if f.result:
            ways += ["return"] * 2
        way = self.pick(ways)
        if way == "loop":
            label, kind = self.pick(f.loops)
            word = "break" if kind == "block" else self.pick(["break", "continue"])
            if f.loops[-1] == (label, kind) and kind == "loop" and self.chance(50):
                label = ""
            jump = "%s %s;" % (word, label)
        elif way == "return":
            jump = "return%s;" % ("" if f.result == "void" else " " + self.term(f.result, 2))
        else:
            jump = self.pick(
                [
                    "throw new Trouble(%s);" % self.term("int", 1),
                    'throw new IllegalStateException("%s");' % self.fresh("x"),
                    "throw Trouble.of(%s);" % self.term("Object", 1),
                ]
            )
        test = self.condition()
        return "if (%s%s) %s" % ("length(%s) > 4 && " % self.leaf("String") if way == "throw" else "", test, jump)

    def branch(self, depth):
        text = "if (%s) %s" % (self.condition(), self.some(depth))
        if self.chance(50):
            text += " else " + self.some(depth)
        return text

    def inside(self, label, kind, depth):
        self.frame.loops.append((label, kind))
        body = self.some(depth)
        self.frame.loops.pop()
        return body

    def loop(self, depth, label=None):
        head = "%s: " % label if label else ""
        label = label or self.fresh("loop")
        kept = len(self.frame.variables)
        if not head:
            head = "%s: " % label
        way = self.pick(["for", "for", "while", "do"])
        if way == "for":
            t = self.pick(["int", "int", "long", "char"])
            i = self.fresh("i")
            self.frame.variables.append(Variable(i, t, False))
            step = self.pick([i + "++", "++" + i, i + " += 2"])
            text = "%sfor (%s %s = 0; %s < %d && %s; %s) %s" % (
                head,
                t,
                i,
                i,
                self.random.randrange(2, 7),
                self.fuel(),
                step,
                self.inside(label, "loop", depth),
            )
        elif way == "while":
            text = "%swhile (%s && %s) %s" % (head, self.fuel(), self.condition(), self.inside(label, "loop", depth))
        else:
            text = "%sdo %s while (%s && %s);" % (
                head,
                self.inside(label, "loop", depth),
                self.condition(),
                self.fuel(),
            )
        del self.frame.variables[kept:]
        return text

    def each(self, depth):
        t = self.pick(ARRAYS)
        label, x = self.fresh("loop"), self.fresh("t")
        items = self.term(t, 2)
        kept = len(self.frame.variables)
        self.frame.variables.append(Variable(x, t[:-2], self.chance(50)))
        text = "%s: for (%s %s : %s) {\nif (!(%s)) break;\n%s\n}" % (
            label,
            t[:-2],
            x,
            items,
            self.fuel(),
            self.inside(label, "loop", depth),
        )
        del self.frame.variables[kept:]
        return text

    def labelled(self, depth):
        label = self.fresh("block")
        return "%s: %s" % (label, self.inside(label, "block", depth))

    def switch(self, depth):
        """statements with arrows, or with cases that fall through"""
        # The Eclipse compiler keeps a table of an enum's cases in a static that any thread may fill.
        subject = self.pick(
            ["int", "char", "String"] + ([] if self.threads and not self.switch_expressions else ["Kind"])
        )
        head, labels = {
            "int": ("(%s) & 15" % self.term("int", 2), ["0", "1", "2", "9", "15", "1000000"]),
            "char": ("(char) ('a' + ((%s) & 7))" % self.term("int", 2), ["'a'", "'b'", "'c'", "'h'"]),
            "String": ("text(%s)" % self.term("Object", 2), ['"a"', '"ox"', '"12"', '"Aa"', '"BB"']),
            "Kind": ("Kind.of(%s)" % self.term("int", 2), ["A", "B", "C"]),
        }[subject]
        self.random.shuffle(labels)
        labels = labels[: self.random.randrange(2, len(labels) + 1)]
        parts = []
        if self.chance(40):
            parts = ["case %s -> %s" % (l, self.some(depth)) for l in labels] + (
                ["default -> %s" % self.some(depth)] if self.chance(60) else []
            )
        else:
            for l in labels:
                parts.append("case %s: %s%s" % (l, self.some(depth), " break;" if self.chance(50) else ""))
            parts.insert(self.random.randrange(len(parts) + 1), "default: %s" % self.some(depth))
        return "switch (%s) {\n%s\n}" % (head, "\n".join(parts))

    def attempt(self, depth):
        body = self.some(depth)
        e = self.fresh("e")
        kind = self.pick(
            [
                "RuntimeException",
                "ArithmeticException | NullPointerException",
                "Trouble",
                "IndexOutOfBoundsException",
                "ClassCastException",
            ]
        )
        kept = len(self.frame.variables)
        text = "try %s" % body
        caught = self.chance(75)
        if caught:
            text += " catch (%s %s) {\ncaught(%s);\n%s\n}" % (kind, e, e, self.some(depth))
        if not caught or self.chance(40):
            text += " finally %s" % self.some(depth)
        del self.frame.variables[kept:]
        return text

    def lock(self, depth):
        return "synchronized (%s) %s" % (
            self.pick([self.term("Object", 1), self.term("int[]", 1), "new Object()", self.term("Node", 1)]),
            self.some(depth),
        )

    def more(self, depth):
        """what needs a statement of its own"""
        return self.pick(
            [
                lambda: "%s.say(%s);" % (bracket(self.term("Node", 1)), self.term("int", 2)),
                lambda: "mix(%s);" % self.term(self.pick(TYPES[:9]), 4),
                lambda: "new Sub(%s);" % self.term("int", 2),
                lambda: "mix(all(%s));" % ", ".join(self.term("int", 2) for _ in range(self.random.randrange(4))),
                lambda: "Runnable %s = () -> mix(%s); %s.run();" % (self.aside()),
                lambda: "mix(new Shape() { public int area(int q) { return q * 3 + 1; } }.twice(%s));"
                % self.term("int", 2),
            ]
        )()

    def aside(self):
        outer = self.frame
        self.frame = outer.lambda_frame([])
        body = self.term("int", 2)
        self.frame = outer
        name = self.fresh("run")
        return name, body, name
