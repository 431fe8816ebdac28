# Loops: sequences of calls that come again are folded, and nothing is lost: the counts are those of the program.
from ask import *


def tree(*options):
    return [
        (
            t["depth"],
            t["method"],
            t.get("times", 1),
            [(r["calls"], r["times"]) for r in t.get("repeats", [])],
            t["calls"],
        )
        for t in ask("tree", "Loops", *options)
    ]


folded = [
    (0, "main", 1, [], 23),
    (1, "a", 1, [(2, 3)], 0),
    (1, "b", 1, [], 0),
    (1, "inner", 1, [], 9),
    (2, "a", 1, [(2, 4)], 0),
    (2, "b", 1, [], 0),
    (2, "c", 1, [], 0),
    (1, "a", 1, [(2, 2)], 0),
    (1, "c", 1, [], 0),
    (1, "a", 1, [(2, 4)], 0),
    (1, "b", 1, [], 0),
    (1, "outer", 1, [], 1),
    (2, "inner", 1, [], 5),
    (3, "a", 1, [(2, 2)], 0),
    (3, "b", 1, [], 0),
    (3, "c", 1, [], 0),
    (1, "choose", 3, [], 0),
]
same("folded", tree(), folded)
once = ask("tree", "Loops", "--fold", "once")
first = next(t["seq"] for t in once if t["method"] == "inner")
same(
    "inner is shown once",
    [(t["depth"], t["method"], t.get("like")) for t in once if t["depth"] > 1],
    [(2, "a", None), (2, "b", None), (2, "c", None), (2, "inner", first)],
)
everything = ask("tree", "Loops", "--fold", "none")
same("not folded", len(everything), len(events("Loops", event="METHOD_ENTRY")))
same("nothing is marked", [t for t in everything if {"times", "repeats", "like"} & set(t)], [])
same("equal values", [t[1:3] for t in tree("--fold", "equal")[-3:]], [("choose", 1)] * 3)
same(
    "as text",
    [" ".join(l.split()[1:]) for l in run(command, "tree", work + "/Loops", "--depth", "1").splitlines()[1:4]],
    ["Loops.a() (2 calls) x3", "Loops.b()", "Loops.inner(4)"],
)
same(
    "as text, once",
    [
        "like" in l and l.split()[-2:]
        for l in run(command, "tree", work + "/Loops", "--fold", "once").splitlines()
        if "inner" in l
    ],
    [False, ["like", str(first)]],
)


# ---- paths: of calls, and of basic blocks (pcs as javac 17 and later give them)
def paths(*options):
    found = {}
    for p in ask("report", "Loops", *options):
        found.setdefault(p["method"], []).append((p["calls"], p["path"]))
    return found


A, B, C, CHOOSE = ["Loops.%s" % m for m in ("a()V", "b()V", "c()V", "choose(I)I")]
INNER = "Loops.inner(I)V"
times = lambda n, *path: {"times": n, "path": list(path)}
same(
    "paths of calls",
    paths("--paths"),
    {
        "a": [(15, [])],
        "b": [(13, [])],
        "c": [(4, [])],
        "choose": [(3, [])],
        "inner": [(2, [times(4, A, B), C])],
        "outer": [(1, [INNER])],
        "main": [(1, [times(3, A, B), INNER, times(2, A, C), times(4, A, B), "Loops.outer()V", times(3, CHOOSE)])],
    },
)
same(
    "paths of blocks",
    paths("--blocks", "--method", "choose"),
    {"choose": [(2, [0, times(2, 4, 9, 15, 25), times(2, 4, 9, 22, 25), 4, 31]), (1, [0, 4, 31])]},
)


def count(path, n=1):
    return sum(count(p["path"], n * p["times"]) if isinstance(p, dict) else n for p in path)


labels = [e for e in ask("print", "Loops") if e["event"] == "LABEL" and e["method"] == "main"]
same("every block of main", [count(p) for n, p in paths("--blocks")["main"]], [len(labels)])
same(
    "paths as text",
    run(command, "report", work + "/Loops", "--paths", "--method", "inner").splitlines(),
    ["Loops.inner(int)", "           2  (Loops.a Loops.b)x4 Loops.c"],
)
same(
    "blocks as text, by lines",
    [
        l.split("  ")[-1]
        for l in run(command, "report", work + "/Loops", "--blocks", "--method", "choose").splitlines()[1:]
    ],
    ["22 (23 24 25 23)x2 (23 24 27 23)x2 23 29", "22 23 29"],
)
same(
    "left by an exception",
    [(p["calls"], p.get("exception"), p["path"]) for p in ask("report", "Failure", "--paths", "--method", "digits")],
    [(1, True, [])],
)
end()
