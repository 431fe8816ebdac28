"""asked.py JDB CLASSPATH PORT SOURCE: jdb in a JVM with the program Asked, and over its recording at PORT: at the same
line the same commands print the same. What only one of them can know stands in `only`."""

import re
import subprocess
import sys

from jdb import RUNNING, SUSPENDED, Jdb

jdb, classpath, port, source = sys.argv[1:]
line = next(n for n, text in enumerate(open(source), 1) if "// stop" in text)

asked = """print box.area()
print cube.area()
print cube.told()
print cube.tell("it")
print cube.tell(box)
print cube.size()
print box.size()
print box.grown(4)
print box.grown(4).area()
print box.grown(1).grown(2).side
dump box.grown(5)
print box.sum(1, 2)
print box.same(box)
print box.next.same(cube)
print box.sides()[1]
dump box.sides()
print box
print cube.toString()
print new Asked$Cube(5)
print new Asked$Cube(5).area()
print new Asked$Cube(5).side
print Asked.fails(1)
print Asked.divides(0)
print Asked.divides(3)
print Asked.letter(1, 2, 'c')
print Asked.half(3)
print Asked.nothing()
print Asked.count()
print names.size()
print names.get(1)
print names.get(7)
print names.contains("cup")
print names.isEmpty()
print names
print names.toArray()[0]
dump names.toArray()
print stock.get("tea")
print stock.containsKey("cup")
print stock.size()
print stock
print text.length()
print text.charAt(1)
print text.indexOf("l")
print text.substring(2)
print text.toUpperCase()
print text.substring(9)
eval box.area() + cube.area()
print box.area() > cube.area()
print names.hashCode()""".split(
    "\n"
)
# of the recording: calls that change nothing, are not known, or have no end
only = [
    ("print Asked.calls", r"= 7\s"),
    ("print Asked.count()", r"= 8\s"),
    ("print Asked.count()", r"= 8\s"),
    ("print Asked.calls", r"= 7\s"),
    ("print Asked.endless(5)", "NotRecorded: it runs for more than 10,000,000 instructions"),
    ("print box.hashCode() == 3", "hindsight.NotRecorded: the identity hash code of Asked.Box is not recorded"),
    ("print Asked.divides(cube.side)", r"= 5\s"),
]


def plain(text):
    """What it printed, without the prompt, the numbers of objects, and empty lines."""
    text = re.sub(r"main\[\d+\] $", "", text)
    return re.sub(r"\(id=\d+\)", "", text).strip()


failures = 0
living = Jdb(jdb, "-classpath", classpath, "Asked", prompt=RUNNING)
recorded = Jdb(jdb, "-attach", port)
for process, go, prompt in ((living, "run", RUNNING), (recorded, "cont", SUSPENDED)):
    process.ask(f"stop at Asked:{line}", prompt)
    process.ask(go, rb"Breakpoint hit(?s:.*)main\[1\] $")
    process.ask("ignore uncaught java.lang.Throwable")
for command in asked:
    true, answer = (plain(process.ask(command)) for process in (living, recorded))
    if true != answer:
        print(f"{command}: a JVM says {true!r}, the recording {answer!r}")
        failures += 1
for command, expected in only:
    out = recorded.ask(command)
    if not re.search(expected, out):
        print(f"{command}: expected {expected}, got {out}")
        failures += 1
for process in living, recorded:
    if not process.close():
        print("jdb does not end")
        failures += 1
print(f"{len(asked) + len(only)} commands of jdb, {failures} differ")
sys.exit(failures > 0)
