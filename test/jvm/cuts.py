"""cuts.py EVENTS: for StringCuts.java: every string passed to f is there as far as the run's maxstring= (in info.json)
lets it, and says its length and that it is cut where it is. f's other parameters are the length and checksums of the
whole and of 5 and 20000 units."""
import json, os, re, sys, zlib

options = json.load(open(os.path.join(os.path.dirname(sys.argv[1]), "info.json")))["options"]
limit = re.search(r"maxstring=(\d+)", options)
limit = int(limit.group(1)) if limit else None
calls, cut, call = 0, 0, []
for text in open(sys.argv[1], encoding="utf-8"):
    call.append(json.loads(text)["value"])
    if len(call) < 5:
        continue
    (v, length, whole, five, twenty_thousand), call = call, []
    units = v["string"].encode("utf-16-le", "surrogatepass")
    isCut = limit is not None and length > limit
    calls, cut = calls + 1, cut + isCut
    if v.get("cut", False) != isCut or v.get("length") != (length if isCut else None):
        sys.exit("FAILED: a string of %d units: cut %s, length %s" % (length, v.get("cut"), v.get("length")))
    want = {None: whole, 5: five, 20000: twenty_thousand, 0: 0}[limit]
    if zlib.crc32(units) != want or len(units) // 2 > length:
        sys.exit(
            "FAILED: a string of %d units with maxstring=%s has other content: %.40s" % (length, limit, v["string"])
        )
if calls != 49 or call or (limit is not None) != (cut > 0):
    sys.exit("FAILED: %d calls, %d of them cut" % (calls, cut))
print("%d strings, %d cut" % (calls, cut))
