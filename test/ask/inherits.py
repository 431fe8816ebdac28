# Inherits: a field is the same whichever class names it, and another one where a class hides it. A class that inherits
# it stands for its own objects.
from ask import *

for name, want in (
    ("Base", [1, 2, 3, 4, 5, 7]),
    ("Inherits$Base", [1, 2, 3, 4, 5, 7]),
    ("Mid", [1, 2, 3, 4, 5]),
    ("Sub", [1, 2, 3, 4]),
    ("Inherits$Sub", [1, 2, 3, 4]),
    ("Quiet", [5]),
    ("Hiding", [6]),
):
    same("writes of %s.x" % name, values(ask("history", "Inherits", name + ".x")), want)
for name in ("Rates", "More", "Shop", "Branch"):  # a field of an interface
    same("writes of %s.BANK" % name, values(ask("history", "Inherits", name + ".BANK")), ["bank"])
read = next(e for e in events("Inherits", event="GET_STATIC_FIELD") if e["attr"]["name"] == "BANK")
same(
    "where Branch.BANK comes from", [e["event"] for e in ask("why", "Inherits", read["seq"])][1:2], ["PUT_STATIC_FIELD"]
)
for name in ("java.util.AbstractList", "Books"):  # a field of a class that is not in the trace
    same("writes of %s.modCount" % name, values(ask("history", "Inherits", name + ".modCount")), [8])
end()
