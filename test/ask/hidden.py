# Hidden: every field under its declaring class at every moment, whichever class names it, and one grammar to ask for
# it.
from ask import *

END = 10**9


def of(type):
    return next(o["id"] for o in ask("objects", "Hidden") if o["type"] == "Hidden$" + type)


def at(what, moment):
    """The fields of an object, by their names without the package of the program."""
    fields = ask("object", "Hidden", what, *(["--at", moment] if moment else []))[0]["fields"]
    return {n.replace("Hidden$", ""): plain(v) for n, v in fields.items()}


def refused(question, *words, says, status=1):
    r = subprocess.run([command, question, work + "/Hidden", *words], capture_output=True, text=True)
    same("%s %s" % (question, " ".join(words)), (r.returncode, r.stdout, says in r.stderr), (status, "", True))


leaf, plain_one, bag = of("Leaf"), of("Plain"), of("Bag")
sets = [e["seq"] for e in events("Hidden", event="PUT_INSTANCE_FIELD_VALUE", method="set")]
same("a subclass's field by the superclass's method", at(leaf, sets[1])["Base.state"], 99)
same("read, then written again", at(leaf, sets[1] - 2)["Base.state"], 1)
same(
    "all that hide each other",
    at(leaf, None),
    {"Base.state": 61, "Base.name": "b60", "Mid.state": 60, "Mid.name": "m60", "Leaf.name": 7},
)
same("nobody reads it through the subclass", at(plain_one, None), {"Base.state": 8, "Base.name": "base"})

for what, want in (
    ("Base.state", [1, 99, 8, 61]),
    ("Mid.state", [50, 60]),
    ("Leaf.state", [50, 60]),
    ("Plain.state", [8]),
    ("%d.state" % leaf, [50, 60]),
    ("%d.Base.state" % leaf, [1, 99, 61]),
    ("%d.Hidden$Base.state" % leaf, [1, 99, 61]),
    ("%d.Leaf.state" % leaf, [50, 60]),
    ("Hidden$Leaf#%d.state" % leaf, [50, 60]),
    ("#%d.Base.state" % leaf, [1, 99, 61]),
    ("%d.state" % plain_one, [8]),
    ("%d.name" % leaf, [7]),
    ("%d.Mid.name" % leaf, ["mid", "m60"]),
    ("Base.count", [4, 6]),
    ("Leaf.count", [4, 6]),
):
    same("history " + what, values(ask("history", "Hidden", what)), want)
    same("last-write " + what, values(ask("last-write", "Hidden", what, "--before", END)), want[-1:])
refused("history", "%d.nosuch" % leaf, says="has no field 'nosuch'; it has ")
refused("history", "Leaf.nosuch", says="has no field 'nosuch'")
refused("history", "Nowhere.x", says="no class 'Nowhere'")
refused("last-write", "%d.Plain.state" % leaf, says="is not a 'Plain'")
refused("last-write", "999999[0]", says="there is no object 999999")
refused("history", "%d[0]" % leaf, says="not an array")
refused("history", "Plain#%d.state" % leaf, says="is of type Hidden$Leaf")
refused("history", "Hidden.nosuch:i", says="has no method 'nosuch'")
refused("history", "%d.count" % leaf, says="name it Hidden$Base.count")

same("declared by a class that is not woven", at(bag, None), {"java.util.AbstractList.modCount": 5, "Bag.only": "b"})
same("a constant of an interface", values(ask("history", "Hidden", "Plain.LOW")), [3])
read = one(
    "Hidden", event="GET_STATIC_FIELD", method="main", attr={"name": "level", "owner": "Hidden$Lazy", "type": "int"}
)
same(
    "what initialization writes comes before",
    [plain(read["value"])] + values(ask("last-write", "Hidden", "Lazy.level", "--before", END)),
    [5, 5],
)
put = one(
    "Hidden", event="PUT_STATIC_FIELD", method="<clinit>", attr={"name": "level", "owner": "Hidden$Lazy", "type": "int"}
)
same("before it was over", values(ask("last-write", "Hidden", "Lazy.level", "--before", put["seq"] + 1)), [1])
same("why", ask("why", "Hidden", read["seq"])[1]["method"], "main")
same("a class that never got ready", ask("history", "Hidden", "Broken.level"), [])

