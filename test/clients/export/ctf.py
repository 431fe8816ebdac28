"""ctf.py FILE FROM: what babeltrace2 has printed is the events from this one on."""

import json, math, re, sys
import calls

start = int(sys.argv[2])
LINE = re.compile(r"\[(\d+)\] (\w+): \{ thread = (\d+) \}, \{ (.*) \}$")
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\( "(\w+)" : container = \d+ \)|\{ (.*) \}|-?\w+)(?:, |$)')
steps, others, last, threads, stacks = {}, {}, 0, {}, {}
for line in open(sys.argv[1]):
    time, name, thread, rest = LINE.match(line).groups()
    fields = {m.group(1): m.group(4) if m.group(4) is not None else m.group(2) for m in FIELD.finditer(rest)}
    time, thread = int(time), int(thread)
    assert time >= last, "time goes back"
    last = time
    method = lambda: json.loads(fields["class"]) + "." + json.loads(fields["method"])
    if name == "thread":
        threads[thread] = json.loads(fields["name"])
    elif name == "call_begin":
        steps.setdefault(thread, []).append(("begin", method()))
        stacks.setdefault(thread, []).append((time, int(fields["seq"])))
    elif name == "call_end":
        steps[thread].append(("end", method()))
        begun, entered = stacks[thread].pop()
        assert entered == int(fields["begin_seq"]) and begun <= time, fields
    else:
        others[int(fields["seq"])] = name, fields
events = [json.loads(line) for line in open("events", errors="surrogatepass")]
assert steps == calls.steps("events", start), "other calls"
assert threads[0] == "main" and 'worker; <0> "q"' in threads.values(), threads
edges = ("METHOD_ENTRY", "METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
want = {e["seq"]: e for e in events if e["event"] not in edges and e["seq"] >= start}
assert others.keys() == want.keys(), "other events"
numbers = 0
for seq, (name, fields) in others.items():
    e = want[seq]
    assert name == e["event"] and int(fields["pc"]) == e["pc"] and int(fields["line"]) == e.get("line", -1), fields
    v = e.get("value")
    if "value" not in e:
        assert '"none"' in fields["value_kind"], fields
    elif isinstance(v, int):
        assert '"number"' in fields["value_kind"] and int(fields["value"]) == v, (fields, e)
        numbers += 1
    elif isinstance(v, float) or isinstance(v, str):
        assert '"real"' in fields["value_kind"], fields
        a, b = float(fields["value"]), float(v)
        assert a == b or (a != a and b != b) or abs(a - b) <= 1e-5 * abs(b), (fields, e)  # it shows six digits
        assert math.copysign(1, a) == math.copysign(1, b), (fields, e)
    elif v is not None and "string" not in v:
        assert json.loads(fields["value"]).endswith("#%d" % v["id"]), fields
if start == 0:
    shown = {int(f["value"]) for _, f in others.values() if '"number"' in f["value_kind"]}
    assert {2**63 - 1, -(2**63), 2**53 + 1} <= shown, "64-bit numbers are not exact"
counts = sys.argv[1], sum(map(len, steps.values())) // 2, len(others), numbers
print("    %s: %d calls, %d other events, %d numbers" % counts)
