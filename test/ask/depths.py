# Where exceptions went that left many methods; and the methods that a StackOverflowError left without an event.
from ask import *

trace = work + "/Depths"
names = {t["thread"]: t["name"] for t in map(json.loads, run(command, "threads", trace, "--json").splitlines())}
found = {}
for x in map(json.loads, run(command, "exceptions", trace, "--json").splitlines()):
    found[names[x["thread"]]] = x
for n in (10, 61, 62, 63, 64, 300):
    x = found["n%d" % n]
    same("uncaught from %d" % n, (x.get("uncaught", False), x["exits"], len(x["left"])), (True, n + 2, min(n + 2, 64)))
# of a stack the JVM keeps 1024 frames
for name in ("n1500", "deep task"):
    same("of " + name, [found[name].get(k, False) for k in ("uncaught", "left_to", "stack_cut")], [False, False, True])
same("a task's", found["task"]["left_to"]["class"], "java.util.concurrent.Executors$RunnableAdapter")
text = run(command, "exceptions", trace).splitlines()
same("a row for equal ones", [line.split()[3] for line in text if line.endswith(" (uncaught)")], ["6"])
same("rows that say it is not known", sum("its stack has 1024 of the methods" in line for line in text), 1)

small = [n for n, name in names.items() if name == "small"][0]
tree = [json.loads(l) for l in run(command, "tree", trace, "--json", "--thread", str(small)).splitlines()]
deep = [c for c in tree if c["method"] == "deeper"]
same("a recursion", len(deep) > 500, True)
same("each was left by the error", [c["seq"] for c in deep if "exception" not in c][:3], [])
base = [c["depth"] for c in tree if c["method"] == "overflow"]
same("what the handler calls", [c["depth"] for c in tree if c["method"] == "after"], [base[0] + 1])
end()
