#!/usr/bin/env python3
"""order.py ROUNDS: reads `hindsight print --json`; no reading may be listed before the writing that it saw.

send(i) happens before recv(i): METHOD_PARAM i of `recv`, or CALL_PARAM i of a call to it, needs METHOD_PARAM or
CALL_PARAM i of `send` before it. The value of a static field that was read, or an array element of class RINGS, must
have been written before (PUT_STATIC_FIELD, ARRAY_STORE_VALUE): values only grow in these programs, so the value names
the message. Prints what it compared; exit 1 at the first reading before its writing, or when messages are missing."""
import json, re, sys

rounds = int(sys.argv[1])
sent, received, last, compared = set(), 0, -1, {}
called = {}  # thread -> method that its last CALL names
written = {}  # name of a place -> values written
HEAD = re.compile(r'\{"seq":(\d+),"thread":(\d+),"dataid":\d+,')
VALUE = re.compile(r'"value":(-?\d+)')
kinds = {}  # events differ from others in seq, thread and a number alone: text without them -> the first such event


def parsed(text):
    """Its seq, thread, value, and an event that has the same in all else."""
    head, value = HEAD.match(text), VALUE.search(text)
    if head is not None:
        kind = text[head.end() :] if value is None else text[head.end() : value.start()] + text[value.end() :]
        e = kinds.get(kind)
        if e is not None:
            return int(head[1]), int(head[2]), e.get("value") if value is None else int(value[1]), e
    e = json.loads(text)
    if head is not None and (value is None or e.get("value") == int(value[1])):
        kinds[kind] = e
    return e["seq"], e["thread"], e.get("value"), e


for text in sys.stdin:
    seq, thread, value, e = parsed(text)
    if seq <= last:
        sys.exit("FAILED: seq %d is listed after %d" % (seq, last))
    last = seq
    kind = e["event"]
    place = None
    if kind == "CALL":
        called[thread] = e.get("attr", {}).get("name", "?")
        continue
    if kind in ("METHOD_PARAM", "CALL_PARAM"):
        name = e["method"] if kind == "METHOD_PARAM" else called.get(thread)
        if name == "send":
            sent.add(value)
            continue
        if name != "recv":
            continue
        compared[kind] = compared.get(kind, 0) + 1
        received += kind == "METHOD_PARAM"
        if value not in sent:
            sys.exit("FAILED: seq %d: message %s is received before it is sent: %s" % (seq, value, text.strip()))
    elif kind in ("PUT_STATIC_FIELD", "GET_STATIC_FIELD"):
        place = e.get("attr", {}).get("name", "?")
        write = kind == "PUT_STATIC_FIELD"
    elif kind in ("ARRAY_STORE_VALUE", "ARRAY_LOAD_RESULT"):
        place, write = "[]", kind == "ARRAY_STORE_VALUE"
    if place is None or not isinstance(value, int) or value == 0:
        continue
    if write:
        written.setdefault(place, set()).add(value)
    else:
        compared[kind] = compared.get(kind, 0) + 1
        if value not in written.get(place, ()):
            sys.exit("FAILED: seq %d: %s %d is read before it is written: %s" % (seq, place, value, text.strip()))
if sum(compared.values()) < rounds // 50 or not compared:
    sys.exit("FAILED: only %d of about %d messages are in the trace" % (sum(compared.values()), rounds))
print("    %d sent; compared %s" % (len(sent), ", ".join("%d %s" % (n, k) for k, n in sorted(compared.items()))))
