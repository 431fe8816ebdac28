"""jfr.py: what `jfr print` shows of the file has the calls, threads and values of the events."""

import json, re, sys
from collections import Counter

import calls as of_events

events = [json.loads(line) for line in open("events", errors="surrogatepass")]
printed = json.load(open("printed.json"))["recording"]["events"]
summary = {w[0]: int(w[1]) for w in map(str.split, open("summary")) if len(w) == 3 and "." in w[0]}
SAMPLE = 1000000
thrown = dict(of_events.thrown("events"))
stacks, calls, throws, writes, locks, samples, last, enters = {}, {}, {}, {}, {}, Counter(), {}, {}
WRITES = (
    "PUT_INSTANCE_FIELD_VALUE",
    "PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION",
    "PUT_STATIC_FIELD",
    "ARRAY_STORE_VALUE",
)


def text(value):
    """As in `print`, but for references."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(shown):
    """The code of a char: 'x' (120)."""
    return re.sub(r"^'.*' \((\d+)\)$", r"\1", shown)


for e in events:
    thread, kind = e["thread"], e["event"]
    stack = stacks.setdefault(thread, [])
    now = e["seq"] * 1000
    at = (last.get(thread, 0) // SAMPLE + 1) * SAMPLE
    while at <= now:
        if stack:
            samples[tuple(c["name"] for c in reversed(stack))] += 1
        at += SAMPLE
    last[thread] = now
    if kind == "METHOD_ENTRY":
        stack.append({"seq": e["seq"], "name": e["class"] + "." + e["method"], "arguments": [], "thread": thread})
        if e["method"] == "add":
            locks[e["seq"]] = e["value"]
    names = [c["name"] for c in reversed(stack)]
    if e["seq"] in thrown:
        throws[e["seq"]] = names, e["value"]
    if kind == "METHOD_PARAM":
        stack[-1]["arguments"].append(e["value"])
    elif kind == "MONITOR_ENTER_RESULT":
        locks[e["seq"]] = e["value"]
    elif kind in WRITES:
        writes[e["seq"]] = names, e, events[e["seq"] - 2 : e["seq"]]
    elif kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
        call = stack.pop()
        assert call["name"] == names[0]
        threw = kind == "METHOD_EXCEPTIONAL_EXIT"
        call.update(stack=names, end=e["seq"], result=None if threw else e.get("value"), threw=threw)
        calls[call["seq"]] = call

frame = lambda f: f["method"]["type"]["name"] + "." + f["method"]["name"]
by_type = {}
for p in printed:
    by_type.setdefault(p["type"], []).append(p["values"])
shown = {name: {v["seq"]: v for v in values} for name, values in by_type.items() if name.startswith("hindsight.")}
for name, want in ("Call", calls), ("Throw", throws), ("Write", writes), ("Lock", locks):
    assert shown["hindsight." + name].keys() == want.keys(), name
    assert summary["hindsight." + name] == len(want), (name, summary)
compared = 0
for seq, v in shown["hindsight.Call"].items():
    call = calls[seq]
    names = [frame(f) for f in v["stackTrace"]["frames"]]
    assert names == call["stack"] and frame({"method": v["method"]}) == call["name"], (seq, names)
    assert round(float(v["duration"][2:-1]) * 1e6) == call["end"] - seq, (v["duration"], call)  # PT0.000163S
    values = call["arguments"] + [call["result"]]
    if all(isinstance(x, int) for x in values):
        assert number(v["arguments"] or "") == ", ".join(map(text, call["arguments"])), v
        assert number(v["result"]) == text(call["result"]), v
        compared += 1
    assert (v["exception"] is not None) == call["threw"]
assert compared > 400, compared
for seq, v in shown["hindsight.Throw"].items():
    assert [frame(f) for f in v["stackTrace"]["frames"]] == throws[seq][0]
    value = throws[seq][1]
    assert v["exception"] == "%s#%d" % (value["type"].split(".")[-1], value["id"]), v
thrown = [(v["exception"].split("#")[0], v["message"]) for _, v in sorted(shown["hindsight.Throw"].items())]
assert thrown[0][0] == "IllegalStateException" and thrown[0][1].startswith('no "money";'), thrown
assert thrown[1:] == [
    ("ArithmeticException", "/ by zero"),
    ("NumberFormatException", 'For input string: \"1O\"'),
], thrown
for seq, v in shown["hindsight.Write"].items():
    names, e, before = writes[seq]
    assert [frame(f) for f in v["stackTrace"]["frames"]] == names
    mine = [b for b in before if b["thread"] == e["thread"]]
    if e["event"] == "ARRAY_STORE_VALUE" and len(mine) == 2:
        assert v["location"] == "[%d]" % mine[1]["value"] and v["object"].endswith("#%d" % mine[0]["value"]["id"]), v
    elif e["event"] != "ARRAY_STORE_VALUE":
        assert v["location"].endswith("." + e["attr"]["name"]), (v, e)
    if isinstance(e["value"], int):
        assert number(v["value"]) == text(e["value"]), v
for seq, v in shown["hindsight.Lock"].items():
    assert v["object"].endswith("#%d" % locks[seq]["id"]), v
handed = [v for v in shown["hindsight.Lock"].values() if v["previousOwner"]]
assert handed and all(v["previousOwner"]["javaName"] != v["eventThread"]["javaName"] for v in handed)
got = Counter(tuple(frame(f) for f in v["stackTrace"]["frames"]) for v in by_type["jdk.ExecutionSample"])
assert got == samples and sum(samples.values()) > 8, (got, samples)
json.dump(sum(samples.values()), open("samples", "w"))
threads = {v["eventThread"]["javaName"] for v in by_type["hindsight.Call"]}
assert threads == {"main", 'worker; <0> "q"', 'worker; <1> "q"'}, threads
print("    %d calls, %d writes, %d locks, %d samples" % (len(calls), len(writes), len(locks), sum(samples.values())))
