# herd.py - objects --where of many objects at once; the model is what the events show
import json
from ask import ask, command, end, run, same, work

t = "Herd"
own = {"Herd$Animal": "Herd$Animal", "Herd$Cow": "Herd$Animal", "Herd$Calf": "Herd$Calf", "Herd$Tree": "Herd$Tree"}
types = {o["id"]: o["type"] for o in ask("objects", t) if o.get("type") in own}
same("objects", len(types), 210)

# (seq of the value, object, class of the field, value), by the two events of one instruction in its thread
accesses, open_access = [], {}
instance = "_INSTANCE_FIELD"
for line in run(command, "print", "%s/%s" % (work, t), "--json").splitlines():
    e = json.loads(line)
    if e.get("attr", {}).get("name") != "n" or e["value"] is None:
        continue
    if e["event"] in ("PUT" + instance, "GET" + instance):
        open_access[e["thread"]] = e["value"]["id"]
    elif e["event"] in ("PUT" + instance + "_VALUE", "GET" + instance + "_RESULT"):
        accesses.append((e["seq"], open_access.pop(e["thread"]), e["attr"]["owner"], e["value"]))
same("accesses", len(accesses) > 2000, True)


def model(wanted, holds, at):
    last = {}
    for seq, obj, owner, value in accesses:
        if seq <= at and obj in types and owner == own[types[obj]]:
            last[obj] = value
    return sorted(i for i, v in last.items() if types[i] in wanted and holds(v))


end_seq = accesses[-1][0] + 1000000
moments = [None] + [accesses[len(accesses) * k // 9][0] - k % 2 for k in range(2, 9)]
for at in moments:
    for wanted in (["Herd$Animal"], ["Herd$Cow", "Herd$Calf"], sorted(own)):
        for text, holds in (("n > 700", lambda v: v > 700), ("n == 12 || n > 1900", lambda v: v == 12 or v > 1900)):
            ids = []
            for glob in [wanted] if len(wanted) == 1 else [["Herd$C*"]] if len(wanted) == 2 else [["Herd$*"]]:
                args = ["--type", glob[0], "--where", text] + (["--at", at] if at is not None else [])
                ids += [o["id"] for o in ask("objects", t, *args)]
            same(
                "%s of %s at %s" % (text, wanted, at), sorted(ids), model(wanted, holds, end_seq if at is None else at)
            )
end()
