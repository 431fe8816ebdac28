# threads.py HINDSIGHT TRACE: what threads did to each other, and features, by the package and by `hindsight --json`;
# and holds by a plain walk over the events.
import json, subprocess, sys

import hindsight

command, path = sys.argv[1:]
bad = []


def ask(*words):
    made = subprocess.run([command, words[0], path, *map(str, words[1:]), "--json"], capture_output=True, text=True)
    return [json.loads(line) for line in made.stdout.splitlines()]


def same(what, have, want):
    if have != want:
        bad.append("%s: %r, expected %r" % (what, have, want))


def monitor(v):
    """A monitor of the package, or of the command: its number, or the name of its class."""
    if isinstance(v, dict):
        return v["id"] if "id" in v else v["class"]
    return v.id if isinstance(v, hindsight._rows.Reference) else v


def waiting(s):
    w = s.wait
    return w and {"for": w.what, "object": monitor(w.monitor), "since": w.since, "owner": w.owner, "held": w.held_since}


def told_waiting(row):
    w = row.get("waits")
    of = monitor(w["object"] if "object" in w else w) if w else None
    return w and {"for": w["for"], "object": of, "since": w["since"], "owner": w.get("owner"), "held": w.get("held")}


def frames(s):
    return None if s.frames is None else [(f.class_name, f.method, f.entered) for f in s.frames]


def told_frames(row):
    return [(f["class"], f["method"], f.get("entered")) for f in row["stack"]] if "stack" in row else None


def plain_holds(events):
    """Seqs (asked, entered, left) of holds of blocks: the innermost one of a monitor in its thread ends at an exit."""
    asked, held, found = {}, {}, []
    for e in events:
        if e.name == "MONITOR_ENTER":
            asked[e.thread] = e.seq
        elif e.name == "MONITOR_ENTER_RESULT":
            held.setdefault(e.thread, []).append((e.value.id, asked.get(e.thread), e.seq))
        elif e.name == "MONITOR_EXIT":
            mine = held.get(e.thread, [])
            at = next((i for i in reversed(range(len(mine))) if mine[i][0] == e.value.id), None)
            if at is not None:
                found.append((e.thread, *mine.pop(at)[1:], e.seq))
    return found + [(thread, a, s, None) for thread, mine in held.items() for _, a, s in mine]


def edge(e):
    return (monitor(e.outer), monitor(e.inner), e.count, e.circle, e.entered_outer.seq, e.entered_inner.seq)


with hindsight.open(path) as t:
    locks = {monitor(x.monitor): x for x in t.locks()}
    told = ask("locks")
    same("monitors", sorted(map(str, locks)), sorted(str(monitor(x["lock"])) for x in told))
    for x in told:
        have = locks[monitor(x["lock"])]
        for key in ("entered", "contended", "wait_ns", "hold_ns", "holds_unknown", "still_held", "still_waiting"):
            if key in x:
                same("%s of %r" % (key, have.monitor), getattr(have, key), x[key])
        same("shared", have.shared, x["shared"])
    same(
        "order",
        [edge(e) for e in t.lock_order()],
        [
            (monitor(e["from"]), monitor(e["to"]), e["count"], e["circle"], e["a"]["seq"], e["b"]["seq"])
            for e in ask("locks", "--order")
        ],
    )
    same(
        "inversions",
        [[monitor(e.outer) for e in v] for v in t.inversions()],
        [[monitor(x) for x in v["locks"]] for v in ask("locks", "--inversions")],
    )
    holds = list(t.holds())
    blocks = [h for h in holds if t.dataid(h.dataid).name == "MONITOR_ENTER_RESULT"]
    same(
        "holds",
        sorted((h.thread, h.asked, h.entered, h.left or -1) for h in blocks),
        sorted((n, a, s, left or -1) for n, a, s, left in plain_holds(t.events())),
    )
    same("entered", sum(x.entered for x in locks.values()), len(holds))
    some = sorted({h.thread for h in holds})[:2]
    same("holds of threads", list(t.holds(some)), [h for h in holds if h.thread in some])
    for seq in (None, *range(0, len(t), max(1, len(t) // 5))):
        at = () if seq is None else ("--at", seq)
        states = list(t.thread_states(*at[1:]))
        told = ask("threads", "--frames", 1000, *at)
        same("threads at %s" % seq, [s.thread for s in states], [x["thread"] for x in told])
        for s, x in zip(states, told):
            what = "thread %d at %s" % (s.thread, seq)
            same(what, s.last and s.last.seq, x["last"]["seq"] if "last" in x else None)
            same(what, waiting(s), told_waiting(x))
            same(what, frames(s), told_frames(x))
        same(
            "deadlocks at %s" % seq,
            [[(s.thread, waiting(s), frames(s)) for s in d] for d in t.deadlocks(*at[1:])],
            [[(x["thread"], told_waiting(x), told_frames(x)) for x in d["threads"]] for d in ask("deadlocks", *at)],
        )
    races = list(t.races())
    same(
        "races",
        [(r.a.seq, r.b.seq, r.count, r.object and r.object.id, r.index, r.collection) for r in races],
        [
            (x["a"]["seq"], x["b"]["seq"], x["count"], x.get("object", {}).get("id"), x.get("index"))
            + (x.get("collection", False),)
            for x in ask("races")
        ],
    )
    told = ask("features")
    same(
        "features",
        [
            (f.name, f.marks, f.unended, f.first, f.last, f.events, f.calls, f.objects, f.created, f.classes)
            for f in t.features()
        ],
        [
            (f["feature"], f["marks"], f["unended"], f.get("first"), f.get("last"), f["events"], f["calls"])
            + (f["objects"], f["created"], f["classes"])
            for f in told
        ],
    )
    same("their methods", [["%s.%s%s" % m for m in f.methods] for f in t.features()], [f["methods"] for f in told])
    same(
        "affinity",
        [(m.class_name, m.method, m.desc, m.features, m.affinity) for m in t.feature_methods()],
        [(m["class"], m["method"], m["desc"], m["features"], m["affinity"]) for m in ask("features", "--affinity")],
    )
    same(
        "flows",
        [(f.source, f.target, f.objects, f.types) for f in t.feature_flows()],
        [(f["from"], f["to"], f["objects"], f["types"]) for f in ask("features", "--instances")],
    )
    same(
        "similarity",
        [(x.a, x.b, round(x.similarity, 6)) for x in t.similarities()],
        [(x["a"], x["b"], x["similarity"]) for x in ask("features", "--similarity")],
    )
    for by in ("seq", "time"):
        same(
            "signals",
            [(x.feature, x.by_time, x.width, x.calls, x.depth) for x in t.signals(20, by == "time")],
            [
                (x.get("feature"), x["by"] == "time", x["width"], x["calls"], x["depth"])
                for x in ask("features", "--signal", "--buckets", 20, "--by", by)
            ],
        )
    inner = t.inversions()
    next(inner, None)  # the trace is closed with its cursors open
print(
    "\n".join(bad)
    if bad
    else "%s: %d monitors, %d holds, %d races, %d features" % (path, len(locks), len(holds), len(races), len(told))
)
sys.exit(1 if bad else 0)
