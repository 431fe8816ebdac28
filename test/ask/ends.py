# Calls are folded only with those that end alike: by a result or an exception of one type; with --fold equal, of one
# message, too.
from ask import *


def tree(*options):
    rows = ask("tree", "Ends", *options)
    return [
        (t["method"], t.get("times", 1), t["exception"]["type"].split(".")[-1] if "exception" in t else t.get("result"))
        for t in rows
        if t["method"] == "check"
    ]


state, argument = "IllegalStateException", "IllegalArgumentException"
shape = [("check", 4, state), ("check", 2, argument), ("check", 2, 5)]
same("by type", tree("--depth", 1), shape)
same("of the calls in calls", tree()[3:], shape)
same("and so are the calls around", [n for _, n, _ in tree()[:3]], [1, 1, 1])
equal = [("check", 2, state), ("check", 2, state), ("check", 2, argument), ("check", 2, 5)]
same("by message", tree("--fold", "equal", "--depth", 1)[-4:], equal)
times = [r.get("times", 1) for r in ask("tree", "Ends", "--depth", 1) if r["method"] == "run"]
same("calls that are not shown are not looked at", times, [8])
times = [r.get("times", 1) for r in ask("tree", "Ends") if r["method"] == "run"]
same("what they call is", times, [4, 2, 2])
end()
