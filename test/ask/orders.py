# What is printed can be pasted back: objects, classes, nested classes and threads in every form, in every command.
from ask import *


def said(*args, status):
    """Standard error of a command that ends with this status."""
    r = subprocess.run(
        [command, args[0], "%s/Orders" % work, *map(str, args[1:])], capture_output=True, text=True, timeout=120
    )
    same("exit status of " + " ".join(map(str, args)), r.returncode, status)
    return r.stderr


full = ask("print", "Orders")
order = next(
    e["value"]["id"] for e in full if e["event"] == "NEW_OBJECT_CREATED" and e["value"]["type"] == "Orders$Shop$Order"
)

# an object
whole = ask("object", "Orders", order)
same("type", whole[0]["type"], "Orders$Shop$Order")
of_object = [e for e in full if isinstance(e.get("value"), dict) and e["value"]["id"] == order]
for form in (
    "#%d",
    "Orders$Shop$Order#%d",
    "Order#%d",
    "Shop$Order#%d",
    "Shop.Order#%d",
    "Orders.Shop.Order#%d",
    "*Order#%d",
):
    same(
        "object " + form,
        [json.loads(l) for l in run(command, "object", work + "/Orders", form % order, "--json").splitlines()],
        whole,
    )
    same("print --object " + form, ask("print", "Orders", "--object", form % order), of_object)
    same("print --value " + form, ask("print", "Orders", "--value", form % order), of_object)
anna = next(e["value"]["id"] for e in full if isinstance(e.get("value"), dict) and e["value"].get("string") == "anna")
for form in ('"anna"#%d', '"an"...#%d', "String#%d"):
    same(
        "object " + form,
        [json.loads(l) for l in run(command, "object", work + "/Orders", form % anna, "--json").splitlines()],
        ask("object", "Orders", anna),
    )
    same(
        "print --object " + form,
        ask("print", "Orders", "--object", form % anna),
        ask("print", "Orders", "--object", anna),
    )
    same(
        "print --value " + form,
        ask("print", "Orders", "--value", form % anna),
        ask("print", "Orders", "--object", anna),
    )
same("no string", "is of type Orders$Shop$Order" in said("object", '"anna"#%d' % order, status=1), True)
for form in (
    "%d.state",
    "#%d.state",
    "Order#%d.state",
    "Shop.Order#%d.state",
    "%d.Base.state",
    "Order#%d.Orders.Base.state",
):
    same("history " + form, [e["value"]["type"] for e in ask("history", "Orders", form % order)], ["Orders$State"] * 2)
same("another type", "is of type Orders$Shop$Order" in said("object", "State#%d" % order, status=1), True)
same("another type", "is of type Orders$Shop$Order" in said("print", "--object", "State#%d" % order, status=1), True)
for word in ("Order#", "Order#x", "#0", "x", "Order#%d.state" % order):
    same("no object: " + word, "5, #5 or Type#5" in said("object", word, status=2), True)

# a class
inner = [e for e in full if e["class"] == "Orders$Shop$Order"]
for form in (
    "Orders$Shop$Order",
    "Orders.Shop.Order",
    "Shop$Order",
    "Shop.Order",
    "Order",
    "Ord?r",
    "*Order",
    "Orders/Shop/Order",
    "*.Shop.Order",
):
    same("print --class " + form, ask("print", "Orders", "--class", form), inner)
    for table in ("methods", "dataids", "report", "freq", "latest"):
        same(
            "%s --class %s" % (table, form),
            {r["class"] for r in ask(table, "Orders", "--class", form)},
            {"Orders$Shop$Order"},
        )
    same(
        "classes --class " + form,
        [c["class"] for c in ask("classes", "Orders", "--class", form)],
        ["Orders$Shop$Order"],
    )
    same("objects --type " + form, {o["type"] for o in ask("objects", "Orders", "--type", form)}, {"Orders$Shop$Order"})
