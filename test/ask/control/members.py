# members.py COMMAND TRACE OUTPUT: what a program has counted of its collections, against why-not.
import collections, json, subprocess, sys

command, trace, output = sys.argv[1:4]
said = collections.defaultdict(set)
for line in open(output):
    question, situation, held, needed, calls = line.rstrip("\n").split("\t")
    said[question].add((situation, held, needed, int(calls)))


def ask(*args):
    r = subprocess.run([command, *args, "--json"], capture_output=True, text=True, timeout=60)
    if r.returncode != 0:
        print("FAILED: %s: status %d: %s" % (args, r.returncode, r.stderr))
        sys.exit(1)
    return [json.loads(line) for line in r.stdout.splitlines()]


# the calls of ask: the name, and the moment at which all parameters are there
params = ask("print", trace, "--event", "METHOD_PARAM", "--class", "Members", "--method", "ask(String, Object, Object)")
moments = {}
for thread in {p["thread"] for p in params}:
    mine = [p for p in params if p["thread"] == thread]
    for name, _, element in zip(mine[::3], mine[1::3], mine[2::3]):
        moments[name["value"]["string"]] = element["seq"]
wrong = rows = 0
if moments.keys() != said.keys():
    wrong += 1
    print("FAILED: asked %s, counted %s" % (sorted(moments), sorted(said)))
for question, want in sorted(said.items()):
    method = "containsKey" if question == "key" else "contains"
    asked = "collection.%s(element)" % method
    got = ask("why-not", asked, trace, "--at", str(moments[question]))
    found = collections.Counter()
    for r in got:
        found[r["situation"], r.get("decision", {}).get("condition", ""), r.get("needs", "")] += r.get("calls", 0)
    found = {(*k, calls) for k, calls in found.items()}
    rows += len(want)
    if found != want:
        wrong += 1
        print("FAILED: %s: %s:\n  is     %s\n  wanted %s" % (question, asked, sorted(found), sorted(want)))
print("%d questions, %d rows, %d wrong" % (len(said), rows, wrong))
sys.exit(wrong > 0 or len(said) < 10)
