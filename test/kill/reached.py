#!/usr/bin/env python3
"""reached.py SLOTS THREADS SURE: reads `print --json --event METHOD_PARAM`; of every thread the calls work(1), work(2), ... must be
there without a gap, and of the first SURE threads at least up to what the program proved in SLOTS (see KillMe.java). The others may
have gone on after the recording had ended: on an orderly exit daemon threads do, until the process is gone."""
import json, struct, sys

threads = int(sys.argv[2])
slots = struct.unpack("<%dq" % threads, open(sys.argv[1], "rb").read(8 * threads))
last = [0] * threads
for text in sys.stdin:
    e = json.loads(text)
    if e["event"] != "METHOD_PARAM" or e["method"] != "work":
        continue
    t, i = e["value"] >> 40, e["value"] & (1 << 40) - 1
    if i != last[t] + 1:
        sys.exit("FAILED: thread %d: work(%d) follows work(%d)" % (t, i, last[t]))
    last[t] = i
for t in range(int(sys.argv[3])):
    if last[t] < slots[t]:
        sys.exit("FAILED: thread %d: the program came to work(%d), the trace only to work(%d)" % (t, slots[t], last[t]))
print("    proved %s, in the trace %s" % (list(slots), last))
if sum(slots) == 0:
    sys.exit("FAILED: the program had not begun")
