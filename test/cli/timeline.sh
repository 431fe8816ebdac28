#!/bin/bash
# timeline.sh - `hindsight timeline` against the entries and exits of `print`: every call where each event is a moment;
# of a part that is too large to be walked, the calls that are open at each moment. And `hindsight source`.
#
# test: cli.timeline
# labels: cli
# limit: 900 s
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
# Threads whose calls overlap, and take turns.
compile "$WORK/classes" "$ROOT/bench/Scale.java" || die "Scale does not compile"
record "$WORK/together" weave=ALL -cp "$WORK/classes" Scale threads 30000 >"$WORK/run.out" 2>&1
python3 "$ROOT/test/cli/timeline.py" "$HINDSIGHT" "$BUILD/examples/samples" "$WORK"/{small,large,short,together} ||
    fail "timeline"
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
