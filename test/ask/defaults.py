# Defaults, DefaultsOutside: fields and elements that nothing has written are known to have their default, only they.
from ask import *


def state(trace, id, *options):
    """an object by the command alone"""
    return json.loads(run(command, "object", "%s/%s" % (work, trace), str(id), *map(str, options), "--json"))


def node(trace, id):
    """the node with that id"""
    name = {"Defaults": "Defaults$Base.id", "DefaultsOutside": "DefaultsOutside$Node.id"}[trace]
    nodes = [o["id"] for o in ask("objects", trace) if o.get("type", "").endswith("$Node")]
    return next(o for o in nodes if state(trace, o)["fields"][name] == id)


def array(trace, type, length):
    return next(
        o["id"]
        for o in ask("objects", trace)
        if o.get("type") == type and state(trace, o["id"], "-n", 1).get("length") == length
    )


def found(trace, condition):
    return [o["id"] for o in ask("objects", trace, "--where", condition)]


TRACE = "Defaults"
head, tail, given, called = (node(TRACE, n) for n in (1, 2, 3, 4))
o = state(TRACE, tail)
same(
    "an object that recorded code made",
    o["fields"],
    {
        "Defaults$Base.id": 2,
        "Defaults$Base.link": None,
        "Defaults$Base.seen": True,
        "Defaults$Node.mark": 0,
        "Defaults$Node.next": None,
        "Defaults$Node.weight": 0.0,
    },
)
unwritten = ["Defaults$Base.link", "Defaults$Node.mark", "Defaults$Node.next", "Defaults$Node.weight"]
same("which of it nothing has written", o["defaults"], unwritten)
written = ask("history", TRACE, "%d.seen" % tail)[-1]["seq"]
same("a field before its write", state(TRACE, tail, "--at", written - 1)["fields"]["Defaults$Base.seen"], False)
began = o["first"]
same("in the constructor", state(TRACE, tail, "--at", began)["fields"]["Defaults$Base.id"], 0)
same("before it was there", state(TRACE, tail, "--at", began - 1)["fields"], {})
o = state(TRACE, given)
same("given to reflection", ("Defaults$Node.mark" in o["fields"], "defaults" in o), (False, False))
before = state(TRACE, given, "--at", o["handed"]["seq"] - 1)["fields"]
same("before that", before["Defaults$Node.mark"], 0)
o = state(TRACE, called)
same("made by newInstance", ("created" in o, o["defaults"]), (False, ["Defaults$Base.seen"] + unwritten[1:]))

counts = state(TRACE, array(TRACE, "int[]", 3))
same("elements", (counts["elements"], counts["defaults"]), ({"0": 0, "1": 5, "2": 0}, ["0", "2"]))
grid = state(TRACE, next(o["id"] for o in ask("objects", TRACE) if o.get("type") == "java.lang.String[][]"))
rows = [state(TRACE, row["id"])["elements"] for row in grid["elements"].values()]
same("an array of arrays", (rows[0], rows[1]["1"]), ({"0": None, "1": None, "2": None}, None))
fours = [state(TRACE, o["id"], "-n", 1).get("length") for o in ask("objects", TRACE) if o.get("type") == "int[]"].count(
    4
)
same("a clone is as long", fours, 2)
tables = [state(TRACE, o["id"]) for o in ask("objects", TRACE) if o.get("type") == "java.lang.Object[]"]
same("a computed length", 4 in [t.get("length") for t in tables], True)
flags = state(TRACE, array(TRACE, "boolean[]", 2))
same("filled by the JDK", flags["elements"], {})
big = array(TRACE, "int[]", 5_000_000)
same("a part of many", state(TRACE, big, "-n", 3)["elements"], {"0": 0, "1": 0, "2": 0})
last = state(TRACE, big, "-n", 3, "--skip", 4_999_997)["elements"]
same("the last ones", last, {"4999997": 0, "4999998": 7, "4999999": 0})
same("not too many at once", len(state(TRACE, big)["elements"]), 65537)

same("--where a field is null", found(TRACE, "next == null"), [tail, called])
same("--where a field is false", found(TRACE, "id < 3 && seen == false"), [head])
same("--where an element is 0", found(TRACE, "length == 3 && [2] == 0 && [1] == 5"), [counts["id"]])

TRACE = "DefaultsOutside"
found_by_outside, own = node(TRACE, 2), node(TRACE, 3)
o = state(TRACE, found_by_outside)
same("stored where other code finds it", ("DefaultsOutside$Node.seen" in o["fields"], "defaults" in o), (False, False))
places = state(TRACE, o["fields"]["DefaultsOutside$Node.places"]["id"])
same("an array in it", places["elements"], {})
same("nowhere but in a variable", state(TRACE, own)["fields"]["DefaultsOutside$Node.seen"], False)
same("an array in a variable", state(TRACE, array(TRACE, "int[]", 2))["elements"].get("1"), None)
end()
