"""ids.py EVENTS: for ObjectIds.java: both parameters of every twice(o, o) carry one id, and an id has one type for
ever."""
import json, os, re, sys

first, types, pairs = {}, {}, 0
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    v = e.get("value")
    if isinstance(v, dict):
        if v["id"] == 0:
            sys.exit("FAILED: id 0 for an object: " + text)
        if types.setdefault(v["id"], v.get("type")) != v.get("type"):
            sys.exit("FAILED: id %d was %s and is %s" % (v["id"], types[v["id"]], v.get("type")))
    if e["event"] == "METHOD_PARAM" and e["method"] == "twice":
        if e["attr"]["index"] == 0:
            first[e["thread"]] = v["id"]
        else:
            pairs += 1
            if first.pop(e["thread"]) != v["id"]:
                sys.exit("FAILED: one object, two ids: " + text)
out = open(os.path.join(os.path.dirname(sys.argv[1]), "stdout")).read()
objects, passed = map(int, re.match(r"(\d+) objects, (\d+) pairs", out).groups())
if pairs != passed or pairs < objects:
    sys.exit("FAILED: %d calls of twice, not %d" % (pairs, passed))
distinct = len(types)
if distinct < objects + 3000:  # those of the threads
    sys.exit("FAILED: only %d ids for more than %d objects" % (distinct, objects + 3002))
print("%d pairs, %d ids" % (pairs, distinct))
