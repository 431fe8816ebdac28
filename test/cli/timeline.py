"""timeline.py COMMAND SAMPLES SMALL LARGE SHORT TOGETHER: `timeline`, and the example SAMPLES, add up to the events of
these traces."""

import json, subprocess, sys

hindsight, samples, small, large, short, together = sys.argv[1:]


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], capture_output=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def calls(trace):
    """(thread, depth, entry, exit, method) of every call, by thread."""
    found, stacks = [], {}
    for e in ask("print", trace, "--event", "METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT"):
        stack = stacks.setdefault(e["thread"], [])
        if e["event"] == "METHOD_ENTRY":
            stack.append(e)
        else:
            entry = stack.pop()
            found.append((e["thread"], len(stack), entry["seq"], e["seq"], entry["method"]))
    assert not any(stacks.values())
    return sorted(found)


events = ask("info", small)[0]["events"]
rows = ask("timeline", small, "--buckets", str(events))
assert sorted((r["thread"], r["depth"], r["from"], r["to"], r["method"]) for r in rows) == calls(small), rows
assert all(r["entered"] == r["from"] for r in rows)
rows = ask("timeline", small, "--buckets", str(events), "--depth", "0", "--thread", "0")
assert [(r["depth"], r["method"]) for r in rows] == [(0, "main")], rows

# a part of it: calls that began before are cut, but say where they began
middle = [c for c in calls(small) if c[4] == "add"][0]
at = (middle[2] + middle[3]) // 2
rows = [r for r in ask("timeline", small, "--from", str(at), "--buckets", str(events)) if r["method"] == "add"]
assert [(r["from"], r["to"], r["entered"]) for r in rows] == [(at, middle[3], middle[2])], (rows, middle)

# too large to be walked: at each moment the calls that are open there
for trace, buckets in ((large, 7), (short, 7), (short, 500), (together, 7), (together, 500)):
    events = ask("info", trace)[0]["events"]
    assert events > 1 << 20, events
    step = (events - 1) // buckets + 1
    rows, known = ask("timeline", trace, "--buckets", str(buckets)), calls(trace)
    for moment in range(0, events, step):
        want = {(c[0], c[1], c[2], c[4]) for c in known if c[2] <= moment <= c[3]}
        got = {(r["thread"], r["depth"], r["entered"], r["method"]) for r in rows if r["from"] <= moment <= r["to"]}
        assert got == want, (moment, got, want)
    # the library: a thread that is not given has what it had at the moment before
    rows, now = {}, {}
    shown = subprocess.run([samples, trace, str(buckets)], capture_output=True, check=True, text=True).stdout
    for line in shown.splitlines():
        seq, thread, *frames = line.split()
        rows.setdefault(int(seq), {})[int(thread)] = [tuple(frame.split("@")) for frame in frames]
    for moment in range(0, events, step):
        now.update(rows.get(moment, {}))
        want = {(c[0], c[1], c[2], c[4]) for c in known if c[2] <= moment <= c[3]}
        got = {(thread, depth, int(at), name) for thread, of in now.items() for depth, (name, at) in enumerate(of)}
        assert got == want, (moment, got, want)
    print(f"{len(known)} calls; {events} events at {buckets} moments")
