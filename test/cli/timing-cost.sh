#!/bin/bash
# format=timing against what the program itself measures: a method that works keeps its time, one that does next to
# nothing is not told the recorder's, although most of its calls are counted and not timed.
#
# test: cli.timing-cost
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Measures.java <<'J'
public class Measures {
    static int step(int x) { return x * 31 + 7; }
    static long took, most;
    static int work(int x) {
        long begin = System.nanoTime();
        for (int i = 0; i < 20_000; i++) x = x * 31 + i;
        took += System.nanoTime() - begin;
        return x;
    }
    static int steps(int x) { for (int i = 0; i < 20_000_000; i++) x = step(x); return x; }
    public static void main(String[] args) {
        int x = 1;
        for (int i = 0; i < 2_000; i++) {
            long begin = System.nanoTime();
            x = work(x);
            most += System.nanoTime() - begin;
        }
        x = steps(x);
        System.out.println(x + " " + took + " " + most);
    }
}
J
compile c Measures.java || die "the program does not compile"
"$JAVA" "-agentpath:$AGENT=output=t,format=timing" -cp c Measures >out 2>err || fail "the program: $(cat err)"
"$HINDSIGHT" report t --json >report.json || fail "report"
"$HINDSIGHT" report t >report.txt
"$HINDSIGHT" info t --json >info.json || fail "info"
"$HINDSIGHT" info t | grep -q '^counted .*calls of [0-9]* short methods' || fail "info: $("$HINDSIGHT" info t)"
# shellcheck disable=SC2046
python3 - $(cut -d' ' -f2,3 <out) <<'PY' || fail "times: $(cat report.txt)"
import json, sys
rows = {r["method"]: r for r in map(json.loads, open("report.json"))}
took, most = map(int, sys.argv[1:]) # inside of work, and around its calls
work, step, main = (rows[m] for m in ("work", "step", "main"))
assert 0.9 * took <= work["self_ns"] <= 1.1 * most, (took, most, work)
assert not work["mostly_recorder"], work
assert step["mostly_recorder"] and step["calls"] == 20_000_000 and step["recorder_ns"] > 10 * step["calls"], step
assert step["p50_ns"] < step["recorder_ns"] / step["calls"], step # half of the calls, wherever it was interrupted
assert sum(step["histogram"]) == step["calls"], step
counted = json.load(open("info.json"))["counted_calls"]
assert 0 < counted < step["calls"], counted
whole = sum(r["self_ns"] for r in rows.values())
assert abs(main["total_ns"] - whole) <= whole / 100 + 1000, (main, whole) # they add up
PY
grep -q 'Measures.step(int) ~$' report.txt && grep -q '^~: the recorder took longer' report.txt ||
    fail "the method is not marked: $(cat report.txt)"
grep -q 'Measures.work(int)$' report.txt || fail "a method that works is marked: $(cat report.txt)"
finish "times of a recording are the program's"
