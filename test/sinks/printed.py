#!/usr/bin/env python3
"""printed.py SIZE HINDSIGHT LAST_EVENTS TRACE: what last_events tells of a trace is what `hindsight print` shows: per
data ID the number of events, the threads, and the last SIZE events, to the last character of their values."""
import collections, sys

from traces import lines

size, hindsight, last_events, trace = int(sys.argv[1]), *sys.argv[2:5]
bad = 0


shown = {}
for e in lines(hindsight, "print", trace, "--json"):
    d = shown.setdefault(
        e["dataid"], {"dataid": e["dataid"], "count": 0, "threads": [], "values": collections.deque(maxlen=size)}
    )
    d["count"] += 1
    if e["thread"] not in d["threads"]:
        d["threads"].append(e["thread"])
    d["values"].append({name: e[name] for name in ("value", "seq", "thread") if name in e})

walked = 0
for have in lines(last_events, trace, str(size)):
    walked += have["count"]
    want = shown.pop(have["dataid"], None)
    if want is not None:
        want["values"] = list(want["values"])
    if repr(have) != repr(want):  # of 1 and 1.0, 0.0 and -0.0 the text differs
        bad += 1
        print("    last_events: %s, print: %s" % (have, want))
for d in shown:
    bad += 1
    print("    last_events does not know data ID %d" % d)
if walked == 0:
    bad += 1
    print("    last_events shows nothing")
sys.exit(1 if bad else 0)
