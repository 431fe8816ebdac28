"""killed.py URL BEGIN MUST MAY [whole]: what is in a bucket of bucket.py, below BEGIN, without any code of the fleet's.
Each run that is there has all its files, once a name; those of the file MUST (names of traces) are there, and none but
those of MAY. `tables/current` names parts that are whole, and no run is in two of them. whole: there are no files of
other runs, and the parts have the runs that are there."""

import collections
import json
import sqlite3
import sys
import urllib.request

url, begin, must, may = sys.argv[1:5]
TABLES = ("builds", "calls", "exceptions", "labels", "marks", "requests", "runs")
PARQUET = {f"{t}.parquet" for t in TABLES}


def get(name):
    with urllib.request.urlopen(f"{url}/{name}") as answer:
        return answer.read()


def lines(name):
    return get(name).decode().splitlines()


def words(path):
    with open(path) as file:
        return set(file.read().split())


state = {n[len(begin) :]: size for n, size in json.loads(get("?state")).items() if n.startswith(begin)}
files = collections.defaultdict(set)
for n in state:
    parts = n.split("/")
    files["/".join(parts[:2])].add(parts[-1])
runs = {n.partition("/")[2] for n in state if n.startswith("catalogues/")}
names = collections.Counter()
for run in runs:
    assert files[f"runs/{run}"] == PARQUET | {"data.mdb", "run"}, (run, files[f"runs/{run}"])
    db = sqlite3.connect(":memory:")
    db.deserialize(get(f"bucket/{begin}catalogues/{run}"))
    ((id, name, size),) = db.execute("SELECT run, name, bytes FROM runs")
    assert id == run and size == state[f"runs/{run}/data.mdb"] + state[f"runs/{run}/run"], (run, id, size)
    names[name] += 1
assert max(names.values(), default=1) == 1, [n for n in names if names[n] > 1]
assert words(must) <= set(names), ("lost", words(must) - set(names))
assert set(names) <= words(may), ("not removed, or nobody pushed it", set(names) - words(may))
merged = collections.Counter()
for part in lines(f"bucket/{begin}tables/current") if "tables/current" in state else ():
    assert files[f"tables/{part}"] == PARQUET | {"known", "catalogue.db"}, (part, files[f"tables/{part}"])
    merged.update(line.split()[0] for line in lines(f"bucket/{begin}tables/{part}/known"))
assert max(merged.values(), default=1) == 1, "a run is in two parts"
if sys.argv[5:]:
    assert {n.split("/")[1] for n in files if n.startswith("runs/")} == runs, "files of no run"
    assert set(merged) == runs, set(merged) ^ runs
