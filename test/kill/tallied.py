#!/usr/bin/env python3
"""tallied.py SLOTS THREADS FORMAT: reads `freq --json` (formats freq, latest, timing) or `latest --json` of a killed KillMe. Each thread's
work(1), work(2), ... must be counted exactly once: as many as the program proved in SLOTS, and at most one more per thread, which
was on its way. What latest kept must be the last ones, without a gap."""
import json, struct, sys

threads = int(sys.argv[2])
slots = struct.unpack("<%dq" % threads, open(sys.argv[1], "rb").read(8 * threads))
count, last = 0, {}
for text in sys.stdin:
    d = json.loads(text)
    if d["method"] != "work":
        continue
    if d["event"] == "METHOD_ENTRY":
        count = d["count"]
    if d["event"] == "METHOD_PARAM":
        for v in d.get("values", []):
            t, i = v["value"] >> 40, v["value"] & (1 << 40) - 1
            if t in last and i != last[t] + 1:
                sys.exit("FAILED: thread %d: work(%d) follows work(%d)" % (t, i, last[t]))
            last[t] = i
print("    proved %d, counted %d, last %s" % (sum(slots), count, last))
if sum(slots) == 0:
    sys.exit("FAILED: the program had not begun")
if not sum(slots) <= count <= sum(slots) + threads:
    sys.exit("FAILED: %d calls are counted" % count)
for t, i in last.items():
    if not slots[t] <= i <= slots[t] + 1:
        sys.exit("FAILED: thread %d: the program came to work(%d), the trace to work(%d)" % (t, slots[t], i))
if sys.argv[3] == "latest" and not last:
    sys.exit("FAILED: no values are kept")
