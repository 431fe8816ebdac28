# Which threads wait for which: what the JVM itself printed of its threads before it was halted.
from ask import *

said = [line.split() for line in open(work + "/Locks.out")]
jvm = {w[1]: {"state": w[2], "owner": w[3], "stack": w[4:]} for w in said if w[0] == "thread"}
deadlocked = {w[1]: w[2] for w in said if w[0] == "deadlock"}
same("threads that the program made", len(jvm), 15)
rows = ask("threads", "Locks", "--frames", 100)
by_name = {r["name"]: r for r in rows}
name_of = {r["thread"]: r["name"] for r in rows}
virtual = by_name["light-0"]["virtual"]
if virtual:  # the JVM does not tell the owners of these
    deadlocked.update({"light-0": "light-1", "light-1": "light-0"})
same("deadlocked threads of the JVM", len(deadlocked), 11)
waits = {name: by_name[name].get("waits", {}) for name in jvm}


stacks = {}


def frames(row):
    return ["%s.%s:%d" % (f["class"], f["method"], f["line"]) for f in row.get("stack", [])]


for name, known in sorted(jvm.items()):
    row = by_name[name]
    # of the JVM's frames the first may be that of a synchronized method that the thread has not entered yet
    entering = row["last"]["event"] in ("CALL", "CALL_PARAM") and known["state"] == "BLOCKED"
    stacks[name] = known["stack"][entering:]
    same("stack of " + name, frames(row), stacks[name])
    events = ask("print", "Locks", "--thread", row["thread"])
    same("last event of " + name, row["last"], events[-1])
    same("waits of " + name, bool(waits[name]), True)
    kinds = {"BLOCKED": ["enter"], "WAITING": ["notify", "join"]}
    same("kind of " + name, waits[name].get("for") in kinds[known["state"]], True)
    if known["owner"] not in ("?", "-") and known["state"] == "BLOCKED":
        same("owner of " + name, name_of[waits[name]["owner"]], known["owner"])
for name, what in (("main", "join"), ("keeper", "join"), ("sleeper", "notify")):
    same(name, waits[name]["for"], what)
    same(name + " waits for ever", waits[name]["timed"], False)
for name in ("main", "keeper"):
    same("for what %s waits" % name, waits[name]["object"]["type"], "java.lang.Thread")
for name, other in (("sleeper", "keeper"), ("queued", "there")):
    same("whom %s waits for" % name, name_of[waits[name]["owner"]], other)
same("no others", [r["name"] for r in rows if r["name"] not in jvm and "waits" in r], [])
entered = [e for e in ask("print", "Locks", "--thread", "there") if e["event"] == "MONITOR_ENTER_RESULT"]
same("since when it is held", waits["queued"]["held"], entered[0]["seq"])
same("since when it waits", waits["queued"]["since"], by_name["queued"]["last"]["seq"])

# the circles
circles = ask("deadlocks", "Locks")
same("circles", len(circles), 5)
same("each thread once", sorted(t["name"] for c in circles for t in c["threads"]), sorted(deadlocked))
for c in circles:
    names = [t["name"] for t in c["threads"]]
    for i, t in enumerate(c["threads"]):
        same("next of " + t["name"], deadlocked[t["name"]], names[(i + 1) % len(names)])
        same("its number", name_of[t["thread"]], t["name"])
        same("waits of " + t["name"], t["waits"], waits[t["name"]])
        same("stack of " + t["name"], frames(t), stacks[t["name"]])
# A circle begins with its thread of the lowest number, and the circles are in the order of these. Threads get their
# numbers as they begin to run: which of two that are started together is first is the machine's choice.
numbers = [[t["thread"] for t in c["threads"]] for c in circles]
same("each begins with its lowest number", [c[0] for c in numbers], [min(c) for c in numbers])
same("in the order of their numbers", numbers, sorted(numbers))
text = run(command, "deadlocks", work + "/Locks").splitlines()
same("text", [l for l in text if l.startswith("deadlock")], ["deadlock of %d threads" % len(c) for c in numbers])
same("sizes", sorted(len(c) for c in numbers), [2, 2, 2, 2, 3])
same("limit", len(ask("deadlocks", "Locks", "--limit", 1)), 1)

# before the last thread of the circle of `there` waits there is none with it
first = next(c["threads"] for c in circles if "there" in [t["name"] for t in c["threads"]])
moment = max(t["waits"]["since"] for t in first)
same(
    "the circle is closed",
    [t["name"] for t in first]
    in [[t["name"] for t in c["threads"]] for c in ask("deadlocks", "Locks", "--at", moment)],
    True,
)
r = subprocess.run(
    [command, "deadlocks", work + "/Locks", "--at", str(moment - 1)], capture_output=True, text=True, timeout=120
)
same("before", "there" in r.stdout, False)
before = {t["name"]: t for t in ask("threads", "Locks", "--at", moment - 1)}
waiting = [n for n in ("there", "back") if "waits" in before[n]]
same("one waits", len(waiting), 1)
# what a thread has left is not part of its stack, and a stack that is cut says how many frames it has
for e in [e for e in ask("print", "Locks", "--event", "METHOD_NORMAL_EXIT")][:20]:
    row = [t for t in ask("threads", "Locks", "--at", e["seq"], "--frames", 100) if t["thread"] == e["thread"]][0]
    inside = [f["entered"] for f in ask("locals", "Locks", "--at", e["seq"])][1:]
    same(
        "stack after the exit %d" % e["seq"],
        [f["entered"] for f in row.get("stack", [])],
        inside if "stack" in row else [],
    )
for row in rows:
    short = [t for t in ask("threads", "Locks", "--frames", 1) if t["thread"] == row["thread"]][0]
    count = len(row.get("stack", []))
    same("frames of " + row["name"], short.get("frames", len(short.get("stack", []))), count)
    same("all frames of " + row["name"], "frames" in row, False)
# threads in calls of java.util.concurrent may wait for each other
r = subprocess.run([command, "deadlocks", work + "/Standing"], capture_output=True, text=True, timeout=120)
said = r.stderr.splitlines()
same("no circle of monitors", "no deadlock of monitors (locks of java.util.concurrent are not" in said[0], True)
stands = [l.split(" stands in ")[1].split(",")[0] for l in said[1:]]
same("where they stand", stands, ["java.util.concurrent.locks.ReentrantLock.lock"] * 2)
same("who", sorted(l.split()[4] for l in said[1:]), ["back", "there"])
for program in ("Guards", "Orders"):
    r = subprocess.run([command, "deadlocks", "%s/%s" % (work, program)], capture_output=True, text=True, timeout=120)
    same("no deadlock in " + program, (r.returncode, r.stdout, "no deadlock" in r.stderr), (0, "", True))
end()
