"""virtual.py EVENTS: for VirtualThreads.java: before(i) and after(i) of one task are recorded under one thread number, no other task has it."""
import json, sys

task, threads = {}, {}
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    if e["event"] != "METHOD_PARAM" or e["method"] not in ("task", "before", "after"):
        continue
    i, t = e["value"], e["thread"]
    if threads.setdefault(i, t) != t:
        sys.exit("FAILED: task %d is in thread %d and %d" % (i, threads[i], t))
    if task.setdefault(t, i) != i:
        sys.exit("FAILED: thread %d has task %d and %d" % (t, task[t], i))
if len(threads) != 100000:
    sys.exit("FAILED: %d tasks" % len(threads))
print("%d tasks, each in a thread of its own" % len(threads))
