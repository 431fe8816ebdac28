#!/bin/bash
# timeline.sh - `hindsight timeline` against the entries and exits of `print`: every call where each event is a moment;
# of a part that is too large to be walked, the calls that are open at each moment. And `hindsight source`.
#
# test: cli.timeline
# labels: cli
# limit: 600 s
. "$(dirname "$0")/../lib.sh"

compile "$WORK/classes" "$ROOT/test/clients/view/Hostile.java" || die "Hostile does not compile"
record "$WORK/small" weave=ALL -cp "$WORK/classes" Hostile >"$WORK/run.out" 2>&1
record "$WORK/large" weave=ALL -cp "$WORK/classes" Hostile 90000 >"$WORK/run.out" 2>&1
# Threads that end early, begin late, or call nothing for long.
cat >"$WORK/Short.java" <<'J'
public class Short {
    static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += step(i); return s; }
    static int step(int i) { return i & 3; }
    static void inThread(int n) throws Exception {
        Thread t = new Thread(() -> work(n));
        t.start();
        t.join();
    }
    public static void main(String[] a) throws Exception {
        int s = 0;
        inThread(3);
        s += work(30000);
        inThread(20000);
        for (int i = 0; i < 120000; i++) s += i;
        inThread(3);
        System.out.println(s);
    }
}
J
compile "$WORK/classes" "$WORK/Short.java" || die "Short does not compile"
record "$WORK/short" weave=ALL -cp "$WORK/classes" Short >"$WORK/run.out" 2>&1
python3 - "$HINDSIGHT" "$WORK/small" "$WORK/large" "$WORK/short" <<'PY' || fail "timeline"
import json, subprocess, sys

hindsight, small, large, short = sys.argv[1:]


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], capture_output=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def calls(trace):
    """(thread, depth, entry, exit, method) of every call, by thread."""
    found, stacks = [], {}
    for e in ask("print", trace, "--event", "METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT"):
        stack = stacks.setdefault(e["thread"], [])
        if e["event"] == "METHOD_ENTRY":
            stack.append(e)
        else:
            entry = stack.pop()
            found.append((e["thread"], len(stack), entry["seq"], e["seq"], entry["method"]))
    assert not any(stacks.values())
    return sorted(found)


events = ask("info", small)[0]["events"]
rows = ask("timeline", small, "--buckets", str(events))
assert sorted((r["thread"], r["depth"], r["from"], r["to"], r["method"]) for r in rows) == calls(small), rows
assert all(r["entered"] == r["from"] for r in rows)
rows = ask("timeline", small, "--buckets", str(events), "--depth", "0", "--thread", "0")
assert [(r["depth"], r["method"]) for r in rows] == [(0, "main")], rows

# a part of it: calls that began before are cut, but say where they began
middle = [c for c in calls(small) if c[4] == "add"][0]
at = (middle[2] + middle[3]) // 2
rows = [r for r in ask("timeline", small, "--from", str(at), "--buckets", str(events)) if r["method"] == "add"]
assert [(r["from"], r["to"], r["entered"]) for r in rows] == [(at, middle[3], middle[2])], (rows, middle)

# too large to be walked: at each moment the calls that are open there
for trace, buckets in ((large, 7), (short, 7), (short, 500)):
    events = ask("info", trace)[0]["events"]
    assert events > 1 << 20, events
    step = (events - 1) // buckets + 1
    rows, known = ask("timeline", trace, "--buckets", str(buckets)), calls(trace)
    for moment in range(0, events, step):
        want = {(c[0], c[1], c[2], c[4]) for c in known if c[2] <= moment <= c[3]}
        got = {(r["thread"], r["depth"], r["entered"], r["method"]) for r in rows if r["from"] <= moment <= r["to"]}
        assert got == want, (moment, got, want)
    print(f"{len(calls(small))} calls; {events} events at {buckets} moments")
PY
diff <("$HINDSIGHT" source Hostile "$WORK/small" --source "$ROOT/test/clients/view" --json | python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert row["class"] == "Hostile" and row["file"] == "Hostile.java", row
    print(row["text"])') "$ROOT/test/clients/view/Hostile.java" || fail "source --json is not the file"
"$HINDSIGHT" source Hostile "$WORK/small" --source "$ROOT/test/clients/view" | sed -n 2p |
    grep -q '^ *2  public class Hostile {$' ||
    fail "source numbers its lines"
"$HINDSIGHT" source Hostile "$WORK/small" --source "$WORK/classes" 2>&1 | tail -n 1 | grep -q 'source file is not in' ||
    fail "source of a class without one"
one_line 2 "expected a class" "$HINDSIGHT" source "$WORK/small" --source "$WORK"
one_line 2 "says where" "$HINDSIGHT" source "$WORK/small" Hostile
one_line 2 "from 1 to" "$HINDSIGHT" timeline "$WORK/small" --buckets 0
finish
