"""appmap.py EVENTS MAPS [FIRST LAST] - does an AppMap (MAPS: the first line that appmap.js printed) hold the calls of a
recording (EVENTS: `print --json`), or those that were entered from seq FIRST to LAST?"""

import json
import sys

from visible import visible

events, maps = [json.loads(l) for l in open(sys.argv[1])], [json.loads(l) for l in open(sys.argv[2])]
first, last = map(int, sys.argv[3:5] or (0, 1 << 62))


def function(e, static):
    package, _, name = e["class"].rpartition(".")
    package = "/".join(package.split(".")) or "(default package)"
    return "function:%s/%s%s%s" % (package, name, "." if static else "#", e["method"])


def shown(e):
    """The class and value of a parameter or result; class None where the line does not tell it."""
    v = e["value"]
    if isinstance(v, dict):
        text = '"%s"#%d' % (visible(v["string"]), v["id"]) if "string" in v else None
        return [v["type"], (text or "%s#%d" % (v["type"].split(".")[-1], v["id"]))[:100]]
    if v is None:
        return [None, "null"]
    if isinstance(v, bool):
        return ["boolean", "true" if v else "false"]
    return [None, v]


def same(got, want):
    if want is None or got is None:
        return want == got
    if want[0] is not None and got[0] != want[0]:
        return False
    if isinstance(want[1], float):
        return repr(float(got[1])) == repr(want[1])  # -0.0
    if isinstance(want[1], int):
        return got[1] == str(want[1]) or (got[0] == "char" and got[1].endswith(" (%d)" % want[1]))
    return got[1] == want[1]


calls, stacks = {}, {}
STATIC = {"<clinit>", "main", "values", "failures", "loop", "echo", "fibonacci", "lambda$main$0"}
for e in events:
    stack = stacks.setdefault(e["thread"], [])
    if e["event"] == "METHOD_ENTRY":
        call = {"seq": e["seq"], "function": function(e, e["method"] in STATIC), "parameters": [], "result": None}
        call["caller"] = stack[-1]["function"] if stack and stack[-1]["seq"] >= first else None
        call["receiver"] = e["value"]["id"] if e.get("value") else None
        call["exception"] = None
        if first <= e["seq"] <= last:
            calls.setdefault(e["thread"], []).append(call)
        stack.append(call)
    elif e["event"] == "METHOD_PARAM":
        stack[-1]["parameters"].append(shown(e))
    elif e["event"] == "METHOD_NORMAL_EXIT":
        stack.pop()["result"] = shown(e) if "value" in e else None
    elif e["event"] == "METHOD_EXCEPTIONAL_EXIT":
        call = stack.pop()
        call["exception"] = [e["value"]["type"], 'no "money";\n\tfor o\'wner "x"', e["value"]["id"]]

got = {}
for call in maps[0]["calls"]:
    got.setdefault(call["thread"], []).append(call)
if first > 0:  # main is open when the mark begins
    got = {t: [c for c in list_ if not c["function"].endswith("/Sampler.main")] for t, list_ in got.items()}
count = 0
for thread, want in calls.items():
    if len(got.get(thread, [])) != len(want):
        sys.exit("FAILED: thread %d has %d calls, not %d" % (thread, len(got.get(thread, [])), len(want)))
    for g, w in zip(got[thread], want):
        count += 1
        ok = all(g[k] == w[k] for k in ("function", "receiver", "exception"))
        ok = ok and (g["caller"] == w["caller"] or w["caller"] is None) and same(g["result"], w["result"])
        ok = ok and len(g["parameters"]) == len(w["parameters"]) and all(map(same, g["parameters"], w["parameters"]))
        if not ok:
            sys.exit("FAILED: thread %d: %r, not %r" % (thread, g, w))
if count < 5 or set(got) != set(calls):
    sys.exit("FAILED: %d calls of threads %r" % (count, sorted(got)))
if maps[0]["messages"] < count:
    sys.exit("FAILED: the sequence diagram has %d messages of %d calls" % (maps[0]["messages"], count))
