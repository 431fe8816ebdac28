# lent.py - objects --where: which of its objects have values that may have changed since they were seen. The model is
# what the events show: accesses of fields, and calls that get the object
import re
from ask import *

t = "Lent"
items = {o["id"] for o in ask("objects", t) if o.get("type") == "Lent$Item"}
same("items", len(items), 60)

# (seq of the value, object, field, value), by the two events of one instruction; (seq, object) of what is lent
accesses, lent, receiver = [], [], None
for e in ask("print", t):
    name = e.get("attr", {}).get("name")
    if e["event"] in ("PUT_INSTANCE_FIELD", "GET_INSTANCE_FIELD"):
        receiver = e["value"]["id"]
    elif e["event"] in ("PUT_INSTANCE_FIELD_VALUE", "GET_INSTANCE_FIELD_RESULT"):
        accesses.append((e["seq"], receiver, name, e["value"]))
    elif e["event"] == "CALL_PARAM" and e["value"] and isinstance(e["value"], dict) and e["value"]["id"] in items:
        lent.append((e["seq"], e["value"]["id"]))
same("lent", len(lent) > 60, True)


def model(at, holds):
    """(objects that fulfil it, how many of them are old); holds: of id and n, with the names that it asked for"""
    last, given = {}, dict((o, s) for s, o in lent if s <= at)
    for seq, o, name, value in accesses:
        if seq <= at and o in items:
            last[o, name] = seq, value
    found, old = [], 0
    for o in sorted(items):
        if (o, "id") not in last or (o, "n") not in last:
            continue
        yes, asked = holds(last[o, "id"][1], last[o, "n"][1])
        if yes:
            found.append(o)
            old += "n" in asked and last[o, "n"][0] < given.get(o, -1)  # `id` is final
    return found, old


questions = {
    "n > 50": lambda i, n: (n > 50, "n"),
    "id < 40": lambda i, n: (i < 40, "id"),
    "id < 40 && n >= 20": lambda i, n: (i < 40 and n >= 20, "id n"),
    "id < 20 || n > 60": lambda i, n: (i < 20 or n > 60, "id" if i < 20 else "id n"),
    "!(n > 50)": lambda i, n: (not n > 50, "n"),
}
last = accesses[-1][0]
counts = set()
for at in [last] + [accesses[len(accesses) * k // 8][0] for k in range(3, 8)]:
    for text, holds in questions.items():
        args = [command, "objects", work + "/" + t, "--type", "Lent$Item", "--where", text, "--at", str(at)]
        r = subprocess.run(args, capture_output=True, text=True)
        note = re.search(r"note: of (\d+) of these", r.stderr)
        found = [int(l.split()[0]) for l in r.stdout.splitlines()[1:]]
        counts.add(int(note.group(1)) if note else 0)
        same("%s at %d" % (text, at), (found, int(note.group(1)) if note else 0), model(at, holds))
same("some are old, and not always as many", len(counts) > 4, True)
end()
