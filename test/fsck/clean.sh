#!/bin/bash
# clean.sh oracle | NAME... | --all: fsck finds nothing in traces of the oracle programs (with several choices of
# groups), or of workloads.
#
# test: fsck.oracle
# labels: fsck
# jdks: all
# needs: traces
# limit: 900 s
# full: --all
# full limit: 14400 s
. "$(dirname "$0")/../lib.sh"
clean() { # TRACE NAME
    "$HINDSIGHT" fsck "$1" --json --limit 20 >"$WORK/out" 2>"$WORK/err"; local status=$?
    if [ $status = 0 ]; then echo "$2: $(head -n 1 "$WORK/out")"; return; fi
    fail "$2: fsck: exit status $status: $(head -n 1 "$WORK/err")"
    head -n 8 "$WORK/out"
}
if [ "${1:-oracle}" = oracle ]; then
    oracle_traces
    for trace in "$TRACES"/*/*/trace; do
        way=${trace#"$TRACES/"}
        clean "$trace" "${way%/trace}"
    done
    # several ways lead to the increment of a loop, and no event tells which one was taken
    cat >"$WORK/Increments.java" <<'J'
public class Increments {
    static int left = 9, sum;
    static int next(int x) { return x + 7; }
    static void count(boolean b) { sum += b ? 1 : 2; }
    public static void main(String[] a) {
        for (int i = 0; i < 4; i++)
            while (--left > 0 && next(left) >= 12) count(sum > 2);
    }
}
J
    compile "$WORK/c" "$WORK/Increments.java"
    record "$WORK/increments" weave=EXEC+LOCAL,quiet=true -cp "$WORK/c" Increments
    clean "$WORK/increments" increments
    # a method too long for all of its hooks writes fields and elements without an event, between calls of one that
    # reads them
    {
        echo 'public class Long { int x; int[] a = new int[1]; int get() { return x + a[0]; } void big() {'
        seq -f 'x ^= 40000 + %.0f; a[0] = x; get();' 1 1200
        echo '} public static void main(String[] s) { new Long().big(); } }'
    } >"$WORK/Long.java"
    compile "$WORK/c" "$WORK/Long.java"
    record "$WORK/long" weave=ALL,quiet=true -cp "$WORK/c" Long
    "$HINDSIGHT" info "$WORK/long" --json | grep -q 'not_woven.*big' || fail "big has all its hooks"
    clean "$WORK/long" long
    finish
fi
export TMPDIR=$WORK JAVA
# the workloads are compiled by the plain javac, which is 17: their libraries read no newer classes
PATH=${JDK17:-$JDK}/bin:$PATH
ran=0 names=("$@")
[ "$1" != --all ] || { names=("$ROOT"/test/workloads/w/*.sh); names=("${names[@]##*/}"); names=("${names[@]%.sh}"); }
for name in "${names[@]}"; do
    rm -rf "$WORK/traces"; mkdir -p "$WORK/traces"
    JAVA_AGENT_OPT="-agentpath:$AGENT=output=$WORK/traces/@W@-{pid},format=omni,weave=${WEAVE:-ALL}" \
        "$ROOT/test/workloads/run-all.sh" "$name" >"$WORK/log" 2>&1
    if grep -q skipped "$WORK/log"; then tail -n +2 "$WORK/log"; rm -rf "$WORK"/workloads.*; continue; fi
    found=0
    for trace in "$WORK"/traces/*; do [ -d "$trace" ] || continue; found=1 ran=1; clean "$trace" "$name"; done
    [ $found = 1 ] || { fail "$name left no trace:"; cat "$WORK/log"; }
    rm -rf "$WORK"/workloads.*
done
[ $ran = 1 ] || [ $failures -gt 0 ] || skip "none of the workloads could run"
finish
