"""profiles.py FORMAT FILE EVENTS REPORT WEIGHT - does a profile hold the calls, times and events of a recording?

What is expected is made from the lines of `print --json` (EVENTS) alone: the calls of each thread are followed from
entry to exit. REPORT has the lines of `report --json`; its sums have to be the same. FORMAT: collapsed, speedscope,
callgrind (what callgrind_annotate prints of it: FILE, and FILE.inclusive), pprof (as pprof.js prints it), timers."""

import collections
import json
import re
import sys

PRIMITIVES = dict(zip("ZBCSIJFDV", "boolean byte char short int long float double void".split()))


def parameters(desc):
    out, at = [], 1
    while desc[at] != ")":
        dims = 0
        while desc[at] == "[":
            dims, at = dims + 1, at + 1
        if desc[at] == "L":
            end = desc.index(";", at)
            name, at = desc[at + 1 : end].replace("/", "."), end + 1
        else:
            name, at = PRIMITIVES[desc[at]], at + 1
        out.append(name + "[]" * dims)
    return ", ".join(out)


def name_of(e):
    name = "%s.%s(%s)" % (e["class"], e["method"], parameters(e["desc"]))
    return name.replace("\n", "\\n")


class Expected:
    """own[weight][stack], calls that ended: (method, ns, thread)"""

    def __init__(self, events):
        self.own = {w: collections.Counter() for w in ("calls", "time", "events")}
        self.ended = []
        self.total = collections.Counter()  # by method, nested calls of itself once
        stacks = collections.defaultdict(list)
        for line in open(events):
            e = json.loads(line)
            stack = stacks[e["thread"]]
            if e["event"] == "METHOD_ENTRY":
                stack.append([name_of(e), e["time"], 0])
                self.own["calls"][self.path(stack)] += 1
            self.own["events"][self.path(stack)] += 1
            if e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
                path = self.path(stack)
                name, begin, inner = stack.pop()
                took = e["time"] - begin
                self.own["time"][path] += took - inner
                self.ended.append((name, took, e["thread"]))
                if name not in (f[0] for f in stack):
                    self.total[name] += took
                if stack:
                    stack[-1][2] += took

    @staticmethod
    def path(stack):
        return tuple(f[0] for f in stack) or ("(outside of recorded calls)",)

    def stacks(self, weight):
        return {k: v for k, v in self.own[weight].items() if v}

    def inclusive(self, weight):
        sums = collections.Counter()
        for path, n in self.own[weight].items():
            for method in set(path):
                sums[method] += n
        return sums

    def own_by_method(self, weight):
        sums = collections.Counter()
        for path, n in self.own[weight].items():
            sums[path[-1]] += n
        return sums


def same(what, got, want):
    got, want = dict(got), dict(want)
    assert want, "nothing is expected of " + what
    for key in list(want) + list(got):
        if got.get(key) != want.get(key):
            sys.exit("FAILED: %s: %r is %r, not %r" % (what, key, got.get(key), want.get(key)))


def collapsed(path, want, weight):
    got = collections.Counter()
    for line in open(path):
        stack, n = re.fullmatch(r"(.*)\s+?(\d+(?:\.\d*)?)\n", line).groups()  # as flamegraph.pl
        got[tuple(stack.split(";"))] += int(n)
    same("collapsed", got, want.stacks(weight))


def speedscope(path, want, weight):
    d = json.load(open(path))
    frames = [f["name"] for f in d["shared"]["frames"]]
    names = {"calls": "calls", "time": "self time", "events": "events"}
    assert d["profiles"][0]["name"] == names[weight], d["profiles"][0]["name"]
    for p in d["profiles"]:
        w = next(k for k, v in names.items() if v == p["name"])
        got = {tuple(frames[i] for i in s): n for s, n in zip(p["samples"], p["weights"])}
        assert len(got) == len(p["samples"]) and p["endValue"] == sum(p["weights"])
        same("speedscope " + w, got, want.stacks(w))


def annotated(path):
    columns, rows = None, {}
    for line in open(path):
        if line.startswith("Events shown:"):
            columns = line.split(":")[1].split()
        row = re.match(r"\s*((?:[\d,]+|\.)(?:\s+(?:[\d,]+|\.))*)\s+\S+?:(\S.*?)(?: \[.*\])?\n", line)
        if row:
            numbers = [0 if n == "." else int(n.replace(",", "")) for n in row.group(1).split()]
            rows[row.group(2)] = dict(zip(columns, numbers))
    return rows


def callgrind(path, want, weight):
    columns = {"calls": "Calls", "time": "Nanoseconds", "events": "Events"}
    own, inclusive = annotated(path), annotated(path + ".inclusive")
    for w in {weight, "calls", "time"}:
        same("callgrind " + w, {m: r[columns[w]] for m, r in own.items()}, want.own_by_method(w))
        same(
            "callgrind inclusive " + w,
            {m: r[columns[w]] for m, r in inclusive.items()},
            want.inclusive(w),
        )


def pprof(path, want, weight):
    d = json.load(open(path))
    assert d["default"] == weight and d["types"][0] == weight, d["types"]
    for at, w in enumerate(d["types"]):
        got = {tuple(s["stack"]): s["values"][at] for s in d["samples"] if s["values"][at]}
        same("pprof " + w, got, want.stacks(w))


def timers(path, want, weight):
    lines = [l.rstrip("\n").split("\t") for l in open(path) if not l.startswith("#")]
    got = [(method, int(ns)) for method, ns, _ in lines]
    assert got == [(method, ns) for method, ns, _ in want.ended], "timers: other lines"
    assert {t for _, _, t in lines} == {"main", 'worker; <0> "q"', 'worker; <1> "q"'}, lines[-1]


def main():
    form, path, events, report, weight = sys.argv[1:]
    want = Expected(events)
    globals()[form](path, want, weight)
    rows = [json.loads(l) for l in open(report)]
    same("report calls", {name_of(r): r["calls"] for r in rows}, want.own_by_method("calls"))
    same("report self", {name_of(r): r["self_ns"] for r in rows}, want.own_by_method("time"))
    same("report total", {name_of(r): r["total_ns"] for r in rows}, want.total)


main()
