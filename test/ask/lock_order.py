# Monitors: how often they were held and waited for, in which order they were entered, by Python over all events.
import collections

from ask import *

SYNCHRONIZED, STATIC = 0x20, 0x08
methods = {(m["class"], m["method"], m["desc"]): m["access"] for m in ask("methods", "LockOrder")}
stacks, asked = collections.defaultdict(list), {}
uses = collections.defaultdict(
    lambda: {"entered": 0, "contended": 0, "wait_ns": 0, "hold_ns": 0, "unknown": 0, "threads": set()}
)
edges = collections.defaultdict(list)
held_by = collections.defaultdict(list)  # of each monitor: [thread, entered, left]


def enter(t, lock, e):
    if lock not in [l for l, _, _ in stacks[t]]:
        for l, _, _ in stacks[t][-1:]:
            edges[l, lock].append(t)
    stacks[t].append((lock, e, asked.pop(t, None)))


def leave(t, lock, e):
    i = max(i for i, (l, _, _) in enumerate(stacks[t]) if l == lock)
    _, entered, wanted = stacks[t].pop(i)
    use = uses[lock]
    waited = wanted and any(o != t and wanted["seq"] < left < entered["seq"] for o, left in held_by[lock])
    use["entered"] += 1
    use["unknown"] += wanted is None and lock not in [l for l, _, _ in stacks[t]]
    use["contended"] += bool(waited)
    use["wait_ns"] += entered["time"] - wanted["time"] if waited else 0
    use["hold_ns"] += e["time"] - entered["time"]
    use["threads"].add(t)
    held_by[lock].append((t, e["seq"]))


for e in ask("print", "LockOrder"):
    t, event, value = e["thread"], e["event"], e.get("value")
    access = methods[e["class"], e["method"], e["desc"]]
    if event == "MONITOR_ENTER":
        asked[t] = e
    elif event == "MONITOR_ENTER_RESULT":
        enter(t, value["id"], e)
    elif event == "MONITOR_EXIT":
        leave(t, value["id"], e)
    elif access & SYNCHRONIZED and event.startswith("METHOD_E") and "ENTRY" in event:
        enter(t, e["class"] if access & STATIC else value["id"], e)
    elif access & SYNCHRONIZED and event in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
        leave(t, e["class"] if access & STATIC else value["id"], e)


def name(lock):
    return lock.get("id", lock.get("class"))


answer = ask("locks", "LockOrder")
for row in answer:
    want = uses[name(row["lock"])]
    unknown = want["unknown"] if len(want["threads"]) > 1 else 0  # of synchronized methods
    for key in ("entered", "contended", "wait_ns", "hold_ns"):
        known = key not in ("contended", "wait_ns") or want["contended"] or not unknown
        same("%s of %s" % (key, row["type"]), row.get(key), want[key] if known else None)
    same("not known of " + row["type"], row.get("waits_unknown", 0), unknown)
    same("threads of " + row["type"], row["shared"], len(want["threads"]) > 1)
same("monitors", sorted(map(str, (name(r["lock"]) for r in answer))), sorted(map(str, uses)))
busy = {r["type"]: r for r in answer if r.get("contended")}
same("what was waited for", set(busy), {"LockOrder$Busy", "LockOrder$Twice"})
same("not known of", [r["lock"].get("class") for r in answer if "waits_unknown" in r], ["LockOrder"])
same("they are first", [r["type"] in busy for r in answer[:2]], [True, True])
same("it took time", [r["contended"] == 1 and r["wait_ns"] > 0 for r in answer[:2]], [True, True])

row = [l for l in run(command, "locks", work + "/LockOrder").splitlines() if l.endswith("class LockOrder")]
same("not known is no 0", [l.split()[1:3] for l in row], [["-", "-"]])

order = ask("locks", "LockOrder", "--order")
have = {(name(r["from"]), name(r["to"])): r["count"] for r in order}
same("edges", have, {k: len(v) for k, v in edges.items()})


def type_of(lock):
    return lock.get("type", "class")


circles = {(type_of(r["from"]), type_of(r["to"])) for r in order if r["circle"]}
same("types on circles", circles, {("LockOrder$Pair",) * 2, ("LockOrder$Ring",) * 2})
for r in order:
    same("events of an edge", [name(e["value"]) if "value" in e else e["class"] for e in (r["a"], r["b"])],
         [name(r["from"]), name(r["to"])])  # fmt: skip
inversions = ask("locks", "LockOrder", "--inversions")
same("inversions", sorted(len(r["locks"]) for r in inversions), [2, 3])
for r in inversions:
    chain = r["a"] + r["b"]
    ids = [e["value"]["id"] for e in chain]
    same(
        "a circle",
        ids,
        [i for k, l in enumerate(r["locks"]) for i in (l["id"], r["locks"][(k + 1) % len(r["locks"])]["id"])],
    )
    same("by several threads", len({e["thread"] for e in chain}), len(r["locks"]))
run(command, "locks", work + "/LockOrder", "--inversions", "--fail-if-any", status=1)
# threads that wait for each other for ever: what they asked for last is part of the order
dead = ask("locks", "Locks", "--inversions")
owners = {
    frozenset(t["waits"]["object"]["id"] for t in c["threads"] if t["waits"].get("object"))
    for c in ask("deadlocks", "Locks")
}
found = {frozenset(l.get("id") for l in r["locks"]) for r in dead}
same("deadlocks are inversions", {o for o in owners if o and o not in found}, set())
# what they hold and wait for then counts up to the end of the recording
by_lock = {name(r["lock"]): r for r in ask("locks", "Locks")}
waiting, threads = collections.Counter(), ask("threads", "Locks")
for t in threads:
    if t.get("waits", {}).get("for") == "enter":
        waiting[name(t["waits"].get("object", t["waits"]))] += 1
same("waited for at the end", {k: r["still_waiting"] for k, r in by_lock.items() if "still_waiting" in r}, waiting)
for lock, n in waiting.items():
    row = by_lock[lock]
    same("held at the end", row.get("still_held"), 1)
    same("shared", row["shared"], True)
    same("waited for", (row["contended"], row["wait_ns"] > 0, row["hold_ns"] > 0), (n, True, True))
    same("not longer than the run", row["hold_ns"] < 600e9, True)
text = run(command, "locks", work + "/Locks")
same(
    "marked",
    (text.count("  still held"), text.count("1 still waiting")),
    (len([r for r in by_lock.values() if "still_held" in r]), list(waiting.values()).count(1)),
)

# what the index keeps of a run that has ended says the same, and reads no chunk
forms = [[], ["--order"], ["--inversions"]]
plain = [run(command, "locks", "--json", work + "/LockOrder", *f) for f in forms]
run(command, "index", work + "/LockOrder")
os.environ["HINDSIGHT_CHUNKS"] = "1"
for form, want in zip(forms, plain):
    r = subprocess.run([command, "locks", "--json", work + "/LockOrder", *form], capture_output=True, text=True)
    same("locks %s from the index" % form, r.stdout, want)
    if not form:
        same("without a chunk", "chunks decoded: 0\n" in r.stderr, True)
end()
