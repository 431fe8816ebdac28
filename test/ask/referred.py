# Deadlocks by method references: the circles that the JVM printed before it was halted, but for the one in library
# code, whose threads are named.
from ask import *

jvm = dict(line.split() for line in open(work + "/Referred.out"))
same("deadlocked threads of the JVM", len(jvm), 10)
circles = ask("deadlocks", "Referred")
have = {t["name"]: c["threads"][1 - i]["name"] for c in circles for i, t in enumerate(c["threads"])}
same("circles", have, {t: owner for t, owner in jvm.items() if not t.startswith("library")})
r = subprocess.run([command, "deadlocks", work + "/Referred"], capture_output=True, text=True, timeout=120)
named = [l for l in r.stderr.splitlines() if "not woven" in l]
for name in ("library-0", "library-1"):
    call = ask("print", "Referred", "--thread", name, "--event", "CALL")[-1]
    text = "%s holds a monitor and stands in java.util.List.forEach, which is not woven, since %d:" % (
        name,
        call["seq"],
    )
    same("where %s stands" % name, sum(text in l for l in named), 1)
same("no others", len(named), 2)
end()
