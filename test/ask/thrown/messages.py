"""messages.py HINDSIGHT TRACE OUTPUT: are messages and causes those that Messages printed, or said not to be known?"""
import json, subprocess, sys

hindsight, trace, output = sys.argv[1:4]
wrong = 0
said = [line.rstrip("\n").split("\t") for line in open(output)]
answer = subprocess.run([hindsight, "exceptions", trace, "--json"], capture_output=True, text=True, check=True).stdout
rows = [json.loads(line) for line in answer.splitlines()]
if len(rows) != len(said):
    sys.exit("%d exceptions, %d were thrown" % (len(rows), len(said)))
for row, (type_, message, cause) in zip(rows, said):
    want = (
        type_,
        None if message in ("null",) or type_ == "Messages$Unknown" else message,
        type_ == "Messages$Unknown",
        cause,
    )
    told = row["cause"]["type"] if row["cause"] else "none"
    have = (row["type"], row["message"], row.get("message_overridden", False), told)
    if have != want:
        wrong += 1
        print("have %s\nwant %s" % (have, want))
if not rows[-1].get("uncaught"):
    wrong += 1
    print("the last one is not said to be uncaught")
print("%d messages" % len(rows))
sys.exit(wrong > 0)
