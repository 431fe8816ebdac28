"""same_rows.py KEY...: in this folder rows.csv and rows.sql, of an answer of `alloc` or `heap` with --csv and of its
table, have what rows.json says under these keys, row by row."""
import csv, json, sys

rows = list(csv.DictReader(open("rows.csv", newline="")))
table = [json.loads(line) for line in open("rows.sql")]
want = [json.loads(line) for line in open("rows.json")]
assert want and len(rows) == len(table) == len(want), (len(rows), len(table), len(want))
for row, cells, x in zip(rows, table, want):
    for key in sys.argv[1:]:
        assert row[key] == str(x.get(key, "")) and cells[key] == x.get(key), (key, row, cells, x)