same("arrays", [o["type"] for o in ask("objects", "Orders", "--type", "Order[]")], ["Orders$Shop$Order[]"])
same("arrays by glob", [o["type"] for o in ask("objects", "Orders", "--type", "Sh*[]")], ["Orders$Shop$Order[]"])
base = [e["seq"] for e in ask("history", "Orders", "Orders$Base.state")]
same("Base.state is written", len(base), 6)
for form in ("Base.state", "Orders.Base.state", "Order.state", "Shop.Order.state"):
    same("history " + form, [e["seq"] for e in ask("history", "Orders", form)], base)
same("a local variable", len(ask("history", "Orders", "Orders.main:i")), 4)

# threads and event types
pool = [t["thread"] for t in ask("threads", "Orders") if t["name"].startswith("pool-")]
same("three threads", len(pool), 3)
of_pool = [e for e in full if e["thread"] in pool]
same("print --thread 'pool-*'", ask("print", "Orders", "--thread", "pool-*"), of_pool)
same("print --thread NAME", ask("print", "Orders", "--thread", "pool-1"), [e for e in full if e["thread"] == pool[1]])
same("print --thread NUMBER", ask("print", "Orders", "--thread", pool[1]), [e for e in full if e["thread"] == pool[1]])
for option in ("--event", "--events"):
    same(
        option,
        ask("print", "Orders", option, "method_entry,Call"),
        [e for e in full if e["event"] in ("METHOD_ENTRY", "CALL")],
    )
    same(option + " glob", ask("print", "Orders", option, "call*"), [e for e in full if e["event"].startswith("CALL")])
    same(
        "freq " + option,
        {r["event"] for r in ask("freq", "Orders", option, "label,*_store")},
        {"LABEL", "LOCAL_STORE", "ARRAY_STORE"},
    )
groups = {n: g["events"] for n, g in json.loads(run(command, "info", work + "/Orders", "--json"))["groups"].items()}
for g in ("EXEC", "call", "Field", "array+LOCAL"):
    same("print --group " + g, len(ask("print", "Orders", "--group", g)), sum(groups[x] for x in g.upper().split("+")))
same(
    "--group and --event",
    {e["event"] for e in ask("print", "Orders", "--group", "sync", "--event", "label")},
    {"LABEL"},
)
tree = [json.loads(l) for l in run(command, "tree", work + "/Orders", "--thread", "pool-*", "--json").splitlines()]
same(
    "tree --thread 'pool-*'",
    [r for t in pool for r in ask("tree", "Orders", "--thread", t)],
    tree,
)
same("its threads", sorted({r["thread"] for r in tree}), pool)
same(
    "headings",
    [l for l in run(command, "tree", work + "/Orders", "--thread", "pool-*").splitlines() if l.startswith("thread")],
    ["thread %d pool-%d" % (t, i) for i, t in enumerate(pool)],
)


# conditions
def rows(question, condition, *args):
    return [
        json.loads(l)
        for l in run(command, question, work + "/Orders", "--json", "--where", condition, *args).splitlines()
    ]


orders = [o["id"] for o in ask("objects", "Orders", "--type", "Order")]


def objects(condition, *args):
    return [orders.index(o["id"]) for o in rows("objects", condition, "--type", "Order", *args)]


