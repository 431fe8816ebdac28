"""debug.py JDB SHOP FAILURE HELD: sessions of jdb with servers on three ports, over recordings of the programs.
What is expected is what the programs do."""

import re
import sys

from jdb import Jdb

jdb, shop, failure, held = sys.argv[1:]
failures = 0

# (command, what its output has)
forward = [
    ("where", r"Shop\.<clinit> \(Shop\.java:23\)"),
    ("print Shop.lock", "not recorded"),
    ("stop in Shop$Item.total", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*Shop\$Item\.total\(\), line=13"),
    ("where", r"(?s)\[1\] Shop\$Item\.total .*\[2\] Shop\.sell \(Shop\.java:26\).*\[3\] Shop\.main \(Shop\.java:50\)"),
    ("locals", "count = 1"),
    ("print this.price", "= 5000000000"),
    ("print this.weight", r"= 0\.1"),
    ("print this.name", '= "tea"'),
    ("print this.next.price", "= 3"),
    ("dump this", r'(?s)name: "tea".*price: 5000000000.*next: instance of Shop\$Item'),
    ("step", "Step completed.*line=14"),
    ("print sum", "= 0"),
    ("next", "Step completed.*line=15"),
    ("print i", "= 0"),
    ("step", r"Step completed: .*Shop\$Item\.add\(\), line=19"),
    ("locals", r"(?s)a = 0.*b = 5000000000"),
    ("step up", r"Step completed: .*Shop\$Item\.total\(\), line=15"),
    ("next", "Step completed.*line=14"),
    ("print sum", "= 5000000000"),
    ("clear Shop$Item.total", "Removed"),
    ("stop at Shop:31", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*Shop\.sell\(\), line=31"),
    ("print paid", "= 5000000000"),
    ("print Shop.sold", "= 1"),
    ("threads", "main"),
    ("clear Shop:31", "Removed"),
    ("watch Shop.sold", "modification"),
    ("cont", r"Field \(Shop\.sold\) is 1, will be 3"),
    ("unwatch Shop.sold", "Removed"),
    ("watch Shop$Item.price", "modification"),
    ("cont", r"Field \(Shop\$Item\.price\) is 5000000001, will be 5000000002"),
    ("unwatch Shop$Item.price", "Removed"),
    ("watch access Shop$Item.price", "access"),
    ("cont", r"Field \(Shop\$Item\.price\) access encountered: .*Shop\$Item\.total\(\), line=15"),
    ("print this.price", "= 3"),
    ("unwatch access Shop$Item.price", "Removed"),
    ("stop at Shop:53", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*Shop\.main\(\), line=53"),
    ("print counts[3]", "= 21"),
    ("print counts[299]", r"= 50"),
    ("print all", "= 35000000019"),
    # calls are executed, and change nothing
    ("print tea.price", "= 5000000003"),
    ("print tea.total(2)", "= 10000000006"),
    ("print tea.total(3)", "= 15000000009"),
    ("print Shop.depth(7)", "= 7"),
    ("print Shop.depth(51)", "= 51"),
    ("print Shop.sell(tea, 1)", "= 5000000003"),
    ("print tea.price", "= 5000000003"),
]
# what a field is before its first write: the default, if nothing unseen can have written it
first = [
    ("watch Shop$Item.price", "modification"),
    ("cont", r"Field \(Shop\$Item\.price\) is 0, will be 5000000000"),
    ("unwatch Shop$Item.price", "Removed"),
    ("watch Shop$Item.next", "modification"),
    ("cont", r"Field \(Shop\$Item\.next\) is null, will be instance of Shop\$Item"),
    ("unwatch Shop$Item.next", "Removed"),
    ("watch Shop.sold", "modification"),
    ("cont", r"Field \(Shop\.sold\) is 0, will be 1"),
]
backward = [
    ("trace methods", ""),
    ("cont", r"Method exited: return value = <void value>, .*Shop\.<clinit>\(\)"),
    ("cont", r"Method entered: .*Shop\.main\(\), line=41"),
    ("untrace methods", ""),
    ("stop in Shop.depth", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*Shop\.depth\(\), line=35"),
    ("print n", "= 50"),
    ("clear Shop.depth", "Removed"),
    ("pop", ""),
    ("where", r"\[1\] Shop\.main \(Shop\.java:52\)"),
    ("print all", "= 35000000019"),
    ("print hindsight.Time.back()", "= [0-9]+"),
    ("print hindsight.Time.back()", "= [0-9]+"),
    ("where", r"\[1\] Shop\.main \(Shop\.java:48\)"),
    ("print hindsight.Time.back()", "= [0-9]+"),
    ("where", r"\[1\] Shop\.main \(Shop\.java:50\)"),
    ("print round", "= 3"),
    ("print hindsight.Time.goTo(hindsight.Time.lastWrite(\"all\"))", "= [0-9]+"),
    ("where", r"\[1\] Shop\.main \(Shop\.java:50\)"),
    ("print hindsight.Time.why(\"all\")", r"= \"event [0-9]+ line 50: "),
    ("stop at Shop:31", "Set breakpoint"),
    ("print hindsight.Time.runBack()", "= [0-9]+"),
    ("where", r"\[1\] Shop\.sell \(Shop\.java:31\)"),
    ("print count", "= 3"),
    ("print hindsight.Time.runBack()", "= [0-9]+"),
    ("print count", "= 2"),
    ("print hindsight.Time.goTo(0)", "= 0"),
    ("print hindsight.Time.now()", "= 0"),
    ("clear Shop:31", "Removed"),
]
exceptions = [
    ("threads", r"Thread-0 unknown"),  # it has not started: as a JVM answers it
    ("catch java.lang.NumberFormatException", "Set all"),
    ("cont", r"NumberFormatException \(to be caught at: Failure\.number\(\), line=23.*Failure\.digits\(\), line=13"),
    ("print text", '= "4x"'),
    ("ignore java.lang.NumberFormatException", "Removed"),
    # jdb itself asks for all uncaught ones
    ("cont", r"IllegalStateException \(uncaught\).*Failure\.wrap\(\), line=41"),
    ("print values.length", "= 4"),
    ("threads", "Thread-0"),
    ("print hindsight.Time.back()", "= [0-9]+"),
    ("where", r"\[1\] Failure\.wrap \(Failure\.java:4[01]\)"),
]

# toString of a collection, which is not recorded, is what it holds
collections = [
    ("stop at Held:20", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*Held\.main\(\), line=20"),
    ("print names", r'= "\[cup\]"'),
    ("print stock", r'= "\{tea=500, cup=7\}"'),
    ("print text", r'= "abtrue"'),
    ("print hindsight.Time.back()", "= [0-9]+"),
    ("print names", r'= "\[tea, cup\]"'),
    ("clear Held:20", "Removed"),
    ("stop at Held:23", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*line=23"),
    ("print stock", r'= "\{tea=499, cup=7\}"'),
    ("print shuffled", r'= "ArrayList#[0-9]+ not known since [0-9]+: java.util.Collections.shuffle'),
    # calls are executed: fill() adds 2 to what is there
    ("stop at Held:25", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*line=25"),
    ("print cup.fill()", r"= 2\s"),
    ("stop at Held:26", "Set breakpoint"),
    ("cont", r"Breakpoint hit: .*line=26"),
    ("print cup.fill()", r"= 6\s"),
    ("print cup.toString()", '= "cup with 4"'),
    ("print names.size()", r"= 1\s"),
]


def session(port, rows):
    global failures
    process = Jdb(jdb, "-attach", port)
    for command, expected in rows:
        if process.ended():
            print(f"{command}: jdb has ended")
            failures += 1
            break
        try:
            out = process.ask(command)
        except TimeoutError as e:
            print(f"{command}: no prompt after {e}")
            failures += 1
            break
        if not re.search(expected, out):
            print(f"{command}: expected {expected}, got {out}")
            failures += 1
    if not process.close():
        print("jdb does not end")
        failures += 1


sessions = [(shop, forward), (shop, first), (shop, backward), (failure, exceptions), (held, collections)]
for port, rows in sessions:
    session(port, rows)
print(f"{sum(len(rows) for _, rows in sessions)} commands of jdb, {failures} wrong")
sys.exit(failures > 0)
