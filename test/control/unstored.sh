#!/bin/bash
# Class files are stored last: while a program is recorded that has few of them, they wait in the recorder. fsck of what
# is stored finds no fault in that.
#
# test: control.unstored
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Ticks.java <<'J'
public class Ticks {
    static int tick(int n) { if (n % 2 == 0) throw new IllegalStateException(); return n; }
    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 60_000; n++) {
            try { tick(n); } catch (IllegalStateException e) { }
            Thread.sleep(1);
        }
    }
}
J
compile c Ticks.java || die "the program does not compile"
for options in timing exceptions omni,derive=off omni; do
    trace=${options//[,=]/-}
    "$JAVA" "-agentpath:$AGENT=output=$trace,format=$options,quiet=true" -cp c Ticks &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        "$HINDSIGHT" fsck "$trace" >checked 2>said; status=$?
        grep -q proofs checked && break
        sleep 0.1
    done
    if ! grep -q ', 0 violations' checked || [ $status = 1 ]; then
        fail "$options: fsck: exit status $status: $(head -n 5 checked said)"
    fi
    kill -KILL $pid
    wait $pid 2>/dev/null
    "$HINDSIGHT" fsck "$trace" >checked 2>said
    grep -q ', 0 violations' checked || fail "$options, killed: $(head -n 5 checked said)"
done
finish
