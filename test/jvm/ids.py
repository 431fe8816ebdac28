"""ids.py EVENTS: for ObjectIds.java: both parameters of every twice(o, o) carry one id, and an id has one type for ever."""
import json, sys

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
if pairs != 35821:
    sys.exit("FAILED: %d calls of twice" % pairs)
distinct = len(types)
if distinct < 23000:
    sys.exit("FAILED: only %d ids for more than 23,002 objects" % distinct)
print("%d pairs, %d ids" % (pairs, distinct))
