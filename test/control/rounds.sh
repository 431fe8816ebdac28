#!/bin/bash
# rounds.sh [ROUNDS]: start, mark, unmark, stop again and again while the server works: every answer is good, and every
# round has been recorded. How fast the program is afterwards: bench/bench.sh restored.
#
# test: control.rounds
# labels: control
# jdks: all
# limit: 900 s
# short: 10
# long: 50
# full: 1000
# full limit: 3600 s
. "$(dirname "$0")/lib.sh"
rounds=${1:-30} trace=$WORK/t
serve 2 -Dsun.net.httpserver.nodelay=true "-agentpath:$AGENT=output=$trace,format=omni,start=off,weave=EXEC+CALL+PARAM"

bad=0 empty=0 events=0
for i in $(seq "$rounds"); do
    for words in "start $SERVER" "mark $SERVER round-$i" work "unmark $SERVER round-$i" "stop $SERVER"; do
        [ "$words" != work ] || {
            [ "$(tell work)" = "work true" ] || fail "round $i: the program computes something else"
            continue
        }
        # shellcheck disable=SC2086
        "$HINDSIGHT" $words --json >answer 2>answer.err || {
            bad=$((bad + 1))
            fail "round $i: hindsight $words: $(cat answer.err)"
        }
    done
    now=$(sed -E 's/.*"events":([0-9]+).*/\1/' answer)
    [ "$now" -gt "$events" ] || empty=$((empty + 1))
    events=$now
done
echo "$rounds rounds, $events events, $empty rounds without one"
[ $bad = 0 ] || fail "$bad bad answers"
[ $empty = 0 ] || fail "$empty of $rounds rounds recorded nothing"
[ "$(key "$SERVER" starts)" = "$rounds" ] || fail "starts: $(key "$SERVER" starts)"
end_server
clean "$trace"
[ "$("$HINDSIGHT" info "$trace" --json | grep -oE '"end":"[a-z]+"')" = '"end":"clean"' ] ||
    fail "the trace did not end clean"
marks=$("$HINDSIGHT" info "$trace" | sed -nE 's/^marks +([0-9,]+)$/\1/p')
[ "${marks//,/}" = "$rounds" ] || fail "$marks marks"
finish "$rounds rounds"
