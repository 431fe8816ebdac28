"""merged.py COMMAND EXAMPLES: `merged` lists the events of all threads and their counters in one order."""

import collections, json, subprocess, sys

command, bad = sys.argv[1], []


def fail(text):
    bad.append(text)


METHODS = ("leaf", "middle", "recursive", "throwing", "thrower", "round", "rare")
for name, size in (("rings3", 3), ("rings7", 7), ("rings1000", 1000), ("omni", 32)):
    calls = [[tuple(f.split(":")) for f in l.split()[1:]] for l in open(name + ".out") if l.startswith("enter ")]
    of = collections.defaultdict(list)
    for c in calls:
        of[c[-1][0]].append(c)
    last = {m: {c[-1][1] for c in of[m][-size:]} for m in METHODS}
    want = [c for c in calls if c[-1][1] in last[c[-1][0]]]
    rows = [json.loads(l) for l in open(name + ".json")]
    seqs = [r["seq"] for r in rows]
    if seqs != sorted(set(seqs)):
        fail("%s: seq does not rise" % name)
    # a METHOD_PARAM 0 stands for a call: its number is printed
    have = [r for r in rows if r["event"] == "METHOD_PARAM" and r["attr"]["index"] == 0 and r["method"] in METHODS]
    if [(r["method"], str(r["value"])) for r in have] != [c[-1] for c in want]:
        got, printed = [(r["method"], str(r["value"])) for r in have], [c[-1] for c in want]
        at = next((i for i, (a, b) in enumerate(zip(got, printed)) if a != b), -1)
        seen, wanted = got[at:][:8], printed[at:][:8]
        fail("%s: call %d of %d (%d): %s, printed %s" % (name, at, len(got), len(printed), seen, wanted))
        continue
    shown = 0
    for r, c in zip(have, want):
        stack = [f["method"] for f in r["stack"] if f["method"] in METHODS]
        if stack[-1] != c[-1][0]:
            fail("%s: %s is not its own top frame" % (name, r))
        rest = iter(m for m, _ in c)
        if not all(m in rest for m in stack):
            fail("%s: stack %s, printed %s" % (name, stack, c))
        # of a method that was called no more often than its rings hold, everything is known
        must = [m for m, _ in c if len(of[m]) <= size]
        if [m for m in stack if len(of[m]) <= size] != must:
            fail("%s: stack %s lacks some of %s" % (name, stack, must))
        shown += len(stack) > 2
        if r["depth"] != len(r["stack"]):
            fail("%s: depth %s" % (name, r))
    if shown < 3:
        fail("%s: stacks of only %d calls" % (name, shown))
    # an exit with a known entry shows it
    if not any("entered" in r["stack"][-1] for r in rows if r["event"] == "METHOD_NORMAL_EXIT"):
        fail("%s: no exit has its entry" % name)

    def ask(*options):
        r = subprocess.run([command, "latest", name, "--merged", *options], capture_output=True, text=True)
        return r.stdout.splitlines() if r.returncode == 0 else fail("%s %s: %s" % (name, options, r.stderr))

    if [json.loads(l) for l in ask("--json", "--limit", "5")] != rows[-5:]:
        fail("%s: --limit 5" % name)
    if [json.loads(l) for l in ask("--json", "--method", "leaf")] != [r for r in rows if r["method"] == "leaf"]:
        fail("%s: --method leaf" % name)
    r = subprocess.run([sys.argv[2] + "/timeline", name], capture_output=True, text=True)
    lines = ["%d %s: %s" % (r["seq"], r["event"], " ".join(f["method"] for f in r["stack"])) for r in rows]
    if r.stdout.splitlines() != lines:
        fail("%s: through the C API" % name)
    if len(ask()) != len(rows) + 1:
        fail("%s: as text" % name)
# the first of two snapshots, at which one thread has left its method, has only what was before
question = [command, "latest", "saved", "--merged", "--snapshot", "1", "--json"]
r = subprocess.run(question, capture_output=True, text=True)
rows = [json.loads(l) for l in r.stdout.splitlines()]
printed = [l.split()[-1].split(":") for l in open("saved.out") if l.startswith("enter ")]
kept = [str(r["value"]) for r in rows if r["event"] == "METHOD_PARAM" and r["method"] == "leaf"]
leaves = [n for m, n in printed if m == "leaf"]
if len(kept) != 7 or "".join(kept) not in "".join(leaves):
    fail("snapshot 1: kept %s of %s" % (kept, leaves))
print("".join("FAILED: %s\n" % b for b in bad[:8]), end="")
sys.exit(bool(bad))
