# Which monitors each frame holds, when the program says where it is.
from ask import *

marks = {e["value"]: e["seq"] for e in ask("print", "Guards", "--event", "METHOD_PARAM", "--method", "mark")}
same("marks", sorted(marks), [1, 2, 3, 4, 5, 6, 7])
entered = [e["seq"] for e in ask("print", "Guards", "--event", "MONITOR_ENTER_RESULT")]
guards = ask("print", "Guards", "--event", "METHOD_ENTRY", "--method", "add")[0]["value"]["id"]
gate = ask("history", "Guards", "Guards.gate")[0]["value"]["id"]


def held(mark):
    """Per frame that holds any: method, and what it holds since when; the class object as its type."""
    frames = ask("locals", "Guards", "--at", marks[mark])
    return {
        f["method"]: [
            (m["object"]["id"] if m["object"]["type"] != "java.lang.Class" else "class", m["entered"])
            for m in f["monitors"]
        ]
        for f in frames
        if "monitors" in f
    }


def entry(method):
    return ask("print", "Guards", "--event", "METHOD_ENTRY", "--method", method)[0]["seq"]


same("chunks between", marks[1] - marks[3] > 4 * 65536, True)
same("entered twice", held(2), {"all": [("class", entry("all")), (gate, entered[0]), (gate, entered[1])]})
same("left once", held(3), {"all": [("class", entry("all")), (gate, entered[0])]})
same("far back", held(1), {"add": [(guards, entry("add"))], "all": [("class", entry("all")), (gate, entered[0])]})
same("block left", held(4), {"all": [("class", entry("all"))]})
same("before the exception", held(5), {"fails": [(gate, entered[2])]})
same("after the exception", held(6), {})
same("at the end", held(7), {})
end()
