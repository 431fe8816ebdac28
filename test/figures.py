"""figures.py BUILD: the figures that the tests of the last run of ctest wrote, each added up over all that have it.

A test writes lines `figure: NAME: NUMBER` (`figure` of lib.sh). A name that ends with "in %" is not added up: the last
one stays.
"""

import os
import re
import sys

figures = {}
with open(os.path.join(sys.argv[1], "Testing", "Temporary", "LastTest.log"), errors="replace") as log:
    for name, number in re.findall(r"^figure: (.+): ([0-9.]+)$", log.read(), re.M):
        if name.endswith("in %"):
            figures[name] = float(number)
        else:
            figures[name] = figures.get(name, 0) + int(number)
width = max(map(len, figures), default=0)
for name, number in sorted(figures.items()):
    print("%-*s  %15s" % (width, name, format(number, ",")))
