#!/usr/bin/env python3
"""answers.py A.events B.events OUT [renamed=Class.old:new,...] [changed=Class.method,...] [noise=EVENTS]: what
`hindsight diff --json` has to say of two traces, of which the two files have all events (`print --json`).

Calls are aligned with difflib, which knows nothing of windows; the methods that another build has renamed or changed
are given; of noise=EVENTS, a third run, what it and A differ in is left out. OUT: one line of JSON for each row,
without its events but for their seqs, sorted. Printed: how many calls that both made have events missing because of
percall= (EVENTS_LEFT_OUT), and of how many methods lines are missing."""
import difflib
import json
import sys

files, out = sys.argv[1:3], sys.argv[3]
given = dict(a.split("=") for a in sys.argv[4:])
renamed = dict(r.split(":") for r in given.get("renamed", "").split(",") if r)
changed = set(filter(None, given.get("changed", "").split(",")))
ENTRY, PARAM = "METHOD_ENTRY", "METHOD_PARAM"
EXITS = ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
HOLE = "EVENTS_LEFT_OUT"
rows = []
learns, noise = False, set()  # keys of differences that are left out; `learns`: all that are met become some


def method(e):
    name = e["class"] + "." + e["method"]
    if name in renamed:
        return e["class"] + "." + renamed[name] + e["desc"]
    return name + e["desc"]


def has_changed(e):
    return e["class"] + "." + e["method"] in changed


def place(e):
    if has_changed(e) and e["event"] not in (ENTRY, PARAM) + EXITS:
        attr = e.get("attr", {})
        where = [attr.get(k) for k in ATTRIBUTES]
    else:
        where = None if has_changed(e) else e["pc"]
    return e["event"], method(e), where


class Values:
    """Pairs of objects in the order in which they are first seen."""

    def __init__(self):
        self.of_a, self.of_b = {}, {}
        self.was = {}  # of the last two values: what each object was before, if that makes them different

    def same(self, a, b):
        self.was = {}
        x, y = a.get("value"), b.get("value")
        if not isinstance(x, dict) or not isinstance(y, dict):
            return type(x) is type(y) and x == y
        if "string" in x and "string" in y:
            return x["string"] == y["string"]
        i, j = x["id"], y["id"]
        types = [v["type"].split("$$Lambda")[0] for v in (x, y)]
        same = types[0] == types[1] and self.of_a.get(i, j) == j and self.of_b.get(j, i) == i
        if types[0] == types[1] and not same:
            self.was = {k: v for k, v in (("a_was", self.of_a.get(i)), ("b_was", self.of_b.get(j))) if v}
        self.of_b.pop(self.of_a.get(i), None)
        self.of_a.pop(self.of_b.get(j), None)
        self.of_a[i], self.of_b[j] = j, i
        return same


ATTRIBUTES = ("name", "owner", "desc", "index", "methodtype", "amount", "dimensions")


def differs(a, b):
    """what the instructions of two events of one type name differently"""
    if not a or not b or a["event"] != b["event"]:
        return {}
    x, y = a.get("attr", {}), b.get("attr", {})
    return {"differs": [k for k in ATTRIBUTES if x.get(k) != y.get(k)]}


def row(key, kind, a, b, path=None, **more):
    """False: it is noise"""
    if learns:
        noise.add(key)
    if key in noise:
        return False
    r = {"kind": kind, "a": a and a["seq"], "b": b and b["seq"], **more}
    if path is not None:
        r["path"] = path
    rows.append(r)
    return True


def at(e):
    return method(e), e["pc"], e["event"]


# ---- threads ----
def threads(file):
    found = {}
    for line in open(file, encoding="utf-8"):
        e = json.loads(line)
        found.setdefault(e["thread"], []).append(e)
    return found


def pairs(a, b):
    """The programs give their threads different names and start them in order: main, w1, w2, ..."""
    ka, kb = sorted(a), sorted(b)
    for i in range(max(len(ka), len(kb))):
        yield (a[ka[i]] if i < len(ka) else []), (b[kb[i]] if i < len(kb) else [])


# ---- the first difference ----
def known(a, b):
    """The events of both threads without those that the other trace may have left out: of the nth call of a thread as
    many are known as either trace has kept, if one of them has left out some."""

    def of_calls(events):
        entries, stack = 0, [0]
        for e in events:
            if e["event"] == ENTRY:
                entries += 1
                yield e, stack[-1], True
                stack.append(entries)
            else:
                yield e, stack[-1], e["event"] in EXITS
                if e["event"] in EXITS:
                    stack.pop()

    kept = [{}, {}]
    for side, events in enumerate((a, b)):
        holes, own = set(), {}
        for e, call, always in of_calls(events):
            if e["event"] == HOLE:
                holes.add(call)
            elif not always:
                own[call] = own.get(call, 0) + 1
        kept[side] = {call: own.get(call, 0) for call in holes}
    for events in a, b:
        found, own = [], {}
        for e, call, always in of_calls(events):
            if not always and e["event"] != HOLE:
                own[call] = own.get(call, 0) + 1
            if always or own.get(call, 0) <= min(k.get(call, 1 << 60) for k in kept) and e["event"] != HOLE:
                found.append(e)
        yield found


def leave(events, i, path):
    """the first event behind the call that this event is in"""
    depth = 0
    while path and i < len(events) and depth >= 0:
        depth += {ENTRY: 1, **dict.fromkeys(EXITS, -1)}.get(events[i]["event"], 0)
        i += 1
    return i if path else len(events)


