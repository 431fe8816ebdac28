# selogger_events.py PRINTED READ: the stream of SELogger is that of print --json.
import json, struct, sys

single = lambda v: struct.pack(">f", v) if abs(v) < 3.41e38 else v  # print shows the digits that a float needs
a, b = ([json.loads(line) for line in open(path, encoding="utf-8")] for path in sys.argv[1:])
text = lambda v: str(v).lower() if isinstance(v, bool) else str(v)
for x, y in zip(a, b):
    x["attr"] = {k: text(w) for k, w in x.get("attr", {}).items()}
    x.pop("thrown_at", None)  # no attribute of SELogger
    v, w = x.get("value"), y.get("value")
    if isinstance(v, float) and str(v) != str(w) and single(v) == single(w):
        y["value"] = v
    assert x == y, (x, y)
assert len(a) == len(b)
