# The stale price: the second answer comes from the array, written before the price was raised.
from ask import *

exits = events("Cache", event="METHOD_NORMAL_EXIT", method="priceOf")
same("both answers", values(exits), [30, 30])
chain = ask("why", "Cache", exits[1]["seq"])
same(
    "why 30",
    [(e["event"], e["method"]) for e in chain],
    [
        ("METHOD_NORMAL_EXIT", "priceOf"),
        ("ARRAY_LOAD_RESULT", "priceOf"),
        ("ARRAY_STORE_VALUE", "priceOf"),
        ("LOCAL_LOAD", "priceOf"),
        ("LOCAL_STORE", "priceOf"),
        ("GET_STATIC_FIELD", "priceOf"),
        ("PUT_STATIC_FIELD", "<clinit>"),
    ],
)
same("from the first price", (chain[5]["value"], chain[-1]["value"], chain[-1]["end"]), (10, 10, "constant"))
same(
    "price",
    [(e["value"], e["method"]) for e in ask("history", "Cache", "Cache.price")],
    [(10, "<clinit>"), (15, "raise")],
)
array = events("Cache", event="ARRAY_STORE", method="priceOf")[0]["value"]["id"]
same("element", values(ask("history", "Cache", "%d[3]" % array)), [30])
same("element never written", ask("history", "Cache", "%d[2]" % array), [])
same(
    "last write of the element",
    [e["seq"] for e in ask("last-write", "Cache", "%d[3]" % array, "--before", chain[1]["seq"])],
    [chain[2]["seq"]],
)
state = ask("object", "Cache", array)[0]
same("array", (state["type"], state["length"], state["elements"]), ("int[]", 4, {"0": 0, "1": 0, "2": 0, "3": 30}))
same(
    "array before", ask("object", "Cache", array, "--at", chain[2]["seq"] - 1)[0]["elements"], dict.fromkeys("0123", 0)
)
same("example object", example("object", "Cache", array), ["int[]", "[0] = 0", "[1] = 0", "[2] = 0", "[3] = 30"])
cache = events("Cache", event="NEW_OBJECT_CREATED", method="main")[0]["value"]["id"]
fields = ask("object", "Cache", cache)[0]["fields"]
same(
    "fields",
    {k: plain(v) for k, v in fields.items()},
    {"Cache.hits": 1, "Cache.valid": "boolean[]", "Cache.values": "int[]"},
)
valid = ask("object", "Cache", fields["Cache.valid"]["id"])[0]
same("boolean[]", valid["elements"], {"0": False, "1": False, "2": False, "3": True})
read = [e["seq"] for e in events("Cache", event="ARRAY_LOAD_RESULT", method="priceOf") if e["pc"] == 5]
chains = [[e["value"] is True for e in ask("why", "Cache", s)][:2] for s in read]
same("why of its elements", chains, [[False], [True] * 2])
bits = [e for e in events("Cache", method="priceOf") if e["event"] in ("ARRAY_LOAD_RESULT", "ARRAY_STORE_VALUE")]
bits = [e for e in bits if e["line"] in (9, 15)]
same("elements of boolean[] in print", [e["value"] is True for e in bits], [False, True, True])
same("by value", [e["seq"] for e in ask("print", "Cache", "--value", "true")], [e["seq"] for e in bits[1:]])
for number in "0", "1":  # is no value of a boolean
    same("by " + number, [e for e in ask("print", "Cache", "--value", number) if isinstance(e["value"], bool)], [])
first = ask("print", "Cache", "--from", read[1], "--num", 1)[0]
same("without the event of the array", (first["seq"], first["value"] is True), (read[1], True))
for what, more in ("history", ()), ("last-write", ("--before", read[1])):
    found = ask(what, "Cache", "%d[3]" % fields["Cache.valid"]["id"], *more)
    same(what + " of an element of boolean[]", [e["value"] is True for e in found], [True])
hit = events("Cache", event="GET_INSTANCE_FIELD_RESULT", method="priceOf")
chain = ask("why", "Cache", next(e for e in hit if e["attr"]["name"] == "hits")["seq"])
same("hits begins at its default", (chain[-1]["value"], chain[-1]["end"]), (0, "default value"))
main = ask("locals", "Cache", "--at", exits[1]["seq"])[-1]
same("main has before but not after", (main["locals"]["before"], "after" in main["locals"]), (30, False))
end()
