#!/bin/bash
# format=timing in virtual threads that change their carriers: short methods are counted there too, no call is lost or
# told of another thread, and the exceptions are those of the program, which counts its own calls.
#
# test: cli.virtual-timing
# labels: cli
# jdks: from 21
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Short.java <<'J'
public class Short {
    static int step(int x) {
        if (x % 1000 == 999) throw new IllegalStateException();
        return x * 31 + 7;
    }
    static int steps(int n, int[] thrown) {
        int x = 1;
        for (int i = 0; i < n; i++)
            try { x += step(i); } catch (IllegalStateException e) { thrown[0]++; }
        return x;
    }
    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[6];
        int[][] thrown = new int[threads.length][1];
        for (int t = 0; t < threads.length; t++) {
            int own = t;
            threads[t] = Thread.ofVirtual().name("v" + t).start(() -> {
                for (int i = 0; i < 5; i++) {
                    steps(100_000 * (own + 1), thrown[own]);
                    try { Thread.sleep(1); } catch (InterruptedException e) { }
                }
            });
        }
        for (Thread t : threads) t.join();
        for (int[] n : thrown) System.out.println(n[0]);
    }
}
J
"${JAVAC[@]}" --release 21 -g -d c Short.java || die "the program does not compile"
carriers=(-Djdk.virtualThreadScheduler.parallelism=3 -Djdk.virtualThreadScheduler.maxPoolSize=3)
"$JAVA" "${carriers[@]}" "-agentpath:$AGENT=output=t,format=timing,quiet=true" -cp c Short >out 2>err ||
    fail "the program: $(cat err)"
"$HINDSIGHT" fsck t >checked || fail "fsck: $(head -n 5 checked)"
"$HINDSIGHT" report t --json >report.json || fail "report"
"$HINDSIGHT" threads t --json >threads.json || fail "threads"
"$HINDSIGHT" info t --json >info.json || fail "info"
python3 - <<'PY' || fail "$("$HINDSIGHT" report t; "$HINDSIGHT" threads t)"
import json
thrown = [int(line) for line in open("out")]
calls = [500_000 * (t + 1) for t in range(6)]
rows = {r["method"]: r for r in map(json.loads, open("report.json"))}
step, steps = rows["step"], rows["steps"]
assert thrown == [n // 1000 for n in calls], thrown
assert (step["calls"], step["exceptions"]) == (sum(calls), sum(thrown)), step
assert (steps["calls"], steps["exceptions"]) == (30, 0) and sum(steps["histogram"]) == 30, steps
assert sum(step["histogram"]) == step["calls"], step
info = json.load(open("info.json"))
assert 0 < info["counted_calls"] < step["calls"], info["counted_calls"]
threads = {t["name"]: t["events"] for t in map(json.loads, open("threads.json"))}
for t in range(6):  # entry and exit of each, of 5 calls of steps and one of the lambda; throw and catch
    assert threads["v%d" % t] == 2 * (calls[t] + 5 + 1 + thrown[t]), (t, threads["v%d" % t], calls[t])
PY
finish