for condition, want in (
    ("state == EXPIRED", [1]),
    ("state != EXPIRED", [0, 2]),
    ("Base.state==PAID", [0, 2]),
    ("!(state == PAID)", [1]),
    ("price == 20", [1]),
    ("price != 20", [0, 2]),
    ("price < 20", [0]),
    ("price <= 20", [0, 1]),
    ("price > 20", [2]),
    ("price >= 0x14", [1, 2]),
    ("price == 10 || price == 30", [0, 2]),
    ("price > 5 && price < 25 && state == EXPIRED", [1]),
    ("price == 10 || price == 20 && price == 30", [0]),
    ("(price == 10 || price == 20) && price > 15", [1]),
    ("customer == anna", [0]),
    ('customer == "berta"', [1]),
    ("customer == null", [2]),
    ("customer != null", [0, 1]),
    ("customer =~ '^b.*a$'", [1]),
    ("customer =~ r", [1]),
    ("customer < b", [0]),
    ("customer > 5", []),
    ("customer < 5", []),
    ("state == NOWHERE", []),
    ("id == %d" % orders[1], [1]),
    ("id == #%d" % orders[1], [1]),
    ("id == Order#%d" % orders[1], [1]),
    ("id == State#%d" % orders[1], []),
    ("id != #%d" % orders[1], [0, 2]),
    ("type == Order", [0, 1, 2]),
    ("type == Base", []),
    ("price == anna", []),
    ("Other.state == PAID", []),
):
    same("objects --where " + condition, objects(condition), want)
for condition, want in (
    ("customer == String#%d", [0]),
    ("customer == #%d", [0]),
    ('customer == "anna"#%d', [0]),
    ("customer == Order#%d", []),
):
    same("objects --where " + condition, objects(condition % anna), want)
same(
    "at a moment", objects("state == OPEN", "--at", str(next(e["seq"] for e in full if e["thread"] in pool))), [0, 1, 2]
)
same("at the end", objects("state == OPEN"), [])
state = ask("object", "Orders", order)[0]["fields"]["Orders$Base.state"]["id"]
same("an object", objects("state == State#%d" % state), [0, 2])
same(
    "elements",
    [o["type"] for o in rows("objects", "[1] == Order#%d && length == 3" % orders[1])],
    ["Orders$Shop$Order[]"],
)
same(
    "strings",
    sorted(o["id"] for o in rows("objects", "string =~ '^(anna|berta)$'")),
    sorted({e["value"]["id"] for e in full if plain(e.get("value")) in ("anna", "berta")}),
)

for condition, passes in (
    ("value == 20", lambda e: e.get("value") == 20 and e["value"] is not True),
    ("thread == pool-1 && event == METHOD_ENTRY", lambda e: e["thread"] == pool[1] and e["event"] == "METHOD_ENTRY"),
    ("thread == %d" % pool[1], lambda e: e["thread"] == pool[1]),
    (
        "thread =~ '^pool' && class == Orders && method == total",
        lambda e: e["thread"] in pool and e["class"] == "Orders" and e["method"] == "total",
    ),
    ("class == Order", lambda e: e["class"] == "Orders$Shop$Order"),
    ('method == "total"', lambda e: e["method"] == "total"),
    ("!(method != <init>)", lambda e: e["method"] == "<init>"),
    (
        "price == 30 && event != LOCAL_LOAD",
        lambda e: e.get("value") == 30 and e["event"] != "LOCAL_LOAD" and e.get("attr", {}).get("name") == "price",
    ),
    ("result == 41", lambda e: e.get("value") == 41 and e["event"] in ("METHOD_NORMAL_EXIT", "CALL_RETURN")),
    (
        "arg1 == 10 && event == METHOD_PARAM",
        lambda e: e.get("value") == 10 and e["event"] == "METHOD_PARAM" and e["method"] == "total",
    ),
    ("arg0 == 20", lambda e: e.get("value") == 20 and e["event"] in ("METHOD_PARAM", "CALL_PARAM")),
    (
        "shipping > 50",
        lambda e: e["method"] == "total" and e.get("attr", {}).get("name") == "shipping" and e["value"] == 100,
    ),
    (
        "state == EXPIRED",
        lambda e: e.get("attr", {}).get("name") == "state"
        and e["event"] == "PUT_INSTANCE_FIELD_VALUE"
        and e["thread"] == pool[1],
    ),
    ("seq >= 20 && seq < 30", lambda e: 20 <= e["seq"] < 30),
    ("value == Order#%d" % orders[1], lambda e: raw(e.get("value")) == orders[1] and isinstance(e["value"], dict)),
    ("order == #%d" % orders[1], lambda e: e.get("attr", {}).get("name") == "order" and raw(e["value"]) == orders[1]),
    ("line == %d" % full[5]["line"], lambda e: e["line"] == full[5]["line"]),
):
    want = [e["seq"] for e in full if passes(e)]
    same("print --where %s has an answer" % condition, want != [], True)
    same("print --where " + condition, [e["seq"] for e in rows("print", condition)], want)
    told = example("where", "Orders", condition)
    same("in C: " + condition, ["event %d" % seq for seq in want], [l for l in told if l.startswith("event ")])
    never = [e for e in full if not passes(e)]
    opposite = [l for l in example("where", "Orders", "!(%s)" % condition) if l.startswith("event ")]
    unknown = [int(l.split()[1]) for l in told if l.startswith("unknown ")]
    same("true, false or not known: " + condition, [len(want) + len(opposite) + unknown[0]], [len(full)])
    same("not both: " + condition, {"event %d" % e["seq"] for e in never} >= set(opposite), True)
