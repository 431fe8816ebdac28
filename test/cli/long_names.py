"""long_names.py COMMAND TRACE: long names are whole, or cut where the message says so."""

import json, subprocess, sys

command, trace = sys.argv[1:]
bad = []


def run(*args, status=0):
    r = subprocess.run([command, args[0], trace, *args[1:]], capture_output=True, timeout=100)
    if r.returncode != status:
        bad.append("%s: exit status %d: %s" % (args, r.returncode, r.stderr.decode()[:200]))
    if status == 0 and r.stderr:
        bad.append("%s says %s" % (args, r.stderr.decode()[:200]))
    return r.stdout.decode()  # wrong UTF-8 is an error


def strings(v):
    if isinstance(v, dict):
        return [s for x in v.values() for s in strings(x)]
    if isinstance(v, list):
        return [s for x in v for s in strings(x)]
    return [v] if isinstance(v, str) else []


def objects(v):
    if isinstance(v, dict):
        yield v
    for x in v.values() if isinstance(v, dict) else v if isinstance(v, list) else []:
        yield from objects(x)


whole = [json.loads(l) for l in run("print", "--json", "--maxname", "0", "--num", "200").splitlines()]
assert any(e["method"] == "g" * 60000 for e in whole) and not any("cut" in o for e in whole for o in objects(e))
for limit in (1000, 1, 70000):
    option = ["--maxname", str(limit)] if limit != 1000 else []
    rows = [json.loads(l) for l in run("print", "--json", "--num", "200", *option).splitlines()]
    if len(rows) != len(whole):
        bad.append("%d rows" % len(rows))
    for row, exact in zip(rows, whole):
        for have, want in zip(objects(row), objects(exact)):
            texts = {k: v for k, v in want.items() if isinstance(v, str) and k != "event"}
            if any(have[k] != v[:limit] for k, v in texts.items()):
                bad.append("maxname %d: %s" % (limit, str(have)[:100]))
            if have.get("cut", False) != any(len(v) > limit for v in texts.values()):
                bad.append("maxname %d: cut of %s" % (limit, str(have)[:100]))
            if have.keys() - want.keys() - {"cut"}:
                bad.append("keys %s" % have.keys())
text = run("print", "--num", "200")
for name, shown in (
    ("e" * 1000, "e" * 1000 + "\n"),
    ("f" * 1001, "f" * 1000 + "..."),
    ("\u00e9" * 1000, "\u00e9" * 1000 + "\n"),
    ("\u00e4" * 1001, "\u00e4" * 1000 + "..."),
):
    if shown not in text or name + "f" in text:
        bad.append("text of %s..." % name[:3])
# no command gives more than 1000 characters of a name in any row, in text or JSON
commands = subprocess.run([command, "help"], capture_output=True, text=True).stdout
asked = 0
for args in (
    ["print"],
    ["tree"],
    ["tree", "--fold", "none"],
    ["report"],
    ["report", "--paths"],
    ["freq"],
    ["latest"],
    ["dataids"],
    ["methods"],
    ["classes"],
    ["objects"],
    ["exceptions"],
    ["locals", "--at", "900"],
):
    for json_too in ([], ["--json"]):
        out = run(*args, *json_too)
        asked += 1
        for letter in "fg\u00e4":
            if letter * 1001 in out:
                bad.append("%s %s shows a whole name" % (args, json_too))
        if args[0] in ("print", "tree", "report", "freq", "dataids", "methods") and "g" * 1000 not in out:
            bad.append("%s %s shows less" % (args, json_too))
print("".join("FAILED: %s\n" % b for b in bad[:20]), end="")
sys.exit(bool(bad))
