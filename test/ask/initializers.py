# Initializers: a frame that waits for the initialization of a class stands at the instruction that needs it, although
# the event of that instruction comes later, or never.
from ask import *

TRACE = "Initializers"
lines = [line.split() for line in open("%s/%s.out" % (work, TRACE)) if line[0].isalpha()]
wanted = {name: int(line) for name, line in lines}
found = {}
for e in events(TRACE, event="METHOD_ENTRY", method="<clinit>"):
    frames = ask("locals", TRACE, "--at", e["seq"])
    if len(frames) > 1 and frames[1]["method"] == "main":
        found[e["class"].split("$")[1]] = frames[1]["line"]
same("classes", len(wanted), 4)
same("lines of the callers", found, wanted | ({"Derived": wanted["Base"]} if "Derived" in found else {}))
end()
