# The flights of one exception: where each was thrown, what it left, how it ended.
from ask import *

threads = {t["thread"]: t["name"] for t in ask("threads", "Reused")}
rows = ask("exceptions", "Reused")
ends = ["uncaught" if r.get("uncaught") else "swallowed" if r["swallowed"] else "used" for r in rows]
want = [("first", "main", "swallowed")] * 3
want += [("second", "main", "used"), ("second", "main", "swallowed"), ("pass", "main", "swallowed")]
want += [("lambda$main$2", "main", "swallowed"), ("first", "main", "swallowed"), ("first", "main", "used")]
want += [("first", "swallows", "swallowed"), ("second", "ends", "uncaught"), ("first", "referred", "uncaught")]
want += [("first", "own", "uncaught"), ("lambda$main", "pool", "used"), ("first", "main", "swallowed")]
have = [(r["method"].split("$")[0], threads[r["thread"]], end) for r, end in zip(rows, ends)]
same("flights", have, [(method.split("$")[0], thread, end) for method, thread, end in want])
same("of one object", len({r["id"] for r in rows}), 1)
same("what each left", [len(r["left"]) for r in rows][7:9], [2, 2])
same("the frame that threw it again", [x["method"] for x in rows[7]["left"]], ["first", "again"])
same("caught behind that", all(r["caught"] > r["left"][-1]["seq"] for r in rows if "caught" in r), True)
same("those of one place and end once", len(run(command, "exceptions", work + "/Reused").splitlines()) - 1, 9)
same("swallowed", len(ask("exceptions", "Reused", "--swallowed")), ends.count("swallowed"))
end()
