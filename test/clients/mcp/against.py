"""against.py HINDSIGHT TRACE COPY CALLS: the answers in CALLS, a file of session.mjs, are what the command prints with
--json of a copy of the trace; pages that are put together by their cursors are the whole list. Asks the server itself
for the pages."""
import json, subprocess, sys

hindsight, served, trace, calls = sys.argv[1:]
failures = 0


def check(what, got, want):
    global failures
    if got != want:
        failures += 1
        print("FAILED: %s:\n  %s\n  not\n  %s" % (what, str(got)[:600], str(want)[:600]))


def command(*words):
    out = subprocess.run([hindsight, *words], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


class Server:
    def __init__(self, *traces):
        self.process = subprocess.Popen(
            [hindsight, "mcp", *traces], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, tool, **arguments):
        self.process.stdin.write(
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "tools/call",
                    "params": {"name": tool, "arguments": arguments},
                }
            )
            + "\n"
        )
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def rows(self, tool, key, **arguments):
        """All rows, page by page, and the number of pages."""
        rows, pages, cursor = [], 0, {}
        while True:
            answer = self.ask(tool, **arguments, **cursor)["structuredContent"]
            assert len(answer[key]) <= 50
            rows += answer[key]
            pages += 1
            if "next" not in answer:
                return rows, pages
            cursor = {"cursor": answer["next"]}

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0


# each call of the session that is one command
WORDS = {
    "find_events": (["print"], "events"),
    "call_tree": (["tree"], "calls"),
    "frame_at": (["locals"], "frames"),
    "object_at": (["object"], "object"),
    "last_write": (["last-write"], "write"),
    "why": (["why"], "causes"),
    "exceptions": (["exceptions"], "exceptions"),
}
compared = 0
for line in open(calls, encoding="utf-8"):
    call = json.loads(line)
    answer = json.loads(call["text"])
    if call["tool"] not in WORDS:
        continue
    words, key = WORDS[call["tool"]]
    words = words + ["--json"]
    operand = []
    for name, value in call["arguments"].items():
        if name in ("id", "what"):
            operand = [value]
        else:
            words.append("--%s=%s" % (name, value))
    want = command(*words, "--", trace, *operand)
    check(str(call["arguments"]), answer[key] if isinstance(answer[key], list) else [answer[key]], want)
    compared += 1
check("calls compared", compared >= 9, True)

server = Server(served)
overview = server.ask("overview")["structuredContent"]
check("info", overview["info"], command("info", "--json", trace)[0])
check("threads", overview["threads"], command("threads", "--json", trace))
check("methods", overview["methods"], command("report", "--json", "--sort=calls", "--limit=10", trace))

events = command("print", "--json", trace)
entered = next(e for e in events if e["event"] == "METHOD_ENTRY")
method, text = entered["class"] + "." + entered["method"], "{1 + 1} of {args.length}"
rows, _ = server.rows("watch", "rows", place=method, text=text, exit=True)
check("watch", rows, command("watch", "--json", "--exit", "--", trace, method, text))
check("watched", len(rows) > 0 and rows[0]["text"].startswith("2 of "), True)
calls, _ = server.rows("method_calls", "calls", method=method)
check("method_calls", calls, command("calls", "--json", "--", trace, method))
check("tests of a program without", server.rows("tests", "tests")[0], [])
value = server.ask("evaluate", expression="6 * 7", at=entered["seq"])["structuredContent"]["answer"]
check("evaluate", value, {"value": 42})
rows, pages = server.rows("find_events", "events")
check("pages of find_events", rows, events)
check("number of pages", pages, (len(events) + 49) // 50)
check(
    "pages of five",
    server.rows("find_events", "events", limit=5, group="EXEC+CALL")[0],
    command("print", "--json", "--group=EXEC+CALL", trace),
)
tree = command("tree", "--json", "--fold=none", trace)
check("pages of call_tree", server.rows("call_tree", "calls", fold="none", limit=2)[0], tree)
last = max(e["seq"] for e in events if e["event"] == "METHOD_NORMAL_EXIT" and e["method"] == "priceOf")
chain = command("why", "--json", "--at=%d" % last, trace)
check("length of the chain", len(chain), 7)
check("pages of why", server.rows("why", "causes", at=last, limit=3)[0], chain)

# a cursor belongs to its arguments
cursor = server.ask("find_events", limit=1)["structuredContent"]["next"]
check("cursor of other arguments", server.ask("find_events", cursor=cursor, **{"class": "Shop"})["isError"], True)

# an object page by page, from what print shows of its elements
array = next(e["value"]["id"] for e in events if e["event"] == "NEW_ARRAY_RESULT" and e["value"]["type"] == "long[]")
want = {}
for write in events:
    if write["event"] == "ARRAY_STORE_VALUE" and write["class"] == "Shop" and write["method"] == "fill":
        want[str(len(want))] = write["value"]
elements, cursor, pages = {}, {}, 0
while True:
    answer = server.ask("object_at", id=array, **cursor)["structuredContent"]
    elements.update(answer["object"]["elements"])
    pages += 1
    if "next" not in answer:
        break
    cursor = {"cursor": answer["next"]}
check("elements", (elements, pages), (want, 3))
check("64 bits", (elements["0"], elements["119"]), (-(2**63), 2**62 + 119))

# lines: how often each ran is how often its most frequent data ID is in the stream
times = {}
for e in events:
    if e["class"] == "Shop" and "line" in e:
        place = times.setdefault(e["line"], {})
        place[e["dataid"]] = place.get(e["dataid"], 0) + 1
lines = server.rows("source", "lines", **{"class": "Shop"})[0]
check("lines", {r["line"]: r["times"] for r in lines if r["times"]}, {k: max(v.values()) for k, v in times.items()})
check("lines in order", [r["line"] for r in lines], sorted({r["line"] for r in lines}))
server.end()
print("%d calls and %d pages equal to the command" % (compared, pages))
sys.exit(failures != 0)
