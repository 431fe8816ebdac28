# decides.py COMMAND TRACE OUTPUT: the questions that a program has printed with their answers, one a line.
import sys

from asked import ask

trace, output = sys.argv[2:4]


def value(v):
    if "value" not in v:
        return "?"
    v = v["value"]
    if isinstance(v, dict):
        return '"%s"' % v["string"] if "string" in v else v["type"]
    return {None: "null", True: "true", False: "false"}.get(v, str(v)) if v is None or isinstance(v, bool) else str(v)


def step(e):
    """what a moment of the chain is in the words of the program; None: the program says nothing of it"""
    if "decision" in e:
        d = e["decision"]
        values = [value(v) for v in d["values"]]
        return d["condition"] + "|" + (" %s " % d.get("relation")).join(values)
    if e["event"] == "CALL":
        return "call " + e["attr"]["name"]
    if e["event"] == "CATCH":
        return "caught " + e["value"]["type"]
    return None


def lines(row):
    """What the row names: its own line, and that of the branch before it."""
    places = [row.get("thrown_at", row)] + ([row["decision"]] if "decision" in row else [])
    return [(row["class"], row["method"], row["desc"], p["line"]) for p in places if "line" in p]


def nearest(chain, moments):
    """(seq, distance) of the moments that say a line of the slice first which the chain does not name."""
    named, found = {l for r in chain for l in lines(r)}, []
    for r in moments:
        at = lines(r)[-1:]
        if at and at[0] not in named and len(found) < 20:
            named.add(at[0])
            found.append((r["seq"], r["distance"]))
    return found


said = {}
for line in open(output):
    name, *steps = line.rstrip("\n").split("\t")
    if name.startswith("?"):
        said.setdefault(name, []).append(steps)
asked, wrong, uncounted = 0, 0, 0
for e in ask("print", trace, "--event", "CALL_PARAM", "--text", "?"):
    name = e["value"]["string"]
    if e["attr"]["index"] != 0 or name not in said or e["class"].endswith("Log"):
        continue
    want = said[name].pop(0)
    chain = ask("why", trace, str(e["seq"]), "--control")
    origins = [r for r in chain if "distance" in r]
    chain = chain[: len(chain) - len(origins)]
    wanted = nearest(chain, ask("slice", trace, str(e["seq"]), "--limit", "2000"))
    if [(r["seq"], r["distance"]) for r in origins] != wanted:
        wrong += 1
        print("FAILED: seq %d: behind the chain %s, not %s" % (e["seq"], [r["seq"] for r in origins], wanted))
    got = [s for s in map(step, chain[1:]) if s is not None]
    asked += 1
    uncounted += any("rounds of the loop that were not counted" in r["because"] for r in chain)
    if got != want or chain[-1].get("end") != "entry of the thread":
        wrong += 1
        print("FAILED: seq %d %s:\n  is     %s, %s\n  wanted %s" % (e["seq"], name, got, chain[-1].get("end"), want))
    under = ask("why", trace, str(e["seq"]), "--under")[0].get("decision", {}).get("condition")
    first = want[0].split("|")[0] if want and "|" in want[0] else None
    if under != first:
        wrong += 1
        print("FAILED: seq %d %s: under %s, not %s" % (e["seq"], name, under, first))
left = {n: len(l) for n, l in said.items() if l}
if left or asked == 0:
    wrong += 1
    print("FAILED: not asked: %s" % left)
print("%d questions, %d wrong, %d of long loops" % (asked, wrong, uncounted))
sys.exit(wrong > 0)
