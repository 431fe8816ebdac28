# Features: marks are put where the program calls Marks; then every answer of `features` is known.
import os
from ask import *

names = {1: "load", 2: "edit", 3: "save", 4: "undo", 5: "idle"}
everything = ask("print", "Features")
marks, opened = [], []
for i, e in enumerate(everything):
    if e["event"] == "CALL" and e["attr"]["owner"] == "Marks":
        feature = names[everything[i + 1]["value"]]
        if e["attr"]["name"] == "begin":
            back = next(r for r in everything[i:] if r["event"] == "CALL_RETURN" and r["method"] == "main")
            opened.append(feature)
            marks.append([feature, back["seq"] + 1, None])
        else:
            next(m for m in reversed(marks) if m[0] == feature and m[2] is None)[2] = e["seq"] - 1
same("the marks of the program", [m[0] for m in marks], ["load", "edit", "save", "undo", "load", "idle"])
same("the last one stays open", [m[2] is None for m in marks], [False] * 5 + [True])
run(os.environ["MARK_TRACE"], work + "/Features", *[str(x) if x is not None else "-" for m in marks for x in m])
same("info", ask("info", "Features")[0]["marks"], 6)
for m in marks:
    m[2] = len(everything) - 1 if m[2] is None else m[2]

# ---- the table
have = {f["feature"]: f for f in ask("features", "Features")}
same("names, as they were first marked", list(have), ["load", "edit", "save", "undo", "idle"])
for name, f in have.items():
    mine = [m for m in marks if m[0] == name]
    same(
        name,
        {k: f[k] for k in ("marks", "first", "last", "events")},
        {"marks": len(mine), "first": mine[0][1], "last": mine[-1][2], "events": sum(m[2] - m[1] + 1 for m in mine)},
    )
NOTE, LOAD, PARSE = "Features.note()V", "Features.load()LItem;", "Features.parse(I)I"
EDIT, SAVE, UNDO = "Features.edit(LItem;)V", "Features.save(LItem;)I", "Features.undo(LItem;)I"
INIT, VALUE = "Item.<init>(I)V", "Item.value()I"
AS_SOURCE = {NOTE: "Features.note()", LOAD: "Features.load()", PARSE: "Features.parse(int)"}
AS_SOURCE.update({EDIT: "Features.edit(Item)", SAVE: "Features.save(Item)", UNDO: "Features.undo(Item)"})
AS_SOURCE.update({INIT: "Item.<init>(int)", VALUE: "Item.value()"})
methods = {
    "load": {NOTE, LOAD, PARSE, INIT},
    "edit": {NOTE, EDIT, INIT, SAVE, VALUE},
    "save": {NOTE, SAVE, VALUE},
    "undo": {NOTE, UNDO, VALUE},
    "idle": {NOTE},
}
same(
    "methods",
    {n: (set(f["methods"]), len(f["methods"])) for n, f in have.items()},
    {n: (m, len(m)) for n, m in methods.items()},
)
same("not ended", {n: f["unended"] for n, f in have.items()}, {n: int(n == "idle") for n in have})
same(
    "classes",
    {n: f["classes"] for n, f in have.items()},
    {n: ["Features", "Item"] if n != "idle" else ["Features"] for n in have},
)
same("calls", {n: f["calls"] for n, f in have.items()}, {"load": 12, "edit": 9, "save": 4, "undo": 3, "idle": 1})
same(
    "objects",
    {n: (f["objects"], f["created"]) for n, f in have.items()},
    {"load": (4, 4), "edit": (2, 1), "save": (2, 0), "undo": (2, 0), "idle": (0, 0)},
)
same("one of them", [f["feature"] for f in ask("features", "Features", "--feature", "undo")], ["undo"])

