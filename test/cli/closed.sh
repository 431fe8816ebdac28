#!/bin/bash
# closed.sh: descriptors 0, 1 and 2 that are closed never become a file of ours, in which what is printed would be
# written: the program does as without the agent, its trace is whole, and a command fails that cannot print its answer.
#
# test: cli.closed
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Closed.java" || die "the program does not compile"
cd "$WORK" || exit 1
options=output=t,format=omni,overwrite=true
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
    rm -rf plain recorded
    eval "\"\$JAVA\" -cp c Closed plain </dev/null >out 2>err $closed"
    eval "\"\$JAVA\" \"-agentpath:\$AGENT=$options\" -cp c Closed recorded </dev/null >out 2>err $closed"
    # with all of them closed, the JVM alone takes files of its own for them, which differ from run to run
    if [ "$closed" = '<&- >&- 2>&-' ]; then
        grep -q 'child 0, errors true true' recorded || fail "$closed: the program: $(cat recorded)"
    else
        cmp plain recorded || fail "$closed: the program: $(paste -sd' ' recorded)"
    fi
    [ "$(head -n 1 t/run)" = "hindsight run" ] || fail "$closed: t/run is $(head -n 1 t/run)"
    "$HINDSIGHT" fsck t >fsck.out 2>&1 || fail "$closed: $(head -n 2 fsck.out)"
done
"$HINDSIGHT" tree t --json >answer || fail "tree"
row=$(head -n 1 answer)
for trace in t copy; do # the second one has neither lock.mdb nor an index when it is opened
    rm -rf copy && cp -r t copy && rm -rf copy/lock.mdb copy/index
    (exec <&- >&- 2>&-; exec "$HINDSIGHT" tree $trace --json)
    [ $? = 1 ] || fail "tree without standard output: no failure"
    grep -rqF -- "$row" $trace && fail "the answer was written into the trace: $(grep -rlF -- "$row" $trace)"
done
one_line 1 'standard output' sh -c '"$0" tree t >&-' "$HINDSIGHT"
(exec <&- >&- 2>&-; exec "$HINDSIGHT" record -o r -- "$JAVA" -cp c Closed recorded) || fail "record: status $?"
"$HINDSIGHT" fsck r >fsck.out 2>&1 || fail "record: $(head -n 2 fsck.out)"
finish
