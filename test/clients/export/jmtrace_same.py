# jmtrace_same.py GOT WANT: the same lines, each object one number on each side.
import sys

got, want = (open(f).read().splitlines() for f in sys.argv[1:])
there, back = {}, {}
for i, (g, w) in enumerate(zip(got, want)):
    g, w = g.split(" ", 3), w.split(" ", 3)
    number = int(g[2], 16)
    same = there.setdefault(number, w[2]) == w[2] and back.setdefault(w[2], number) == number
    if [g[:2], g[3]] != [w[:2], w[3]] or not same or (number == 0) != (w[2] == "0"):
        sys.exit("FAILED: line %d is %r, not %r" % (i + 1, g, w))
if len(got) != len(want) or len(want) < 100:
    sys.exit("FAILED: %d lines, not %d" % (len(got), len(want)))
