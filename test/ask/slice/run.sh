#!/bin/bash
# Slices of random programs (generate.py), backward and forward, of data, of control and of both, are those that Python
# finds from the bytecode and the events alone (depends.py); changing a constant in the slice of the result changes the
# result, changing one outside does not (Change.java). A slice forward passes over millions of events that do not use
# the value (Long.java). Arguments: programs, moments of each, the first seed.
#
# test: ask.slice
# labels: ask cli
# limit: 900 s
# short: 3 3
# long: 20 6
# full: 300 6
# full limit: 7200 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
programs=${1:-3} moments=${2:-3} first=${3:-1}
for ((seed = first; seed < first + programs; seed++)); do
    python3 "$HERE/generate.py" "$seed" >"$WORK/S$seed.java"
done
compile "$WORK/c" "$HERE/Change.java" "$WORK"/S*.java || die "the programs do not compile"
for ((seed = first; seed < first + programs; seed++)); do
    trace=$WORK/$seed
    record "$trace" "weave=ALL" -cp "$WORK/c" "S$seed" >/dev/null 2>"$WORK/err" ||
        die "recording S$seed: $(tail -n 3 "$WORK/err")"
    "$JAVA" -cp "$WORK/c" Change "$WORK/c/" "S$seed" >"$WORK/changes" || fail "S$seed: Change"
    python3 "$HERE/slices.py" "$HINDSIGHT" "$trace" "$WORK/c" "$JDK/bin/javap" "$WORK/changes" "$seed" "$moments" \
        >"$WORK/said" || fail "S$seed: $(cut -c 1-300 "$WORK/said" | head -n 20)"
    tail -n 1 "$WORK/said"
    rm -rf "$trace"
done

# asking each of those events for its causes would take minutes
compile "$WORK/long" "$HERE/Long.java" || die "Long.java does not compile"
record "$WORK/long.trace" "weave=ALL" -cp "$WORK/long" Long >/dev/null 2>"$WORK/err" ||
    die "recording Long: $(tail -n 3 "$WORK/err")"
seq=$("$HINDSIGHT" print "$WORK/long.trace" --json --event LOCAL_STORE --limit 1 | sed 's/.*"seq":\([0-9]*\).*/\1/')
(ulimit -t 60 && exec "$HINDSIGHT" slice "$WORK/long.trace" "$seq" --forward --json) >"$WORK/rows" ||
    fail "slice of Long: status $?"
lines=$(grep -o '"line":[0-9]*' "$WORK/rows" | sort -u | tr -dc '0-9\n' | tr '\n' ' ')
[ "$lines" = "15 16 20 " ] || fail "slice forward of Long: lines $lines"
finish
