#!/bin/bash
# What a moment stands under: programs that print each decision they take (Log.java) compared with `why --control` and
# `why --under`; why something did not happen: programs that count it (Absent.java, Missing.java) compared with
# `why-not`; why a value is another one: its constants are changed (Expected.java). With the events that are recorded
# and with those that are derived.
#
# test: ask.control
# labels: ask cli slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
compile "$WORK/c" "$HERE"/{Log,Decides,Far}.java || die "the programs do not compile"
programs=(Decides Far)
if [ "$RELEASE" -ge 21 ]; then
    compile "$WORK/c" "$HERE/Patterns.java" || die "Patterns does not compile"
    programs+=(Patterns)
fi
for program in "${programs[@]}"; do
    for derive in on off; do
        trace=$WORK/$program.$derive
        record "$trace" "weave=ALL,derive=$derive" -cp "$WORK/c" "$program" >"$trace.out" 2>"$WORK/err" ||
            die "recording $program: $(tail -n 3 "$WORK/err")"
        python3 "$HERE/decides.py" "$HINDSIGHT" "$trace" "$trace.out" >"$WORK/said" ||
            fail "$program derive=$derive: $(head -n 30 "$WORK/said")"
        tail -n 1 "$WORK/said" | tee "$WORK/last"
        [ $program != Far ] || grep -q ' [1-9][0-9]* of long loops' "$WORK/last" || fail "Far has no long loop"
    done
done
compile "$WORK/c" "$HERE"/{Reasons,Absent,Missing}.java || die "Absent and Missing do not compile"
for program in Absent Missing; do
    for derive in on off; do
        trace=$WORK/$program.$derive
        record "$trace" "weave=ALL,derive=$derive" -cp "$WORK/c" "$program" >"$trace.out" 2>"$WORK/err" ||
            die "recording $program: $(tail -n 3 "$WORK/err")"
        python3 "$HERE/absent.py" "$HINDSIGHT" "$trace" "$trace.out" "$HERE/$program.java" >"$WORK/said" ||
            fail "$program derive=$derive: $(head -n 30 "$WORK/said")"
        tail -n 1 "$WORK/said"
    done
done
compile "$WORK/c" "$HERE"/{Reasons,Members}.java || die "Members does not compile"
for derive in on off; do
    trace=$WORK/Members.$derive
    record "$trace" "weave=ALL,derive=$derive" -cp "$WORK/c" Members >"$trace.out" 2>"$WORK/err" ||
        die "recording Members: $(tail -n 3 "$WORK/err")"
    python3 "$HERE/members.py" "$HINDSIGHT" "$trace" "$trace.out" >"$WORK/said" ||
        fail "Members derive=$derive: $(head -n 30 "$WORK/said")"
    tail -n 1 "$WORK/said"
done
compile "$WORK/c" "$HERE/Expected.java" || die "Expected does not compile"
for derive in on off; do
    trace=$WORK/Expected.$derive
    record "$trace" "weave=ALL,derive=$derive" -cp "$WORK/c" Expected >/dev/null 2>"$WORK/err" ||
        die "recording Expected: $(tail -n 3 "$WORK/err")"
    mkdir "$WORK/changed.$derive"
    python3 "$HERE/expected.py" "$HINDSIGHT" "$trace" "$HERE/Expected.java" "${JAVAC[0]}" "$JAVA" \
        "$WORK/changed.$derive" >"$WORK/said" 2>&1 || fail "Expected derive=$derive: $(head -n 30 "$WORK/said")"
    tail -n 1 "$WORK/said"
done
finish
