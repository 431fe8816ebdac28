"""state.py EVENTS: for VirtualState.java: the arguments of note(), in their order in each thread, are what it
printed."""
import json, os, sys

called = {}
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    if e["method"] == "note":
        called.setdefault(e["thread"], []).append(e["value"])
calls = {}
for thread, values in called.items():
    if len(values) % 4 or len(set(values[::4])) != 1:
        sys.exit("FAILED: thread %d has %d arguments, of the workers %s" % (thread, len(values), set(values[::4])))
    calls[values[0]] = [tuple(values[i : i + 4]) for i in range(0, len(values), 4)]
printed = {}
for line in open(os.path.join(os.path.dirname(sys.argv[1]), "stdout"), encoding="utf-8").read().splitlines()[1:]:
    note = tuple(int(word) for word in line.split())
    printed.setdefault(note[0], []).append(note)
if len(printed) != 12 or any(len(notes) != 60 for notes in printed.values()):
    sys.exit("FAILED: the program printed something else")
for tag, notes in printed.items():
    if calls.get(tag) != notes:
        wrong = [(a, b) for a, b in zip(calls.get(tag, []), notes) if a != b][:1]
        sys.exit("FAILED: worker %d: %d notes, not %d: %s" % (tag, len(calls.get(tag, [])), len(notes), wrong))
