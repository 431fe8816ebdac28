#!/bin/bash
# running.sh: after `stop` a method that does not return is as fast as in a program without agent, not left to the
# interpreter (about 0.01 of it) or to hooks that still enter native code; it records nothing, and what is called after
# the next `start` is recorded again. Prints the ratio of rounds per CPU second, which a busy machine changes little; a
# third is demanded.
#
# test: control.running
# labels: control slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Loop.java" || die "Loop does not compile"
rate() { tail -n "$1" "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for format in omni latest; do
    "$JAVA" -cp c Loop 10 >plain # beside what it is compared with
    rm -f in && mkfifo in
    "$JAVA" "-agentpath:$AGENT=output=$WORK/$format,format=$format" -cp c Loop 20 told <in >out 2>err &
    pid=$!
    exec 3>in
    until_events $format 1000000
    h stop $format >/dev/null
    before=$(events_now $format)
    echo >&3; exec 3>&-
    wait $pid || fail "$format: exit status $?: $(head -n 3 err)"
    after=$("$HINDSIGHT" info $format --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["events"])')
    [ "$before" = "$after" ] || fail "$format: $after events, $before at the stop"
    ratio=$(awk -v a="$(rate 10 out)" -v b="$(rate 5 plain)" 'BEGIN { printf "%.2f", a / b }')
    echo "    $format: $ratio of the speed without agent"
    awk -v r="$ratio" 'BEGIN { exit r < 0.33 }' || fail "$format: after the stop $ratio of the speed without agent"
    consistent $format
done

# the hooks come back with the next start
serve 2 "-agentpath:$AGENT=output=$WORK/again,format=omni,weave=EXEC"
for _ in 1 2 3; do
    h stop again >/dev/null || fail "stop"
    before=$(events_now again)
    h start again >/dev/null || fail "start"
    until_events again $((before + 100))
done
end_server
consistent again
finish
