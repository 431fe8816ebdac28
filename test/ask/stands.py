# What objects stand for is what their toString() says, and satisfies conditions on it.
from ask import *

stream = events("Stands")


def those(event, method):
    return [e for e in stream if (e["event"], e["method"]) == (event, method)]


said, of_collections = open(work + "/Stands.out").read().split("--\n")
said = said.splitlines()
own_name = {"not the name": "GREEN"}
see = those("METHOD_PARAM", "see")
same("calls of see", len(see), len(said))


def text(reference):
    value = reference.get("value", "nothing")
    if isinstance(value, bool):
        return str(value).lower()
    return chr(value) if reference["type"].endswith("Character") else str(value)


for e, line in zip(see, said):
    same("seq %d" % e["seq"], text(e["value"]), own_name.get(line, line))

# not ready inside its own constructor: what it shows is what it became
inside = those("METHOD_PARAM", "seen")[0]
same("first seen inside its constructor", inside["value"]["value"], "Narrow[b=1, z=true]")

# through the C API
c_api = example("object_values", "Stands")
box = those("METHOD_PARAM", "take")[0]["value"]
same("a box", "%d is a box of 41, bits 29" % box["id"] in c_api, True)
same("a decimal", "%d is 110.00" % those("METHOD_PARAM", "take")[2]["value"]["id"] in c_api, True)
same("a constant", [l.split(" is ")[1] for l in c_api if l.endswith("constant HALF_UP")], ["the constant HALF_UP"])

# text
shown = run(command, "tree", work + "/Stands")
take = [l.strip() for l in shown.splitlines() if "Stands.take(" in l]
same("tree", "Stands.take(41, Stands$Color.RED, BigDecimal#" in take[0] and " 110.00, 5000000000)" in take[0], True)
call = those("METHOD_ENTRY", "take")[0]
frame = run(command, "locals", work + "/Stands", "--at", str(call["seq"] + 4))
same("locals", ["Integer#" in frame, " 41\n" in frame, "Stands$Color.RED" in frame, " 110.00" in frame], [True] * 4)
amount = those("METHOD_PARAM", "take")[2]["value"]
whole = run(command, "object", work + "/Stands", str(amount["id"]))
same("object", whole.splitlines()[0], "BigDecimal#%d 110.00" % amount["id"])
same("why", " BigDecimal#%d 110.00" % amount["id"] in run(command, "why", work + "/Stands", str(call["seq"] + 3)), True)

# what is shown is found, and satisfies a condition
for option, wanted in [("--value", "110.00"), ("--text", "110.0"), ("--value", "BigDecimal#%d 110.00" % amount["id"])]:
    found = ask("print", "Stands", option, wanted)
    same("print %s %s" % (option, wanted), call["seq"] + 3 in [e["seq"] for e in found], True)
names = {e["value"]["value"] for e in ask("print", "Stands", "--value", "Stands.Color.RED")}
same("print --value of a constant", names, {"RED"})
for condition in [
    "n == 41",
    "n < 42",
    "n != 42",
    "color == RED",
    "color == Stands.Color.RED",
    "color =~ ^R",
    "amount == 110.00",
    "amount == 110",
    "amount < 115.5",
    "id == 5000000000",
    "id > 1",
    "arg0 == 41 && arg3 == 5000000000",
]:
    calls = ask("tree", "Stands", "--where", condition)
    same("tree --where '%s'" % condition, [c["seq"] for c in calls if c["method"] == "take"], [call["seq"]])
for condition, event in [("field == 4711", "PUT_STATIC_FIELD"), ("variable == 4713", "LOCAL_STORE")]:
    found = ask("print", "Stands", "--where", condition)
    same("print --where '%s'" % condition, event in [e["event"] for e in found], True)
found = ask("print", "Stands", "--where", "value == 4712 && event == ARRAY_STORE_VALUE") or ask(
    "print", "Stands", "--where", "value == 4712"
)
same("an element", 4712 in [v["value"]["value"] for v in found if isinstance(v["value"], dict)], True)
arrays = ask("objects", "Stands", "--where", "[1] == 4712")
same("objects --where of an element", [a["type"] for a in arrays], ["java.lang.Object[]"])
points = ask("objects", "Stands", "--where", "box == 77")
same("objects --where of a field", [p["type"].split("$")[-1] for p in points], ["Point"])

# collections at a moment
expected = of_collections.splitlines()
for i, e in enumerate(those("METHOD_ENTRY", "collections")):
    frame = ask("locals", "Stands", "--at", e["seq"] + 3)[0]["parameters"]
    same("collections", [v["value"] for v in frame.values()], expected[3 * i : 3 * i + 3])
end()
