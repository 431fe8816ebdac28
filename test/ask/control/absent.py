# absent.py COMMAND TRACE OUTPUT SOURCE: what a program has counted, place by place, against why-not.
import collections, os, re, sys

from asked import ask

trace, output, source = sys.argv[2:5]
program = os.path.basename(source)[:-5]
lines = {m.group(1): n for n, l in enumerate(open(source), 1) for m in re.finditer(r"// @(\w+)", l)}
said = collections.defaultdict(set)
for line in open(output):
    place, situation, held, needed, calls = line.rstrip("\n").split("\t")
    said[place].add((situation, held, needed, int(calls)))

OF_VALUE = ("value", "held", "under", "operand", "no_operand", "constant", "input")  # expected.py has these
wrong = rows = 0
for place, want in sorted(said.items()):
    words = re.split(r" (?=--)", place)  # the place, options
    where = re.sub(r"@(\w+)", lambda m: str(lines[m.group(1)]), words[0])
    where = "%s:%d" % (program, lines[where]) if where in lines else where
    options = [w for o in words[1:] for w in o.split()]
    got = [r for r in ask("why-not", where, trace, *options) if r["situation"] not in OF_VALUE]
    found = {
        (r["situation"], r.get("decision", {}).get("condition", ""), r.get("needs", ""), r.get("calls", 0)) for r in got
    }
    rows += len(want)
    if found != want or len(got) != len(want):
        wrong += 1
        print("FAILED: %s:\n  is     %s\n  wanted %s" % (where, sorted(found), sorted(want)))
    for r in got:  # the last time, alone: the same reason
        if "seq" not in r or r["situation"] not in ("decision", "reached", "stopped"):
            continue
        frames = ask("locals", trace, "--at", str(r["seq"]))
        alone = ask("why-not", where, trace, "--in", str(frames[0]["entered"]), *options)
        alone = [a for a in alone if "calls" in a and a.get("target") == r.get("target")]
        if [(a["situation"], a.get("needs"), a.get("calls")) for a in alone] != [(r["situation"], r.get("needs"), 1)]:
            wrong += 1
            print("FAILED: %s --in %d: %s, not as %s" % (where, frames[0]["entered"], alone, r))
print("%d places, %d rows, %d wrong" % (len(said), rows, wrong))
sys.exit(wrong > 0 or len(said) < 14)
