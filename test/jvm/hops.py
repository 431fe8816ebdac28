"""hops.py EVENTS: for VirtualHops.java: step(0), step(1), ... of each thread are in order, in one thread number, and
seq rises."""
import json, sys

last, threads = {}, {}
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    if e["event"] != "METHOD_PARAM" or e["method"] != "step":
        continue
    t, i = e["value"] >> 40, e["value"] & (1 << 40) - 1
    if i != last.get(t, -1) + 1:
        sys.exit("FAILED: thread %d: step(%d) follows step(%d)" % (t, i, last.get(t, -1)))
    last[t] = i
    if threads.setdefault(t, e["thread"]) != e["thread"]:
        sys.exit("FAILED: thread %d is in %d and %d" % (t, threads[t], e["thread"]))
if last != {0: 19999, 1: 19999}:
    sys.exit("FAILED: the last steps are %s" % last)
print("two threads, each in its order")
