# threads.py THREADS CALLS RELEASE: each thread of the program is in the trace, with its name and all its calls.
import json, re, sys

n, calls, release = map(int, sys.argv[1:])
rows = {r["thread"]: r for r in map(json.loads, open("threads"))}
numbers = {}  # of the program, by thread of the trace
bad = []
work = {}
for line in open("work"):
    e = json.loads(line)
    work.setdefault(e["thread"], []).append(e["value"])
for t, values in work.items():
    number, first = divmod(values[0], 1000000)
    if [number * 1000000 + i for i in range(calls)] != values:
        bad.append("thread %d has not called work(%d) to work(%d)" % (t, values[0], values[0] + calls - 1))
    if number in numbers:
        bad.append("threads %d and %d are the same" % (t, numbers[number]))
    numbers[number] = t
    r = rows.get(t)
    if r is None or "end" not in r:
        bad.append("thread %d has no %s" % (t, "row" if r is None else "end"))
    elif number <= 3 * n:
        name = "platform" if number <= n else "native" if number <= 2 * n else "again"
        if r["name"] != "%s-%d" % (name, number) or r.get("virtual"):
            bad.append("thread %d is %s, not %s-%d" % (t, r["name"], name, number))
    elif not r.get("virtual"):
        bad.append("thread %d is not virtual" % t)
want = list(range(1, 2 * n + 1)) + [i + n for i in range(n + 1, 2 * n + 1) if i % 2 == 0]
want += range(3 * n + 1, 13 * n + 1) if release >= 21 else []
if sorted(numbers) != want:
    bad.append("%d threads, not %d" % (len(numbers), len(want)))
print("    %d threads, %d calls" % (len(numbers), sum(map(len, work.values()))))
print("".join("FAILED: %s\n" % b for b in bad[:5]), end="")
sys.exit(1 if bad else 0)
