"""compare.py COMMAND SOURCE TRUTH TRACE: asks each watch of the program's comments, and compares the rows
of each worker with the lines that it printed. A row with something that is not known has to be equal in the rest.
`hindsight calls` has to tell the same."""
import collections
import json
import re
import subprocess
import sys

command, source, truth, trace = sys.argv[1:5]
lines = open(source, encoding="utf-8").read().split("\n")
printed, watches = collections.defaultdict(list), []
for line in open(truth, encoding="utf-8"):
    number, text = line.rstrip("\n").split("\t", 1)
    printed[int(number), text.split(" ")[0]].append(text)
for at, line in enumerate(lines):
    found = re.search(r"//@ (\d+) (here|entry|exit|write) (.*)", line)
    if found is None:
        continue
    place, text = ("Worker:%d" % (at + 2), found[3]) if found[2] == "here" else found[3].split(" ", 1)
    watches.append((int(found[1]), [place, text] + ([] if found[2] == "here" else ["--" + found[2]])))


def rows_of(*words):
    asked = subprocess.run([command] + list(words), capture_output=True, text=True)
    if asked.returncode not in (0, 3):
        sys.exit("%s: %s" % (" ".join(words), asked.stderr))
    return map(json.loads, asked.stdout.splitlines())


def watch(*words):
    return rows_of("watch", trace, *words)


wrong = unknown = rows = 0
for number, words in watches:
    got = collections.defaultdict(list)
    for row in watch(*words, "--json"):
        got[row["text"].split(" ")[0]].append(row["text"])
    right = {worker: texts for (n, worker), texts in printed.items() if n == number}
    for worker in sorted(right.keys() | got.keys()):
        a, b = right.get(worker, []), got.get(worker, [])
        rows += len(a)
        if len(a) != len(b):
            print("watch %d, worker %s: %d rows, not %d" % (number, worker, len(b), len(a)))
            wrong += 1
        for want, have in zip(a, b):
            pattern = ".*".join(map(re.escape, re.split(r"<not recorded: [^<>]*(?:<[^<>]*>[^<>]*)*>", have)))
            unknown += "<not recorded" in have
            if not re.fullmatch(pattern, want, re.S):
                print("watch %d, worker %s: %s, not %s" % (number, worker, have, want))
                wrong += 1
# `calls`: what was given and returned is what watches 2 and 5 print, in the order in which the calls ended
workers = {}
for row in watch("Worker.fib", "{id}", "--json"):
    workers[row["thread"]] = row["text"]
for number, method in (2, "Worker.fib"), (5, "Worker.risky"):
    got = collections.defaultdict(list)
    for row in rows_of("calls", trace, method, "--json"):
        end = row.get("result", "null")
        if "exception" in row:
            end = row["exception"]["type"] + ": no %d" % row["arguments"][0]
        elif number == 5:
            end = "null"
        got[workers[row["thread"]]].append("%s %s %s" % (workers[row["thread"]], row["arguments"][0], end))
        if row["end"] - row["begin"] + 1 < row["events"] or row["caller"].split(".")[-1] not in ("fib", "run"):
            print("calls %s: %s" % (method, row))
            wrong += 1
    for worker, texts in got.items():
        rows += len(texts)
        if texts != printed[number, worker]:
            print("calls %s, worker %s: %s, not %s" % (method, worker, texts, printed[number, worker]))
            wrong += 1
every = list(rows_of("calls", trace, "Worker.fib", "--json"))
slowest = list(rows_of("calls", trace, "Worker.fib", "--slowest", "4", "--json"))
want = sorted(every, key=lambda r: (-r.get("duration", 0), -r["events"], r["begin"]))[:4]
if slowest != want:
    print("--slowest: %s, not %s" % (slowest, want))
    wrong += 1
some = list(
    rows_of("calls", trace, "Worker.fib", "--where", "result == 1 && args[0] == 2 && caller =~ 'fib$'", "--json")
)
want = [r for r in every if r["result"] == 1 and r["arguments"][0] == 2 and r["caller"].endswith("fib")]
if some != want or not some:
    print("--where: %d calls, not %d" % (len(some), len(want)))
    wrong += 1
opened = list(rows_of("calls", trace, "--open", str(some[0]["begin"]), "--json"))
if opened[-1].get("result") != 1 or sum(len(r.get("callees", [])) for r in opened) < 2:
    print("--open: %s" % opened)
    wrong += 1
print("%d rows, %d with something not known, %d wrong" % (rows, unknown, wrong))
sys.exit(wrong > 0)
