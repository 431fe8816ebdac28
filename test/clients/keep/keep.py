"""keep.py HINDSIGHT MODE TRACE [KEPT]: what keep=failed leaves of a run of tests, against the same run with keep=all.

MODE is serial; long: each of many chunks; parallel: of several threads, of which what lies beside a span is kept too
(test_parts.h); one: with keep=failed+1; killed: of a run that was killed in a test; runner: of another framework;
served: with a thread that waits since what was dropped.

The same tests ended in the same way. Of those that failed each event is there, and `failure` answers the same; of those
that passed no event of the program is left; and what is missing is what `info` says was dropped."""

import bisect
import functools
import itertools
import json
import re
import subprocess
import sys

HINDSIGHT, MODE, ALL, KEPT = (sys.argv + [""])[1:5]


CLASSES = {"runner": ("*Tests",), "long": ("LongTests*",)}.get(MODE, ("*Tests", "Basket"))  # of the program


def lines(*words):
    out = subprocess.run([HINDSIGHT, *words, "--json"], capture_output=True, text=True)
    complete = 3 if MODE == "killed" else 0
    assert out.returncode == complete, (words, out.stderr)
    return out.stdout.splitlines()


def ask(*words):
    return [json.loads(line) for line in lines(*words)]


# An event. There are hundreds of thousands: of most, what is asked for is taken out of the line.
ROW = re.compile(r'\{"seq":(\d+),"thread":(\d+),"dataid":\d+,("event":"\w+","class":"([^"]*)","method":"([^"]*)".*)')


def without_addresses(text):
    """Names of hidden classes, which have an address that differs between runs."""
    return re.sub(r"/0x[0-9a-f]+", "", text) if "/0x" in text else text


@functools.cache
def failure(trace, test):
    return ask("failure", trace, test)[0]


@functools.cache
def rows_between(trace, thread, begin, end):
    """Matches of ROW."""
    until = ("--to", str(end)) if end else ()
    rows = lines("print", trace, "--thread", str(thread), "--from", str(begin), *until)
    return [ROW.fullmatch(without_addresses(row)) for row in rows]


def rows_of(trace, test):
    return rows_between(trace, test["thread"], test["begin"], test.get("end"))


def is_of_program(name):
    return not name.startswith(("org.junit.", "junit.", "org.testng."))


def left_of(trace, tests):
    """Of each test, the methods of the program that it shows; class initializers apart."""
    rows = [ROW.fullmatch(line) for c in CLASSES for line in lines("print", trace, "--class", c)]
    rows = sorted((int(r[1]), int(r[2]), r[4] + "." + r[5]) for r in rows if r[5] != "<clinit>")
    seqs = [seq for seq, _, _ in rows]
    for test in tests:
        part = rows[bisect.bisect(seqs, test["begin"]) : bisect.bisect(seqs, test["end"])]
        yield test, {method for _, thread, method in part if thread == test["thread"]}


def steps(trace, test):
    """What the program's own code did in it, without the numbers of objects, which differ between runs in parallel."""
    plain = lambda value: re.sub(r"/0x.*", "", str(value["type"] if isinstance(value, dict) else value))
    keys = ("event", "class", "method", "line", "pc")
    rows = [json.loads(r[0]) for r in rows_of(trace, test) if is_of_program(r[4])]
    return [[r.get(k) for k in keys] + [plain(r.get("value"))] for r in rows]


def events(trace, test):
    """What its events say, but for their numbers, and the addresses in names of hidden classes."""
    return [(r[2], r[3]) for r in rows_of(trace, test)]


