# Handed: what a constructor that is not woven may have written since is told: its super(...) shows no object, but the
# object is initialized behind it. Of a class without such a constructor nothing is told.
from ask import *

TRACE = "Handed"
events = ask("print", TRACE)


def object_of(name):
    return next(o["id"] for o in ask("objects", TRACE) if o.get("type") == "Handed$" + name)


down, plain = object_of("Down"), object_of("Plain")
initialized = next(
    e["seq"]
    for e in events
    if e["event"] == "METHOD_OBJECT_INITIALIZED" and e["value"]["id"] == down and e["class"] == "Handed$Down"
)
w = ask("last-write", TRACE, "%d.x" % down, "--at", events[-1]["seq"])[0]
same("the last write that was seen", w["value"], 12)
same("since then it was handed over", w["handed"]["seq"], initialized)
o = ask("object", TRACE, str(down))[0]
same("the object was handed over", o["handed"]["seq"], initialized)
same("written before", "Handed$Up.x" in o["stale"], True)
same("written behind it", "Handed$Down.own" in o["stale"], False)
r = subprocess.run([command, "objects", work + "/" + TRACE, "--where", "x == 12"], capture_output=True, text=True)
same("found by the value that was seen", [int(l.split()[0]) for l in r.stdout.splitlines()[1:]], [down])
same(
    "which may have changed", "note: of 1 of these objects a value of the condition may have changed" in r.stderr, True
)
r = subprocess.run([command, "objects", work + "/" + TRACE, "--where", "y == 5"], capture_output=True, text=True)
same("a value that cannot have changed", r.stderr, "")
same("no handover", "handed" in ask("last-write", TRACE, "%d.y" % plain, "--at", events[-1]["seq"])[0], False)
same("nor of the object", "handed" in ask("object", TRACE, str(plain))[0], False)
end()
