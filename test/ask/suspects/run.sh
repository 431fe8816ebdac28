#!/bin/bash
# Suspects of random runs (Runs.java), some of which are said to have failed, are those that Python counts from the
# events and the bytecode (model.py); what cannot be asked is refused in one line. Arguments: rounds, the first seed.
#
# test: ask.suspects
# labels: ask cli
# limit: 900 s
# short: 1
# long: 10
# full: 100
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
rounds=${1:-1} first=${2:-1} runs=5
compile "$WORK/c" "$HERE/Runs.java" || die "Runs.java does not compile"
check() { # FAILING TRACE...
    python3 "$HERE/model.py" "$HINDSIGHT" "$WORK/c" "$JDK/bin/javap" "$@" >"$WORK/said" ||
        fail "round $round, $1 of $(($# - 1)) failing: $(head -n 5 "$WORK/said" | cut -c 1-300)"
    tail -n 1 "$WORK/said"
}
for ((round = first; round < first + rounds; round++)); do
    traces=()
    for ((i = 0; i < runs; i++)); do
        trace=$WORK/$round-$i
        record "$trace" "weave=ALL" -cp "$WORK/c" Runs $((round * 100 + i)) >/dev/null 2>&1
        [ -d "$trace" ] || die "run $i of round $round was not recorded"
        traces+=("$trace")
    done
    for failing in 1 2; do
        check $failing "${traces[@]}"
    done
done
# one that ended after its first round never did what the other did then
for i in 10 1; do
    record "$WORK/of-$i" "weave=ALL" -cp "$WORK/c" Runs 13 $i >/dev/null 2>&1
    [ -d "$WORK/of-$i" ] || die "the run of $i rounds was not recorded"
done
check 1 "$WORK/of-10" "$WORK/of-1"

# refused STATUS WORDS COMMAND...
refused() {
    local want=$1 words=$2
    shift 2
    timeout 60 "$@" >"$WORK/out" 2>"$WORK/err"
    local status=$?
    [ $status = "$want" ] && [ "$(wc -l <"$WORK/err")" = 1 ] && grep -q "$words" "$WORK/err" ||
        fail "$*: status $status, not $want: $(cat "$WORK/err")"
}
trace=${traces[0]}
refused 2 'failed wants --passed' "$HINDSIGHT" suspects "$trace" --failed "$trace"
refused 2 'tests of one trace' "$HINDSIGHT" suspects "$trace" --passed "$trace" --test x
refused 1 'no test of JUnit' "$HINDSIGHT" suspects "$trace"
refused 1 'missing' "$HINDSIGHT" suspects "$trace" --passed "$WORK/missing"
refused 0 'nothing that every passing run did' "$HINDSIGHT" suspects "$trace" --passed "$trace" --never
refused 1 'no failing run' "$HINDSIGHT" sql "SELECT * FROM suspects" "$trace"
refused 1 'missing' "$HINDSIGHT" sql "SELECT * FROM suspects('$WORK/missing')" "$trace"
# of two runs that did the same the lines are left, none of which says more than another
"$HINDSIGHT" suspects "$trace" --passed "$trace" --json >"$WORK/out"
[ -s "$WORK/out" ] && ! grep -v '"kind":"line".*"increase":0\(\.0*\)\?,' "$WORK/out" ||
    fail "the same run: $(head -n 3 "$WORK/out")"
finish
