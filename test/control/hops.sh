#!/bin/bash
# hops.sh: with derive=on, hooks of a JVM that is attached to record inputs alone, also when its first virtual thread
# starts. Every event is there, of both threads.
#
# test: control.hops
# labels: control
# jdks: from 21
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Hops.java" || die "Hops does not compile"
rm -f in && mkfifo in && : >out
# shellcheck disable=SC2086
"$JAVA" $QUIET -cp c Hops <in >out 2>err &
exec 3>in
wait_ready
h attach "$SERVER" "output=$WORK/t,format=omni,weave=ALL,derive=on,dump=true" >/dev/null
hooks() { "$JDK/bin/javap" -c -p "$(find t -name Hops.class)" | sed -n '/ step(/,/ireturn/p' | grep -c HindsightHook; }
few=$(hooks)
echo go >&3
exec 3>&-
wait "$SERVER" || fail "it ended with status $?: $(head -n 3 err)"
SERVER=
all=$(hooks)
[ "$(tail -n 1 out)" = true ] || fail "it computes something else: $(tail -n 1 out)"
((few > 0 && all == few)) || fail "step had $few hooks, and then $all"
calls=$("$HINDSIGHT" print t --json --method step --event METHOD_ENTRY | wc -l)
within=$("$HINDSIGHT" print t --json --method late --event CALL | wc -l)
[ "$within" = 200 ] || fail "late calls step $within times, not 200"
((calls > 200)) || fail "step was called $calls times"
clean t
finish
