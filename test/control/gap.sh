#!/bin/bash
# gap.sh: what the program did while recording was stopped, or between two intervals (logstart=), or before recording
# began, is in no event. `why`, last-write, history, object and DAP give the last recorded values and say so; gap.py
# asks.
#
# test: control.gap
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Gap.java" || die "Gap does not compile"
# run TRACE WORD...: the program does what the words name; `stop` and `start` are for the recording
run() {
    local trace=$1 word pid; shift
    rm -f in && mkfifo in && : >out
    # shellcheck disable=SC2086
    "$JAVA" $QUIET "-agentpath:$AGENT=output=$WORK/$trace,format=omni,weave=ALL$OPTIONS" -cp c Gap <in >out 2>err &
    pid=$!
    exec 3>in
    wait_for ready out
    for word in "$@"; do
        case $word in
        stop | start) h "$word" "$trace" >/dev/null ;;
        *) tell "$word" >/dev/null ;;
        esac
    done
    echo quit >&3
    wait $pid || fail "Gap ended with status $?: $(head -n 3 err)"
    exec 3>&-
    clean "$trace"
}
OPTIONS="" run periods early stop between start read again
OPTIONS=',logstart=Gap#(early|read|again)##METHOD_ENTRY,logend=Gap#(early|read|again)##METHOD_EXIT' \
    run intervals early between read again
OPTIONS="" run whole early read again # nothing is stopped: nothing is said
OPTIONS=",start=off" run late early start read again
python3 "$ROOT/test/control/gap.py" "$HINDSIGHT" periods intervals whole late || fail "gap.py"
finish
