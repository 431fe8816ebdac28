"""virtual.py EVENTS: for VirtualThreads.java: before(i) and after(i) of one task are recorded under one thread number,
no other task has it. Each of these threads has a start and an end, between which its events lie if they have a time;
other threads that are no daemons have them too."""
import json, os, subprocess, sys

task, threads, times = {}, {}, {}
for text in open(sys.argv[1], encoding="utf-8"):
    if '"METHOD_PARAM"' not in text:
        continue
    e = json.loads(text)
    if e["event"] != "METHOD_PARAM" or e["method"] not in ("task", "before", "after"):
        continue
    i, t = e["value"], e["thread"]
    if "time" in e:
        times.setdefault(t, []).append(e["time"])
    if threads.setdefault(i, t) != t:
        sys.exit("FAILED: task %d is in thread %d and %d" % (i, threads[i], t))
    if task.setdefault(t, i) != i:
        sys.exit("FAILED: thread %d has task %d and %d" % (t, task[t], i))
if len(threads) != 100000:
    sys.exit("FAILED: %d tasks" % len(threads))
table = subprocess.run(
    [os.environ["HINDSIGHT"], "threads", os.path.join(os.path.dirname(sys.argv[1]), "trace"), "--json"],
    capture_output=True,
    text=True,
)
virtual = 0
for text in table.stdout.splitlines():
    t = json.loads(text)
    virtual += t["virtual"]
    if t["thread"] in task and not t["virtual"]:
        sys.exit("FAILED: thread %d is not virtual" % t["thread"])
    if not t["virtual"] and t["daemon"]:
        continue
    if "end" not in t or not t["start"] <= t["end"]:
        sys.exit("FAILED: no end behind the start: %s" % text)
    for time in times.get(t["thread"], []):
        if not t["start"] <= time <= t["end"]:
            sys.exit("FAILED: an event at %d ns in %s" % (time, text))
if virtual != 100000:
    sys.exit("FAILED: the table has %d virtual threads" % virtual)
print("%d tasks, each in a thread of its own, %d of them with times" % (len(threads), len(times)))
