"""several.py HINDSIGHT FOLDER COPY: a server for a folder with the traces `one` and `two`: they are named by their
names there and by nothing else; compare says what differs between two runs."""
import json, subprocess, sys

hindsight, folder, copy = sys.argv[1:]
failures = 0


def check(what, got, want):
    global failures
    if got != want:
        failures += 1
        print("FAILED: %s:\n  %s\n  not\n  %s" % (what, got, want))


def ask(servers, calls):
    lines = [
        {"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for i, (tool, arguments) in enumerate(calls)
    ]
    r = subprocess.run(
        [hindsight, "mcp", *servers],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    check("exit status", (r.returncode, r.stderr), (0, ""))
    return [json.loads(line)["result"] for line in r.stdout.splitlines()]


def entries(trace, method):
    out = subprocess.run(
        [hindsight, "print", "--json", "--event=METHOD_ENTRY,METHOD_PARAM", "--method=" + method, trace],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [json.loads(line) for line in out.splitlines()]


ones, twos = entries(copy + "/one", "fill"), entries(copy + "/two", "fill")
param = next(e for e in ones if e["event"] == "METHOD_PARAM"), next(e for e in twos if e["event"] == "METHOD_PARAM")
answers = ask(
    [folder],
    [
        ("overview", {}),
        ("exceptions", {}),
        ("exceptions", {"trace": "one"}),
        ("exceptions", {"trace": "tow"}),
        ("exceptions", {"trace": folder + "/one"}),
        ("exceptions", {"trace": "../traces/one"}),
        ("compare", {"trace": "one", "other": "two"}),
        ("compare", {"trace": "one", "other": "one"}),
        ("compare", {"trace": "one", "other": "two", "a": param[0]["seq"], "b": param[1]["seq"]}),
        ("compare", {"trace": "one", "other": "two", "a": 1, "b": 1, "object": "5"}),
        ("find_events", {"trace": "two", "limit": 1}),
    ],
)
check("names", answers[0]["structuredContent"], {"traces": ["one", "two"]})
check("no name", "say which of the 2 traces" in answers[1]["content"][0]["text"], True)
check("a name", answers[2]["structuredContent"]["exceptions"], [])
check("a wrong name", "nearest: two" in answers[3]["content"][0]["text"], True)
check("a path", (answers[4]["isError"], answers[5]["isError"]), (True, True))
rows = answers[6]["structuredContent"]["differences"]
check("the first difference", [(r["a"], r["b"]) for r in rows if r["kind"] == "first_difference"], [param])
check("calls", [r for r in rows if r["kind"] == "calls"], [])
check("the same trace", "two moments" in answers[7]["content"][0]["text"], True)
rows = answers[8]["structuredContent"]["differences"]
check("parameter", [(r["name"], r["a"], r["b"]) for r in rows if r["kind"] == "parameter"], [("count", 120, 121)])
check("objects of two traces", answers[9]["isError"], True)
check("the other trace", answers[10]["structuredContent"]["events"][0]["seq"], 0)
check(
    "two operands",
    ask([folder + "/one", folder + "/two"], [("overview", {})])[0]["structuredContent"]["traces"],
    [folder + "/one", folder + "/two"],
)
sys.exit(failures != 0)