# a condition is an expression: arithmetic, ?:, other names on the right
for condition, passes in (
    ("seq % 2 == 1", lambda e: e["seq"] % 2 == 1),
    ("value * 2 == 40", lambda e: e.get("value") == 20 and e["value"] is not True),
    ("seq > line * 10", lambda e: "line" in e and e["seq"] > e["line"] * 10),
    ("line == (seq > 40 ? 11 : 12)", lambda e: e.get("line") == (11 if e["seq"] > 40 else 12)),
    ("!seq < 20", lambda e: e["seq"] >= 20),
):
    want = [e["seq"] for e in full if passes(e)]
    same("print --where " + condition, [e["seq"] for e in rows("print", condition)], want)
same("names of both sides", objects("price < price + 1"), objects("price < 1000"))
# what a row does not have is neither true nor false: ! and the opposite operator agree, and so do && and || behind a !
for question, other, comparisons in (
    (
        "objects",
        "price < 25",
        (("price", "20"), ("state", "PAID"), ("customer", "anna"), ("customer", "null"), ("Base.price", "20")),
    ),
    ("print", "arg0 == 10", (("price", "20"), ("shipping", "50"), ("value", "20"), ("result", "41"), ("arg0", "20"))),
    ("tree", "shipping > 50", (("price", "20"), ("result", "41"), ("arg0", "20"))),
):
    for name, value in comparisons:
        for op, opposite in (("==", "!="), ("<", ">=")):
            a, b = "%s %s %s" % (name, op, value), "%s %s %s" % (name, opposite, value)
            same("%s --where !(%s)" % (question, a), rows(question, "!(%s)" % a), rows(question, b))
        same(
            "%s --where !(%s && %s)" % (question, a, other),
            rows(question, "!(%s && %s)" % (a, other)),
            rows(question, "!(%s) || !(%s)" % (a, other)),
        )
same("!, unknown", [objects("!(Other.state == PAID)"), objects("!(price == 20 && Other.state == PAID)")], [[], [0, 2]])
same("print --where with --limit", [e["seq"] for e in rows("print", "seq >= 20", "--limit", "3")], [20, 21, 22])


def calls(condition, *args):
    return [(r["method"], r.get("result")) for r in rows("tree", condition, *args)]


in_pool = ("--thread", "pool-*")
same("the call that went wrong", calls("result != 20 && result != 30", "--method", "total", *in_pool), [("total", 41)])
same(
    "by its parameters", calls("shipping == 10 && arg1 == 10", *in_pool), [("total", 20), ("total", 30), ("total", 41)]
)
same(
    "by an argument",
    calls("order == Order#%d" % orders[1], "--method", "tot*", "--class", "Orders", *in_pool),
    [("total", 30)],
)
same("by thread", calls("thread == pool-2 && method == total", *in_pool), [("total", 41)])
same(
    "constructors",
    [r["arguments"][0] for r in rows("tree", "price > 10 && method == <init>", "--class", "Order")],
    [20, 30],
)
same(
    "tree --method alone",
    [r["method"] for r in ask("tree", "Orders", "--method", "total", "--thread", "pool-0")],
    ["total"],
)

