# gap.py COMMAND PERIODS INTERVALS WHOLE LATE - asks about what Gap.java did while nothing was recorded: see gap.sh.
import json, subprocess, sys

command, periods, intervals, whole, late = sys.argv[1:6]
wrong = 0


def ask(*args):
    r = subprocess.run([command, *args], capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        check(False, "%s: exit status %d: %s" % (" ".join(args), r.returncode, r.stderr))
    return r.stdout


def rows(*args):
    return [json.loads(line) for line in ask(*args, "--json").splitlines()]


def check(good, what):
    global wrong
    if not good:
        wrong += 1
        print("FAILED: %s" % what)


def evaluated(trace, at, expressions):
    """What `hindsight dap` answers to the expressions at an event, one after the other."""
    requests = [("launch", {"trace": trace, "at": at}), ("configurationDone", {})]
    requests += [("evaluate", {"expression": x}) for x in expressions]
    results = []
    with subprocess.Popen([command, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
        for i, (name, arguments) in enumerate(requests):
            text = json.dumps({"seq": i + 1, "type": "request", "command": name, "arguments": arguments}).encode()
            p.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
            p.stdin.flush()
            answer = {}
            while answer.get("request_seq") != i + 1:
                size = int(p.stdout.readline().split()[1])
                p.stdout.readline()
                answer = json.loads(p.stdout.read(size))
            results.append(answer.get("body", {}).get("result", str(answer)))
        p.stdin.close()
    return results[2:]


def reads(trace):
    """The events that read() and what it calls read with, by field or by array and index."""
    found, at = {}, []
    for e in rows("print", trace, "--method", "read"):
        if e["event"] in ("GET_STATIC_FIELD", "GET_INSTANCE_FIELD_RESULT"):
            found[e["attr"]["name"]] = e["seq"]
            at = []
        elif e["event"] in ("ARRAY_LOAD", "ARRAY_LOAD_INDEX"):
            at.append(e["value"]["id"] if isinstance(e["value"], dict) else e["value"])
        elif e["event"] == "ARRAY_LOAD_RESULT":
            found[
                (
                    "copy" if any(k[0] == "elements" and k[2] != at[0] for k in found if len(k) == 3) else "elements",
                    at[1],
                    at[0],
                )
            ] = e["seq"]
            at = []
    return {(k[0], k[1]) if isinstance(k, tuple) else k: v for k, v in found.items()}


def why(trace, seq):
    return rows("why", str(seq), trace)


NOT_RECORDED = {"other", ("elements", 2), ("elements", 3), "made"}
for trace, words in ((periods, "recording was stopped"), (intervals, "between two intervals is not recorded")):
    at = reads(trace)
    for name in ("mode", "level", ("elements", 1)):  # the same value again: probably that write
        c = why(trace, at[name])
        check(
            words in c[0]["because"]
            and "the last write that was recorded" in c[0]["because"]
            and "end" not in c[0]
            and c[0]["by"] == "equal"
            and len(c) > 1,
            "%s: why %s: %s" % (trace, name, c[0]),
        )
        check("another thread" not in c[0]["because"], "%s: why %s: %s" % (trace, name, c[0]["because"]))
    for name in NOT_RECORDED:  # another value
        c = why(trace, at[name])
        check(
            words in c[0]["because"]
            and c[0].get("end") == "not recorded"
            and "code that is not woven" not in c[0]["because"],
            "%s: why %s: %s" % (trace, name, c[0]),
        )
    c = why(trace, at["size"])  # a final field: nothing writes it again
    check(
        trace == intervals or words not in c[0]["because"] and "last written" in c[0]["because"],
        "%s: why size: %s" % (trace, c[0]),
    )
    c = why(trace, at["untouched"])
    check(
        c[0]["end"] in ("not recorded", "default value") and words in c[0]["because"],
        "%s: why untouched: %s" % (trace, c[0]),
    )
    for index, value in ((1, 11), (2, 13)):  # the copy was made behind the gap, of elements that were written before
        c = why(trace, at[("copy", index)])
        check(
            c[0].get("end") == "not recorded" and "clone" in c[0]["because"] and "stopped" in c[0]["because"],
            "%s: why copy[%d]: %s" % (trace, index, c[0]),
        )
    c = [
        e
        for e in rows("print", trace, "--method", "read", "--event", "CALL_RETURN")
        if isinstance(e["value"], dict) and e["value"]["type"] == "java.lang.String"
    ]
    c = why(trace, c[0]["seq"])
    check(words in c[0]["because"] and "java.util.List.add" in c[0]["because"], "%s: why of the list: %s" % (trace, c))
    c = [e for e in rows("print", trace, "--method", "again", "--event", "GET_STATIC_FIELD")]
    c = why(trace, c[0]["seq"])  # written in the same part
    check(words not in c[0]["because"] and "last written" in c[0]["because"], "%s: why in again: %s" % (trace, c[0]))

# what was seen last, and that it is old; at the entry of read(), the first event behind the start
start = next(e["seq"] for e in rows("print", periods, "--method", "read") if e["event"] == "METHOD_ENTRY")
for trace, resumed in ((periods, start), (whole, None)):
    at = reads(trace)
    entry = next(e["seq"] for e in rows("print", trace, "--method", "read") if e["event"] == "METHOD_ENTRY")
    w, text = rows("last-write", "Gap.other", trace, "--at", str(entry))[0], "recording was stopped until event"
    check((w["value"], w.get("resumed")) == (2, resumed), "%s: last-write: %s" % (trace, w))
    said = ask("last-write", "Gap.other", trace, "--at", str(entry))
    check(("%s %s:" % (text, resumed) in said) == (resumed is not None), "%s: last-write: %s" % (trace, said))
    w = rows("last-write", "Gap.other", trace)[0]  # of again(), in the last period
    check((w["value"], w.get("resumed")) == (4, None), "%s: last-write at the end: %s" % (trace, w))
    h = [(w["value"], w.get("resumed")) for w in rows("history", "Gap.other", trace)]
    check(h == [(2, None), (4, resumed)], "%s: history: %s" % (trace, h))
    check(ask("history", "Gap.other", trace).count(text) == (resumed is not None), "%s: text of history" % trace)
    gap = next(o["id"] for o in rows("objects", trace) if o.get("type") == "Gap")
    o = rows("object", str(gap), trace, "--at", str(entry))[0]
    check(o.get("resumed") == resumed and o["fields"]["Gap.level"] == 5, "%s: object: %s" % (trace, o))
    check(o.get("unrecorded") == (["Gap.level"] if resumed else None), "%s: object: %s" % (trace, o))
    said = ask("object", str(gap), trace, "--at", str(entry))
    check(said.count(", before recording was stopped") == (resumed is not None), "%s: object: %s" % (trace, said))
    shown = evaluated(trace, entry, ("this.level", "Gap.other", "this.size"))
    old = " (may have changed: recording was stopped since)" if resumed else ""
    check(shown == ["5" + old, "2" + old, "7"], "%s: evaluate: %s" % (trace, shown))
    o = rows("object", str(gap), trace)[0]  # read again since
    check("Gap.level" not in o.get("unrecorded", []), "%s: object at the end: %s" % (trace, o))
    contents = rows("object", str(o["fields"]["Gap.list"]["id"]), trace, "--at", str(entry))[0]["contents"]
    check(contents["known"] == (resumed is None), "%s: contents of the list: %s" % (trace, contents))

at = reads(whole)
for name, seq in at.items():
    if name != "made":
        check("recorded" not in why(whole, seq)[0]["because"], "%s: why %s: %s" % (whole, name, why(whole, seq)[0]))

# a recording that begins in the running program: what was written before is not the work of code that is not woven
at, words = reads(late), "before the recording began"
for name, seq in at.items():
    c = why(late, seq)
    check(
        c[0].get("end") == "not recorded"
        and words in c[0]["because"]
        and "code that is not woven" not in c[0]["because"],
        "%s: why %s: %s" % (late, name, c[0]),
    )
c = why(late, next(e["seq"] for e in rows("print", late, "--method", "again", "--event", "GET_STATIC_FIELD")))
check(words not in c[0]["because"] and "last written" in c[0]["because"], "%s: why in again: %s" % (late, c[0]))
entry = next(e["seq"] for e in rows("print", late, "--method", "read") if e["event"] == "METHOD_ENTRY")
r = subprocess.run([command, "last-write", "Gap.mode", late, "--at", str(entry)], capture_output=True, text=True)
check(r.returncode == 0 and "while it was recorded" in r.stderr, "%s: last-write: %s" % (late, r.stderr))
for trace, begin in ((late, "late"), (whole, None)):
    check(rows("info", trace)[0].get("begin") == begin, "%s: info: %s" % (trace, rows("info", trace)[0].get("begin")))
    check(("what the program did before" in ask("info", trace)) == (begin is not None), "%s: text of info" % trace)
sys.exit(1 if wrong else 0)