def first(a, b, values):
    path, i, j, behind, found = [], 0, 0, None, False
    while i < len(a) or j < len(b):
        x, y = a[i] if i < len(a) else None, b[j] if j < len(b) else None
        if x is None or y is None or place(x) != place(y):
            # both stand behind one branch
            decides = x and y and x["event"] == y["event"] == "LABEL" and method(x) == method(y)
            done = found
            if decides and not has_changed(x) and x["value"] == y["value"]:
                decisions = {k: {"seq": e["seq"], "pc": e["value"]} for k, e in (("a_decision", x), ("b_decision", y))}
                done = row((method(x), x["value"]), "decision", x, y, list(path), first=True, **decisions)
            elif not found:
                more = {} if a and b else {"what": "thread"}
                key = ("first", behind and at(behind))
                done = row(key, "call", x, y, list(path), first=True, **more, **differs(x, y))
            if done:
                return
            i, j = leave(a, i, path), leave(b, j, path)
            path[-1:] = []
            continue
        if values.same(x, y):
            behind = x
        elif not found and not (x["event"] in ("LABEL", "CATCH_LABEL") and has_changed(x)):
            found = row(at(x), "value", x, y, list(path), first=True, **values.was)
        if x["event"] == ENTRY:
            path.append(x["class"] + "." + x["method"])
        elif x["event"] in EXITS:
            path.pop()
        i, j = i + 1, j + 1


# ---- calls ----
class Call:
    def __init__(self, entry):
        self.entry, self.parameters, self.calls, self.exit, self.hole = entry, [], [], None, False
        self.method = method(entry) if entry else None
        self.name = entry["class"] + "." + entry["method"] if entry else None

    def inside(self):
        return sum(1 + c.inside() for c in self.calls)


def tree(events):
    stack = [Call(None)]
    for e in events:
        if e["event"] == ENTRY:
            call = Call(e)
            stack[-1].calls.append(call)
            stack.append(call)
        elif e["event"] == PARAM:
            stack[-1].parameters.append(e)
        elif e["event"] == HOLE:
            stack[-1].hole = True
        elif e["event"] in EXITS:
            stack.pop().exit = e
    return stack[0]


def only(side, calls, path):
    start = 0
    while start < len(calls):
        end = start
        while end < len(calls) and calls[end].method == calls[start].method:
            end += 1
        entry = calls[start].entry
        inside = sum(c.inside() for c in calls[start:end])
        key = ("call", method(entry), path[-1] if path else None)
        row(key, "call", *((entry, None) if side == 0 else (None, entry)), list(path), times=end - start, calls=inside)
        start = end


def compare(x, y, what, path, values):
    if x["event"] != y["event"]:
        row(("exit", method(x)), "value", x, y, list(path), what="exit")
    elif not values.same(x, y):
        row(at(x), "value", x, y, list(path), what=what, **values.was)


def calls(a, b, path, values):
    match = difflib.SequenceMatcher(None, [c.method for c in a.calls], [c.method for c in b.calls], False)
    for tag, i, i_end, j, j_end in match.get_opcodes():
        if tag != "equal":
            only(0, a.calls[i:i_end], path)
            only(1, b.calls[j:j_end], path)
            continue
        for x, y in zip(a.calls[i:i_end], b.calls[j:j_end]):
            partial[0] += x.hole or y.hole
            path.append(x.name)
            compare(x.entry, y.entry, "receiver", path, values)
            for p, q in zip(x.parameters, y.parameters):
                compare(p, q, "argument", path, values)
            calls(x, y, path, values)
            if x.exit and y.exit:
                compare(x.exit, y.exit, "result", path, values)
            path.pop()


# ---- coverage ----
def coverage(a, b):
    def reached(events):
        methods, lines, holes = {}, {}, set()
        for e in events:
            methods.setdefault(method(e), e)
            if e["event"] == HOLE:
                holes.add(method(e))
                continue
            if "line" in e and e["event"] != "METHOD_EXCEPTIONAL_EXIT" and not has_changed(e):
                lines.setdefault((method(e), e["line"]), e)
        return methods, lines, holes

    (methods_a, lines_a, holes_a), (methods_b, lines_b, holes_b) = reached(a), reached(b)
    gone = {name for name in methods_a if name in methods_b and (name in holes_a or name in holes_b)}
    partial[1] = len([n for n in gone if not has_changed(methods_a[n]) and not has_changed(methods_b[n])])
    for side, methods, lines, others, other_lines, other_holes in (
        (0, methods_a, lines_a, methods_b, lines_b, holes_b),
        (1, methods_b, lines_b, methods_a, lines_a, holes_a),
    ):
        for name, e in methods.items():
            if name not in others:
                row(("method", name), "coverage", *((e, None) if side == 0 else (None, e)), what="method")
        for (name, line), e in lines.items():
            if name in other_holes:
                continue
            if name in others and (name, line) not in other_lines and not renamed:  # another build numbers them anew
                row((name, line, "line"), "coverage", *((e, None) if side == 0 else (None, e)), what="line")


def compare_all(run_a, run_b):
    seen = Values()
    for ta, tb in pairs(run_a, run_b):
        first(*known(ta, tb), seen)
    seen = Values()
    for ta, tb in pairs(run_a, run_b):
        calls(tree(ta), tree(tb), [], seen)
    coverage(
        sorted(sum(run_a.values(), []), key=lambda e: e["seq"]), sorted(sum(run_b.values(), []), key=lambda e: e["seq"])
    )


partial = [0, 0]
if "noise" in given:
    learns = True
    compare_all(threads(files[0]), threads(given["noise"]))
    learns, partial = False, [0, 0]
compare_all(*map(threads, files))
with open(out, "w", encoding="utf-8") as f:
    f.writelines(sorted(json.dumps(r, sort_keys=True) + "\n" for r in rows))
print(*partial)
