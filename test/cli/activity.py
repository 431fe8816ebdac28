"""activity.py HINDSIGHT EXAMPLE TRACE EXACT - see activity.sh; EXACT has the time of each event."""

import json
import subprocess
import sys
from collections import Counter

hindsight, example, trace, exact = sys.argv[1:]
STRETCH = 4096


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], capture_output=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


class Thread:
    """The events of one thread in order, with the calls that are open before each."""

    def __init__(self):
        self.events = []  # (seq, event, method)

    def walk(self):
        stack = []
        for i, (seq, event, method) in enumerate(self.events):
            yield i, seq, event, method, stack
            if event == "METHOD_ENTRY":
                stack.append((i, method))
            elif event in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
                stack.pop()
        assert not stack, stack


threads, rows = {}, ask("print", trace)
for e in rows:
    threads.setdefault(e["thread"], Thread()).events.append((e["seq"], e["event"], e["method"]))
total = len(rows)
assert total > 64 * STRETCH, total
others = len(threads) - 1

# the pieces of the index: numbers and calls are exact, the place in the global order nearly
text = subprocess.run([example, trace], capture_output=True, check=True, text=True).stdout
pieces = {}
for line in text.splitlines():
    words = line.split()
    thread, seq, position, events, calls, exceptions, depth, least, most = map(int, words[:9])
    frames = [(int(w.split(":")[0]), w.split(":")[1]) for w in words[9:]]
    pieces.setdefault(thread, []).append((position, seq, events, calls, exceptions, depth, least, most, frames))
assert set(pieces) == set(threads), (set(pieces), set(threads))
farthest = 0
for number, thread in threads.items():
    begins = {p[0]: p for p in pieces[number]}
    want, count = None, 0
    for i, seq, event, method, stack in thread.walk():
        if i in begins:
            if want is not None:
                assert want == begins[at][2:], (number, want, begins[at])
            at, want = i, None
            farthest = max(farthest, abs(seq - begins[i][1]))
            want = (0, 0, 0, len(stack), len(stack), len(stack), list(stack))
            count += 1
        events, calls, exceptions, depth, least, most, frames = want
        want = (
            events + 1,
            calls + (event == "METHOD_ENTRY"),
            exceptions + (event == "METHOD_EXCEPTIONAL_EXIT"),
            depth,
            min(least, len(stack)),
            max(most, len(stack)),
            frames,
        )
    assert want == begins[at][2:], (number, want, begins[at])
    end = pieces[number][-1]
    assert end[0] == len(thread.events) and end[2] == 0 and end[8] == [], end
    assert count + 1 == len(pieces[number]) and max(p[2] for p in pieces[number]) <= STRETCH, count
assert farthest <= STRETCH * others, farthest

# activity: all of the run from the index, parts of it event by event
for words, first, last in (
    ([], 0, total - 1),
    (["--from", "1000", "--to", "9000"], 1000, 9000),
    (["--from", str(total - 200000)], total - 200000, total - 1),
):
    want, got = Counter(), Counter()
    for number, thread in threads.items():
        for seq, event, _ in thread.events:
            if first <= seq <= last:
                want[number, "events"] += 1
                want[number, "calls"] += event == "METHOD_ENTRY"
                want[number, "exceptions"] += event == "METHOD_EXCEPTIONAL_EXIT"
    found = ask("activity", trace, "--buckets", "20", *words)
    for r in found:
        for key in ("events", "calls", "exceptions"):
            got[r["thread"], key] += r[key]
    assert +got == +want, (words, got, want)
    assert all(first <= r["from"] <= r["to"] <= last for r in found), found
    assert max(Counter(r["thread"] for r in found).values()) <= 20
    # the rows of a thread have its events one after the other, each the first and the last of them
    near = STRETCH * others if not words else 0
    for number, thread in threads.items():
        seqs = [seq for seq, _, _ in thread.events if first <= seq <= last]
        for r in (r for r in found if r["thread"] == number):
            own, seqs = seqs[: r["events"]], seqs[r["events"] :]
            assert abs(r["from"] - own[0]) <= near and abs(r["to"] - own[-1]) <= near, (words, r, own[0], own[-1])

# the longest pause is the one in which `other` waited for the lock
pauses = ask("activity", trace, "--pauses", "--least", "300000000")
lock = [p for p in pauses if p["event"] == "MONITOR_ENTER"]
assert len(lock) == 1 and lock[0]["method"] == "locked" and 3e8 <= lock[0]["ns"], pauses
enter = [e for e in rows if e["event"] == "MONITOR_ENTER" and e["method"] == "locked"][0]
assert abs(lock[0]["from"] - enter["seq"]) <= STRETCH * others, (lock, enter)
assert lock[0]["value"]["id"] == enter["value"]["id"], (lock, enter)
assert [p["ns"] for p in pauses] == sorted((p["ns"] for p in pauses), reverse=True)
near = ask("activity", trace, "--pauses", "--from", str(enter["seq"] - 50), "--to", str(lock[0]["to"] + STRETCH))
near = [p for p in near if p["event"] == "MONITOR_ENTER"]
assert [p["from"] for p in near] == [enter["seq"]] and near[0]["ns"] == lock[0]["ns"], (near, lock)

# how long it was, to the nanosecond, where events have their times
(lock,) = [p for p in ask("activity", exact, "--pauses", "--least", "300000000") if p["event"] == "MONITOR_ENTER"]
own = [e for e in ask("print", exact) if e["thread"] == lock["thread"]]
at = next(i for i, e in enumerate(own) if e["event"] == "MONITOR_ENTER")
assert lock["ns"] == own[at + 1]["time"] - own[at]["time"], (lock, own[at : at + 2])

# timeline --fast: each moment shows calls that were open at most a stretch of the thread away
step = (total - 1) // 9 + 1
shown = ask("timeline", trace, "--fast", "--buckets", "9")
for number, thread in threads.items():
    near = {}
    for i, seq, _, method, stack in thread.walk():
        for moment in (seq // step * step, (seq // step + 1) * step):
            if moment < total and abs(seq - moment) <= STRETCH * (others + 2):
                near.setdefault(moment, set()).add(tuple(m for _, m in stack))
    for moment in range(0, total, step):
        if moment in near and moment >= thread.events[-1][0] - STRETCH * (others + 2):
            near[moment].add(())
    for moment, stacks in near.items():
        spans = [r for r in shown if r["thread"] == number and r["from"] <= moment <= r["to"]]
        got = tuple(r["method"] for r in sorted(spans, key=lambda r: r["depth"]))
        assert got in stacks, (number, moment, got)
# and of a small part the same calls as without
part = ["--from", str(total // 2), "--to", str(total // 2 + 5000), "--buckets", "10000"]
key = lambda r: (r["thread"], r["from"], r["depth"])
assert sorted(ask("timeline", trace, "--fast", *part), key=key) == sorted(ask("timeline", trace, *part), key=key)
print(f"{total} events, {sum(map(len, pieces.values()))} stretches at most {farthest} events off")

# as text each table has a heading, once
for words, heading in (
    (("activity",), "thread from to events calls exceptions least most"),
    (("activity", "--pauses", "--least", "1"), "thread from to pause in event where"),
    (("timeline", "--buckets", "9"), "thread from to call"),
):
    text = subprocess.run([hindsight, words[0], trace, *words[1:]], capture_output=True, check=True, text=True).stdout
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines.count(heading) == (1 if lines else 0) and lines[:1] == ([heading] if lines else []), (words, lines[:3])
    assert lines or words[0] == "activity", words
