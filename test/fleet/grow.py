"""grow.py FLEET RUN COUNT: adds runs to the folder of a fleet until it has COUNT, copies of RUN under other names (not
hashes of their traces, which only `open` looks at), each of a recording of its own. For tests of size.
grow.py measure COMMAND...: runs it, and says on standard error how long it took, also of a processor, and its
memory."""

import hashlib
import os
import resource
import sqlite3
import subprocess
import sys
import time

if sys.argv[1] == "measure":
    begin = time.monotonic()
    status = subprocess.run(sys.argv[2:]).returncode
    seconds, used = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"{seconds:.2f} s ({cpu:.2f} s CPU, {used.ru_maxrss // 1024} MB)", file=sys.stderr)
    sys.exit(status)
fleet, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
runs = os.path.join(fleet, "runs")
catalogue = open(os.path.join(runs, run, "catalogue.db"), "rb").read()
with sqlite3.connect(f"file:{runs}/{run}/catalogue.db?mode=ro", uri=True) as db:
    (recording,) = db.execute("SELECT recording FROM runs").fetchone()
there = len(os.listdir(runs))
for i in range(count - there):
    name = hashlib.md5(b"%d" % (there + i)).hexdigest()  # as evenly as hashes
    os.mkdir(os.path.join(runs, name))
    made = catalogue.replace(run.encode(), name.encode()).replace(recording.encode(), name[::-1].encode())
    with open(os.path.join(runs, name, "catalogue.db"), "wb") as file:
        file.write(made)
    os.utime(file.name, (1.7e9 + i, 1.7e9 + i))  # a bucket says whole seconds
    for other in ("data.mdb", "run"):
        open(os.path.join(runs, name, other), "wb").close()
