"""perfetto.py: `decoded`, what protoc makes of the file, has the calls, threads and values of the events."""

import ast, json, math, struct, sys
import calls


def messages(path):
    """The packets of protoc's text: dicts of lists."""
    stack = [{}]
    for line in open(path):
        line = line.strip()
        if line.endswith("{"):
            child = {}
            stack[-1].setdefault(line[:-2], []).append(child)
            stack.append(child)
        elif line == "}":
            stack.pop()
        else:
            key, value = line.split(": ", 1)
            assert not key.isdigit(), "field %s is not in the schema" % key
            if value.startswith('"'):
                value = ast.literal_eval("b" + value).decode()
            stack[-1].setdefault(key, []).append(value)
    return stack[0]["packet"]


def value(a):
    for key, of in (
        ("bool_value", lambda v: v == "true"),
        ("int_value", int),
        ("double_value", float),
        ("uint_value", int),
        ("string_value", str),
    ):
        if key in a:
            return of(a[key][0])


names, tracks, got, times, shown, instants = {}, {}, {}, {}, [], []
flows, ends = {}, []
packets = messages("decoded")
assert packets[0]["sequence_flags"] == ["3"] and all(p["sequence_flags"] == ["2"] for p in packets[1:])
for p in packets:
    for d in p.get("track_descriptor", []):
        if "thread" in d:
            tracks[d["uuid"][0]] = int(d["thread"][0]["tid"][0]) - 1, d["thread"][0]["thread_name"][0]
    for i in p.get("interned_data", []):
        names.update((n["iid"][0], n["name"][0]) for n in i["event_names"])
    for e in p.get("track_event", []):
        track, kind, at = e["track_uuid"][0], e["type"][0], int(p["timestamp"][0])
        thread = tracks[track][0]
        for f in e.get("flow_ids", []):
            flows[f] = thread
        ends += [(thread, flows[f]) for f in e.get("terminating_flow_ids", [])]
        values = {a["name"][0]: value(a) for a in e.get("debug_annotations", [])}
        lists = [a["array_values"] for a in e.get("debug_annotations", []) if "array_values" in a]
        arguments = [[value(v) for v in items] for items in lists]
        if kind == "TYPE_INSTANT":
            instants.append((e["name"][0], values))
            continue
        assert at > times.get(track, -1)
        times[track] = at
        steps = got.setdefault(thread, [])
        if kind == "TYPE_SLICE_BEGIN":
            steps.append(("begin", names[e["name_iid"][0]], values["seq"]))
            continue
        # an end is that of the innermost call that is open
        depth = 0
        for what, name, seq in reversed(steps):
            depth += 1 if what == "end" else -1
            if depth < 0:
                break
        steps.append(("end", name, seq))
        shown.append((seq, arguments[0] if arguments else [], values.get("result")))
assert tracks["3"] == (0, "main") and 'worker; <0> "q"' in [name for _, name in tracks.values()], tracks
assert {t: [s[:2] for s in steps] for t, steps in got.items()} == calls.steps("events"), "other calls"

# values of calls that have numbers alone
events = [json.loads(line) for line in open("events", errors="surrogatepass")]
number = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
stacks, want = {}, {}
for e in events:
    stack, kind = stacks.setdefault(e["thread"], []), e["event"]
    if kind == "METHOD_ENTRY":
        stack.append([e["seq"], [], None])
    elif kind == "METHOD_PARAM":
        stack[-1][1].append(e["value"])
    elif kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
        seq, parameters, _ = stack.pop()
        want[seq] = parameters, e.get("value") if kind == "METHOD_NORMAL_EXIT" else None


def single(v):
    """The float whose shortest digits are printed as v."""
    try:
        return struct.unpack("f", struct.pack("f", v))[0]
    except OverflowError:
        return v


compared = 0
for seq, arguments, result in shown:
    parameters, returned = want.get(seq, ([{}], {}))
    if any(isinstance(v, dict) or v is None for v in parameters + [returned]):
        continue
    for a, b in zip(arguments + [result], parameters + [returned]):
        b = number[b] if isinstance(b, str) else b
        same = a == b or (a != a and b != b) or a == single(b)
        assert same and math.copysign(1, a) == math.copysign(1, b), (seq, a, b)
        compared += 1
assert compared > 100, compared
texts = [v for _, arguments, _ in shown for v in arguments if isinstance(v, str)]
for text in ('"a\\"quote\\""#', '"line\\nfeed"#', '"lone\\ud800"#', '"back\\\\slash"#', "int[][]#"):
    assert any(t.startswith(text) for t in texts), text

assert [v["seq"] for name, v in instants if name == "throw"] == [seq for seq, _ in calls.thrown("events")]
add = sum(e["event"] == "METHOD_ENTRY" and e["method"] == "add" for e in events)  # synchronized
assert sum(name == "monitor taken" for name, _ in instants) == add and add == 80
assert ends and all(taken != given for taken, given in ends), "a flow stays in a thread"
print("    %d packets, %d calls, %d values compared, %d flows" % (len(packets), len(shown), compared, len(ends)))
