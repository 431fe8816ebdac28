# marks_gap.py: no call of parts.json goes across a gap of the recording.
import json

shown = [(e["ph"], e["name"]) for e in json.load(open("parts.json"))["traceEvents"] if e["ph"] in "BE"]
outer = [i for i, s in enumerate(shown) if s == ("B", "Marked.outer")]
entries = [e for e in map(json.loads, open("events")) if e["event"] == "METHOD_ENTRY"]
assert len(outer) == sum(e["method"] == "outer" for e in entries) == 3, shown
depth = 0
for i, (phase, name) in enumerate(shown):
    if name == "Marked.outer" and phase == "B":
        assert depth == 0, "outer is inside of another call"
    depth += 1 if phase == "B" else -1
    assert depth >= 0
assert depth == 0
