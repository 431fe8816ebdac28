"""failing.py HINDSIGHT CLASSES TEST JARS TRACE: the page of a failing test by `mcp`, and by the command with --budget,
keeps to budgets of all sizes, and has the same first lines and questions in each; the tool `record` runs the tests
again and answers for the new trace."""
import json, os, re, subprocess, sys

hindsight, classes, test, jars, trace = sys.argv[1:]
failures = 0


def check(what, right, said=""):
    global failures
    if not right:
        failures += 1
        print("FAILED: %s: %s" % (what, said))


def ask(options, *calls):
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for tool, arguments in calls
    ]
    r = subprocess.run(
        [hindsight, "mcp", *options],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
    )
    check("the server", r.returncode == 0 and r.stderr == "", r.stderr)
    return [json.loads(line)["result"] for line in r.stdout.splitlines()]


def text(answer):
    check("an answer", not answer["isError"], answer)
    return answer["content"][0]["text"]


whole = subprocess.run([hindsight, "failure", trace], capture_output=True, text=True).stdout
budgets = [500, 501, 600, 700, 800, 1000, 1500, 3000, 20000]
pages = [text(a) for a in ask([trace], *[("failure", {"budget": b}) for b in budgets])]
for budget, page in zip(budgets, pages):
    check("budget %d" % budget, len(page.encode()) <= 3 * budget, len(page.encode()))
    check("the test of %d" % budget, page.splitlines()[0] == whole.splitlines()[0], page)
    check("the questions of %d" % budget, "ask next:\n    why {" in page, page)
    shown = subprocess.run([hindsight, "failure", trace, "--budget=%d" % budget], capture_output=True, text=True)
    check("the command, %d" % budget, len(shown.stdout.encode()) <= 3 * budget, len(shown.stdout.encode()))
check(
    "more rows in a greater budget", [len(p) for p in pages] == sorted(len(p) for p in pages), [len(p) for p in pages]
)
cut = whole[: whole.index("\nto go on:")]
check("the whole page", pages[-1].startswith(cut), pages[-1])
check("that it is not whole", "rows were left out" in pages[0] and "more steps" in pages[3], pages[3])
for tool, arguments in re.findall(r"^ {4}(\w+) (\{.*\})$", pages[-1], re.M):
    text(ask([trace], (tool, json.loads(arguments)))[0])

# every command keeps to a budget
for words in (["print"], ["tree"], ["events"], ["tests"], ["print", "--json"], ["methods"]):
    operands = [] if words == ["events"] else [trace]
    all_of_it = subprocess.run([hindsight, *words, *operands], capture_output=True).stdout
    for budget in (1, 20, 100, 1000):
        r = subprocess.run([hindsight, *words, *operands, "--budget=%d" % budget], capture_output=True)
        check("%s %d" % (words, budget), len(r.stdout) <= 3 * budget, len(r.stdout))
        check("%s %d: status" % (words, budget), r.returncode == (3 if len(all_of_it) > 3 * budget else 0), r)
        lines = r.stdout.endswith(b"\n") or r.stdout == b"" or budget == 1 or b"\n" not in r.stdout
        check("%s %d: lines" % (words, budget), all_of_it.startswith(r.stdout) and lines, r.stdout[-80:])

# record: the server starts without a trace
command = "--tests -o again -- java -cp %s:%s org.junit.runner.JUnitCore %s" % (classes, jars, test)
none, recorded, page, overview, listed = ask(
    ["--record", command], ("overview", {}), ("record", {}), ("failure", {}), ("overview", {}), ("record", {"x": 1})
)
check("without a trace", "there is no trace yet" in text(none), none)
check("recorded", re.search(r"^exit_status +1$", text(recorded), re.M) and "FAILURES!!!" in text(recorded), recorded)
check("the new trace", text(page).splitlines()[0] == whole.splitlines()[0], page)
check("its overview", "tests that failed:" in text(overview), overview)
check("no argument", listed["isError"], listed)
nothing = ask(["--record", "-o nothing -- true"], ("record", {}))[0]
check("nothing recorded", nothing["isError"] and "nothing was recorded" in nothing["content"][0]["text"], nothing)
sys.exit(failures != 0)
