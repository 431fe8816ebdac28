# The lost update: who wrote the 107 that main sees, and from what it was computed.
from ask import *

lines = {n + 1: l.strip() for n, l in enumerate(open(sys.path[0] + "/Bank.java"))}
write_line = next(n for n, l in lines.items() if l.startswith("account.balance = seen"))
read_line = next(n for n, l in lines.items() if l.startswith("int seen ="))
threads = {t["name"]: t["thread"] for t in ask("threads", "Bank")}

writes = ask("history", "Bank", "Account.balance")
same("history", values(writes), [100, 130, 107])
same("writers", [e["thread"] for e in writes], [threads["main"], threads["anna"], threads["berta"]])
account = writes[0]["object"]["id"]
same("one account", {e["object"]["id"] for e in writes}, {account})
same(
    "history of the object",
    [e["seq"] for e in ask("history", "Bank", "%d.balance" % account)],
    [e["seq"] for e in writes],
)
same(
    "example history",
    example("history", "Bank", "%d.balance" % account),
    ["seq %d thread %d value %d" % (e["seq"], e["thread"], e["value"]) for e in writes],
)

seen = events("Bank", event="GET_INSTANCE_FIELD_RESULT", method="main")[-1]
last = ask("last-write", "Bank", "%d.balance" % account, "--before", seen["seq"])
same("last write", [(e["value"], e["thread"], e["line"]) for e in last], [(107, threads["berta"], write_line)])
same(
    "example last_write",
    example("last_write", "Bank", "%d.balance" % account, seen["seq"]),
    ["107 by deposit:%d in thread berta" % write_line],
)
same("last write before that", values(ask("last-write", "Bank", "Account.balance", "--before", last[0]["seq"])), [130])

chain = ask("why", "Bank", seen["seq"])
same(
    "why",
    [(e["event"], plain(e["value"]), e["thread"]) for e in chain][:5],
    [
        ("GET_INSTANCE_FIELD_RESULT", 107, threads["main"]),
        ("PUT_INSTANCE_FIELD_VALUE", 107, threads["berta"]),
        ("LOCAL_LOAD", 100, threads["berta"]),
        ("LOCAL_STORE", 100, threads["berta"]),
        ("GET_INSTANCE_FIELD_RESULT", 100, threads["berta"]),
    ],
)
same("the stale read", chain[4]["line"], read_line)
same(
    "operands",
    [plain(e["value"]) for s in chain[1]["operands"] for e in ask("print", "Bank", "--from", s, "--to", s)],
    [100, 7],
)
same("why ends", (chain[-1]["end"], chain[-1]["value"], chain[-1]["event"]), ("constant", 100, "CALL_PARAM"))
same("example why", example("why", "Bank", seen["seq"])[-1], "end: constant")

frames = ask("locals", "Bank", "--at", last[0]["seq"])
same(
    "locals",
    [(f["method"], f["line"]) for f in frames],
    [("deposit", write_line), ("lambda$main$1", frames[1]["line"])],
)
same(
    "locals of deposit",
    {k: plain(v) for k, v in list(frames[0]["parameters"].items()) + list(frames[0]["locals"].items())},
    {"account": "Bank$Account", "amount": 7, "first": False, "seen": 100},
)
same(
    "example locals",
    [l for l in example("locals", "Bank", last[0]["seq"])][:5],
    ["deposit:%d" % write_line, "  account = %d" % account, "  amount = 7", "  first = 0", "  seen = 100"],
)

opened, final = ask("object", "Bank", account, "--at", writes[0]["seq"])[0], ask("object", "Bank", account)[0]
same("object when made", opened["fields"], {"Bank$Account.balance": 100})
same("object at the end", (final["type"], final["fields"]), ("Bank$Account", {"Bank$Account.balance": 107}))
created = one("Bank", event="NEW_OBJECT_CREATED", method="main", value={"id": account, "type": "Bank$Account"})
same("made", (final["created"], final["allocated"]["line"]), (created["seq"], created["line"]))
about = [e["seq"] for e in ask("print", "Bank") if isinstance(e.get("value"), dict) and e["value"]["id"] == account]
same("life", (final["first"], final["last"]), (min(about), max(about)))
same("example object", example("object", "Bank", account), ["Bank$Account", "Bank$Account.balance = 107"])
same("example events", "PUT_INSTANCE_FIELD_VALUE 1" in example("events", "Bank", "Bank$Account"), True)
end()
