"""slices.py COMMAND TRACE CLASSES JAVAP CHANGES SEED MOMENTS: slices of random moments of a run of S<SEED> against
those of depends.py, and what changing each constant did (Change.java) against the slice of the result."""
import json, random, subprocess, sys

from depends import Run, read_code

command, trace, classes, javap, changes, seed, count = sys.argv[1:8]
rng, wrong = random.Random(int(seed)), 0


def ask(*args):
    r = subprocess.run([command, args[0], "--json", *args[1:]], capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        print("FAILED: %s: status %d: %s" % (args, r.returncode, r.stderr))
        sys.exit(1)
    return [json.loads(line) for line in r.stdout.splitlines()]


def compare(what, have, want):
    global wrong
    if have != want:
        wrong += 1
        print(
            "FAILED: seed %s: %s\n  too many %s\n  missing  %s" % (seed, what, sorted(have - want), sorted(want - have))
        )


events = ask("print", trace)
run = Run(read_code(javap, classes, "S" + seed), events)
result = max(run.result)
last = max(run.moments)
moments = [result] + rng.sample(sorted(run.moments), min(int(count), len(run.moments)))
valued = {e["seq"] for e in events if "value" in e and e["event"] != "LABEL"}
asked = 0
for seq in moments:
    for kind, option in (("all", []), ("thin", ["--thin"]), ("control", ["--control"])):
        if kind == "thin" and seq not in valued:
            continue
        rows = ask("slice", trace, str(seq), *option)
        asked += 1
        compare("slice %d %s" % (seq, kind), {r["seq"] for r in rows}, run.slice(seq, kind))
        order = [(r["distance"], -r["seq"]) for r in rows]
        if order != sorted(order) or len(set(order)) != len(order) or rows[0]["distance"] != 0:
            compare("order of slice %d %s" % (seq, kind), set(order), set())
    kind, option = rng.choice([("all", []), ("thin", ["--thin"])])
    if seq in valued:
        came = {r["seq"] for r in ask("slice", trace, str(seq), "--forward", *option) if r["seq"] <= last}
        want = run.forward(seq, kind) & (valued | came if kind == "thin" else set(run.moments))
        asked += 1
        compare("slice %d --forward %s" % (seq, kind), came & set(run.moments), want)

# places of a value
KINDS = {
    "PUT_INSTANCE_FIELD_VALUE": "field",
    "PUT_STATIC_FIELD": "field",
    "ARRAY_STORE_VALUE": "element",
    "LOCAL_STORE": "local",
    "LOCAL_INCREMENT": "local",
    "METHOD_PARAM": "parameter",
    "CALL_PARAM": "argument",
    "CALL_RETURN": "result",
    "METHOD_NORMAL_EXIT": "result",
}
READS = ("GET_STATIC_FIELD", "GET_INSTANCE_FIELD_RESULT", "ARRAY_LOAD_RESULT", "LOCAL_LOAD")
numbers = [e for e in events if type(e.get("value")) is int and e["event"] in KINDS]
for e in rng.sample(numbers, 2) + [n for n in numbers if n["value"] == 1][:1]:
    v, first = e["value"], rng.choice(events)["seq"]
    want = [(x["seq"], KINDS[x["event"]]) for x in numbers if x["value"] == v][::-1]
    have = [(x["seq"], x["kind"]) for x in ask("find", trace, "--", str(v))]
    compare("find %d" % v, set(have), set(want))
    if have != want:
        compare("order of find %d" % v, set(have), set())
    want = {x["seq"] for x in events if x["seq"] >= first and x.get("value") == v and x["event"] in READS}
    have = ask("find", trace, "--kind", "read,constant", "--from", str(first), "--", str(v))
    compare("find %d, reads from %d" % (v, first), {x["seq"] for x in have}, want)
    asked += 2

# constants
thin, whole = run.slice(result, "thin"), run.slice(result, "all")
stores = {e["attr"]["name"]: e for e in events if e["event"] == "PUT_STATIC_FIELD" and e["seq"] <= last}
rows = [line.split() for line in open(changes)]
before = rows[0][1:]
origins = outside = 0
values = {}  # of each constant: the results with it changed
for number, value, path in rows[1:]:
    # what decided a branch, or which element was written, can have kept a write from happening: no slice has that
    if path == before[1] and stores["K" + number]["value"] >= 4:
        values.setdefault(number, set()).add(value)
for number, results in values.items():
    seq = stores["K" + number]["seq"]
    if seq in thin:
        origins += 1
        if results == {before[0]}:
            compare("K%s is in the slice of the result, and changing it changes nothing" % number, {seq}, set())
    elif seq not in whole:
        outside += 1
        if results != {before[0]}:
            compare("K%s is not in the slice of the result, and changing it changes it" % number, {seq}, set())
print("seed %s: %d slices, %d constants inside, %d outside, %d wrong" % (seed, asked, origins, outside, wrong))
sys.exit(wrong > 0 or asked < 5)
