"""calls.py - the calls of a trace, computed from `hindsight print --json` alone, for the tests of exports.

steps(events, FROM) gives for each thread what an export of calls must show: ("begin", name) and ("end", name) in their
order. Calls open at FROM begin first; those that are open at the end are ended there, the innermost first.
"""

import json


def name(event):
    return event["class"] + "." + event["method"]


def steps(path, first=0, last=None, wanted=lambda event: True):
    stacks, result = {}, {}
    with open(path, encoding="utf-8", errors="surrogatepass") as lines:
        for line in lines:
            event = json.loads(line)
            if last is not None and event["seq"] > last:
                break
            thread, kind = event["thread"], event["event"]
            if event["seq"] >= first and thread not in result:
                result[thread] = [("begin", name(e)) for e in stacks.get(thread, []) if wanted(e)]
            stack = stacks.setdefault(thread, [])
            if kind == "METHOD_ENTRY":
                stack.append(event)
                if event["seq"] >= first and wanted(event):
                    result[thread].append(("begin", name(event)))
            elif kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
                while stack:
                    top = stack.pop()
                    if event["seq"] >= first and wanted(top):
                        result[thread].append(("end", name(top)))
                    if name(top) == name(event) and top["desc"] == event["desc"]:
                        break
    for thread, stack in stacks.items():  # a thread without an event in the range is open through all of it
        shown = result.setdefault(thread, [("begin", name(e)) for e in stack if wanted(e)])
        shown += [("end", name(e)) for e in reversed(stack) if wanted(e)]
    return {thread: shown for thread, shown in result.items() if shown}


def thrown(path):
    """(seq, id) of the first event that shows each exception on its way."""
    seen = {}
    with open(path, encoding="utf-8", errors="surrogatepass") as lines:
        for event in map(json.loads, lines):
            if event["event"] in ("METHOD_THROW", "METHOD_EXCEPTIONAL_EXIT", "CATCH"):
                seen.setdefault(event["value"]["id"], event["seq"])
    return [(seq, id) for id, seq in seen.items()]
