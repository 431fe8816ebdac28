"""forge.py CATALOGUE RUN KIND: makes the catalogue of a run a hostile one.

view:    a table is a view without an end
column:  a table has a column that is computed, 800 MB in each row
default: 20,000 rows have a value of 500 kB, which stands once in the schema
columns: a table has a million columns
tree:    pages of a table name each other so that it has 187^13 rows
"""

import sqlite3
import struct
import sys

path, run, kind = sys.argv[1:]
db = sqlite3.connect(path)
db.execute("DROP TABLE labels")
if kind == "view":
    db.execute(
        "CREATE VIEW labels AS WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n)"
        " SELECT '' AS run, '' AS key, '' AS value FROM n"
    )
elif kind == "column":
    db.execute("CREATE TABLE labels(run TEXT, key TEXT, value TEXT AS(hex(zeroblob(400000000))))")
    db.execute("INSERT INTO labels(run) VALUES(?)", (run,))
elif kind == "default":
    db.execute("CREATE TABLE labels(run TEXT, key TEXT)")
    db.executemany("INSERT INTO labels VALUES(?, 'k')", [(run,)] * 20000)
    db.execute(f"ALTER TABLE labels ADD COLUMN value TEXT DEFAULT '{'x' * 500000}'")
else:
    db.execute("CREATE TABLE labels(run TEXT, key TEXT, value TEXT)")
    if kind == "columns":
        db.execute("PRAGMA writable_schema = ON")
        more = "".join(f", c{i}" for i in range(1000000))
        db.execute(f"UPDATE sqlite_schema SET sql = 'CREATE TABLE labels(run, key, value{more})' WHERE name = 'labels'")
    db.executemany("INSERT INTO labels VALUES(?, ?, 'v')", [("z" * 200, "k" * 200)] * 3000)
db.commit()
if kind != "tree":
    sys.exit()
(root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'labels'").fetchone()
(size,) = db.execute("PRAGMA page_size").fetchone()
db.close()
pages = bytearray(open(path, "rb").read())
at = (root - 1) * size
top = bytearray(pages[at : at + size])
assert top[0] == 5, "an interior page of a table"
cells = [struct.unpack(">H", top[12 + 2 * i : 14 + 2 * i])[0] for i in range(struct.unpack(">H", top[3:5])[0])]
below = [struct.unpack(">I", top[c : c + 4])[0] for c in cells]
chain = [root] + below[1:13]
for page, following in zip(chain, chain[1:] + below[:1]):
    for place in cells + [8]:
        top[place : place + 4] = struct.pack(">I", following)
    pages[(page - 1) * size : page * size] = top
open(path, "wb").write(pages)
