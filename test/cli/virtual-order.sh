#!/bin/bash
# What virtual threads record on several carriers is put in order before anything is made of it: no exit of a
# constructor is inferred that there was not, and format=timing finds the exit of each call. Constructors wait in the
# middle of super(...), and some throw; the program counts its own calls and exceptions.
#
# test: cli.virtual-order
# labels: cli
# jdks: from 21
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Hops.java <<'J'
public class Hops {
    static class Base {
        final int x;
        Base(int k) { hop(k); if (k % 3 == 0) throw new IllegalStateException(); x = k; hop(k + 1); }
    }
    static class Sub extends Base {
        final Object o;
        Sub(int k) { super(hop(k)); o = "s" + x; hop(k); }
        Sub(String s) { this(s.length()); }
    }
    static int hop(int k) {
        try { if (k % 2 == 0) Thread.yield(); else Thread.sleep(1); } catch (InterruptedException e) { }
        return k;
    }
    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[8];
        int[] thrown = new int[threads.length];
        for (int t = 0; t < threads.length; t++) {
            int own = t;
            threads[t] = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 60; i++)
                    try { if (i % 5 == 0) new Sub("text".substring(i % 4)); else new Sub(i); }
                    catch (IllegalStateException e) { thrown[own]++; }
            });
        }
        for (Thread t : threads) t.join();
        System.out.println(java.util.Arrays.stream(thrown).sum());
    }
}
J
"${JAVAC[@]}" --release 21 -g -d c Hops.java || die "the program does not compile"
carriers=(-Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4)
"$JAVA" "${carriers[@]}" -cp c Hops >plain
for options in omni,derive=off omni,derive=on omni,weave=EXEC+CALL+PARAM timing; do
    trace=${options//[,=+]/-}
    "$JAVA" "${carriers[@]}" "-agentpath:$AGENT=output=$trace,format=$options,quiet=true" -cp c Hops >out 2>err ||
        fail "$options: $(cat err)"
    cmp -s plain out || fail "$options: it prints something else: $(cat out)"
    "$HINDSIGHT" fsck "$trace" >checked || fail "$options: fsck: $(head -n 5 checked)"
    "$HINDSIGHT" report "$trace" --json >report.json || fail "$options: report"
    python3 - "$options" "$(cat plain)" <<'PY' || fail "$options: $("$HINDSIGHT" report "$trace")"
import json, sys
thrown = int(sys.argv[2])
rows = {(r["class"], r["method"], r["desc"]): r for r in map(json.loads, open("report.json"))}
# of 480 objects 96 are made with a text: i % 4 of 0, 1, 2, 3 is a length of 4, 3, 2, 1
texts = 8 * sum(1 for i in range(0, 60, 5) if 4 - i % 4 == 3)
expected = {"Hops$Base.(I)V": (480, thrown), "Hops$Sub.(I)V": (480, thrown),
            "Hops$Sub.(Ljava/lang/String;)V": (96, texts)}
for (c, m, d), r in rows.items():
    if m == "<init>" and (r["calls"], r["exceptions"]) != expected.pop(c + "." + d):
        sys.exit("%s.%s%s: %d calls, %d exceptions" % (c, m, d, r["calls"], r["exceptions"]))
    if sys.argv[1] == "timing" and sum(r["histogram"]) != r["calls"]:
        sys.exit("%s.%s%s: %d calls, of which %d have an end" % (c, m, d, r["calls"], sum(r["histogram"])))
if expected:
    sys.exit("no rows of %s" % expected)
PY
done
finish
