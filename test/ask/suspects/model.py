"""model.py COMMAND CLASSES JAVAP FAILING TRACE...: `suspects` of traces, of which the last FAILING failed, against what
Python counts from the events and the bytecode alone."""
import json, math, subprocess, sys

command, classes, javap, failing = sys.argv[1:4] + [int(sys.argv[4])]
traces = sys.argv[5:]
names = ["Runs", "Runs$Box"]


def ask(*args):
    r = subprocess.run([command, *args], capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        sys.exit("FAILED: %s: status %d: %s" % (args, r.returncode, r.stderr))
    return [json.loads(line) for line in r.stdout.splitlines()]


def branches():
    """(class, method, descriptor, pc) of the conditional branches and switches, with their lines."""
    found, lines = set(), {}
    for name in names:
        text = subprocess.run(
            [javap, "-c", "-s", "-l", "-p", "-cp", classes, name], capture_output=True, text=True
        ).stdout
        method = None
        for line in text.splitlines():
            words = line.split()
            if line.startswith("  ") and not line.startswith("   ") and line.endswith(";"):
                method = line.split("(")[0].split()[-1]
                method = "<clinit>" if "static {}" in line else "<init>" if method == name else method
            elif words[:1] == ["descriptor:"]:
                desc = words[1]
            elif words[:1] == ["line"]:
                lines.setdefault((name, method, desc), []).append((int(words[2]), int(words[1].rstrip(":"))))
            elif len(words) > 1 and words[0].rstrip(":").isdigit() and words[0].endswith(":"):
                if words[1].startswith("if") or words[1] in ("tableswitch", "lookupswitch"):
                    found.add((name, method, desc, int(words[0][:-1])))
    return {at: max((l for l in lines[at[:3]] if l[0] <= at[3]), default=(0, -1))[1] for at in found}


VALUES = "METHOD_PARAM METHOD_NORMAL_EXIT CALL_RETURN PUT_INSTANCE_FIELD_VALUE PUT_STATIC_FIELD LOCAL_STORE".split()
LINES = VALUES + "LABEL METHOD_ENTRY METHOD_THROW CATCH CALL INVOKE_DYNAMIC ARRAY_STORE_VALUE LOCAL_INCREMENT".split()
LINES += ["PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION"]
WORDS = {"METHOD_THROW": "throws", "METHOD_EXCEPTIONAL_EXIT": "is left by", "CATCH": "catches"}


def predicates(v):
    if v is None:
        return ["== null"]
    if isinstance(v, bool):
        return ["== true" if v else "== false"]
    if isinstance(v, dict):
        return ["!= null"] + (['== ""'] if v.get("string") == "" else [])
    if v == "NaN" or v != v:
        return ["is NaN"]
    return ["< 0" if v < 0 else "> 0" if v > 0 else "== 0"]


def features(events, conditional):
    """{feature: (the feature that says that control came there, seq, its line)}, and those that say so."""
    has, came, calls = {}, set(), {}

    def ran(method, line, seq):
        if line >= 0:
            has[("line", method, None, line)] = (None, seq, (method, line))

    for e in events:
        method = (e["class"], e["method"], e["desc"])
        event, name = e["event"], e.get("attr", {}).get("name")
        if event == "CALL":
            calls[method + (e["pc"],)] = name
        if event in LINES:
            ran(method, e.get("line", -1), e["seq"])
        if event == "LABEL" and method + (e["value"],) in conditional:
            at = method + (e["value"],)
            came.add(at)
            ran(method, conditional[at], e["seq"])
            has.setdefault(("branch", method, e["value"], e["pc"]), (at, e["seq"], (method, conditional[at])))
        elif event == "METHOD_ENTRY":
            has.setdefault(("method", method, None), (None, e["seq"], (method, e.get("line"))))
        elif event in WORDS:
            place = e["pc"] if event != "METHOD_EXCEPTIONAL_EXIT" else 0
            what = WORDS[event] + " " + e["value"]["type"]
            at = e.get("thrown_at", e) if event == "METHOD_EXCEPTIONAL_EXIT" else e
            has.setdefault(("exception", method, what, place), (None, e["seq"], (method, at["line"])))
        elif event in VALUES and "value" in e:
            place = method + (event, e["pc"], e.get("attr", {}).get("index", 0))
            came.add(place)
            called = {
                "METHOD_NORMAL_EXIT": "result",
                "CALL_RETURN": "result of %s" % calls.get(method + (e["pc"],)),
            }.get(event, name)
            for p in predicates(e["value"]):
                has.setdefault(
                    ("value", method, "%s %s" % (called, p), place), (place, e["seq"], (method, e.get("line")))
                )
    return has, came


conditional = branches()
runs = [features(ask("print", "--json", t), conditional) for t in traces]
failed = [i >= len(traces) - failing for i in range(len(traces))]
want, never, named = [], [], (set(), set())
for f in sorted({f for has, came in runs for f in has}, key=lambda f: f[0] == "line"):
    place = next(has[f][0] for has, came in runs if f in has)
    there = [i for i in range(len(runs)) if place is None or place in runs[i][1]]
    had = [i for i in range(len(runs)) if f in runs[i][0]]
    f1, p1 = sum(failed[i] for i in had), sum(not failed[i] for i in had)
    f2, p2 = sum(failed[i] for i in there), sum(not failed[i] for i in there)
    if f1 == 0 and p1 == len(runs) - failing:
        lacked = f2 / (f2 + p2 - p1) - f2 / (f2 + p2) if f2 > 0 else 0
        first = min(had)
        score = (1, lacked)
    elif f1 == 0:
        continue
    else:
        first = min(i for i in had if failed[i])
        score = (f1 / math.sqrt(failing * (f1 + p1)), f1 / (f1 + p1) - f2 / (f2 + p2))
        if score[1] <= (1e-12 if f[0] != "line" else -1e-12):
            continue
    line = runs[first][0][f][2]
    if f[0] == "line" and line in named[f1 == 0]:
        continue
    named[f1 == 0].add(line)
    (never if f1 == 0 else want).append(
        (
            f[0],
            "%s.%s" % f[1][:2],
            None if f[0] == "branch" else f[2],
            (f1, p1, f2, p2),
            "%.3f" % score[0],
            "%.3f" % score[1],
            traces[first],
            runs[first][0][f][1],
        )
    )
passed, bad = traces[:-failing], traces[-failing:]
options = [o for t in passed for o in ("--passed", t)] + [o for t in bad[1:] for o in ("--failed", t)]


def compare(want, *more):
    have = [
        (
            r["kind"],
            r["method"],
            None if r["kind"] == "branch" else r.get("what"),
            tuple(r[k] for k in "failing passing failing_reached passing_reached".split()),
            "%.3f" % r["ochiai"],
            "%.3f" % r["increase"],
            r["run"],
            r["seq"],
        )
        for r in ask("suspects", "--json", bad[0], *options, *more)
    ]
    wrong = 0
    for what, rows in (("too many", set(have) - set(want)), ("missing", set(want) - set(have))):
        for row in sorted(rows, key=str)[:5]:
            wrong += 1
            print("FAILED: %s: %s" % (what, row))
    order = [(-float(h[4]), -float(h[5])) for h in have]
    if len(have) != len(want) or order != sorted(order):
        wrong += 1
        print("FAILED: %d rows, not %d, or not in their order" % (len(have), len(want)))
    # the same rows by SQL
    lists = ["'%s'" % ",".join(l) for l in (passed, bad[1:])]
    rows = ask(
        "sql",
        "--json",
        "SELECT kind, method, what, ochiai, increase, seq FROM suspects(%s, %s, %d)" % (*lists, len(more)),
        bad[0],
    )
    sql = sorted((r["kind"], r["method"], r["what"] or "", "%.3f" % r["ochiai"], r["seq"]) for r in rows)
    text = ask("suspects", "--json", bad[0], *options, *more)
    if sql != sorted((r["kind"], r["method"], r.get("what", ""), "%.3f" % r["ochiai"], r["seq"]) for r in text):
        wrong += 1
        print("FAILED: %d rows by SQL, %d by suspects, or other ones" % (len(sql), len(text)))
    if any(r.get("never", False) != bool(more) for r in text):
        wrong += 1
        print("FAILED: never is not said of the rows")
    return wrong


wrong = compare(want) + compare(never, "--never")
print("%d runs, %d rows, %d of what never was, %d wrong" % (len(traces), len(want), len(never), wrong))
sys.exit(wrong > 0 or len(never if len(traces) == 2 else want) < 10)
