"""check_dap.py HINDSIGHT TRACE: a session that steps through the program has its lines as output events, each when it
is behind the write, and again after it has gone back; the request outputLines gives all of them, also in parts."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from dap_client import Dap

hindsight, trace = sys.argv[1:]
dap = Dap(hindsight)
ask = dap.ask


def lines(messages):
    return [m["body"] for m in messages if m.get("event") == "output" and "data" in m["body"]]


rows = [json.loads(x) for x in subprocess.check_output([hindsight, "output", trace, "--json"]).splitlines()]
want = [(x["stream"], x["text"] + "\n", x["seq"]) for x in rows]
ask("initialize", adapterID="x")
ask("launch", trace=trace)
first = lines(ask("configurationDone"))
ask("setExceptionBreakpoints", filters=[])
there = lines(ask("continue", threadId=1))
back = lines(ask("reverseContinue", threadId=1))
again = lines(ask("continue", threadId=1))
placed = [(b.get("source", {}).get("name"), b.get("line")) for b in there]
files = [(x.get("class", "").rpartition(".")[2].partition("$")[0] + ".java", x.get("line")) for x in rows]
source = [x if x[1] is not None else (None, None) for x in files]
seen = [[(b["category"], b["output"], b["data"]["seq"]) for b in x] for x in (first, there, back, again)]
asked = [ask("outputLines", **a)[-1]["body"] for a in ({}, {"limit": 3}, {"from": 3}, {"from": len(rows)})]
told = [(x["stream"], x["text"] + "\n", x["seq"]) for x in asked[0]["lines"]]
dap.end()
if seen[0] or seen[2] or seen[1] != want or seen[3] != want:
    print("FAILED: lines of a session:", [len(x) for x in seen], "of", len(want), seen[1][:2], want[:2])
    sys.exit(1)
if placed != source:
    print("FAILED: places of lines:", [x for x in zip(placed, source) if x[0] != x[1]][:3])
    sys.exit(1)
if told != want or [a["more"] for a in asked] != [False, len(rows) > 3, False, False]:
    print("FAILED: outputLines:", told[:2], want[:2], [a["more"] for a in asked])
    sys.exit(1)
if asked[1]["lines"] + asked[2]["lines"] != asked[0]["lines"] or asked[3]["lines"] or not asked[0]["recorded"]:
    print("FAILED: outputLines in parts")
    sys.exit(1)
print(len(want), "lines while a session went on, and again")
