"""places.py TRACE COUNT: so many moments of the thread main, equally spaced over the lines that it came to, for Living:
seq, class, method, descriptor, pc, and how often main came to that instruction since the moment before. Of classes of
the program that have one name in one loader."""
import collections
import sys

import hindsight

trace = hindsight.open(sys.argv[1])
count = int(sys.argv[2])
main = next(t.thread for t in trace.threads() if t.name == "main")
names = collections.Counter(c.name for c in trace.classes())
lines = [(e.seq, e.dataid) for e in trace.events(events=["LINE_NUMBER"], threads=[main])]
chosen, used = [], {d: trace.dataid(d) for d in {d for _, d in lines}}
for k in range(count):
    n = k * len(lines) // count
    while n < len(lines) and (names[used[lines[n][1]].class_name] > 1 or "$$Lambda" in used[lines[n][1]].class_name):
        n += 1
    if n < len(lines) and (not chosen or n > chosen[-1]):
        chosen.append(n)
since = collections.Counter()
at = 0
for n in chosen:
    for _, d in lines[at : n + 1]:
        since[d] += 1
    seq, d = lines[n]
    i = used[d]
    print(seq, i.class_name, i.method, i.desc, i.pc, since[d], sep="\t")
    since.clear()
    at = n + 1
