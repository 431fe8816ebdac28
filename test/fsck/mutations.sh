#!/bin/bash
# mutations.sh [SEEDS]: traces of oracle programs; fsck is clean on them and finds every fault that mutate.c puts into
# their traces.
# SEEDS places are tried for each mutation in each trace (default 4). See mutations.def.
#
# test: fsck.mutations
# labels: fsck slow
# needs: traces
# limit: 900 s
# short: 1
# long: 4
. "$(dirname "$0")/../lib.sh"
mutate=$BUILD/test/mutate seeds=${1:-4}
oracle_traces
compile "$WORK/classes" "$ROOT"/test/oracle/src/oracle/*.java || die "the programs do not compile"
record_again() { # TRACE NAME OPTIONS
    record "$1" "weave=ALL,derive=off,$3" -cp "$WORK/classes" "oracle.$2" >/dev/null 2>"$WORK/err" ||
        die "$2: $(tail -n 1 "$WORK/err")"
}
found=0 none=0
declare -A tried=() # by mutation: faults found
for program in ${PROGRAMS:-Shapes Faults Relay Relay-marked Shapes-parts}; do
    trace=$WORK/$program name=${program%-*}
    case $program in
    *-marked) # mark_trace needs a stamp for each event
        record_again "$trace" "$name" order=total
        "$(dirname "$mutate")/mark_trace" "$trace" load 0 999 "load again" 900 1400 save 1400 1500 rest 1600 - ||
            die "$program cannot be marked" ;;
    *-parts) record_again "$trace" "$name" "logstart=.*#[a-z].*##METHOD_ENTRY,logend=.*#[a-z].*##METHOD_NORMAL_EXIT" ;;
    *) cp -r "$TRACES/$name/plain/trace" "$trace" && rm -f "$trace/index" ;;
    esac
    "$HINDSIGHT" fsck "$trace" --json >"$WORK/out" 2>&1 || {
        fail "fsck is not clean on $program:"
        head -n 5 "$WORK/out"
        continue
    }
    for mutation in $("$mutate"); do
        tried[$mutation]=${tried[$mutation]:-0}
        # right behind the beginning of an interval no value is known yet; what shows beside a boundary may have been
        # left out
        case $program/$mutation in
        *-parts/other_number | *-parts/other_object | *-parts/other_label | *-parts/other_argument) continue ;;
        *-parts/other_exception | *-parts/second_life) continue ;;
        esac
        for seed in $(seq "$seeds"); do
            rm -rf "$WORK/bad"
            "$mutate" "$trace" "$WORK/bad" "$mutation" "$seed" >"$WORK/what" 2>&1; status=$?
            if [ $status = 3 ]; then none=$((none + 1)); break; fi
            [ $status = 0 ] || { fail "$program: $mutation $seed: $(tail -n 1 "$WORK/what")"; continue; }
            "$HINDSIGHT" fsck "$WORK/bad" --json >"$WORK/out" 2>&1; status=$?
            if [ $mutation = nothing ]; then
                [ $status = 0 ] || { fail "$program: fsck is not clean on a copy:"; head -n 5 "$WORK/out"; }
                break
            fi
            if [ $status = 1 ] && [ "$(grep -c '"rule"' "$WORK/out")" -gt 0 ]; then
                found=$((found + 1)); tried[$mutation]=$((tried[$mutation] + 1)); continue
            fi
            fail "$program: not found (status $status): seed $seed: $(cat "$WORK/what")"
            [ -z "${KEEP:-}" ] || cp -r "$WORK/bad" "$WORK/missed.$program.$mutation.$seed"
        done
    done
done
[ $found -gt 0 ] || fail "no mutation was tried"

# as text the first violations of a rule, and how many more there are
rm -rf "$WORK/bad"
"$mutate" "$TRACES/Shapes/ALL/trace" "$WORK/bad" drop_objects 1 >/dev/null || fail "drop_objects"
all=$("$HINDSIGHT" fsck "$WORK/bad" --json | grep -c '"rule":"reference"')
lines() { "$HINDSIGHT" fsck "$WORK/bad" "$@" >"$WORK/text"; grep -c '^reference' "$WORK/text"; }
[ "$all" -gt 20 ] && [ "$(lines)" = 11 ] &&
    tail -n 1 "$WORK/text" | grep -q "and $((all - 10)) more of this rule; --all" ||
    fail "fsck: $(tail -n 1 "$WORK/text")"
[ "$(lines --all)" = "$all" ] || fail "fsck --all: not $all violations: $(tail -n 1 "$WORK/text")"
[ "$(lines --limit 3)" = 4 ] && grep -q "and $((all - 3)) more of this rule$" "$WORK/text" ||
    fail "fsck --limit 3: $(tail -n 1 "$WORK/text")"
for mutation in "${!tried[@]}"; do # one that has no place in any of the traces proves nothing
    [ $mutation = nothing ] || [ -n "${PROGRAMS:-}" ] || [ "${tried[$mutation]}" -gt 0 ] ||
        fail "$mutation was never found, or has no place in any trace"
done
figure "faults put into traces that fsck finds" $found
finish "$found faults found, $none mutations without a place"
