"""compare.py COMMAND SOURCE TRUTH TRACE: asks each watch of the program's comments, and compares the rows
of each worker with the lines that it printed. A row with something that is not known has to be equal in the rest."""
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

wrong = unknown = rows = 0
for number, words in watches:
    asked = subprocess.run([command, "watch", trace] + words + ["--json"], capture_output=True, text=True)
    got = collections.defaultdict(list)
    if asked.returncode not in (0, 3):
        print("watch %d: %s" % (number, asked.stderr))
        wrong += 1
    for row in map(json.loads, asked.stdout.splitlines()):
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
print("%d rows, %d with something not known, %d wrong" % (rows, unknown, wrong))
sys.exit(wrong > 0)
