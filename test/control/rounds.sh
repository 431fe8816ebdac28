#!/bin/bash
# rounds.sh [ROUNDS]: start, mark, unmark, stop again and again while the server works: every answer is good, every round has been recorded,
# and at the end the program is as fast as before the first start (98 %, medians in one run).
. "$(dirname "$0")/lib.sh"
rounds=${1:-50} trace=$WORK/t
serve 2 -Dsun.net.httpserver.nodelay=true "-agentpath:$AGENT=output=$trace,format=omni,start=off,weave=EXEC+CALL+PARAM"

# rates COUNT: requests for each second of processor time that the server took, the median of so many seconds. By the clock of the wall
# the figure would be that of everything else on the machine.
processor_ms() { awk '{ sub(/.*\) /, ""); print ($12 + $13) * 10 }' "/proc/$SERVER/stat"; }
rates() {
    local from requests ms
    for _ in $(seq "$1"); do
        from=$(processor_ms)
        requests=$(tell rate 1000 | cut -d' ' -f2)
        ms=$(($(processor_ms) - from))
        echo $((requests * 1000 / (ms > 0 ? ms : 1)))
    done | sort -n | awk '{ r[NR] = $1 } END { print r[int((NR + 1) / 2)] }'
}
# warm: until five seconds are no faster than the five before
tell rate 8000 >/dev/null
before=1
for _ in $(seq 12); do
    last=$before before=$(rates 5)
    [ $((before * 100)) -gt $((last * 103)) ] || break
done
before=$(rates 7)
bad=0 empty=0 events=0
for i in $(seq "$rounds"); do
    for words in "start $SERVER" "mark $SERVER round-$i" "unmark $SERVER round-$i" "stop $SERVER"; do
        # shellcheck disable=SC2086
        "$HINDSIGHT" $words --json >answer 2>answer.err || { bad=$((bad + 1)); fail "round $i: hindsight $words: $(cat answer.err)"; }
    done
    now=$(sed -E 's/.*"events":([0-9]+).*/\1/' answer)
    [ "$now" -gt "$events" ] || empty=$((empty + 1))
    events=$now
done
tell rate 3000 >/dev/null # the JIT compiles the program's own code again
# The JIT takes its time with code that was replaced, and the other thread of a core takes its share: tries for a minute.
for _ in $(seq 10); do
    after=$(rates 5)
    [ $((after * 100)) -lt $((before * 98)) ] || break
done
echo "$rounds rounds, $events events, $empty rounds without one; $before requests per CPU second before, $after after ($((after * 100 / before)) %)"
[ $bad = 0 ] || fail "$bad bad answers"
[ $((empty * 10)) -lt "$rounds" ] || fail "$empty of $rounds rounds recorded nothing"
[ $((after * 100)) -ge $((before * 98)) ] || fail "slower than before: $before requests per CPU second before, $after after"
[ "$(key "$SERVER" starts)" = "$rounds" ] || fail "starts: $(key "$SERVER" starts)"
end_server
clean "$trace"
[ "$("$HINDSIGHT" info "$trace" --json | grep -oE '"end":"[a-z]+"')" = '"end":"clean"' ] || fail "the trace did not end clean"
marks=$("$HINDSIGHT" info "$trace" | sed -nE 's/^marks +([0-9,]+)$/\1/p')
[ "${marks//,/}" = "$rounds" ] || fail "$marks marks"
finish "$rounds rounds"
