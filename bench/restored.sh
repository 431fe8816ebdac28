#!/bin/bash
# restored.sh [ROUNDS]: is a server that was recorded for some time as fast afterwards as it was before the first start?
# Prints one JSON line; called by bench.sh. Requests for each second of processor time that the server took, medians: by
# the clock of the wall the figure would be that of everything else on the machine.
. "$(dirname "$0")/../test/control/lib.sh"
rounds=${1:-50}
serve 2 -Dsun.net.httpserver.nodelay=true "-agentpath:$AGENT=output=$WORK/t,format=omni,start=off,weave=EXEC+CALL+PARAM"

processor_ms() { awk '{ sub(/.*\) /, ""); print ($12 + $13) * 10 }' "/proc/$SERVER/stat"; }
rates() { # COUNT: the median of so many seconds
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
for _ in $(seq "$rounds"); do
    h start "$SERVER" >/dev/null
    h stop "$SERVER" >/dev/null
done
tell rate 3000 >/dev/null # the JIT compiles the program's own code again
# The JIT takes its time with code that was replaced, and the other thread of a core takes its share: tries for a
# minute.
for _ in $(seq 10); do
    after=$(rates 5)
    [ $((after * 100)) -lt $((before * 98)) ] || break
done
end_server
awk -v n="$rounds" -v b="$before" -v a="$after" 'BEGIN {
    printf "{\"bench\":\"restored\",\"rounds\":%d,\"requests_per_cpu_s_before\":%d,", n, b
    printf "\"after\":%d,\"ratio\":%.3f}\n", a, a / b }'
[ $failures = 0 ]
