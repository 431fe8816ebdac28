# Inherits: a field is the same whichever class names it, and another one where a class hides it.
from ask import *

for name in ("Base", "Mid", "Sub", "Quiet", "Inherits$Sub"):
    same("writes of %s.x" % name, values(ask("history", "Inherits", name + ".x")), [1, 2, 3, 4, 5, 7])
same("writes of Hiding.x", values(ask("history", "Inherits", "Hiding.x")), [6])
end()