def numbered(answer):
    """The answer with its seqs in the order in which they first stand there."""
    seqs = {}

    def number(seq):
        return seqs.setdefault(int(seq), len(seqs))

    def walk(value, key=""):
        if isinstance(value, dict):
            return {k: walk(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [walk(v, key) for v in value]
        if key in ("seq", "thrown", "entered", "actual_seq", "operands", "written_at"):
            return number(value)
        if isinstance(value, str):
            value = re.sub(
                r"the last write that was recorded is at (seq \d+); .*dropped.*?\)", r"last written at \1", value
            )
            # calls of passed tests on the same object
            value = re.sub(r"; \d+ earlier calls? on it, before seq \d+, (is|are) not listed", "", value)
            value = re.sub(r"; there may be more causes than those offered", "", value)
            return re.sub(r"seq (\d+)", lambda m: f"seq {number(m[1])}", value)
        return value

    return walk(answer)


def page(trace, test):
    """The answer of `failure`, whose steps are joined by seq, but for what compares it with tests that passed, and
    threads in a frame that was entered before what was dropped."""
    page = dict(failure(trace, test["name"]))
    for key in ("passed_run", "only_here", "next", "begin", "end", *(["threads"] if MODE == "long" else [])):
        page.pop(key, None)
    return numbered(page)


def others(trace, test):
    """What other questions answer: the test itself, and the variables of the program where it failed (of the frames
    around it some were entered before what was dropped)."""
    thrown = failure(trace, test["name"])["thrown"]
    frames = itertools.takewhile(lambda f: is_of_program(f["class"]), ask("locals", trace, "--at", str(thrown)))
    yield "tests", {k: v for k, v in test.items() if k not in ("begin", "end", "duration")}
    yield "locals", numbered(list(frames))


def first_cause(trace, test):
    """What the chain of `why --control` of the exception ends with, of frames that the framework entered before the
    test. Lines behind the chain have a distance."""
    thrown = failure(trace, test["name"])["thrown"]
    return [row for row in ask("why", trace, str(thrown), "--control") if "distance" not in row][-1]


name = lambda t: tuple(t.get(k) for k in ("class", "method", "name", "status", "message"))


def killed(trace):
    """It has what the test did that it was killed in, and of the others what it would have had."""
    tests = ask("tests", trace)
    last = tests[-1]
    assert last["status"] == "unfinished" and not any(t["status"] == "unfinished" for t in tests[:-1]), tests[-3:]
    calls = [s for s in steps(trace, last) if s[0] == "METHOD_ENTRY" and s[1] == "Basket" and s[2] == "<init>"]
    assert len(calls) == 30, len(calls)
    for test, shown in left_of(trace, tests[:-1]):
        assert (shown == set()) == (test["status"] == "passed"), (test, shown)
    print(f"killed in {last['name']}")


def compare():
    every, kept = ask("tests", ALL), ask("tests", KEPT)
    assert sorted(map(name, every), key=str) == sorted(map(name, kept), key=str), "other tests"
    before = {name(t): t for t in every}
    failed = [t for t in kept if t["status"] != "passed"]
    assert len(failed) == 3 or MODE == "runner" and failed, failed
    for test in failed:
        if MODE in ("serial", "long"):
            assert events(ALL, before[name(test)]) == events(KEPT, test), f"other events of {name(test)}"
            assert any(is_of_program(r[4]) for r in rows_of(KEPT, test)), f"no steps of {name(test)}"
            assert page(ALL, before[name(test)]) == page(KEPT, test), f"another page of {name(test)}"
        if MODE == "serial":
            for (what, a), (_, b) in zip(others(ALL, before[name(test)]), others(KEPT, test), strict=True):
                assert a and a == b, f"{what} of {name(test)}: {a} {b}"
            ends = [first_cause(ALL, before[name(test)]), first_cause(KEPT, test)]
            assert [e["end"] for e in ends] == ["entry of the thread", "not recorded"], ends
            assert "passed was dropped" in ends[1]["because"], ends[1]
        if MODE not in ("serial", "long"):  # whose steps are among the events
            here, there = steps(ALL, before[name(test)]), steps(KEPT, test)
            assert here == there and (here or MODE == "runner"), f"other steps of {name(test)}"
    beside = 0
    for test, shown in left_of(KEPT, [t for t in kept if t["status"] == "passed"]):
        if MODE == "one":
            beside += not test.get("dropped", False)
            assert (shown == set()) == test.get("dropped", False), (test, shown)
        elif MODE != "parallel":
            assert test.get("dropped") and shown == set(), (test, shown)
    assert beside == (3 if MODE == "one" else 0), beside
    whole, part = ask("info", ALL)[0], ask("info", KEPT)[0]
    assert part["dropped_tests"] == len(kept) - len(failed) - beside, part["dropped_tests"]
    total = part["dropped_events"] + part["events"]
    if MODE == "long":  # another thread computes for as long as it takes
        total = whole["events"]
    assert total == whole["events"] if MODE in ("serial", "one") else 0.9 < total / whole["events"] < 1.1, (
        total,
        whole["events"],
    )
    assert part["events"] < whole["events"], part["events"]
    print(f"{len(kept)} tests: {whole['events']} events, {part['events']} are kept")


def served():
    """Where the server waits while a test fails is known, though it has done nothing since what was dropped."""
    for server in "server", "late":
        places = []
        for trace in ALL, KEPT:
            failed = [t for t in ask("tests", trace) if t["status"] == "failed"]
            thrown = ask("failure", trace, failed[0]["method"])[0]["thrown"]
            row = [r for r in ask("threads", trace, "--at", str(thrown)) if r.get("name") == server][0]
            inside = row["inside"]["class"], row["inside"]["method"]
            places.append(([(f["class"], f["method"], f["line"]) for f in row["stack"]], inside))
        assert places[0] == places[1] and len(places[0][0]) > 0, (server, places)
        print(server, places[1])
    late = [r for r in ask("threads", KEPT) if r.get("name") == "late"][0]
    assert late["events"] == 0 and "last" not in late, late
    assert ask("info", KEPT)[0]["dropped_tests"] == 1


{"killed": lambda: killed(ALL), "served": served}.get(MODE, compare)()
