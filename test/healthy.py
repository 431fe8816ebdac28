# healthy.py INFO END: what `info` says of a recording that lost nothing.
import json, sys

d = json.load(open(sys.argv[1]))
bad = []
if d.get("lost") != 0:
    bad.append("lost %s, not 0" % d.get("lost"))
if d.get("end") != sys.argv[2]:
    bad.append("end %s, not %s" % (d.get("end"), sys.argv[2]))
c = d.get("classes", {})
reasons = {}
for n in d.get("not_woven", []):
    reasons[n.get("reason")] = reasons.get(n.get("reason"), 0) + 1
print(
    "    %s events, %.3f bytes per event, classes %s%s"
    % (
        d.get("events"),
        d.get("bytes_per_event") or 0,
        json.dumps(c),
        "".join("; %d x %s" % (n, r) for r, n in sorted(reasons.items(), key=str)),
    )
)
print("".join("FAILED: info: %s\n" % b for b in bad), end="")
sys.exit(1 if bad else 0)
