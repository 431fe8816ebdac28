# The wrong link: what a.next was and became, who changed it, and the stack at the bottom of the recursion.
from ask import *

a = next(e["value"]["id"] for e in ask("print", "Links", "--event", "NEW_OBJECT_CREATED"))
links = ask("history", "Links", "%d.next" % a)
same(
    "history",
    [(plain(e["value"]), e["method"]) for e in links],
    [(None, "<init>"), ("Links$Node", "insertAfter"), ("Links$Node", "insertWrongly")],
)
b, c = links[1]["value"]["id"], links[2]["value"]["id"]
names = {i: plain(ask("object", "Links", i)[0]["fields"]["Links$Node.name"]) for i in (a, b, c)}
same("names", names, {a: "a", b: "b", c: "c"})
same("before", ask("object", "Links", a, "--at", links[2]["seq"] - 1)[0]["fields"]["Links$Node.next"]["id"], b)
same("after", ask("object", "Links", a, "--at", links[2]["seq"])[0]["fields"]["Links$Node.next"]["id"], c)
same("c ends the list", ask("object", "Links", c)[0]["fields"]["Links$Node.next"], None)
same(
    "not made yet",
    "fields" in ask("object", "Links", c, "--at", 0)[0] and ask("object", "Links", c, "--at", 0)[0]["fields"],
    {},
)

read = events("Links", event="GET_INSTANCE_FIELD_RESULT", method="length")[0]
chain = ask("why", "Links", read["seq"])
same(
    "why next is c",
    [(e["event"], e["method"]) for e in chain],
    [
        ("GET_INSTANCE_FIELD_RESULT", "length"),
        ("PUT_INSTANCE_FIELD_VALUE", "insertWrongly"),
        ("LOCAL_LOAD", "insertWrongly"),
        ("LOCAL_STORE", "insertWrongly"),
        ("NEW_OBJECT_CREATED", "insertWrongly"),
    ],
)
same("a new object", chain[-1]["end"], "new object")
null = events("Links", event="GET_INSTANCE_FIELD_RESULT", method="length")[-1]
chain = ask("why", "Links", null["seq"])
same(
    "why null",
    (null["value"], chain[-1]["event"], chain[-1]["method"], chain[-1]["end"]),
    (None, "CALL_PARAM", "insertWrongly", "constant"),
)

exits = events("Links", event="METHOD_NORMAL_EXIT", method="length")
frames = ask("locals", "Links", "--at", exits[0]["seq"])
same("stack", [f["method"] for f in frames], ["length", "length", "length", "main"])
same("arguments", [f["parameters"].get("first") and f["parameters"]["first"]["id"] for f in frames[:3]], [None, c, a])
same("no rest yet", [f["locals"] for f in frames[:3]], [{}, {}, {}])
same("main", {k: v["id"] for k, v in frames[3]["locals"].items()}, {"a": a})
frames = ask("locals", "Links", "--at", exits[2]["seq"])
same("the outermost", (frames[0]["locals"], len(frames)), ({"rest": 1}, 2))
same("entered", frames[0]["entered"], events("Links", event="METHOD_ENTRY", method="length")[0]["seq"])
entry = events("Links", event="METHOD_ENTRY", method="<init>")[1]
same("constructors have no receiver yet", "this" in ask("locals", "Links", "--at", entry["seq"] + 2)[0], False)
same("then they have", ask("locals", "Links", "--at", links[1]["seq"] - 1)[0].get("this"), None)
around = ask("tree", "Links", "--around", exits[0]["seq"])
same(
    "tree",
    [(t["depth"], t["method"]) for t in around if t["method"] in ("main", "length")],
    [(0, "main"), (1, "length"), (2, "length"), (3, "length")],
)
end()
