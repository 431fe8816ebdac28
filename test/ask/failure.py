# The errors that lost their origin: which were thrown, which swallowed, what each has as its cause, and where the -1
# comes from.
from ask import *

lines = {n + 1: l.strip() for n, l in enumerate(open(sys.path[0] + "/Failure.java"))}


def line(start):
    return next(n for n, l in lines.items() if l.startswith(start))


def at(seq):
    e = ask("print", "Failure", "--from", seq, "--to", seq)[0]
    return (e["event"], e["method"], e["line"])


all_ = ask("exceptions", "Failure")
same(
    "types",
    [x["type"] for x in all_],
    [
        "java.lang.NumberFormatException",
        "java.lang.IllegalArgumentException",
        "Failure$Rejected",
        "java.lang.ArrayIndexOutOfBoundsException",
        "java.lang.IllegalStateException",
    ],
)
number, negative, rejected, bounds, last = all_
same(
    "messages",
    [x["message"] for x in all_],
    [
        "no digit: 4x",
        "negative: -1",
        "rejected",
        "Index 4 out of bounds for length 4",
        "java.lang.ArrayIndexOutOfBoundsException: Index 4 out of bounds for length 4",
    ],
)
same(
    "thrown",
    [at(x["thrown"]) for x in all_],
    [
        ("METHOD_THROW", "digits", line("throw new NumberFormatException")),
        ("METHOD_THROW", "check", line("throw new IllegalArgumentException")),
        ("METHOD_THROW", "check", line("throw new Rejected")),
        ("CATCH", "wrap", line("} catch (ArrayIndexOutOfBoundsException")),
        ("METHOD_THROW", "wrap", line("throw new IllegalStateException")),
    ],
)
same(
    "caught",
    [at(x["caught"]) if "caught" in x else None for x in all_],
    [
        ("CATCH", "number", line("} catch (NumberFormatException")),
        ("CATCH", "check", line("} catch (IllegalArgumentException")),
        ("CATCH", "main", line("} catch (Rejected")),
        ("CATCH", "wrap", line("} catch (ArrayIndexOutOfBoundsException")),
        None,
    ],
)
same(
    "left", [[e["method"] for e in x["left"]] for x in all_], [["digits"], [], ["check"], [], ["wrap", "lambda$main$0"]]
)
same("swallowed", [x["type"] for x in ask("exceptions", "Failure", "--swallowed")], [number["type"], negative["type"]])
same(
    "place",
    [(x["method"], x["line"], thread_name("Failure", x["thread"]) == "main") for x in all_],
    [(at(x["thrown"])[1], line("values[4] = 1") if x is bounds else at(x["thrown"])[2], x in all_[:3]) for x in all_],
)
same(
    "their lines through the C API",
    [l.split(" line ")[1].split()[0] for l in example("exceptions", "Failure", "lines") if " line " in l],
    [str(x["line"]) for x in all_],
)
rows = run(command, "exceptions", work + "/Failure").splitlines()
same(
    "a line each",
    [l.split()[:5] for l in rows],
    [["thrown", "caught", "exits", "times", "exception"]]
    + [
        [str(x["thrown"]), str(x.get("caught", "-")), str(x["exits"]), "1", "%s#%d:" % (x["type"], x["id"])]
        for x in all_
    ],
)
same(
    "its place",
    rows[1].split(" at ")[1],
    "Failure.digits:%d, thread %d main (swallowed)" % (line("throw new NumberFormatException"), number["thread"]),
)
cause = rejected["cause"]
same("the wrong cause", cause["type"], "java.lang.UnsupportedOperationException")
same("that was never thrown", [x for x in all_ if x["id"] == cause["id"]], [])
same("its message", ask("object", "Failure", cause["id"])[0]["exception"]["message"], "earlier")
same("the right cause", last["cause"]["id"], bounds["id"])
same("no cause", [x.get("cause") for x in (number, negative, bounds)], [None, None, None])
same(
    "stack",
    [(f["class"], f["method"]) for f in number["frames"]],
    [("Failure", "digits"), ("Failure", "number"), ("Failure", "main")],
)
same(
    "stack of the cause",
    [f["line"] for f in ask("object", "Failure", cause["id"])[0]["exception"]["stack"]],
    [line("check(n, new")],
)

wrong = next(e for e in events("Failure", event="METHOD_PARAM", method="check") if e["attr"]["name"] == "n")
same("the default", wrong["value"], -1)
chain = ask("why", "Failure", wrong["seq"])
same(
    "why -1",
    [(e["event"], e["method"]) for e in chain],
    [
        ("METHOD_PARAM", "check"),
        ("CALL_PARAM", "main"),
        ("LOCAL_LOAD", "main"),
        ("LOCAL_STORE", "main"),
        ("CALL_RETURN", "main"),
        ("METHOD_NORMAL_EXIT", "number"),
        ("LOCAL_LOAD", "number"),
        ("LOCAL_STORE", "number"),
    ],
)
same("a constant of number", (chain[-1]["line"], chain[-1]["end"]), (line("int fallback"), "constant"))
frames = ask("locals", "Failure", "--at", number["thrown"])
same(
    "locals at the throw",
    {k: plain(v) for k, v in list(frames[0]["parameters"].items()) + list(frames[0]["locals"].items())},
    {"text": "4x", "n": 4, "i": 1},
)
frames = ask("locals", "Failure", "--at", number["caught"])
same("locals at the catch", (frames[0]["method"], frames[0]["locals"].get("fallback"), len(frames)), ("number", -1, 2))
end()
