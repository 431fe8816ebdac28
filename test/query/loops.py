# Loops: sequences of calls that come again are folded, and nothing is lost: the counts are those of the program.
from ask import *

def tree(*options):
    return [(t["depth"], t["method"], t.get("times", 1), [(r["calls"], r["times"]) for r in t.get("repeats", [])], t["calls"])
            for t in ask("tree", "Loops", *options)]

folded = [
    (0, "main", 1, [], 23),
    (1, "a", 1, [(2, 3)], 0), (1, "b", 1, [], 0),
    (1, "inner", 1, [], 9), (2, "a", 1, [(2, 4)], 0), (2, "b", 1, [], 0), (2, "c", 1, [], 0),
    (1, "a", 1, [(2, 2)], 0), (1, "c", 1, [], 0), (1, "a", 1, [(2, 4)], 0), (1, "b", 1, [], 0),
    (1, "outer", 1, [], 1), (2, "inner", 1, [], 5), (3, "a", 1, [(2, 2)], 0), (3, "b", 1, [], 0), (3, "c", 1, [], 0),
    (1, "choose", 3, [], 0)]
same("folded", tree(), folded)
once = ask("tree", "Loops", "--fold", "once")
first = next(t["seq"] for t in once if t["method"] == "inner")
same("inner is shown once", [(t["depth"], t["method"], t.get("like")) for t in once if t["depth"] > 1],
     [(2, "a", None), (2, "b", None), (2, "c", None), (2, "inner", first)])
everything = ask("tree", "Loops", "--fold", "none")
same("not folded", len(everything), len(events("Loops", event="METHOD_ENTRY")))
same("nothing is marked", [t for t in everything if {"times", "repeats", "like"} & set(t)], [])
same("equal values", [t[1:3] for t in tree("--fold", "equal")[-3:]], [("choose", 1)] * 3)
same("as text", [" ".join(l.split()[1:]) for l in run(command, "tree", work + "/Loops", "--depth", "1").splitlines()[1:4]],
     ["Loops.a() (2 calls) x3", "Loops.b()", "Loops.inner(4)"])
same("as text, once", ["like" in l and l.split()[-2:] for l in run(command, "tree", work + "/Loops", "--fold", "once").splitlines() if "inner" in l],
     [False, ["like", str(first)]])
end()
