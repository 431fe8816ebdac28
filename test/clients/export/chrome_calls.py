# chrome_calls.py HERE FILE FIRST LAST [CLASS]: the file has the calls of these events.
import json, sys

sys.path.insert(0, sys.argv[1])
import calls
from decimal import Decimal

file, first, last, only = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
want = calls.steps("events", first, last, lambda e: not only or e["class"] == only[0])
document = json.load(open(file), parse_float=Decimal)
got, times, counts = {}, {}, {}
for e in document["traceEvents"]:
    counts[e["ph"]] = counts.get(e["ph"], 0) + 1
    if e["ph"] not in "BE":
        continue
    thread = e["tid"] - 1
    got.setdefault(thread, []).append(("begin" if e["ph"] == "B" else "end", e["name"]))
    assert e["ts"] > times.get(thread, -1), "times of thread %d stand still" % thread
    times[thread] = e["ts"]
for thread, steps in got.items():
    stack = []
    for what, name in steps:
        assert what == "begin" or stack.pop() == name, "not nested"
        if what == "begin":
            stack.append(name)
    assert not stack, "left open: %s" % stack
assert got == want, "other calls: %s" % [(t, len(got.get(t, [])), len(w)) for t, w in want.items() if got.get(t) != w]
assert sum(map(len, got.values())) > 4, "no calls"
names = {e["tid"]: e["args"]["name"] for e in document["traceEvents"] if e["ph"] == "M"}
assert names[1] == "main" and 'worker; <0> "q"' in names.values(), names
if file in ("all.json", "seq.json"):
    thrown = calls.thrown("events")
    shown = [e["args"] for e in document["traceEvents"] if e["ph"] == "i"]
    assert [(e["seq"], e["exception"]["id"]) for e in shown] == thrown and len(thrown) == 3, (shown, thrown)
    flows = [e for e in document["traceEvents"] if e["ph"] in "sf"]
    for a, b in zip(flows[::2], flows[1::2]):
        assert (a["ph"], b["ph"], a["id"]) == ("s", "f", b["id"]), (a, b)
        assert a["tid"] != b["tid"] and a["ts"] <= b["ts"], (a, b)
    assert flows and flows[0]["args"]["object"]["type"] == "Sampler$Account", "no arrow"
print("    %s: %d calls" % (file, sum(map(len, got.values())) // 2), counts)
