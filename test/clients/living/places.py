"""places.py TRACE COUNT: so many places of the thread main, equally spaced over the lines that it came to, for Living:
number, class, method, descriptor, line, and how often main came there since the place before, or a little less, since
the next run may come there less often. Of classes of the program that have one name in one loader, and lines that stand
at one instruction of their method, not its first one: a debugger stops there before the events of the entry, and what
it calls then is no callee."""
import collections
import sys

import hindsight

trace = hindsight.open(sys.argv[1])
all_dataids = [trace.dataid(d) for d in range(len(trace.counts()))]
count = int(sys.argv[2])
main = next(t.thread for t in trace.threads() if t.name == "main")
names = collections.Counter(c.name for c in trace.classes())
lines = [(e.seq, e.dataid) for e in trace.events(events=["LINE_NUMBER"], threads=[main])]
used = {d: trace.dataid(d) for d in {d for _, d in lines}}
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
    while n < len(lines) and lines[n][1] not in fit:
        n += 1
    if n < len(lines) and (not chosen or n > chosen[-1]):
        chosen.append(n)
since = collections.Counter()
at = 0
for number, n in enumerate(chosen):
    for _, d in lines[at : n + 1]:
        since[d] += 1
    d = lines[n][1]
    print(number, *of_line(used[d]), max(1, since[d] * 19 // 20), sep="\t")
    since.clear()
    at = n + 1
