# chrome_speedscope.py HERE: what speedscope has imported are the calls of the events.
import json, sys

sys.path.insert(0, sys.argv[1])
import calls

document = json.load(open("imported.json"))
frames = [f["name"] for f in document["shared"]["frames"]]
for p in document["profiles"]:
    used = {e["frame"] for e in p["events"]}
    assert len(used) == len({frames[f] for f in used}), "a method is there more than once in a thread"
shown = sorted(
    [("begin" if e["type"] == "O" else "end", frames[e["frame"]]) for e in p["events"]] for p in document["profiles"]
)
assert shown == sorted(calls.steps("events").values())
print("    speedscope: %d profiles, %d methods" % (len(shown), len(frames)))
