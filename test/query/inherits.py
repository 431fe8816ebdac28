# Inherits: a field is the same whichever class names it, and another one where a class hides it. A class that inherits it stands for its own
# objects.
from ask import *

for name, want in (("Base", [1, 2, 3, 4, 5, 7]), ("Inherits$Base", [1, 2, 3, 4, 5, 7]), ("Mid", [1, 2, 3, 4, 5]), ("Sub", [1, 2, 3, 4]),
                   ("Inherits$Sub", [1, 2, 3, 4]), ("Quiet", [5]), ("Hiding", [6])):
    same("writes of %s.x" % name, values(ask("history", "Inherits", name + ".x")), want)
end()
