#!/usr/bin/env python3
"""streams.py same A B: are two streams (`print --json`) equal but for the numbers of threads and objects?
streams.py ids A: has each object that Everywhere.touch gets with its serial number one id, and each id one object?
streams.py reached A N: has the stream the call of Everywhere.step(N)?"""
import json, re, sys


def events(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def text_of(value, number):
    if not isinstance(value, dict):
        return json.dumps(value)
    rest = {k: v for k, v in value.items() if k not in ("id", "type")}
    kind = re.sub(r"\$\$Lambda[^\[]*", "$$Lambda", value.get("type", "?"))
    # which strings are one object, the library of each JDK decides: Class.getSimpleName makes a new one on 8
    object_number = "" if kind == "java.lang.String" else number(value["id"])
    return "#%s:%s%s" % (object_number, kind, json.dumps(rest, sort_keys=True) if rest else "")


def line_of(e, number):
    where = [str(e.get(k)) for k in ("event", "class", "method", "desc", "pc", "line")]
    return " ".join(where + [text_of(e.get("value"), number), json.dumps(e.get("attr", {}), sort_keys=True)])


def stream(path):
    """Its threads in an order that does not depend on their numbers; objects by their first appearance in it."""
    threads = {}
    for e in events(path):
        threads.setdefault(e["thread"], []).append(e)
    ordered = sorted(threads.values(), key=lambda t: [line_of(e, lambda i: "") for e in t])
    numbers = {}
    return [line_of(e, lambda i: numbers.setdefault(i, len(numbers))) for t in ordered for e in t]


def same(a, b):
    x, y = stream(a), stream(b)
    for n, (p, q) in enumerate(zip(x, y)):
        if p != q:
            sys.exit("event %d differs:\n  %s\n  %s" % (n, p, q))
    if len(x) != len(y):
        sys.exit("%d events, not %d" % (len(y), len(x)))
    if not x:
        sys.exit("no events")
    print("%d events are the same" % len(x))


def ids(path):
    objects, open_call = {}, {}
    for e in events(path):
        if e["event"] != "METHOD_PARAM" or e["method"] != "touch":
            continue
        if e["attr"]["index"] in (0, "0"):
            open_call[e["thread"]] = e["value"]["id"]
        else:
            objects.setdefault(e["value"], set()).add(open_call[e["thread"]])
    if len(objects) != 300 or any(len(s) != 1 for s in objects.values()):
        sys.exit("%d objects, of which some have several ids" % len(objects))
    if len(set.union(*objects.values())) != len(objects):
        sys.exit("an id is that of several objects")
    print("%d objects, each has its id" % len(objects))


def reached(path, number):
    seen = [e["value"] for e in events(path) if e["event"] == "METHOD_PARAM" and e["method"] == "step"]
    if seen[: int(number) + 1] != list(range(int(number) + 1)):
        sys.exit("step(%s) was reached, and the trace has %d calls, the last %s" % (number, len(seen), seen[-1:]))
    print("%d calls of step, %s had been reached" % (len(seen), number))


{"same": same, "ids": ids, "reached": reached}[sys.argv[1]](*sys.argv[2:])
