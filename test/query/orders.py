# What is printed can be pasted back: objects, classes, nested classes and threads in every form, in every command.
from ask import *

def said(*args, status):
    """Standard error of a command that ends with this status."""
    r = subprocess.run([command, args[0], "%s/Orders" % work, *map(str, args[1:])], capture_output=True, text=True, timeout=120)
    same("exit status of " + " ".join(map(str, args)), r.returncode, status)
    return r.stderr

full = ask("print", "Orders")
order = next(e["value"]["id"] for e in full if e["event"] == "NEW_OBJECT_CREATED" and e["value"]["type"] == "Orders$Shop$Order")

# an object
whole = ask("object", "Orders", order)
same("type", whole[0]["type"], "Orders$Shop$Order")
of_object = [e for e in full if isinstance(e.get("value"), dict) and e["value"]["id"] == order]
for form in ("#%d", "Orders$Shop$Order#%d", "Order#%d", "Shop$Order#%d", "Shop.Order#%d", "Orders.Shop.Order#%d", "*Order#%d"):
    same("object " + form, [json.loads(l) for l in run(command, "object", work + "/Orders", form % order, "--json").splitlines()], whole)
    same("print --object " + form, ask("print", "Orders", "--object", form % order), of_object)
    same("print --value " + form, ask("print", "Orders", "--value", form % order), of_object)
for form in ("%d.state", "#%d.state", "Order#%d.state", "Shop.Order#%d.state", "%d.Base.state", "Order#%d.Orders.Base.state"):
    same("history " + form, [e["value"]["type"] for e in ask("history", "Orders", form % order)], ["Orders$State"] * 2)
same("another type", "is of type Orders$Shop$Order" in said("object", "State#%d" % order, status=1), True)
same("another type", "is of type Orders$Shop$Order" in said("print", "--object", "State#%d" % order, status=1), True)
for word in ("Order#", "Order#x", "#0", "x", "Order#%d.state" % order):
    same("no object: " + word, "5, #5 or Type#5" in said("object", word, status=2), True)

# a class
inner = [e for e in full if e["class"] == "Orders$Shop$Order"]
for form in ("Orders$Shop$Order", "Orders.Shop.Order", "Shop$Order", "Shop.Order", "Order", "Ord?r", "*Order", "Orders/Shop/Order", "*.Shop.Order"):
    same("print --class " + form, ask("print", "Orders", "--class", form), inner)
    for table in ("methods", "dataids", "report", "freq", "latest"):
        same("%s --class %s" % (table, form), {r["class"] for r in ask(table, "Orders", "--class", form)}, {"Orders$Shop$Order"})
    same("classes --class " + form, [c["class"] for c in ask("classes", "Orders", "--class", form)], ["Orders$Shop$Order"])
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
    same(option, ask("print", "Orders", option, "method_entry,Call"), [e for e in full if e["event"] in ("METHOD_ENTRY", "CALL")])
    same(option + " glob", ask("print", "Orders", option, "call*"), [e for e in full if e["event"].startswith("CALL")])
    same("freq " + option, {r["event"] for r in ask("freq", "Orders", option, "label,*_store")}, {"LABEL", "LOCAL_STORE", "ARRAY_STORE"})
groups = {n: g["events"] for n, g in json.loads(run(command, "info", work + "/Orders", "--json"))["groups"].items()}
for g in ("EXEC", "call", "Field", "array+LOCAL"):
    same("print --group " + g, len(ask("print", "Orders", "--group", g)), sum(groups[x] for x in g.upper().split("+")))
same("--group and --event", {e["event"] for e in ask("print", "Orders", "--group", "sync", "--event", "label")}, {"LABEL"})
tree = [json.loads(l) for l in run(command, "tree", work + "/Orders", "--thread", "pool-*", "--json").splitlines()]
same("tree --thread 'pool-*'", [r for t in pool for r in ask("tree", "Orders", "--thread", t)], [{k: v for k, v in r.items() if k != "thread"} for r in tree])
same("its threads", sorted({r["thread"] for r in tree}), pool)
same("headings", [l for l in run(command, "tree", work + "/Orders", "--thread", "pool-*").splitlines() if l.startswith("thread")], ["thread %d pool-%d" % (t, i) for i, t in enumerate(pool)])
moment = ask("history", "Orders", "Base.state")[4]["seq"]
same("tree --at", ask("tree", "Orders", "--at", moment), ask("tree", "Orders", "--around", moment))
same("last-write --at", [json.loads(run(command, "last-write", work + "/Orders", "Base.state", "--at", str(moment), "--json"))["seq"]], [moment])
same("why --at", run(command, "why", work + "/Orders", "--at", str(moment), "--json"), run(command, "why", work + "/Orders", str(moment), "--json"))
end()
