#!/usr/bin/env python3
"""groups.py SIZE HINDSIGHT LAST_EVENTS ALL SOME EVENTS.DEF: two recordings of one program, SOME of fewer groups. At
each location of an event that both weave there are as many events in both, and the last SIZE of them have the same
values. Locations are compared by class, method, descriptor, event, pc, line and attributes, since data IDs are given
anew; objects by type and contents."""
import os, re, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sinks"))
from traces import lines, located, shown

size, hindsight, last_events, trace_all, trace_some, definitions = sys.argv[1:7]


def woven(groups):
    events = set()
    with open(definitions) as f:
        for name, how, names in re.findall(r"^EVENT\(\s*\d+, (\w+),\s*(ONE|BOTH|ANY5)\(([^)]*)\)", f.read(), re.M):
            chosen = [n.strip() in groups or "ALL" in groups for n in names.split(",")]
            if any(chosen) if how == "ANY5" else all(chosen):
                events.add(name)
    return events


def look(trace, events):
    """location -> number of events, last values; by how many threads"""
    at, found = {}, {}
    for k, d in located(lines(hindsight, "freq", trace, "--json")):
        if d["event"] in events:
            at[d["dataid"]] = k
            found[k] = (d["count"], [], 0)
    for d in lines(last_events, trace, size):
        k = at.get(d["dataid"])
        if k is not None:
            found[k] = (d["count"], [shown(v.get("value")) for v in d["values"]], len(d["threads"]))
    return found


info = next(lines(hindsight, "info", trace_some, "--json"))
events = woven(info["weave"].replace("+", " ").split())
a, b = look(trace_all, events), look(trace_some, events)
bad = 0
for k in sorted(set(a) | set(b)):
    x, y = a.get(k), b.get(k)
    if x is None or y is None:
        text = "only with %s" % ("ALL" if y is None else info["weave"])
    elif x[0] != y[0]:
        text = "%d events with ALL, %d with %s" % (x[0], y[0], info["weave"])
    elif x[1] != y[1] and x[2] == 1:
        text = "values with ALL %s, with %s %s" % (x[1], info["weave"], y[1])
    else:
        continue
    bad += 1
    if bad <= 5:
        print("    %s: %s" % (k, text))
if not any(n for n, _, _ in b.values()) and any(n for n, _, _ in a.values()):
    print("    no event at all of %s" % info["weave"])
    bad += 1
sys.exit(1 if bad else 0)
