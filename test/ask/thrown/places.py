"""places.py HINDSIGHT TRACE OUTPUT: does every answer say of each exception what the JVM said?

OUTPUT is what Throws printed: type, message, and the frames of the stack in woven classes. Compared with it are the
message, the line of each exit, and the stack that `locals` gives at it. A frame that an exception leaves for the second
time, by a throw of its own, stands at that throw.
"""
import json, subprocess, sys

hindsight, trace, output = sys.argv[1:4]
wrong = asked = 0


def ask(*words):
    r = subprocess.run([hindsight, *words, "--json"], capture_output=True, text=True)
    if r.returncode not in (0, 3):
        sys.exit("%s: %s" % (" ".join(words), r.stderr))
    return [json.loads(line) for line in r.stdout.splitlines()]


def same(what, got, want):
    global wrong, asked
    asked += 1
    if got != want:
        wrong += 1
        print("%s: %s: %s, the JVM says %s" % (trace, what, got, want))


def frame(row, place):
    return "%s.%s:%s" % (row["class"], row["method"], place.get("line"))


said = []
for line in open(output):
    name, type_, message, frames = (line.rstrip("\n").split("\t") + ["", ""])[:4]
    if type_ == "nothing":
        sys.exit("%s threw nothing" % name)
    said.append((name, type_, None if message == "null" else message, frames.split()))
events = ask("print", trace, "--event", "METHOD_THROW,METHOD_EXCEPTIONAL_EXIT,CATCH")
exits = {}
for e in events:
    if e["event"] == "METHOD_EXCEPTIONAL_EXIT":
        exits.setdefault(e["value"]["id"], []).append(e)
thrown_in = {
    (e["value"]["id"], e["class"], e["method"], e["line"])
    for e in events
    if e["event"] == "METHOD_THROW" and e["value"]
}
exceptions = ask("exceptions", trace)
by_stack, by_method = {}, {}  # the program also catches exceptions of its own
for x in exceptions:
    stack = ["%s.%s:%s" % (f["class"], f["method"], f.get("line")) for f in x.get("frames", [])]
    by_stack.setdefault((x["type"], tuple(f for f in stack if f.startswith("Throws"))), []).append(x)
    for e in exits.get(x["id"], [])[:1]:
        by_method.setdefault((x["type"], "%s.%s" % (e["class"], e["method"])), []).append(x)
unsure = 0
for name, type_, message, frames in said:
    found = by_stack.get((type_, tuple(frames)), []) or by_method.get((type_, frames[0].split(":")[0]), [])
    if not found:
        same(name, "no such exception", (type_, frames))
        continue
    x = found.pop(0)
    inside = x.get("frames") and not x["frames"][0]["class"].startswith("Throws")  # the JVM computed it of other code
    at = exits.get(x["id"], [{}])[0].get("thrown_at", {})
    unknown = x.get("message_computed", False) and "pc" not in at
    if not (x.get("message") is None and (inside or unknown or not x.get("frames"))):
        same(name + ": message", x.get("message"), message)
    left = exits.get(x["id"], [])
    first = 0  # exits of a class initializer carry another object
    for i, e in enumerate(left):
        again = [t for t in thrown_in if t[:3] == (x["id"], e["class"], e["method"])]
        while first < len(frames) and not frames[first].startswith("%s.%s:" % (e["class"], e["method"])):
            first += 1
        want = frames[first:]
        first += 1
        if again:
            want = ["%s.%s:%d" % again[0][1:]] + want[1:]
        at = e.get("thrown_at", {})
        same("%s: exit %d" % (name, i), frame(e, at), want[0] if want else None)
        unsure += "pc" not in at
        stack = [frame(f, f) for f in ask("locals", trace, "--at", str(e["seq"]))]
        same("%s: stack at exit %d" % (name, i), stack, want)
    if left and "line" in x:
        same(name + ": exceptions", frame(x, x), frames[0])
print("%d answers, %d of %d exits at one of several instructions" % (asked, unsure, sum(map(len, exits.values()))))
sys.exit(wrong > 0)
