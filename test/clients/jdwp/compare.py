"""compare.py HINDSIGHT TRACE SEEN: each frame that Moves.java saw has the class, method, line, pc, `this` and variables
of `hindsight locals --json`. A variable that is not there must have been shown as not recorded."""

import json
import subprocess
import sys

hindsight, trace, seen = sys.argv[1:]


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def text(value):
    if isinstance(value, dict):
        return f"#{value['id']}"
    return json.dumps(value)


def same(shown, value):
    if isinstance(value, float) or (isinstance(value, str) and not isinstance(value, dict)):
        return float(shown) == float(value) or value == "NaN" == shown
    return shown == text(value)


moments = {}
with open(seen, encoding="utf-8") as lines:
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        moments.setdefault(int(fields[0]), {}).setdefault(int(fields[2]), set()).add(tuple(fields[3:]))
bad = values = unknown = frames_seen = 0
for seq, frames in sorted(moments.items()):
    event = ask("print", trace, "--from", str(seq), "--to", str(seq))[0]["event"]
    expected = ask("locals", trace, str(seq))
    problems = []
    if len(expected) != len(frames):
        problems.append(f"{len(frames)} frames, not {len(expected)}")
    for want, ways in zip(expected, (frames[n] for n in sorted(frames))):
        frames_seen += 1
        if len(ways) > 1:
            problems.append(f"the same moment was seen in different ways: {ways}")
        have = list(min(ways))
        place = [want["class"], want["method"], want["desc"], str(want.get("line", -1)), str(want["pc"])]
        place.append(text(want["this"]) if want.get("this") else "-")
        if place != have[:6]:
            problems.append(f"{have[:6]}, not {place}")
        known = {**want["parameters"], **want["locals"]}
        shown = dict(v.split("=", 1) for v in have[6:])
        for name, value in shown.items():
            unknown += value == "?"
            values += value != "?"
            if name not in known and value != "?" or name in known and not same(value, known[name]):
                problems.append(f"{name} = {value}, not {known.get(name, 'not recorded')}")
        # a variable that is just being stored begins behind the store
        hidden = set(known) - set(shown)
        if hidden and (want["depth"] > 0 or event != "LOCAL_STORE" or len(hidden) > 1):
            problems.append(f"{hidden} not shown after {event}")
    for problem in problems:
        print(f"event {seq}: {problem}")
    bad += len(problems)
print(f"{len(moments)} moments, {frames_seen} frames, {values} values, {unknown} not recorded, {bad} wrong")
sys.exit(bad > 0 or len(moments) < 20 or values < 100)
