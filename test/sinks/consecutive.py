#!/usr/bin/env python3
"""consecutive.py SIZE LATEST: `latest --json` of Spin, at whatever moment. Of each thread the values stored last are
consecutive; all threads together stored as often as is counted. Prints how often; fails when nothing was."""
import collections, json, sys

size, total, bad = int(sys.argv[1]), 0, []
for line in open(sys.argv[2]):
    d = json.loads(line)
    if d["event"] != "ARRAY_STORE_VALUE" or d["method"] != "once":
        continue
    total += d["count"]
    kept = collections.defaultdict(list)
    for v in d["values"]:
        kept[v["thread"]].append(v["value"])
    if d["recorded"] != min(size, d["count"]):
        bad.append("%d of %d are kept" % (d["recorded"], d["count"]))
    for thread, values in kept.items():
        if [(v + 1) % 1_000_000 for v in values[:-1]] != values[1:]:
            bad.append("thread %s: %s" % (thread, values))
for b in bad[:5]:
    print("    " + b)
print("    %d stores" % total)
sys.exit(1 if bad or total == 0 else 0)
