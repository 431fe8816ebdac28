# The monitor of a class is one lock for every command, whether a static synchronized method or a block took it. Which
# object a class is the program told, in calls of `told`; which fields race their names say.
import collections

from ask import *

SYNCHRONIZED, STATIC = 0x20, 0x08
SILENT = "ClassLocks$Silent"


def told(trace):
    """The ids of the objects of each class, as the program named them."""
    objects, name = collections.defaultdict(list), None
    for e in ask("print", trace, "--event", "METHOD_PARAM"):
        if e["method"] == "told" and e["attr"]["index"] == 0:
            name = e["value"]["string"]
        elif e["method"] == "told":
            objects[name].append(e["value"]["id"])
    return objects


def holds(trace, objects):
    """[name, id or None, thread, seq entered] of each hold of the monitor of a class, by all events."""
    static = {
        (m["class"], m["method"], m["desc"])
        for m in ask("methods", trace)
        if m["access"] & SYNCHRONIZED and m["access"] & STATIC
    }
    names = {i: name for name, ids in objects.items() for i in ids}
    inside, out = collections.defaultdict(list), []
    for e in ask("print", trace):
        open_, event = inside[e["thread"]], e["event"]
        method = (e["class"], e["method"], e["desc"]) in static
        if event == "METHOD_ENTRY" and method:
            of = objects.get(e["class"])
            # of two loaders: the object on which the block around the call is
            of = (of if of is None or len(of) == 1 else [open_[-1][1]]) or [None]
            open_.append([e["class"], of[0], e["thread"], e["seq"]])
        elif event == "MONITOR_ENTER_RESULT" and e["value"]["id"] in names:
            i = e["value"]["id"]
            open_.append([names[i], i, e["thread"], e["seq"]])
        elif (event in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT") and method) or (
            event == "MONITOR_EXIT" and e["value"]["id"] in names
        ):
            out.append(open_.pop())
    return out


for trace in ("ClassLocks", "ClassLocksPlain"):
    objects = told(trace)
    same("objects of Twice in " + trace, len(set(objects["ClassLocks$Twice"])), 2)
    known = [l.split(": ") for l in example("overview", trace) if ", is object " in l]
    same("objects of classes of " + trace,
         sorted((name, int(i)) for name, i in ((n, rest.split()[-1]) for n, rest in known) if name in objects),
         sorted((name, i) for name, ids in objects.items() for i in ids))  # fmt: skip
    fields = {r["location"].split(".")[-1] for r in ask("races", trace)}
    same("races of " + trace, fields, {"racyOther", "racyLoaders"})

    want = collections.Counter()
    all_ = holds(trace, objects)
    for name, i, _, _ in all_:
        want[name, i] += 1
    rows = [r for r in ask("locks", trace) if r["type"] == "java.lang.Class"]
    have = [(r["lock"]["class"], r["lock"].get("id"), r["entered"]) for r in rows]
    same("monitors of classes in " + trace, sorted(map(str, have)), sorted(str((*k, n)) for k, n in want.items()))
    query = "SELECT lock_id, count(*) AS n FROM locks WHERE lock_id IS NOT NULL GROUP BY lock_id"
    table = {r["lock_id"]: r["n"] for r in ask("sql", trace, query)}
    same("the table locks of " + trace, table, {i: n for (_, i), n in want.items() if i})
    (circle,) = ask("locks", trace, "--inversions")
    same("the circle of " + trace, {l["class"] for l in circle["locks"]}, {"ClassLocks$Left", "ClassLocks$Right"})

    # what `locals` and `threads` say where the last hold of each begins
    for name, i, thread, entered in {h[:2]: h for h in map(tuple, all_)}.values():
        if name == SILENT:
            continue
        of = [m["object"] for f in ask("locals", trace, "--at", entered) for m in f.get("monitors", [])]
        ids = [o["id"] for o in of]
        same("locals in %s at %d" % (trace, entered), i in ids, True)
        same("named", {o.get("class") for o in of if o["id"] == i}, {name})
        row = [t for t in ask("threads", trace, "--at", entered, "--frames", 100) if t["thread"] == thread][0]
        same("threads", [m["object"] for f in row["stack"] for m in f.get("monitors", [])], of)
    same("no deadlock", subprocess.run([command, "deadlocks", work + "/" + trace], capture_output=True).stdout, b"")
end()
