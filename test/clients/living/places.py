"""places.py HINDSIGHT TRACE COUNT: so many places of the thread main, equally spaced over the lines that it came to,
for Living: number, class, method, descriptor, line, and how often main came there since the place before, or a little
less, since the next run may come there less often. Of classes of the program that have one name in one loader, and
lines that stand at one instruction of their method, not its first one: a debugger stops there before the events of
the entry, and what it calls then is no callee."""
import collections
import subprocess
import sys

import hindsight

trace = hindsight.open(sys.argv[2])
all_dataids = [trace.dataid(d) for d in range(len(trace.counts()))]
count = int(sys.argv[3])
main = next(t.thread for t in trace.threads() if t.name == "main")
names = collections.Counter(c.name for c in trace.classes())
# the data IDs of millions of events: the command gives them in a third of the time
command = [sys.argv[1], "print", "--event", "LINE_NUMBER", "--thread", str(main), "--json", sys.argv[2]]
with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
    lines = [int(text.split(b",", 3)[2].removeprefix(b'"dataid":')) for text in p.stdout]
if p.returncode != 0:
    sys.exit("%s: exit status %d" % (command, p.returncode))
used = {d: trace.dataid(d) for d in set(lines)}
of_line = lambda i: (i.class_name, i.method, i.desc, i.line)
instructions = collections.Counter(of_line(i) for i in all_dataids if i.name == "LINE_NUMBER")
fit = {
    d
    for d, i in used.items()
    if names[i.class_name] == 1 and "$$Lambda" not in i.class_name and instructions[of_line(i)] == 1 and i.pc > 0
}
chosen = []
for k in range(count):
    n = k * len(lines) // count
    while n < len(lines) and lines[n] not in fit:
        n += 1
    if n < len(lines) and (not chosen or n > chosen[-1]):
        chosen.append(n)
since = collections.Counter()
at = 0
for number, n in enumerate(chosen):
    since.update(lines[at : n + 1])
    d = lines[n]
    print(number, *of_line(used[d]), max(1, since[d] * 19 // 20), sep="\t")
    since.clear()
    at = n + 1
