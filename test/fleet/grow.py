"""grow.py FLEET RUN COUNT: adds runs to the folder of a fleet until it has COUNT, copies of RUN under other names (not
hashes of their traces, which only `open` looks at), each of a recording of its own. For tests of size."""

import os
import sqlite3
import sys

fleet, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
runs = os.path.join(fleet, "runs")
catalogue = open(os.path.join(runs, run, "catalogue.db"), "rb").read()
with sqlite3.connect(f"file:{runs}/{run}/catalogue.db?mode=ro", uri=True) as db:
    (recording,) = db.execute("SELECT recording FROM runs").fetchone()
there = len(os.listdir(runs))
for i in range(count - there):
    name = f"{there + i:032x}"
    os.mkdir(os.path.join(runs, name))
    made = catalogue.replace(run.encode(), name.encode()).replace(recording.encode(), name[::-1].encode())
    with open(os.path.join(runs, name, "catalogue.db"), "wb") as file:
        file.write(made)
    for other in ("data.mdb", "run"):
        open(os.path.join(runs, name, other), "wb").close()
