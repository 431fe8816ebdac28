"""same.py FULL.jsonl FORMAT ANSWER.jsonl START END NESTED [SNAPSHOT RESETS]: is a recording in parts what is left of a
whole one?

FULL are all events of the program, in the order of `print --json`. The parts are taken out of them here, by the rules
in README.md, written down once more: START and END are patterns (several: joined by a space, none: -). ANSWER is what
`print`, `freq`, `latest` or `report` (--json) tell of the recording in parts; of the state after interval SNAPSHOT
(from 1), which with RESETS=1 holds that interval alone."""
import json
import re
import sys

SIZE = 5
full, form, answer, start, end, nested = sys.argv[1:7]
snapshot, resets = (int(sys.argv[7]), sys.argv[8] == "1") if len(sys.argv) > 8 else (0, False)
EXIT = {"METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"}


def pattern(text):
    parts = (text.split("#") + [""] * 4)[:4]
    names = set(n for n in parts[3].split(";") if n)
    if "METHOD_EXIT" in names:
        names |= EXIT
    return lambda e: all(
        p == "" or re.fullmatch(p, t) for p, t in zip(parts, (e["class"].replace(".", "/"), e["method"], e["desc"]))
    ) and (not names or e["event"] in names)


def patterns(text):
    return None if text == "-" else [pattern(p) for p in text.split(" ")]


def matches(ps, e):
    return any(p(e) for p in ps or [])


def shown(e):
    v = e.get("value", "none")
    if isinstance(v, dict):
        v = (v["type"], v.get("string"))
    return v


events = [json.loads(line) for line in open(full)]
starts, ends = patterns(start), patterns(end)
level = 1 if starts is None else 0
intervals, kept = ([[]] if level else []), []
for e in events:
    if matches(starts, e):
        if level == 0:
            intervals.append([])
        level = level + 1 if nested == "true" else 1
    on = level > 0
    if on and matches(ends, e):
        level = level - 1 if nested == "true" else 0
    if on:
        intervals[-1].append(e)
if snapshot:
    intervals = intervals[snapshot - 1 : snapshot] if resets else intervals[:snapshot]
kept = [e for i in intervals for e in i]
rows = [json.loads(line) for line in open(answer)]


def fail(text):
    print("FAILED: %s of start %s end %s nested %s: %s" % (form, start, end, nested, text))
    sys.exit(1)


def key(e):
    return (e["event"], e["class"], e["method"], e["desc"], e["pc"], json.dumps(e.get("attr", {}), sort_keys=True))


if form == "omni":
    if len(rows) != len(kept):
        fail("%d events, expected are %d" % (len(rows), len(kept)))
    names, threads = {}, {}
    for n, (a, b) in enumerate(zip(rows, kept)):
        if (
            key(a) != key(b)
            or shown(a) != shown(b)
            or a["seq"] != n
            or threads.setdefault(a["thread"], b["thread"]) != b["thread"]
        ):
            fail("event %d is %s, expected is %s" % (n, a, b))
        if (
            isinstance(a.get("value"), dict)
            and names.setdefault(a["value"]["id"], b["value"]["id"]) != b["value"]["id"]
        ):
            fail("event %d shows another object" % n)
elif form in ("freq", "latest"):
    want = {}
    for e in kept:
        want.setdefault(e["dataid"], []).append(e)
    if {r["dataid"]: r["count"] for r in rows} != {k: len(v) for k, v in want.items()}:
        fail(
            "counts are %s, expected %s"
            % ({r["dataid"]: r["count"] for r in rows}, {k: len(v) for k, v in want.items()})
        )
    for r in rows if form == "latest" else []:
        got = [shown(v) for v in r["values"]]
        if got != [shown(e) for e in want[r["dataid"]]][-SIZE:]:
            fail(
                "last values of data ID %d are %s, expected %s"
                % (r["dataid"], got, [shown(e) for e in want[r["dataid"]]][-SIZE:])
            )
else:
    want = {}
    for part in intervals:
        stacks = {}
        for e in part:
            method, stack = (e["class"], e["method"], e["desc"]), stacks.setdefault(e["thread"], [])
            if e["event"] == "METHOD_ENTRY":
                want.setdefault(method, [0, 0])[0] += 1
                stack.append(method)
            elif e["event"] in EXIT and method in stack:
                while stack.pop() != method:
                    pass
                want[method][1] += e["event"] == "METHOD_EXCEPTIONAL_EXIT"
    got = {(r["class"], r["method"], r["desc"]): [r["calls"], r["exceptions"]] for r in rows}
    if got != want:
        fail("calls and exceptions are %s, expected %s" % (got, want))
print(len(kept))
