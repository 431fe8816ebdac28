#!/bin/bash
# derive.sh [--all]: traces of option derive=on have the same events, and give the same answers, as plain ones.
#
# 1. Recordings of the oracle programs: each chunk is derived as the recorder does it, executed, and compared with the
#    events of the plain chunk of the same run (bench/bench_derive.c).
# 2. Programs of test/jvm recorded with derive=on must pass as they do without; --all: every one of them.
# 3. A derived trace and the same trace with every event (expand) give the same answers, byte for byte; also one whose
#    program was killed. fsck proves both.
. "$(dirname "$0")/lib.sh"
here=$ROOT/test
programs=(ConstructorExits Exceptions FloatBits Lambdas Paths StoreBeforeThrow StackOverflow VirtualThreads)
if [ "${1:-}" = --all ]; then
    programs=("$here"/jvm/*.java)
    programs=("${programs[@]##*/}")
    programs=("${programs[@]%.java}")
fi

oracle_traces
"$BUILD/bench/bench_derive" "$TRACES"/*/ALL/trace >"$WORK/proof" 2>&1 || fail "bench_derive: exit status $?"
grep -v 'wrong chunks 0 of [1-9]' "$WORK/proof"
[ "$(grep -c 'wrong chunks 0 of [1-9]' "$WORK/proof")" = "$(ls -d "$TRACES"/*/ALL/trace | wc -l)" ] ||
    fail "not every recording was proved"
held=$(sed -nE 's/.* held ([0-9.]+),.*/\1/p' "$WORK/proof" | sort -n | tail -n 1)
awk "BEGIN { exit !($held < 0.5) }" || fail "a recording holds $held of its events: nothing is derived"

for name in "${programs[@]}"; do
    [ "$(sed -nE 's|^// java: *([0-9]+).*|\1|p' "$here/jvm/$name.java")" -le "$RELEASE" ] 2>/dev/null ||
        ! grep -q '^// java:' "$here/jvm/$name.java" || { echo "$name: needs a newer java"; continue; }
    HINDSIGHT_AGENT_EXTRA=derive=on "$here/jvm/run.sh" "$here/jvm/$name.java" >"$WORK/out" 2>&1; status=$?
    [ $status = 0 ] || [ $status = 77 ] || { fail "$name with derive=on: exit status $status"; tail -n 5 "$WORK/out"; }
done

compile "$WORK/c" "$here/cli/Filler.java"
record "$WORK/clean" derive=on,quiet=true -cp "$WORK/c" Filler 2 20000 >/dev/null
"$JAVA" "-agentpath:$AGENT=output=$WORK/killed,format=omni,derive=on,quiet=true" -cp "$WORK/c" Filler 2 100000000 \
    >/dev/null &
pid=$!
until_events "$WORK/killed" 1000000
kill -9 $pid
wait $pid 2>/dev/null
for trace in "$WORK/clean" "$WORK/killed"; do
    name=$(basename "$trace") want=0
    [ "$name" = clean ] || want=3 # the recording ended with a crash
    "$HINDSIGHT" recover "$trace" >/dev/null 2>&1
    "$HINDSIGHT" fsck "$trace" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || { fail "$name: fsck: exit status $status"; head -n 5 "$WORK/out"; }
    grep -q ' 0 violations' "$WORK/out" || fail "$name: $(head -n 5 "$WORK/out")"
    "$HINDSIGHT" expand "$trace" -o "$trace.whole" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || fail "$name: expand: exit status $status: $(cat "$WORK/out")"
    grep -qE '[1-9][0-9]* chunks were derived' "$WORK/out" || fail "$name: no chunk is derived: $(cat "$WORK/out")"
    "$HINDSIGHT" fsck "$trace.whole" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || { fail "$name.whole: fsck: exit status $status"; head -n 5 "$WORK/out"; }
done
"$here/same-answers/run.sh" --quick --expand "$HINDSIGHT" "$HINDSIGHT" "$WORK/clean" >"$WORK/out" 2>&1 ||
    { fail "the answers differ"; head -n 20 "$WORK/out"; }
tail -n 1 "$WORK/out"

"$HINDSIGHT" expand "$WORK/clean" -o "$WORK/killed" >"$WORK/out" 2>&1 && fail "expand into a trace that is there"
grep -q 'exists already' "$WORK/out" || fail "expand into a trace that is there: $(cat "$WORK/out")"
"$HINDSIGHT" expand "$WORK/clean" >"$WORK/out" 2>&1; status=$?
[ $status = 2 ] || fail "expand without -o: exit status $status"
finish
