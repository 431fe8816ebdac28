#!/usr/bin/env python3
"""same.py SIZE OMNI LATEST FREQ [TIMING REPORT]: JSON of one program recorded in each format: `print` of omni, `latest`, `freq`, and `report` of
timing and of omni. Per location: the last SIZE events of omni are those that latest kept, all counts are equal; per method the calls and
exceptions are equal. Objects are compared by type and contents, since ids are given in each run anew."""
import collections, json, re, sys

size = int(sys.argv[1])
bad = 0


def fail(text):
    global bad
    bad += 1
    if bad <= 10:
        print("    " + text)


def where(e):
    return json.dumps([e["class"], e["method"], e["desc"], e["event"], e["pc"], e.get("line"), e.get("attr")], sort_keys=True)


def shown(v):
    if isinstance(v, dict):
        return (re.sub(r"Lambda.*", "Lambda", v.get("type")), v.get("string"))  # names of hidden classes hold addresses
    return v


def read(path):
    with open(path) as f:
        for line in f:
            yield json.loads(line)


count = collections.Counter()
last = collections.defaultdict(lambda: collections.deque(maxlen=size))
threads = collections.defaultdict(set)
order = {}
for e in read(sys.argv[2]):
    k = where(e) + "#%d" % e["dataid"]
    count[k] += 1
    last[k].append((shown(e.get("value")), e["seq"], e["thread"]))
    threads[k].add(e["thread"])
one = len({t for s in threads.values() for t in s}) == 1

kept = {}
for d in read(sys.argv[3]):
    k = where(d) + "#%d" % d["dataid"]
    kept[k] = d
    values = [(shown(v.get("value")), v["seq"], v["thread"]) for v in d["values"]]
    want = list(last.get(k, []))
    if d["count"] != count.get(k, 0):
        fail("latest: %s: %d events, omni has %d" % (k, d["count"], count.get(k, 0)))
    if d["recorded"] != len(values) or len(values) != min(size, d["count"]):
        fail("latest: %s: %d of %d events are kept" % (k, len(values), d["count"]))
    if [s for _, s, _ in values] != sorted({s for _, s, _ in values}):
        fail("latest: %s: seq does not rise" % k)
    if not one:  # what threads do to each other differs from run to run; the values are the same where one thread wrote them
        values, want = [v[:1] + v[2:] for v in values], [v[:1] + v[2:] for v in want]
    if values != want and (one or len(threads[k]) == 1):
        fail("latest: %s: kept %s, omni ends with %s" % (k, values, want))
freq = {where(d) + "#%d" % d["dataid"]: d["count"] for d in read(sys.argv[4])}
for name, have in (("latest", set(kept)), ("freq", set(freq))):
    if have != set(count):
        fail("%s: locations differ: %s" % (name, sorted(have ^ set(count))[:2]))
for k, n in freq.items():
    if n != count.get(k, 0):
        fail("freq: %s: %d events, omni has %d" % (k, n, count.get(k, 0)))
methods = 0
if len(sys.argv) > 5:
    reports = [{(r["class"], r["method"], r["desc"]): (r["calls"], r["exceptions"]) for r in read(p)} for p in sys.argv[5:7]]
    methods = len(reports[0])
    if reports[0] != reports[1]:
        fail("timing and omni: methods differ: %s" % [(k, reports[0].get(k), reports[1].get(k)) for k in set(reports[0]) | set(reports[1]) if reports[0].get(k) != reports[1].get(k)][:3])
    for r in read(sys.argv[5]):
        if sum(r["histogram"]) != r["calls"] or not r["min_ns"] * r["calls"] <= r["total_ns"] + r["min_ns"] * r["calls"] or r["self_ns"] > r["total_ns"] + r["max_ns"] * r["calls"] \
                or r["min_ns"] > r["max_ns"]:
            fail("timing: %s" % r)
print("    %d events at %d locations, %d methods, %s" % (sum(count.values()), len(count), methods, "one thread" if one else "several threads"))
sys.exit(1 if bad or not count else 0)
