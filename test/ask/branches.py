# Branches: a local variable that was assigned in one of several branches is there behind them.
from ask import *

calls = events("Branches", event="METHOD_ENTRY", method="use")
same("calls of use", len(calls), 5)
for call, name, size in zip(calls[2:], ("ten", "twenty", "none"), (11, 21, 1)):
    frames = ask("locals", "Branches", "--at", call["seq"])
    same("locals of pick", {n: plain(v) for n, v in frames[1]["locals"].items()}, {"name": name, "size": size})
# in the second round nothing of the first one shows
for event, there in (("CATCH_LABEL", False), ("CATCH", False), ("LOCAL_STORE", True)):
    found = [
        e
        for e in events("Branches", event=event, method="tries")
        if event != "LOCAL_STORE" or e["attr"]["name"] == "error"
    ]
    same("rounds", len(found), 2)
    for e in found:
        same("error at a %s" % event, "error" in ask("locals", "Branches", "--at", e["seq"])[0]["locals"], there)
end()
