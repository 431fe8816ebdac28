"""thrown.py HINDSIGHT TRACE: a session that stops at exceptions stops at each METHOD_THROW of the trace, forwards and
backwards; of one type alone, at those."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from dap_client import Dap

hindsight, trace = sys.argv[1:]
dap = Dap(hindsight)
ask = dap.ask


def stops(move):
    seen = []
    while True:
        body = next(m["body"] for m in ask(move, threadId=1) if m.get("event") == "stopped")
        if body["reason"] != "exception":
            return seen
        seen.append(body["seqOfTrace"])


rows = subprocess.check_output([hindsight, "print", trace, "--event", "METHOD_THROW", "--json"]).splitlines()
thrown = [json.loads(x) for x in rows]
want = [x["seq"] for x in thrown]
rare = [x["seq"] for x in thrown if "Rare" in json.dumps(x)]
ask("initialize", adapterID="x")
ask("launch", trace=trace)
ask("configurationDone")
ask("setExceptionBreakpoints", filters=["caught"])
ahead, back = stops("continue"), stops("reverseContinue")
ask("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "caught", "condition": "*Rare"}])
rarely, rarely_back = stops("continue"), stops("reverseContinue")
ask("setExceptionBreakpoints", filters=["uncaught"])
none = stops("continue")
dap.end()
for name, seen, right in (
    ("forwards", ahead, want),
    ("backwards", back[::-1], want),
    ("of a type", rarely, rare),
    ("of a type, backwards", rarely_back[::-1], rare),
    ("uncaught", none, []),
):
    if seen != right:
        print("FAILED:", name, len(seen), "of", len(right), [x for x in zip(seen, right) if x[0] != x[1]][:3])
        sys.exit(1)
if len(want) < 3000 or len(rare) < 5:
    print("FAILED: too few:", len(want), len(rare))
    sys.exit(1)
print(len(want), "and", len(rare), "stops, both ways")
