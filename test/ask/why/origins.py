# Causes through code that is not woven: each case of Origins.java has printed where its value was made, where it was
# given to the JDK, and how that can be known.
from ask import *


def flat(moment, above=None):
    """(depth, moment) of a tree as --all --json nests it"""
    return [(0, moment)] + [(d + 1, m) for c in moment.get("causes", []) for d, m in flat(c)]


def check_choices(trace, value, chain):
    """every choice that is offered can be followed, and the tree has them all"""
    for e in chain:
        if "branch" not in e:
            continue
        for i, choice in enumerate(e["choices"], 1):
            if 2 < i < len(e["choices"]) and len(e["choices"]) > 4:
                continue
            what = "%s %d: choice %d.%d" % (trace, value["seq"], e["branch"], i)
            other = ask("why", trace, value["seq"], "--choose", "%d.%d" % (e["branch"], i))
            at = [m["seq"] for m in other].index(e["seq"])
            same(what, [m["seq"] for m in other[: at + 1]], [m["seq"] for m in chain[: at + 1]])
            same(what + ", followed", other[at + 1]["seq"], choice["seq"])
            same(what + ", by", other[at].get("by"), choice.get("by"))
    tree = json.loads(run(command, "why", work + "/" + trace, str(value["seq"]), "--all", "--depth", "30", "--json"))
    moments = flat(tree)
    explained = [m["seq"] for _, m in moments if not m.get("repeated")]
    same("%s %d: each moment once" % (trace, value["seq"]), len(explained), len(set(explained)))
    missing = [e["seq"] for e in chain[:30] if e["seq"] not in explained]
    same("%s %d: the chain is in the tree" % (trace, value["seq"]), missing, [])
    offered = {c["seq"] for e in chain[:29] for c in e.get("choices", [])}
    same("%s %d: so are its choices" % (trace, value["seq"]), sorted(offered - {m["seq"] for _, m in moments}), [])
    text = run(command, "why", work + "/" + trace, str(value["seq"]), "--all", "--depth", "30").splitlines()
    same(
        "%s %d: the tree as text" % (trace, value["seq"]),
        [int(l.split()[0]) for l in text],
        [m["seq"] for _, m in moments],
    )


def check_sources(trace, case, value):
    """the tree leads to all lines where the value was made, and to none of the others that are named"""
    made, others = (set(l for l in lines.split(",") if l) for lines in case[3].split("!"))
    tree = json.loads(run(command, "why", work + "/" + trace, str(value["seq"]), "--all", "--depth", "30", "--json"))
    ends = {str(m.get("line")) for _, m in flat(tree) if m.get("end") == "constant"}
    what = "%s %s, seq %d: " % (trace, case[0], value["seq"])
    same(what + "all its sources", sorted(made - ends), [])
    same(what + "no others", sorted(others & ends), [])


def check_case(trace, case, value):
    name, made, given, by = case
    chain = ask("why", trace, value["seq"])
    if "!" in by:
        check_sources(trace, case, value)
        return chain
    what = "%s %s, seq %d: " % (trace, name, value["seq"])
    seqs = [e["seq"] for e in chain]
    if int(made):
        same(what + "it ends where the value was made", chain[-1].get("line"), int(made))
    same(what + "it goes back", seqs, sorted(set(seqs), reverse=True))
    if int(given):
        same(what + "it was given there", int(given) in [e.get("line") for e in chain], True)
    same(what + "how it is known", by in ([e["by"] for e in chain if "by" in e] or ["events"]), True)
    return chain


def parts(trace, case, value, want):
    """the values that a string was made of"""
    branch = next(e for e in ask("why", trace, value["seq"]) if "branch" in e)
    have = [plain(c["value"]) for c in branch["choices"]]
    same("%s: parts of %s" % (trace, case), have[: len(want)], want)


for trace in ("Origins", "OriginsFew"):
    with open("%s/%s.out" % (work, trace)) as f:
        cases = [l.split() for l in f]
    shown = [
        e
        for e in ask("print", trace, "--event", "METHOD_PARAM", "--method", "seen*")
        if e["class"] == "Origins" and e["attr"].get("name") == "value"
    ]
    same("%s: cases" % trace, len(shown), len(cases))
    values_of = {}
    made_at = {case[0]: case[1] for case in cases}
    for case, value in zip(cases, shown):
        chain = check_case(trace, case, value)
        values_of[case[0]] = value
        check_choices(trace, value, chain)
    said = [e["because"] for e in ask("why", trace, values_of["crowd"]["seq"]) if "by" in e]
    same("%s: the bound is told" % trace, "the search for it met its bound" in said[0], True)
    unclear = next(e for e in ask("why", trace, values_of["twiceUnclear"]["seq"]) if "choices" in e)
    before = " and before that at seq %d" % unclear["choices"][1]["seq"]
    same("%s: one of two" % trace, before in unclear["because"], True)
    parts(trace, "builder", values_of["builder"], ["first", "second", 3])
    parts(trace, "pieces", values_of["pieces"], list(range(1, 20)) + [0])  # the constant last
    many = next(e for e in ask("why", trace, values_of["manyPieces"]["seq"]) if "branch" in e)
    more = "6 earlier calls on it, before seq %d, are not listed" % (many["choices"][0]["seq"] - 1)
    same("%s: pieces that are not offered" % trace, (more in many["because"], len(many["choices"])), (True, 65))
    passed = next(e for e in ask("print", trace, "--event", "METHOD_PARAM", "--method", "plus"))
    said = ask("why", trace, passed["seq"])[0]["because"]
    same("%s: said of a method reference" % trace, "a lambda or method reference" in said, True)
    added = next(e for e in ask("why", trace, values_of["widened"]["seq"]) if "branch" in e)
    roles = [c["role"] for c in added["choices"]]
    same("%s: operands" % trace, roles, ["left of +, through (long)", "right of +"])
    parts(trace, "concatenation", values_of["concatenation"], ["left", int(made_at["concatenation"])])
for bad in ("", "x", "1", "1.", "0.1", "1.0", "1.2.3", "1.1,", "1.1 ", "99999999999.1"):
    run(command, "why", work + "/Origins", str(shown[0]["seq"]), "--choose", bad, status=2)
    asked += 1
run(command, "why", work + "/Origins", str(shown[0]["seq"]), "--choose", "77.1", status=2)
run(command, "why", work + "/Origins", str(shown[0]["seq"]), "--depth", "3", status=2)
run(command, "why", work + "/Origins", str(shown[0]["seq"]), "--all", "--choose", "1.1", status=2)
end()