# ---- affinity: of five features, two are a low group, three a high one
users = {m: [n for n in names.values() if m in methods[n]] for m in set.union(*methods.values())}
affinity = {1: "single", 2: "low", 3: "high", 5: "infrastructural"}
same(
    "affinity",
    {
        "%(class)s.%(method)s%(desc)s" % a: (a["features"], a["affinity"])
        for a in ask("features", "Features", "--affinity")
    },
    {m: (u, affinity[len(u)]) for m, u in users.items()},
)
same("no method twice", len(ask("features", "Features", "--affinity")), 8)

# ---- similarity
same(
    "similarity",
    [(p["a"], p["b"], p["similarity"]) for p in ask("features", "Features", "--similarity")],
    [
        ("load", "edit", 0.285714),
        ("load", "save", 0.166667),
        ("load", "undo", 0.166667),
        ("load", "idle", 0.25),
        ("edit", "save", 0.6),
        ("edit", "undo", 0.333333),
        ("edit", "idle", 0.2),
        ("save", "undo", 0.5),
        ("save", "idle", 0.333333),
        ("undo", "idle", 0.333333),
    ],
)

# ---- instances: the first item is made in load, the one that edit links in is made in edit
same(
    "instances",
    [(f["from"], f["to"], f["objects"], f["types"]) for f in ask("features", "Features", "--instances")],
    [
        ("load", "edit", 1, {"Item": 1}),
        ("load", "save", 1, {"Item": 1}),
        ("load", "undo", 1, {"Item": 1}),
        ("edit", "save", 1, {"Item": 1}),
        ("edit", "undo", 1, {"Item": 1}),
    ],
)

