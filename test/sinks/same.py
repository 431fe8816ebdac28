#!/usr/bin/env python3
"""same.py SIZE HINDSIGHT LAST_EVENTS OMNI LATEST FREQ TIMING [OMNI-AGAIN OMNI-OBJECTS [OMNI-OTHER...]]: traces of one
program, recorded once in each format. Per location: the last SIZE events of omni are those that latest kept, all counts
are equal; per method the calls and exceptions are equal. What omni holds is told by LAST_EVENTS (last_events.c), which
walks its events one by one. Objects are compared by type and contents, since ids are given in each run anew, and data
IDs by where they stand, since threads may load classes in another order.

A program may do something else in each run by itself: it asks for the time, or for an identity hash (which comes from
our id where ids are given), or its threads race, the JVM loads a class by its loader once more. What that concerns is
told by omni alone: OMNI-AGAIN is the same recording once more, the others are recordings of other groups, where objects
get other ids. Locations at which those disagree with OMNI (the first two also by value) prove nothing about the
formats. They are counted, and are to be few."""
import json, sys

from traces import lines, located, shown

size, hindsight, last_events = int(sys.argv[1]), sys.argv[2], sys.argv[3]
omni, latest, freq, timing = sys.argv[4:8]
again = sys.argv[8:10]
others = sys.argv[8:]
OWN_SHARE = 0.02  # of the locations may be the program's own
bad = 0


def fail(text):
    global bad
    bad += 1
    if bad <= 10:
        print("    " + text)


def ask(command, trace, *words):
    return lines(hindsight, command, trace, "--json", *words)


def counts(trace):
    """data ID -> location, location -> number of events, as freq tells"""
    at, count = {}, {}
    for k, d in located(ask("freq", trace)):
        at[d["dataid"]] = k
        count[k] = d["count"]
    return at, count


def event(k):
    return json.loads(k[: k.rindex("#")])[3]


def values_of(d):
    return [(shown(v.get("value")), v["seq"], v["thread"]) for v in d["values"]]


def stream(trace):
    """of every location the number of events, the last ones, the threads"""
    at, told = counts(trace)
    count, last, threads = {}, {}, {}
    for d in lines(last_events, trace, str(size)):
        k = at.get(d["dataid"])
        if k is None:
            fail("freq of omni does not know data ID %d, which has %d events" % (d["dataid"], d["count"]))
            continue
        count[k], last[k], threads[k] = d["count"], values_of(d), d["threads"]
    if told != count:
        fail(
            "freq of omni does not count what its events show: %s"
            % [(k, told.get(k), count.get(k)) for k in set(told) | set(count) if told.get(k) != count.get(k)][:2]
        )
    return count, last, threads


count, last, threads = stream(omni)
one = len({t for s in threads.values() for t in s}) == 1
own, own_values, own_methods = set(), set(), set()


def method(k):
    return tuple(json.loads(k[: k.rindex("#")])[:3])


def without_order(values):
    return [v[:1] for v in values]  # nor by which thread: of a pool any may take a task


events = {event(k) for k in count}
for trace in others:
    _, other = counts(trace)
    woven = events & {event(k) for k in other}
    own |= {k for k in set(count) | set(other) if other.get(k) != count.get(k) and event(k) in woven}
for trace in again:
    _, other, _ = stream(trace)
    own_values |= {k for k in count if without_order(last[k]) != without_order(other.get(k, []))}
own_methods = {method(k) for k in own}
if len(own | own_values) > OWN_SHARE * len(count):
    fail("the program differs from run to run at %d of %d locations" % (len(own | own_values), len(count)))

kept = set()
for k, d in located(ask("latest", latest)):
    kept.add(k)
    values, want = values_of(d), last.get(k, [])
    if k not in own and d["count"] != count.get(k, 0):
        fail("latest: %s: %d events, omni has %d" % (k, d["count"], count.get(k, 0)))
    if d["recorded"] != len(values) or len(values) != min(size, d["count"]):
        fail("latest: %s: %d of %d events are kept" % (k, len(values), d["count"]))
    if [s for _, s, _ in values] != sorted({s for _, s, _ in values}):
        fail("latest: %s: seq does not rise" % k)
    # what threads do to each other, and so the numbers of events, differs from run to run; the values do not where one
    # thread, whichever, wrote them
    if not one or own:
        values, want = without_order(values), without_order(want)
    if values != want and (one or len(threads.get(k, ())) == 1) and k not in own | own_values:
        fail("latest: %s: kept %s, omni ends with %s" % (k, values, want))
_, freqs = counts(freq)
for name, have in (("latest", kept), ("freq", set(freqs))):
    if have - own != set(count) - own:
        fail("%s: locations differ: %s" % (name, sorted((have ^ set(count)) - own)[:2]))
for k, n in freqs.items():
    if k not in own and n != count.get(k, 0):
        fail("freq: %s: %d events, omni has %d" % (k, n, count.get(k, 0)))


def report(trace):
    return {(r["class"], r["method"], r["desc"]): r for r in ask("report", trace, "--sort", "name")}


def calls(r):
    return (r["calls"], r["exceptions"]) if r else None


def not_left(r):
    return r["calls"] - sum(r["histogram"]) if r else 0  # a program that exits leaves main() open


timed, walked = report(timing), report(omni)
counted = report(freq)
for k in set(counted) | set(walked):
    if k not in own_methods and calls(counted.get(k)) != calls(walked.get(k)):
        fail("report of freq: %s: %s calls and exceptions, omni %s" % (k, counted.get(k), calls(walked.get(k))))
if any("total_ns" in r or "p50_ns" in r for r in counted.values()):
    fail("report of freq has times")
for k in set(timed) | set(walked):
    have, want = timed.get(k), walked.get(k)
    if k not in own_methods and calls(have) != calls(want):
        fail("timing and omni: %s: %s calls and exceptions, not %s" % (k, calls(have), calls(want)))
    if not_left(have) != not_left(want):
        fail("timing and omni: %s: %d calls were not left, not %d" % (k, not_left(have), not_left(want)))
for r in timed.values():
    if (
        not_left(r) < 0
        or r["self_ns"] > r["total_ns"] + r["max_ns"] * r["calls"]
        or r["min_ns"] > r["max_ns"]
        or not_left(r) == 0
        and r["max_ns"] > r["total_ns"]
    ):
        fail("timing: %s" % r)
print(
    "    %d events at %d locations, %d methods, %s%s"
    % (
        sum(count.values()),
        len(count),
        len(timed),
        "one thread" if one else "several threads",
        "; by itself the program differs in the count of %d locations, in the values of %d"
        % (len(own), len(own_values))
        if others
        else "",
    )
)
if bad > 10:
    print("    and %d more" % (bad - 10))
sys.exit(1 if bad or not count else 0)
