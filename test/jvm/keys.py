"""keys.py EVENTS: the program calls show(object, key): an id is of one key and a key of one id, as many as the program
says it has objects."""
import json, os, re, sys

shown, ids, keys, calls = {}, {}, {}, 0
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    if e["attr"]["index"] == 0:
        shown[e["thread"]] = e["value"]["id"]
        continue
    key, x = e["value"], shown.pop(e["thread"])
    calls += 1
    if x == 0 or ids.setdefault(key, x) != x:
        sys.exit("FAILED: object %d has the ids %d and %d" % (key, ids.get(key, 0), x))
    if keys.setdefault(x, key) != key:
        sys.exit("FAILED: the objects %d and %d have the id %d" % (keys[x], key, x))
out = open(os.path.join(os.path.dirname(sys.argv[1]), "stdout")).read()
objects = int(re.match(r"(\d+) objects", out).group(1))
if len(ids) != objects:
    sys.exit("FAILED: %d objects, not %d" % (len(ids), objects))
print("%d calls, %d ids" % (calls, len(ids)))
