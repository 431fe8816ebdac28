#!/bin/bash
# --to chrome: the calls of every thread are those that plain Python finds in `print --json`, their times nest, arrows
# lead from one thread to another; speedscope imports the file and shows the same calls.
#
# test: export.chrome
# labels: export
# limit: 600 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t 40
"$HINDSIGHT" print t --json >events || die "print"
end=$(wc -l <events)

# check FILE FROM LAST [CLASS]: the file has the calls of these events
check() {
    python3 - "$HERE" "$@" <<'PY' || fail "chrome $*"
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
PY
}
"$HINDSIGHT" export t --to chrome -o all.json && check all.json 0 "$end"
# in the middle of check(), four calls deep in recursion: they begin with the first event
middle=$(python3 -c '
import json
deep = [e["seq"] for e in map(json.loads, open("events")) if e["method"] == "check" and e["event"] == "METHOD_ENTRY"]
print(deep[2] + 1)')
"$HINDSIGHT" export t --to chrome --from "$middle" -o late.json && check late.json "$middle" "$end"
"$HINDSIGHT" export t --to chrome --until "$middle" -o early.json && check early.json 0 "$middle"
"$HINDSIGHT" export t --to chrome --class 'Sampler$Account' -o some.json && check some.json 0 "$end" 'Sampler$Account'
# calls that are chosen by an event end with their own exit, which is not chosen
"$HINDSIGHT" export t --to chrome --event METHOD_ENTRY -o all2.json && check all2.json 0 "$end"
"$HINDSIGHT" export t --to chrome --time seq -o seq.json && check seq.json 0 "$end"
python3 - <<'PY' || fail "--time seq: ts is not the seq in microseconds"
import json
entries = [e["seq"] for e in map(json.loads, open("events")) if e["event"] == "METHOD_ENTRY"]
assert sorted(e["ts"] for e in json.load(open("seq.json"))["traceEvents"] if e["ph"] == "B") == entries
PY

npm_client speedscope
node "$HERE/speedscope.js" all.json >imported.json 2>messages || fail "speedscope: $(head -n 3 messages)"
[ ! -s messages ] || fail "speedscope complains: $(head -n 3 messages)"
python3 - "$HERE" <<'PY' || fail "speedscope shows other calls"
import json, sys
sys.path.insert(0, sys.argv[1])
import calls
document = json.load(open("imported.json"))
frames = [f["name"] for f in document["shared"]["frames"]]
for p in document["profiles"]:
    used = {e["frame"] for e in p["events"]}
    assert len(used) == len({frames[f] for f in used}), "a method is there more than once in a thread"
shown = sorted([("begin" if e["type"] == "O" else "end", frames[e["frame"]]) for e in p["events"]]
               for p in document["profiles"])
assert shown == sorted(calls.steps("events").values())
print("    speedscope: %d profiles, %d methods" % (len(shown), len(frames)))
PY
finish
