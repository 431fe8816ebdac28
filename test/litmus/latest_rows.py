#!/usr/bin/env python3
"""Rows as of `hindsight print --json` from `hindsight latest --json`: the entries of all data IDs in their order."""
import json, sys

rows = []
for text in sys.stdin:
    of = json.loads(text)
    for entry in of.pop("values"):
        rows.append({"seq": entry["seq"], "thread": entry["thread"], "dataid": of["dataid"], **of, **entry})
rows.sort(key=lambda row: row["seq"])
for row in rows:
    print(json.dumps(row, separators=(",", ":")))
