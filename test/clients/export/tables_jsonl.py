# tables_jsonl.py HINDSIGHT: jsonl of a table has the keys of the command of that name.
import json, subprocess, sys

for table in "objects strings threads classes methods dataids exceptions".split():
    rows = [json.loads(l) for l in open(f"jsonl/{table}.jsonl")]
    out = subprocess.run([sys.argv[1], table, "t", "--json"], check=True, capture_output=True).stdout
    want = [json.loads(l) for l in out.splitlines()]
    assert len(rows) == len(want) > 0, (table, len(rows), len(want))
    for row, whole in zip(rows, want):
        if table == "strings" and "string_json" in row:
            row["string"] = row.pop("string_json")
        if whole.pop("cause", None) is not None:
            whole["cause_id"] = 0
        for key in row.keys() - {"cause_id"}:
            assert row[key] == whole.get(key, False), (table, key, row, whole)
        assert table == "threads" or table == "exceptions" or row.keys() >= whole.keys() - {"cut"}, (row, whole)
print("    jsonl: the rows of the other tables are those of their commands")
