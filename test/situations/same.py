"""same.py HINDSIGHT A B [only]: have two traces the same events and values, thread by thread?

Threads go by their names; objects, classes of lambdas and data IDs have other numbers in each run, so that object n of
A is one object of B. only: of A those event types alone that B has. Times are not compared."""
import collections
import json
import re
import subprocess
import sys

hindsight, *traces = sys.argv[1:4]
mode = sys.argv[4] if len(sys.argv) > 4 else ""
pairs = {}, {}


def ask(*words):
    done = subprocess.run([hindsight, *words, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{words}: {done.stderr}")
    return map(json.loads, done.stdout.splitlines())


def by_thread(trace):
    names = {t["thread"]: t["name"] for t in ask("threads", trace)}
    threads = collections.defaultdict(list)
    for e in ask("print", trace):
        e["thread"] = names[e["thread"]]
        for key in "seq", "dataid", "time":
            e.pop(key, None)
        threads[e["thread"]].append(e)
    return threads


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return False
        if isinstance(a.get("id"), int) and isinstance(b.get("id"), int):
            if pairs[0].setdefault(a["id"], b["id"]) != b["id"] or pairs[1].setdefault(b["id"], a["id"]) != a["id"]:
                return False
        return all(same(a[key], b[key]) for key in a if key != "id")
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str) and isinstance(b, str):
        return re.sub(r"(Lambda[^0-9]*)[0-9a-fx/]+", r"\1", a) == re.sub(r"(Lambda[^0-9]*)[0-9a-fx/]+", r"\1", b)
    return a == b


a, b = map(by_thread, traces)
if mode == "only":
    types = {e["event"] for events in b.values() for e in events}
    a = {name: [e for e in events if e["event"] in types] for name, events in a.items()}
if a.keys() != b.keys():
    sys.exit(f"threads {sorted(a)}, {sorted(b)}")
for name, events in a.items():
    for i, (x, y) in enumerate(zip(events, b[name])):
        if not same(x, y):
            sys.exit(f"{name}, event {i}: {x}\n{y}")
    if len(events) != len(b[name]):
        sys.exit(f"{name}: {len(events)} events, {len(b[name])}")
print(sum(map(len, b.values())))
