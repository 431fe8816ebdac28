"""thrown.py HINDSIGHT TRACE OUTPUT: are the exceptions of a trace of Throws those that its output names, with their
variables? The many at its end are limited: some of them are there, each with its variable."""
import json, re, subprocess, sys

hindsight, trace, output = sys.argv[1:]
wrong = 0


def same(what, have, want):
    global wrong
    if have != want:
        wrong += 1
        print("%s:\n    have %s\n    want %s" % (what, have, want))


def value(v):
    """As the program prints it."""
    if v.get("redacted"):
        return "(redacted)"
    v = v["value"]
    if not isinstance(v, dict):
        return {"None": "null", "True": "true", "False": "false"}.get(str(v), str(v))
    if "string" in v:
        return "(redacted)" if v.get("cut") or v.get("truncated") else v["string"]
    text = v.get("value", v.get("text"))
    name = v["type"].split("$")[-1]
    return name if text is None else text if text.startswith(name) else name + text


r = subprocess.run([hindsight, "exceptions", "--json", trace], capture_output=True, text=True)
rows = [json.loads(line) for line in r.stdout.splitlines()]
same("exit status", r.returncode, 0)
many = [x for x in rows if any(f["method"] == "many" for f in x["stack"])]
rows = [x for x in rows if x not in many]
text = open(output, encoding="utf-8").read()
expected = [m.split("|") for m in re.findall(r"^throw\|((?:.|\n)*?\})$", text, re.M)]
same("exceptions", len(rows), len(expected))
for row, (kind, message, method, caught, variables) in zip(rows, expected):
    what = "%s: %s" % (row["type"], row["message"])
    top = row["stack"][0]
    same(what, row["type"], kind)
    same(what, "(redacted)" if row.get("message_redacted") else row["message"] or "null", message)
    frames = [f["method"] for f in row["stack"]]
    same(what + ": method", any(top["method"].startswith(m) for m in method.split(" or ")), True)
    same(what + ": place", (row["method"], row.get("line")), (top["method"], top.get("line")))
    if row["frames"][0]["method"] == top["method"]:  # its own stack is that of its creation
        same(what + ": its line", top.get("line"), row["frames"][0].get("line"))
    where = [f["method"] for f in row["stack"] if f.get("catches")]
    left_out = row.get("frames_left_out", 0)
    if left_out:
        same(what + ": frames", len(frames) + left_out, 202)  # 201 of deep, and main
        same(what + ": exits", row["exits"] >= 64, True)
    elif caught == "reflection":  # in native code, or in Java
        to = row.get("left_to", {}).get("method")
        got = next(i for i, f in enumerate(row["stack"]) if f.get("catches") or f["method"] == to)
        same(what + ": by reflection", ".reflect." in row["stack"][got]["class"], True)
        same(what + ": caught, exits", (len(where), row["exits"]), (0 if to else 1, got))
    else:
        same(what + ": caught", where, [] if caught == "-" else [caught])
        same(what + ": exits", row["exits"], len(frames) if caught == "-" else frames.index(caught))
    same(what + ": uncaught", row.get("uncaught", False), caught == "-")
    have = {v["name"]: value(v) for v in top.get("variables", [])}
    same(what + ": variables", "{" + ", ".join("%s=%s" % x for x in sorted(have.items())) + "}", variables)
for row in many:
    frame = next(f for f in row["stack"] if f["method"] == "many")
    index = frame["variables"][0]["value"]
    same("many: message", str(index) in row["message"], True)
same("many are limited", 1 <= len(many) < 20000, True)
notes = re.findall(r"note: in (\d+) seconds of a thread exceptions are missing", r.stderr)
same("a note of the limit", len(notes), 1)
print("%d exceptions and %d of many, %d wrong" % (len(rows), len(many), wrong))
sys.exit(wrong > 0)
