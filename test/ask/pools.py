# Where exceptions went that left recorded code.
from ask import *

rows = {r["message"].split('"')[1] if '"' in r["message"] else r["message"]: r for r in ask("exceptions", "Pools")}


def went(message):
    row = rows[message]
    to = row.get("left_to")
    return "uncaught" if row.get("uncaught") else "%s.%s" % (to["class"], to["method"]) if to else "-"


same("in a pool", went("in a pool").startswith("java.util.concurrent."), True)
same("in a future", went("in a future"), "java.util.concurrent.CompletableFuture$AsyncSupply.run")
same("in a list", (went("in a list"), "caught" in rows["in a list"]), ("-", True))
same("in a thread", went("in a thread"), "uncaught")
same("made elsewhere", went("made elsewhere"), "uncaught")
text = run(command, "exceptions", work + "/Pools").splitlines()
for message in set(rows) - {"again"}:
    line = next(l for l in text if message in l)
    same(
        "text of " + message,
        ("(uncaught)" in line, "(left to " in line),
        (went(message) == "uncaught", "." in went(message)),
    )
# a row joins what was thrown at one place and has one fate, and says where it is of several threads
again = [l for l in text if '"again"' in l]
same(
    "rows of again",
    sorted((l.split()[3], "several threads" in l, "(uncaught)" in l) for l in again),
    [("2", False, False), ("2", True, True)],
)
end()
