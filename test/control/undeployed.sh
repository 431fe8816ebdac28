#!/bin/bash
# undeployed.sh: an application whose class loader refuses everything, since it was stopped, but whose thread still
# runs, is recorded after attach, and goes on as before: also after stop, and in a second recording.
#
# test: control.undeployed
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Undeployed.java" || die "Undeployed does not compile"
rm -f in && mkfifo in && : >out
# shellcheck disable=SC2086
"$JAVA" $QUIET -cp c Undeployed <in >out 2>err &
exec 3>in
wait_ready
answer() { # WORD NUMBER
    [ "$(tell "$1")" = "$1 $2" ] || fail "the application answers: $(tail -n 1 out); $(head -n 3 err)"
}
answer plain 3
h attach "$SERVER" "output=$WORK/t,format=omni,weave=ALL" >/dev/null
answer recorded 5
h stop t >/dev/null
answer stopped 7
answer stopped 9
h start t >/dev/null
answer again 11
h stop t >/dev/null
answer stopped 13
exec 3>&-
wait "$SERVER" || fail "it ended with status $?: $(head -n 3 err)"
SERVER=
clean t
[ "$(h print t --class 'Undeployed$Application' --method answer --event METHOD_ENTRY --json | wc -l)" = 2 ] ||
    fail "calls of the application: $(h print t --class 'Undeployed$Application' --event METHOD_ENTRY)"
finish