made = [e["value"]["id"] for e in events("Hidden", event="NEW_ARRAY_RESULT", method="arrays")]
to, words = made[1], made[2]
copied, again = [e for e in events("Hidden", event="CALL", method="arrays") if e["attr"]["name"] == "arraycopy"]
answer = ask("object", "Hidden", to, "--at", copied["seq"] + 5)[0]
same(
    "after arraycopy",
    (answer["elements"], answer["handed"]["attr"]["name"], answer["stale"]),
    ({"0": 7, "1": 8, "2": 9}, "arraycopy", ["0", "1", "2"]),
)
answer = ask("object", "Hidden", to, "--at", again["seq"])[0]
same("what was read since is known", (answer["elements"]["0"], answer["stale"]), (1, ["1", "2"]))
same("before arraycopy", "handed" in ask("object", "Hidden", to, "--at", copied["seq"] - 1)[0], False)
answer = ask("last-write", "Hidden", "%d[1]" % to, "--before", END)[0]
same("last-write says so too", (answer["value"], answer["handed"]["attr"]["name"]), (8, "arraycopy"))
same(
    "a store that threw is no write", [plain(v) for v in ask("object", "Hidden", words)[0]["elements"].values()], ["x"]
)
same("nor its history", values(ask("history", "Hidden", "%d[0]" % words)), ["x"])
refused("history", "%d[3]" % to, says="has 3 elements, there is none at [3]")
tag = of("Tag")
built = one("Hidden", event="NEW_OBJECT_CREATED", method="tags")["seq"]
answer = ask("object", "Hidden", tag)[0]
same(
    "a final field stays as it is",
    (answer["fields"], answer["handed"]["attr"]["name"], answer["stale"]),
    ({"Hidden$Tag.id": 31, "Hidden$Tag.uses": 2}, "hashCode", ["Hidden$Tag.uses"]),
)
answer = ask("object", "Hidden", tag, "--at", built - 1)[0]
same(
    "not while it is constructed",
    (answer["handed"]["attr"]["name"], answer["stale"]),
    ("identityHashCode", ["Hidden$Tag.id"]),
)
copy = made[3]
answer = ask("object", "Hidden", copy)[0]
same("nothing is known but the hand-over", (answer["elements"], answer["handed"]["attr"]["name"]), ({}, "arraycopy"))
refused("last-write", "%d[0]" % copy, says="handed to java.lang.System.arraycopy at ", status=0)
same("declared by", [e["declaring"] for e in ask("history", "Hidden", "%d.state" % leaf)], ["Hidden$Mid"] * 2)
grid = one("Hidden", event="MULTI_NEW_ARRAY")["value"]["id"]
rows = [e["value"]["id"] for e in events("Hidden", event="MULTI_NEW_ARRAY_ELEMENT")[:2]]
for n, want in ((0, [rows[0], to]), (1, [rows[1]])):
    same("elements by multianewarray", [e["value"]["id"] for e in ask("history", "Hidden", "%d[%d]" % (grid, n))], want)
    same(
        "and the last",
        [e["value"]["id"] for e in ask("last-write", "Hidden", "%d[%d]" % (grid, n), "--before", END)],
        want[-1:],
    )
same("length of an array of arrays", ask("object", "Hidden", grid)[0]["length"], 2)
same("from the write on", values(ask("history", "Hidden", "Base.state", "--from", sets[1])), [99, 8, 61])
same("from behind it", values(ask("history", "Hidden", "%d.Base.state" % leaf, "--from", sets[1] + 1)), [61])
same("Arrays.fill", ask("object", "Hidden", rows[1])[0]["elements"], {"1": 4})
# which objects have a field of a name: those whose classes or superclasses recorded code accesses it in, and no others
held = {o["id"]: ask("object", "Hidden", o["id"])[0].get("fields", {}) for o in ask("objects", "Hidden")}
for name in ("state", "value", "nothing", "id"):
    have = {i: [v for f, v in fields.items() if f.split(".")[-1] == name] for i, fields in held.items()}
    want = [(i, v) for i, values_of in have.items() for v in values_of]
    lines = example("field_values", "Hidden", name)
    same(
        "objects with " + name,
        sorted(int(line.split("#")[-1].split()[0]) for line in lines),
        sorted(i for i, v in want),
    )
    if name == "state":  # others are not names of fields
        found = [o["id"] for o in ask("objects", "Hidden", "--where", '%s =~ "."' % name)]
        same("--where " + name, set(found) <= {i for i, v in want}, True)
same("by id", [o["id"] for o in ask("objects", "Hidden", "--where", "id == %d" % leaf)], [leaf])
end()
