"""written.py EVENTS.jsonl: what is read of a static field is what was written to it last (a program of one thread)."""
import json
import sys

last, reads, wrong = {}, 0, []
for line in open(sys.argv[1], encoding="utf-8"):
    if "_STATIC_FIELD" not in line:
        continue
    e = json.loads(line)
    if e["event"] == "PUT_STATIC_FIELD":
        last[e["attr"]["owner"], e["attr"]["name"]] = e["value"]
    elif e["event"] == "GET_STATIC_FIELD":
        key = e["attr"]["owner"], e["attr"]["name"]
        if key in last:
            reads += 1
            if last[key] != e["value"]:
                wrong.append(f"{key[1]} at {e['seq']}: {e['value']}, but {last[key]} was written")
if wrong or reads < 10:
    sys.exit(f"FAILED: {len(wrong)} of {reads} reads: {wrong[:3]}")
