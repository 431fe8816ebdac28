"""What the catalogue of a fleet has to hold, computed from the answers of other commands.

expect.py HINDSIGHT FLEET TRACE=RUN...    exit status 1 and a line for each table that differs
"""

import collections
import json
import subprocess
import sys

hindsight, fleet = sys.argv[1:3]
traces = dict(a.split("=") for a in sys.argv[3:])


def rows(*command):
    done = subprocess.run([hindsight, *command, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(columns, table):
    found = rows("fleet", "query", "--from", fleet, f"SELECT {columns} FROM {table} ORDER BY {columns}")
    return [tuple(r.values()) for r in found]


def expected():
    tables = collections.defaultdict(list)
    for trace, run in traces.items():
        info = rows("info", trace)[0]
        events = info["events"] if info["format"] == "omni" else 0  # of the stream
        tables["runs"].append((run, trace, info["format"], events, info["end"]))
        tables["builds"] += [(run, c["class"], c["hash"]) for c in rows("classes", trace) if c["woven"]]
        for m in rows("report", trace):
            tables["calls"].append((run, m["class"], m["method"], m["calls"], m["exceptions"]))
        if info["format"] != "omni":
            continue
        shapes = collections.Counter()
        for e in rows("exceptions", trace):
            shapes[e["type"], tuple(f["line"] for f in e["frames"])] += 1
        tables["exceptions"] += [(run, type, n) for (type, _), n in shapes.items()]
        # each ID is passed to setHeader and put (a parameter behind the header, as the caller and as the method see
        # it; put has the header in small letters), and comes back from getHeader and get, in the same two ways
        ids = collections.Counter(
            e["value"]["string"]
            for e in rows("print", trace, "--method", "setHeader", "--event", "METHOD_PARAM")
            if e["attr"]["index"] == 2 and e["value"]["string"] != "text/plain"
        )
        tables["requests"] += [(run, id, 6 * n) for id, n in ids.items()]
    return tables


wrong = 0
columns = {
    "runs": "run, name, format, events, \"end\"",
    "builds": "run, class, hash",
    "calls": "run, class, method, calls, exceptions",
    "exceptions": "run, type, count",
    "requests": "run, value, count",
}
want = expected()
for table, names in columns.items():
    have = asked(names, table)
    if not have or sorted(want[table]) != sorted(have):
        print(f"{table}: {len(have)} rows {have[:3]}, not {len(want[table])} {sorted(want[table])[:3]}")
        wrong = 1
sys.exit(wrong)
