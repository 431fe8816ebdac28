"""generate.py SEED: writes a random Java program, class S<SEED>, to standard output.

Its constants are fields K0, K1, ..., each written once in <clinit>, so that one can be changed from outside; those
below 4 are indices and rounds of loops. run() computes a number from them through variables, fields, elements, calls
and branches; `path` is another one for each way that control went, and for other elements that were written. What is
computed is mixed, so that a change of an operand changes the result."""
import random, sys


class Program:
    def __init__(self, seed):
        self.r, self.constants, self.lines, self.blocks = random.Random(seed), [], [], 0
        self.name = "S%d" % seed
        self.methods = self.r.randrange(2, 5)

    def constant(self, value):
        self.constants.append(value)
        return "K%d" % (len(self.constants) - 1)

    def value(self, vs):
        return self.r.choice(
            [lambda: self.r.choice(vs)] * 4
            + [lambda: self.constant(self.r.randrange(4, 1 << 30))] * 3
            + [lambda: "s%d" % self.r.randrange(3)] * 2
            + [lambda: "n.f%d" % self.r.randrange(2), lambda: "a[%s]" % self.index(vs)]
        )()

    def index(self, vs):
        return self.r.choice([self.constant(self.r.randrange(4)), "%s & 3" % self.r.choice(vs)])

    def mixed(self, vs):
        x, y = self.value(vs), self.value(vs)
        return "(%s * 31 + %s) ^ (%s >>> 7)" % (x, y, x)

    def block(self, vs, number, depth, out):
        self.blocks += 1
        out.append("path = path * 31 + %d;" % self.blocks)
        vs = list(vs)
        for _ in range(self.r.randrange(2, 5)):
            self.statement(vs, number, depth, out)

    def statement(self, vs, number, depth, out):
        kind = self.r.randrange(10 if depth < 2 else 7)
        if kind < 2:
            name = "v%d_%d" % (self.blocks, len(out))
            out.append("int %s = %s;" % (name, self.mixed(vs)))
            vs.append(name)
        elif kind == 2:
            out.append("%s = %s;" % (self.r.choice(vs), self.mixed(vs)))
        elif kind == 3:
            out.append("s%d = %s;" % (self.r.randrange(3), self.mixed(vs)))
        elif kind == 4:
            out.append("n.f%d = %s;" % (self.r.randrange(2), self.value(vs)))
        elif kind == 5:
            i = "j%d_%d" % (self.blocks, len(out))
            out.append("int %s = %s;" % (i, self.index(vs)))
            out.append("path = path * 31 + %s;" % i)
            out.append("a[%s] = %s;" % (i, self.value(vs)))
        elif kind == 6 and number + 1 < self.methods:
            out.append("%s = m%d(%s, %s);" % (self.r.choice(vs), number + 1, self.value(vs), self.value(vs)))
        elif kind == 6:
            out.append("%s += a.length;" % self.r.choice(vs))
        elif kind < 9:
            condition = "(%s & 127) > %s" % (self.r.choice(vs), self.constant(self.r.randrange(20, 100)))
            if self.r.random() < 0.3:
                condition += self.r.choice([" && ", " || "]) + "%s > 0" % self.r.choice(vs)
            out.append("if (%s) {" % condition)
            self.block(vs, number, depth + 1, out)
            if self.r.random() < 0.5:
                out.append("} else {")
                self.block(vs, number, depth + 1, out)
            out.append("}")
        else:
            i = "i%d" % self.blocks
            out.append("for (int %s = 0; %s < %s; %s++) {" % (i, i, self.constant(self.r.randrange(1, 4)), i))
            self.block(vs, number, depth + 1, out)
            if self.r.random() < 0.3:
                out.append("if (%s < 0) %s;" % (self.r.choice(vs), self.r.choice(["break", "continue"])))
            out.append("}")

    def write(self):
        bodies = []
        for number in range(self.methods):
            out = []
            self.block(["x", "y"], number, 0, out)
            bodies.append(out)
        lines = ["class %s {" % self.name]
        lines += ["static int K%d = %d;" % k for k in enumerate(self.constants)]
        lines += ["static int s0 = 1;", "static int s1 = 2;", "static int s2 = 3;"]
        lines += ["static long path;", "static class N { int f0, f1; }", "static int[] a = new int[4];"]
        lines += ["static N n = new N();"]
        for number, out in enumerate(bodies):
            lines += ["static int m%d(int x, int y) {" % number] + out
            lines += ["return (x * 31 + y) ^ (s0 * 17 + n.f0) ^ (s1 * 13 + n.f1) ^ (a[1] * 5 + a[2]);", "}"]
        lines += ["static int run() {", "int r = m0(K0, s1) + m0(s2, s0);", "return r;", "}"]
        lines += ["public static void main(String[] args) {", "System.out.println(run());", "}", "}"]
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    p = Program(int(sys.argv[1]))
    p.constant(77)
    print(p.write(), end="")
