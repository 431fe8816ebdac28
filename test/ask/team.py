# The trees of several threads, each under a heading; receivers and strings as they can be pasted back; moments of one
# thread in the tree of another.
from ask import *


def tree(*args):
    return run(command, "tree", work + "/Team", *map(str, args)).splitlines()


def calls(*args):
    return [json.loads(line) for line in tree("--json", *args)]


def said(status, *args):
    """What the command writes to standard error."""
    r = subprocess.run([command, "tree", work + "/Team", *map(str, args)], capture_output=True, text=True)
    same("exit status of tree " + " ".join(map(str, args)), r.returncode, status)
    return r.stderr


def headings(*args):
    return [line for line in tree(*args) if line.startswith("thread ")]


def named(v):
    return '"%s"#%d' % (v["string"], v["id"])


numbers = {t["name"]: t["thread"] for t in ask("threads", "Team")}
main, worker = numbers["main"], numbers["worker"]
both = ["thread %d main" % main, "thread %d worker" % worker]
same("a heading each", headings(), both)
same("of those named", headings("--thread", "*"), both)
same("of one there is none", headings("--thread", "worker"), [])
same("only of those with a call", headings("--where", "thread == worker"), both[1:])
same(
    "before the first call of each",
    [i for i, line in enumerate(tree()) if line in both],
    [0, 1 + len(calls("-t", main))],
)
same("all threads", calls(), calls("-t", "main") + calls("-t", "worker"))
same("limit of all", calls("--limit", len(calls()) - 1), calls()[:-1])

greets = [c for c in calls() if c["method"] == "greet"]
same("threads of calls", [c["thread"] for c in greets], [main, worker])
lines = [line.split(None, 1)[1].strip() for line in tree() if "greet" in line]
same(
    "receiver, the class that declares, strings",
    lines,
    [
        "Team$%s#%d.%sgreet(%s) = %s" % (kind, c["this"]["id"], declares, named(c["arguments"][0]), named(c["result"]))
        for c, kind, declares in zip(greets, ("Member", "Captain"), ("", "Team$Member."))
    ],
)

# around an event of one thread: that thread, or the one asked for
middle = greets[1]["seq"]
same("around, its thread", {c["thread"] for c in calls("--around", middle)}, {worker})
same("around, another thread", {c["thread"] for c in calls("--around", middle, "-t", "main")}, {main})
same(
    "what is open there",
    [c["method"] for c in calls("--around", middle, "-t", "main", "--to", middle)],
    [c["method"] for c in calls("-t", "main", "--to", middle)],
)
same("around, all threads", headings("--around", middle, "-t", "*"), both)
same("around, no such thread", "no thread" in said(1, "--around", middle, "-t", "nobody"), True)

# an empty answer
same("unknown name", "no row has 'nobody'" in said(1, "-t", "*", "--where", "nobody == 1"), True)
same("nothing satisfies", "empty: there is no call that satisfies" in said(0, "--where", "result == 4711"), True)
same("no text either", tree("--where", "result == 4711"), [])
end()
