"""several.py HINDSIGHT FOLDER: a server for a folder with the traces `one` and `two`: they are named by their
names there and by nothing else; compare says what differs between two runs."""
import json, subprocess, sys

hindsight, folder = sys.argv[1:]
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
        timeout=300,
    )
    check("exit status", (r.returncode, r.stderr), (0, ""))
    return [json.loads(line)["result"] for line in r.stdout.splitlines()]


def text(answer):
    return answer["content"][0]["text"]


answers = ask(
    [folder],
    [
        ("overview", {}),
        ("find", {"exception": "*"}),
        ("find", {"exception": "*", "trace": "one"}),
        ("overview", {"trace": "tow"}),
        ("overview", {"trace": folder + "/one"}),
        ("overview", {"trace": "../traces/one"}),
        ("overview", {"trace": "two"}),
    ],
)
check("names", [line.strip() for line in text(answers[0]).splitlines()[1:3]], ["one", "two"])
check("no name", "say which one" in text(answers[1]), True)
check("a name", "no exception" in text(answers[2]), True)
check("a wrong name", "nearest: two" in text(answers[3]), True)
check("a path", (answers[4]["isError"], answers[5]["isError"]), (True, True))
check("the other trace", "Shop 121" in text(answers[6]), True)
names = text(ask([folder + "/one", folder + "/two"], [("overview", {})])[0]).splitlines()
check("two operands", [line.strip() for line in names[1:3]], [folder + "/one", folder + "/two"])
sys.exit(failures != 0)
