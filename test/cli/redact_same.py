# redact_same.py BEFORE AFTER: rows of print --json, equal but for the secrets.
import json, re, sys

a, b = ([json.loads(line) for line in open(name, encoding="utf-8")] for name in sys.argv[1:])


def covered(x):  # as the copy should have it
    if isinstance(x, dict):
        return {k: covered(v) for k, v in x.items()}
    if isinstance(x, list):
        return [covered(v) for v in x]
    if isinstance(x, str):
        return re.sub("77110011|ff7-gross|hunter2-größe", lambda m: "*" * len(m.group()), x)
    return 0 if x == 77110011 and not isinstance(x, bool) else x


# an answer about the whole file is another one: sizes, the checksum of a class file
skip = {"bytes", "bytes_per_event", "event_bytes", "storage", "groups", "types", "derived_chunks", "hash", "end_ns"}
bad = len(a) - len(b)
for x, y in zip(a, b):
    for k in x.keys() | y.keys():
        if k in skip or covered(x.get(k)) == y.get(k):
            continue
        if "größe" in str(x.get(k)) and len(str(x[k])) < len(str(y.get(k))):
            continue  # two bytes in UTF-8, two '*'
        print(k, x.get(k), y.get(k))
        bad += 1
sys.exit(bad != 0)
