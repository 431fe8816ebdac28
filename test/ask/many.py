# many.py - answers about Many.java, which has more of everything than fixed bounds once had room for
from ask import ask, end, events, same

t = "Many"

rows = ask("locks", t, "--inversions")
same("one circle", [len(r["locks"]) for r in rows], [40])
same("each monitor once", len({l["id"] for l in rows[0]["locks"]}), 40)
same("the way back", len(rows[0]["b"]), 2 * 39)

# a call with 20 arguments: its result is one of them, and an exception may be because of any
returned = next(e for e in events(t, event="CALL_RETURN", method="wide") if e["value"] == 4711)
chain = ask("why", t, returned["seq"])
same("the last of 20 arguments", "argument 19" in chain[0]["because"] + str(chain[0].get("choices")), True)
same("where that is from", chain[-1]["method"], "main")
thrown = [e for e in events(t, method="refused") if e["event"] == "CATCH"][0]
chain = ask("why", t, thrown["seq"])
same("all that the call was given", [len(c["choices"]) for c in chain if "choices" in c][:1], [20])

# the value of a switch has as many instructions that push it as there are cases
left = next(e for e in events(t, event="METHOD_NORMAL_EXIT", method="chosen"))
row = ask("why", t, left["seq"])[1]
same("pushed by one of twelve", (row["event"], row["value"]), ("CALL_RETURN", 111))

# the first length of five is negative
thrown = [e for e in events(t, method="dimensions") if e["event"] == "CATCH"][0]
chain = ask("why", t, thrown["seq"])
same("the negative length", (chain[0]["because"][:15], chain[-1]["method"]), ("-4713: a length", "main"))

# a value that was copied 30 times
loaded = [e for e in events(t, method="copies", event="ARRAY_LOAD_RESULT")][-1]
same("copied", loaded["value"], 4714)
chain = ask("why", t, loaded["seq"])
same("where it was written", (chain[-1]["method"], chain[-1].get("value")), ("main", 4714))

# lambdas that are alike: some are offered, and it is said that there are more
body = [e for e in events(t, event="METHOD_PARAM") if e["method"].startswith("lambda$same")][-1]
row = ask("why", t, body["seq"])[0]
same("alike", (len(row["choices"]), "; there may be more causes than those offered" in row["because"]), (32, True))
end()
