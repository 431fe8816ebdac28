"""page.py JDB PORT PAGE: the session of jdb that the page shows, a block ```jdb, with a server over a recording of
Stock.java. A line `main[1] COMMAND` is typed, and the lines behind it are what jdb prints, but for blank ones."""

import re
import sys

from jdb import Jdb

jdb, port, page = sys.argv[1:]
with open(page, encoding="utf-8") as f:
    block = re.search(r"^```jdb\n(.*?)^```", f.read(), re.M | re.S).group(1).splitlines()
session = Jdb(jdb, "-attach", port)
bad = commands = 0
while block:
    command = block.pop(0).removeprefix("main[1] ")
    want = []
    while block and not block[0].startswith("main[1] "):
        want.append(block.pop(0).strip())
    lines = (re.sub(r"^> ", "", line).strip() for line in session.ask(command).splitlines())
    got = [line for line in lines if line not in ("", ">", "main[1]")]
    commands += 1
    if got != want:
        bad += 1
        print(f"{command}:\n  page {want}\n  jdb  {got}")
bad += not session.close()
print(f"{commands} commands of {page.rpartition('/')[2]}, {bad} wrong")
sys.exit(bad > 0 or commands < 5)
