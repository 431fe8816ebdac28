"""check.py HINDSIGHT TRACE COUNTS: holds what commands and exports say of a class that was woven several times against
what the program counted, and against each other. COUNTS: "METHOD N METHOD N ...", the last line of Weavings."""

import collections
import json
import os
import re
import sqlite3
import subprocess
import sys

hindsight, trace, words = sys.argv[1], sys.argv[2], sys.argv[3].split()
counted = {name: int(n) for name, n in zip(words[::2], words[1::2])}
changed = {"word"} if trace == "exchanged" else set()  # methods of two codes
failed = []


def ask(*args, status=0):
    done = subprocess.run([hindsight, *args, trace], capture_output=True, text=True)
    if done.returncode != status:
        failed.append("%s: exit status %d: %s" % (" ".join(args), done.returncode, done.stderr.strip()[:300]))
    return done.stdout


def rows(*args):
    return [json.loads(line) for line in ask(*args, "--json").splitlines()]


def same(what, have, want):
    if have != want:
        failed.append("%s: %s, not %s" % (what, have, want))


def once(what, keys):
    twice = sorted(str(k) for k, n in collections.Counter(keys).items() if n > 1)
    if twice:
        failed.append("%s: twice: %s" % (what, "; ".join(twice[:4])))


def of(row):
    return row["class"], row["method"], row["desc"]


def entered(what, counts):
    """Calls by name of method, of all that the program counts."""
    for name, n in counted.items():
        same("%s: calls of %s" % (what, name), counts.get(name, 0), n)


def export(to, *args):
    """The files of an export, by name."""
    out = "%s.%s" % (trace, to)
    ask("export", "--to", to, "-o", out, *args)
    names = os.listdir(out) if os.path.isdir(out) else [""]
    return {name: open(os.path.join(out, name) if name else out, errors="replace").read() for name in names}


def the_file(to, *args):
    return next(iter(export(to, *args).values()), "")


info = json.loads(ask("info", "--json"))
kind = info["format"]
classes = [c for c in rows("classes") if c["woven"]]
same("classes", len(classes), 2 if changed else 1)
same("info", info["classes"]["woven"], len(classes))
methods = rows("methods")
once("methods", (of(m) for m in methods if m["method"] not in changed))
ids = {d["dataid"]: d for d in rows("dataids")}
places = [(*of(d), d["pc"], d["event"], json.dumps(d.get("attr"))) for d in ids.values() if d["method"] not in changed]
once("dataids", places)

report = rows("report")
once("report", map(of, report))
entered("report", {r["method"]: r["calls"] for r in report})
if kind != "timing":
    freq = rows("freq")
    once("freq", (f["dataid"] for f in freq))
    same("freq: data IDs that are none", [f["dataid"] for f in freq if f["dataid"] not in ids], [])
    entered("freq", {f["method"]: f["count"] for f in freq if f["event"] == "METHOD_ENTRY"})
    for f in freq:
        name = f.get("attr", {}).get("name", "")[:-1]
        if f["event"] == "PUT_STATIC_FIELD" and name in counted:
            same("freq: writes of %ss" % name, f["count"], counted[name])
if kind == "latest":
    for f in rows("latest"):
        have = [v["seq"] for v in f["values"]]
        same("latest: events of data ID %d" % f["dataid"], (f["recorded"], len(have)), (min(f["count"], 8),) * 2)
        same("latest: their order", have, sorted(set(have)))

if kind == "omni":
    events = rows("print")
    once("print", (e["seq"] for e in events))
    same("print: data IDs that are none", [e["seq"] for e in events if e["dataid"] not in ids], [])
    entered("print", collections.Counter(e["method"] for e in events if e["event"] == "METHOD_ENTRY"))
    have = collections.Counter(e["dataid"] for e in events)
    same("print and freq", have, collections.Counter({f["dataid"]: f["count"] for f in freq}))
    for f in freq:  # a data ID is a place that can be asked about
        if f["event"] == "PUT_STATIC_FIELD":
            same("history %d" % f["dataid"], len(rows("history", str(f["dataid"]))), f["count"])
    entered(
        "tree",
        collections.Counter(r["method"] for r in rows("tree", "--fold", "none") for _ in range(r.get("times", 1))),
    )
    for way in "--blocks", "--paths":
        calls = collections.Counter()
        for r in rows("report", way):
            calls[r["method"]] += r["calls"]
        entered("report " + way, calls)
        once("report " + way, (json.dumps(r) for r in rows("report", way)))
    calls = collections.Counter()
    for r in rows("report", "--tree"):
        calls[r["method"]] += r["calls"]
    entered("report --tree", calls)

    names = lambda pattern, text: re.findall(pattern, text, re.M)
    is_named = lambda name: not any(word in name for word in changed)
    export("sqlite")
    db = sqlite3.connect(trace + ".sqlite")
    once("sqlite methods", db.execute("select class, method, desc from methods where method not in ('word')"))
    once("sqlite dataids", db.execute("select dataid from dataids"))
    entered("sqlite", dict(db.execute("select method, count(*) from calls group by method")))
    lost = "select count(*) from events where dataid not in (select dataid from dataids)"
    same("sqlite: events of no data ID", list(db.execute(lost)), [(0,)])
    once("csv", the_file("csv", "--table", "methods").splitlines())
    once("xml", filter(is_named, names(r"<method .*?name=\"(.*?)\"", the_file("xml"))))
    once("mse", filter(is_named, names(r"\(FAMIX.Method .*?\(name '(.*?)'\)", the_file("mse").replace("\n", " "))))
    logged = export("selogger")
    once(
        "selogger",
        (r.split(",", 1)[1] for r in logged["dataids.txt"].splitlines() if "RESERVED" not in r and "word" not in r),
    )
    once("selogger", filter(is_named, (r.split(",", 2)[2] for r in logged["methods.txt"].splitlines()[1:])))
    frames = json.loads(the_file("speedscope"))["shared"]["frames"]
    once("speedscope", (f["name"] for f in frames if is_named(f["name"])))
    stacks = dict(line.rsplit(" ", 1) for line in the_file("collapsed", "--weight", "calls").splitlines())
    calls = collections.Counter()
    for stack, n in stacks.items():
        calls[re.sub(r".*[.;]|\(.*", "", stack)] += int(n)
    entered("collapsed", calls)
    once("callgrind", filter(is_named, names(r"^fn=\(\d+\) (.*)", the_file("callgrind"))))
    once("dot", filter(is_named, names(r"^ *\S+ \[label=\"(.*?)\"", the_file("dot", "--diagram", "calls"))))

for f in failed[:12]:
    print("FAILED: " + f)
sys.exit(1 if failed else 0)
