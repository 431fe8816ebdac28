"""thrown.py HINDSIGHT TRACE: a session that stops at exceptions stops at each METHOD_THROW of the trace, forwards and
backwards; of one type alone, at those."""
import json
import re
import subprocess
import sys

hindsight, trace = sys.argv[1:]
p = subprocess.Popen([hindsight, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
count = 0


def ask(command, **arguments):
    """The event `stopped` of a move; else the answer."""
    global count
    count += 1
    body = json.dumps({"seq": count, "type": "request", "command": command, "arguments": arguments}).encode()
    p.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    p.stdin.flush()
    answer = stopped = None
    moves = command in ("configurationDone", "continue", "reverseContinue")
    while answer is None or (moves and stopped is None):
        size = int(re.match(rb"Content-Length: (\d+)", p.stdout.readline())[1])
        p.stdout.readline()
        m = json.loads(p.stdout.read(size))
        answer = m if m.get("request_seq") == count else answer
        stopped = m if m.get("event") == "stopped" else stopped
    return stopped if moves else answer


def stops(move):
    seen = []
    while True:
        body = ask(move, threadId=1)["body"]
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
ask("disconnect")
p.stdin.close()
p.wait()
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