for bad, says in (
    ("", "expected a name"),
    ("price", "expected one of =="),
    ("price ==", "expected a value"),
    ("price == 1 &&", "expected a name"),
    ("(price == 1", "expected &&, || or )"),
    ("price == 1 price", "expected && or ||"),
    ("price =~ '('", "regular expression"),
    ("price == 'a", "end of the quoted text"),
    ("(" * 1000, "fewer parentheses"),
    ("!" * 1000, "fewer parentheses"),
):
    for question in ("objects", "print", "tree"):
        same("%s --where %.20s" % (question, bad), says in said(question, "--where", bad, status=2), True)
for condition in ("nofield == 1", "nofield != 1"):
    same(condition, "no row has 'nofield'" in said("objects", "--type", "Order", "--where", condition, status=1), True)
same(
    "a name that nothing has",
    "no row has 'prize'; the nearest: Orders$Shop$Order.price"
    in said("objects", "--type", "Order", "--where", "prize == 1", status=1),
    True,
)
same(
    "a field of another name, of another class",
    "no row has 'Ordr.prize'; the nearest: Orders$Shop$Order.price"
    in said("objects", "--type", "Order", "--where", "Ordr.prize == 1", status=1),
    True,
)
same(
    "a word that is misspelt",
    "no row has 'reslt'; the nearest: result" in said("tree", "--where", "reslt == 1", status=1),
    True,
)
# an event has one value, so there are names that no event has both of
for condition, names, status in (
    ("price == 30 && shipping == 10", ("price", "shipping"), 1),
    ("price == 1 && line > 0 && shipping == 10", ("price", "shipping"), 1),
    ("line > 0 && (result == 41 && price != 1)", ("result", "price"), 1),
    ("(price == 30 && shipping == 10) || price == 12345", ("price", "shipping"), 0),
):
    told = said("print", "--where", condition, status=status).partition("no event has both ")[2]
    same("%s: %s" % (condition, told), [told.startswith(names[0] + " ("), " and %s (" % names[1] in told], [True, True])
    same("and what is right", "tree --where" in told and told.count("\n") == 1 + (status == 0), True)
for condition in ("price == 12345 && value == 1", "arg0 == 12345 && order == null", "!(price == 30) && shipping == 1"):
    same(condition, "no event has both" in said("print", "--where", condition, status=0), False)
born = min(e["seq"] for e in of_object)
same(
    "before it was there",
    "object %d was not there yet at %d: its first event is %d" % (order, born - 1, born)
    in said("object", order, "--at", born - 1, status=0),
    True,
)
same("when it is there", said("object", order, "--at", born, status=0), "")
same(
    "a field without its class",
    [
        "; the nearest: Orders$Shop$Order.state, Orders$Base.state" in said(*question, status=2)
        for question in (("history", "state"), ("last-write", "stat", "--at", "100"))
    ],
    [True, True],
)
same("an empty answer", "empty" in said("print", "--where", "value == 4711", status=0), True)

moment = ask("history", "Orders", "Base.state")[4]["seq"]
same("tree --at", ask("tree", "Orders", "--at", moment), ask("tree", "Orders", "--around", moment))
same(
    "last-write --at",
    [json.loads(run(command, "last-write", work + "/Orders", "Base.state", "--at", str(moment), "--json"))["seq"]],
    [moment],
)
same(
    "why --at",
    run(command, "why", work + "/Orders", "--at", str(moment), "--json"),
    run(command, "why", work + "/Orders", str(moment), "--json"),
)
end()
