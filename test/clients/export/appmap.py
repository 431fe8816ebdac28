"""appmap.py EVENTS MAPS [FIRST LAST | METHOD] - does an AppMap (MAPS: the first line that appmap.js printed) hold the
calls of a recording (EVENTS: `print --json`), or those that were entered from seq FIRST to LAST? METHOD: do the AppMaps
hold its requests, the outermost calls of the method with what their threads called in them?"""

import json
import sys

from visible import visible

events, maps = [json.loads(l) for l in open(sys.argv[1])], [json.loads(l) for l in open(sys.argv[2])]
per = sys.argv[3] if len(sys.argv) == 4 else None
first, last = map(int, sys.argv[3:5]) if len(sys.argv) == 5 else (0, 1 << 62)


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


calls, stacks, requests = {}, {}, []
STATIC = {"<clinit>", "main", "values", "failures", "faults", "divide", "loop", "echo", "fibonacci", "lambda$main$0"}
BY_ZERO = "java.lang.ArithmeticException"
for e in events:
    stack = stacks.setdefault(e["thread"], [])
    if e["event"] == "METHOD_ENTRY":
        call = {"seq": e["seq"], "function": function(e, e["method"] in STATIC), "parameters": [], "result": None}
        call["caller"] = stack[-1]["function"] if stack and stack[-1]["seq"] >= first else None
        call["receiver"] = e["value"]["id"] if e.get("value") else None
        call["exception"] = None
        call["request"] = stack[-1]["request"] if stack else None
        if call["request"] is None and e["method"] == per:
            call["caller"] = None
            call["request"] = len(requests)
            requests.append([])
        if first <= e["seq"] <= last:
            calls.setdefault(e["thread"], []).append(call)
        stack.append(call)
        if call["request"] is not None:
            requests[call["request"]].append(call)
    elif e["event"] == "METHOD_PARAM":
        stack[-1]["parameters"].append(shown(e))
    elif e["event"] == "METHOD_NORMAL_EXIT":
        stack.pop()["result"] = shown(e) if "value" in e else None
    elif e["event"] == "METHOD_EXCEPTIONAL_EXIT":
        call = stack.pop()
        message = "/ by zero" if e["value"]["type"] == BY_ZERO else 'no "money";\n\tfor o\'wner "x"'
        call["exception"] = [e["value"]["type"], message, e["value"]["id"]]


def compare(got, want, where):
    if len(got) != len(want):
        sys.exit("FAILED: %s has %d calls, not %d" % (where, len(got), len(want)))
    for g, w in zip(got, want):
        ok = all(g[k] == w[k] for k in ("function", "receiver", "exception"))
        ok = ok and (g["caller"] == w["caller"] or w["caller"] is None) and same(g["result"], w["result"])
        ok = ok and len(g["parameters"]) == len(w["parameters"]) and all(map(same, g["parameters"], w["parameters"]))
        if not ok:
            sys.exit("FAILED: %s: %r, not %r" % (where, g, w))


if per:
    if len(maps) != len(requests) or not requests:
        sys.exit("FAILED: %d files of %d requests" % (len(maps), len(requests)))
    for number, (got, want) in enumerate(zip(maps, requests)):
        compare(got["calls"], want, "request %d" % number)
        if got["calls"][0]["caller"] is not None or not got["name"].endswith(" at %d" % want[0]["seq"]):
            sys.exit("FAILED: request %d is called %s, by %r" % (number, got["name"], got["calls"][0]["caller"]))
    sys.exit(0)
got = {}
for call in maps[0]["calls"]:
    got.setdefault(call["thread"], []).append(call)
if first > 0:  # main is open when the mark begins
    got = {t: [c for c in list_ if not c["function"].endswith("/Sampler.main")] for t, list_ in got.items()}
for thread, want in calls.items():
    compare(got.get(thread, []), want, "thread %d" % thread)
count = sum(map(len, calls.values()))
if count < 5 or set(got) != set(calls):
    sys.exit("FAILED: %d calls of threads %r" % (count, sorted(got)))
if maps[0]["messages"] < count:
    sys.exit("FAILED: the sequence diagram has %d messages of %d calls" % (maps[0]["messages"], count))
