"""filters.py COMMAND TRACE: each filter gives the events that Python chooses among all."""

import fnmatch, json, subprocess, sys

command, trace = sys.argv[1:3]

bad = 0


def run(*args):
    global bad
    r = subprocess.run([command, "print", trace, *args], capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        bad += 1
        print("FAILED: print %s: exit status %d: %s" % (" ".join(args), r.returncode, r.stderr.strip()))
        return []
    return r.stdout.splitlines()


full = [json.loads(l) for l in run("--json")]
if not full:
    sys.exit("FAILED: no events")


def same(want, *args):
    global bad
    have = [json.loads(l) for l in run("--json", *args)]
    if have != want:
        bad += 1
        i = next((i for i, (a, b) in enumerate(zip(have, want)) if a != b), min(len(have), len(want)))
        print(
            "FAILED: print %s: %d events, not %d; first difference at %d: %s | %s"
            % (
                " ".join(args),
                len(have),
                len(want),
                i,
                have[i] if i < len(have) else "none",
                want[i] if i < len(want) else "none",
            )
        )
    text = run(*args)
    if len(text) < len(want):
        bad += 1
        print("FAILED: print %s: %d lines of text for %d events" % (" ".join(args), len(text), len(want)))


def ref(e):
    return e.get("value") if isinstance(e.get("value"), dict) else None


seqs = [e["seq"] for e in full]
a, b = seqs[len(seqs) // 3], seqs[2 * len(seqs) // 3]
same([e for e in full if a <= e["seq"] <= b], "--from", str(a), "--to", str(b))
same(full[:10], "--num", "10")
same([e for e in full if e["seq"] >= a][:7], "--from", str(a), "--num", "7")
same([e for e in full if e["seq"] >= seqs[-1]], "--from", str(seqs[-1]))
for t in sorted({e["thread"] for e in full})[:3]:
    same([e for e in full if e["thread"] == t], "--thread", str(t))
for kinds in ("METHOD_ENTRY", "CALL,CALL_RETURN", "METHOD_PARAM,CATCH,LABEL"):
    same([e for e in full if e["event"] in kinds.split(",")], "--event", kinds)
name = full[len(full) // 2]["class"]
same([e for e in full if e["class"] == name], "--class", name)
same([e for e in full if fnmatch.fnmatchcase(e["class"], "oracle.*$*")], "--class", "oracle.*$*")
same([e for e in full if e["method"] == "main"], "--method", "main")
same([e for e in full if fnmatch.fnmatchcase(e["method"], "<*")], "--method", "<*")
same([e for e in full if e["method"] == "main" and e["event"] == "CALL"], "--method", "main", "--event", "CALL")
objects = [ref(e)["id"] for e in full if ref(e)]
for o in {objects[0], objects[len(objects) // 2], objects[-1]}:
    same([e for e in full if ref(e) and ref(e)["id"] == o], "--object", str(o))
number = next(
    e["value"] for e in full if isinstance(e.get("value"), int) and not isinstance(e["value"], bool) and e["value"] > 1
)


def stands(e):
    return ref(e).get("value") if ref(e) else e.get("value")  # a box is found by its number


same([e for e in full if stands(e) == number and not isinstance(stands(e), bool)], "--value", str(number))
text = next((ref(e)["string"] for e in full if ref(e) and len(ref(e).get("string", "")) > 3), None)
if text:
    same([e for e in full if ref(e) and text[:4] in ref(e).get("string", "")], "--text", text[:4])
print("%s: %d events, %s" % (trace.split("/")[-1], len(full), "FAILED" if bad else "all filters exact"))
sys.exit(1 if bad else 0)
