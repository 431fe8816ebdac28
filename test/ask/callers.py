# Callers: report with --callers, --callees, --tree and percentiles, compared with a walk over the printed events.
from ask import *

TRACE = "Callers"
NAMES = ("class", "method", "desc")


class Sum:
    def __init__(self):
        self.calls = self.exceptions = self.total = self.self_ns = 0
        self.took = []

    def add(self, took, inner, threw, nested):
        self.exceptions += threw
        self.total += 0 if nested else took
        self.self_ns += took - inner
        self.took.append(took)

    def members(self):
        return {
            "calls": self.calls,
            "exceptions": self.exceptions,
            "total_ns": self.total,
            "self_ns": self.self_ns,
            "max_ns": max(self.took),
        }


def walk():
    """Sums by method, by caller and method, and by path, of all calls in the stream."""
    methods, edges, paths = (collections.defaultdict(Sum) for _ in range(3))
    stacks = collections.defaultdict(list)
    for e in ask("print", TRACE):
        stack, method = stacks[e["thread"]], tuple(e[n] for n in NAMES)
        if e["event"] == "METHOD_ENTRY":
            path = (stack[-1]["path"] if stack else ()) + (method,)
            caller = stack[-1]["path"][-1] if stack else None
            sums = methods[method], edges[caller, method], paths[path]
            for s in sums:
                s.calls += 1
            stack.append({"path": path, "sums": sums, "begin": e["time"], "inner": 0})
        elif e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            call = stack.pop()
            took = e["time"] - call["begin"]
            nested = any(c["path"][-1] == method for c in stack)
            threw = e["event"] == "METHOD_EXCEPTIONAL_EXIT"
            for s in call["sums"][:2]:
                s.add(took, call["inner"], threw, nested)
            call["sums"][2].add(took, call["inner"], threw, False)
            if stack:
                stack[-1]["inner"] += took
    return methods, edges, paths


def named(row):
    return tuple(row[n] for n in NAMES)


def answer(row):
    return {k: row[k] for k in ("calls", "exceptions", "total_ns", "self_ns", "max_ns")}


def percent(ns):
    return float("%.6g" % (100 * ns / whole))


methods, edges, paths = walk()
whole = sum(s.self_ns for s in methods.values())
rows = ask("report", TRACE)
same("report", {named(r): answer(r) for r in rows}, {m: s.members() for m, s in methods.items()})
same("a row for each method", len(rows), len(methods))
for r in rows:
    took = sorted(methods[named(r)].took)
    same("percent of %s" % r["method"], r["self_percent"], percent(r["self_ns"]))
    same("total percent of %s" % r["method"], r["total_percent"], percent(r["total_ns"]))
    for p in (50, 90, 99):
        exact = took[-(-len(took) * p // 100) - 1]
        bound = r["p%d_ns" % p]
        same("p%d of %s: %d for %d" % (p, r["method"], bound, exact), exact <= bound < 2 * max(exact, 1), True)

by_method = collections.defaultdict(list)
for (caller, method), s in edges.items():
    by_method[method[1]].append((caller, method, s))
for name in ("leaf", "even", "fibonacci", "work", "main"):
    want = {(caller, method): s.members() for caller, method, s in by_method[name]}
    for form in (name, "Callers." + name, "Callers." + name + by_method[name][0][1][2]):
        found = ask("report", TRACE, "--callers", form)
        have = {(named(r["caller"]) if "caller" in r else None, named(r)): answer(r) for r in found}
        same("callers of " + form, have, want)
    same(
        "callers of %s add up" % name,
        [sum(r[k] for r in found) for k in ("calls", "total_ns", "self_ns")],
        [r[k] for r in rows if r["method"] == name for k in ("calls", "total_ns", "self_ns")],
    )
    found = ask("report", TRACE, "--callees", name)
    have = {named(r): answer(r) for r in found}
    want = {m: s.members() for (caller, m), s in edges.items() if caller is not None and caller[1] == name}
    same("callees of " + name, have, want)
    same("by total", [r["total_ns"] for r in found], sorted((r["total_ns"] for r in found), reverse=True))

have, path = {}, []
for r in ask("report", TRACE, "--tree"):
    path = path[: r["depth"]] + [named(r)]
    same("depth of %s" % r["method"], len(path), r["depth"] + 1)
    have[tuple(path)] = answer(r)
same("tree", have, {p: s.members() for p, s in paths.items()})
same(
    "tree through the C API",
    example("call_tree", TRACE),
    [
        "%d %s: %d calls, %d ns" % (r["depth"], r["method"], r["calls"], r["total_ns"])
        for r in ask("report", TRACE, "--tree")
    ]
    + ["0 calls in further paths"],
)

lines = run(command, "report", work + "/" + TRACE, "--tree").splitlines()
same("tree as text", len(lines), len(paths) + 1)
same("indented", [l for l in lines if l.endswith("      Callers.leaf(int)")] != [], True)
lines = run(command, "report", work + "/" + TRACE, "--callers", "guarded").splitlines()
same("heading", [l for l in lines if l.startswith("callers of")], ["callers of Callers.guarded(int)"])
lines = run(command, "report", work + "/" + TRACE, "--percentiles", "--limit", "1").splitlines()
same("percentiles as text", lines[0].split()[7:13], ["min", "ms", "avg", "ms", "p50", "ms"])

# where a use of an exception would not be seen, "swallowed" is told with a note
for trace, note in ((TRACE, True), ("Failure", False)):
    r = subprocess.run([command, "exceptions", work + "/" + trace], capture_output=True, text=True)
    same("some are swallowed in " + trace, "(swallowed)" in r.stdout, True)
    same("note of " + trace, "note: CALL+PARAM+FIELD+ARRAY+OBJECT was not woven (weave=EXEC): " in r.stderr, note)

# a clock that ticks every millisecond does not know times below two ticks: "-", told once. A call whose thread had to
# wait for a processor took longer and has its time, so that at least one method has none, but not each for certain
rows, lines = ask("report", "Loops"), run(command, "report", work + "/Loops").splitlines()
same("one note", [i for i, l in enumerate(lines) if l.startswith("-: below")], [len(lines) - 1])
same("a row for each method of Loops", len(lines) - 2, len(rows))
for row, line in zip(rows, lines[1:-1]):
    same("time of %s" % row["method"], line.split()[1], "%.3f" % (row["total_ns"] / 1e6) if "total_ns" in row else "-")
    same("known time of %s" % row["method"], row.get("total_ns", row["resolution_ns"]) >= row["resolution_ns"], True)
    same("count of %s" % row["method"], line.split()[0], str(row["calls"]))
same("no time but the counts", "-" in [l.split()[1] for l in lines[1:-1]], True)
end()