# ---- signal: counted again here
for by in "seq", "time":
    signals = ask("features", "Features", "--signal", "--by", by, "--buckets", 7)
    same("signals", [s.get("feature") for s in signals], [None] + list(names.values()))
    same(
        "calls, all told",
        [sum(s["calls"]) for s in signals],
        [len([e for e in everything if e["event"] == "METHOD_ENTRY"]), 12, 9, 4, 3, 1],
    )
    same("depth", [max(s["depth"]) for s in signals], [3, 3, 3, 3, 3, 2])
    same("pieces", {(s["by"], len(s["calls"]), len(s["depth"])) for s in signals}, {(by, 7, 7)})
    if by == "time":
        continue
    width = (len(everything) - 1) // 7 + 1
    same("width", {s["width"] for s in signals}, {width})
    depth, rows = 0, {n: ([0] * 7, [0] * 7) for n in [None] + list(names.values())}
    for e in everything:
        if e["event"] == "METHOD_ENTRY":
            depth += 1
            for n in {None} | {m[0] for m in marks if m[1] <= e["seq"] <= m[2]}:
                rows[n][0][e["seq"] // width] += 1
                rows[n][1][e["seq"] // width] = max(rows[n][1][e["seq"] // width], depth)
        elif e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            depth -= 1
    same("signal", {s.get("feature"): (s["calls"], s["depth"]) for s in signals}, rows)

# ---- as text
trace = work + "/Features"
table = run(command, "features", trace).splitlines()
same(
    "heading",
    table[0].split(),
    ["first", "last", "marks", "events", "calls", "methods", "classes", "objects", "created", "feature"],
)
same(
    "rows",
    [l.split() for l in table[1:]],
    [
        [
            str(x)
            for x in (
                f["first"],
                f["last"],
                f["marks"],
                f["events"],
                f["calls"],
                len(f["methods"]),
                len(f["classes"]),
                f["objects"],
                f["created"],
                *(n, "(not", "ended)")[: 3 if n == "idle" else 1],
            )
        ]
        for n, f in have.items()
    ],
)
same(
    "methods of one",
    [l.strip() for l in run(command, "features", trace, "--feature", "save").splitlines()[2:]],
    [AS_SOURCE[m] for m in sorted(methods["save"], key=[NOTE, SAVE, VALUE].index)],
)
lines = run(command, "features", trace, "--affinity").splitlines()
same(
    "affinity as text",
    sorted(lines),
    sorted("%-15s  %s  in %s" % (affinity[len(u)], AS_SOURCE[m], ", ".join(u)) for m, u in users.items()),
)
same(
    "matrix",
    run(command, "features", trace, "--similarity").splitlines(),
    [
        "          1     2     3     4     5",
        "    1 1.000 0.286 0.167 0.167 0.250  load",
        "    2 0.286 1.000 0.600 0.333 0.200  edit",
        "    3 0.167 0.600 1.000 0.500 0.333  save",
        "    4 0.167 0.333 0.500 1.000 0.333  undo",
        "    5 0.250 0.200 0.333 0.333 1.000  idle",
    ],
)
same(
    "flows as text", run(command, "features", trace, "--instances").splitlines()[-1], "         1  edit -> undo: 1 Item"
)
lines = run(command, "features", trace, "--signal", "--by", "seq", "--buckets", "7").splitlines()
same("signal as text", lines[0], "7 pieces of %d events" % width)
same("of idle", lines[-3:], ["idle", "  calls |      \u2588| max 1", "  depth |      \u2588| max 2"])

# ---- windows of other commands
same(
    "print --mark",
    [e["seq"] for e in ask("print", "Features", "--mark", "undo")],
    list(range(marks[3][1], marks[3][2] + 1)),
)
same(
    "the second of two",
    [e["seq"] for e in ask("print", "Features", "--mark", "load#2")],
    list(range(marks[4][1], marks[4][2] + 1)),
)
same(
    "tree --mark",
    [(t["depth"], t["method"]) for t in ask("tree", "Features", "--mark", "undo")],
    [(0, "undo"), (1, "note"), (1, "value")],
)
for name in ("undo", "load#1", "edit", "idle"):
    began = {}
    for e in ask("print", "Features", "--mark", name):
        if e["event"] == "METHOD_ENTRY":
            began[e["class"], e["method"]] = began.get((e["class"], e["method"]), 0) + 1
    same(
        "report --mark " + name,
        {(r["class"], r["method"]): r["calls"] for r in ask("report", "Features", "--mark", name)},
        began,
    )
same(
    "an exit inside",
    sorted((r["method"], r["calls"], sum(r["histogram"])) for r in ask("report", "Features", "--mark", "undo")),
    [("note", 1, 1), ("undo", 1, 1), ("value", 1, 1)],
)
same(
    "paths --mark",
    [
        (p["method"], p["calls"], len(p["path"]))
        for p in ask("report", "Features", "--mark", "undo", "--paths")
        if p["method"] == "undo"
    ],
    [("undo", 1, 2)],
)

# ---- from C
lines = example("features", "Features")
same(
    "features from C",
    lines[:16],
    [
        "load: 12 calls of 4 methods",
        "edit: 9 calls of 5 methods",
        "  like load: 0.286",
        "save: 4 calls of 3 methods",
        "  like load: 0.167",
        "  like edit: 0.600",
        "undo: 3 calls of 3 methods",
        "  like load: 0.167",
        "  like edit: 0.333",
        "  like save: 0.500",
        "idle: 1 calls of 1 methods",
        "  like load: 0.250",
        "  like edit: 0.200",
        "  like save: 0.333",
        "  like undo: 0.333",
        "load -> edit: 1 objects",
    ],
)
same(
    "paths from C",
    [l for l in example("features", "Loops") if l.startswith("choose")],
    ["choose: 2 calls went through 11 blocks and 2 loops", "choose: 1 calls went through 3 blocks and 0 loops"],
)
name = marks[0][0]
for question, option in (("print", "--mark"), ("report", "--mark"), ("tree", "--mark"), ("features", "--feature")):
    r = subprocess.run(
        [command, question, work + "/Features", option, name + "x"], capture_output=True, text=True, timeout=120
    )
    same(
        "the nearest mark, %s" % question,
        (r.returncode, "no mark is called '%sx'; the nearest: %s" % (name, name) in r.stderr),
        (1, True),
    )
end()
