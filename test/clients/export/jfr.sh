#!/bin/bash
# --to jfr: the JDK's own `jfr` reads the file; calls, throws, writes and locks with their stacks and values, and the
# samples, are those that plain Python finds in `print --json`; speedscope shows the samples.
#
# test: export.jfr
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
JFR=$JDK/bin/jfr
[ -x "$JFR" ] || skip "this JDK has no jfr: $JFR"
cd "$WORK" || exit 1
sample t 200
"$HINDSIGHT" print t --json >events || die "print"
"$HINDSIGHT" export t --to jfr --time seq -o t.jfr || die "export"
"$JFR" summary t.jfr >summary || fail "jfr summary"
"$JFR" metadata t.jfr >metadata || fail "jfr metadata"
"$JFR" print --json --stack-depth 64 t.jfr >printed.json || fail "jfr print --json"
"$JFR" print --events 'hindsight.*' t.jfr >printed || fail "jfr print"
[ "$(grep -c '^hindsight' printed)" -gt 900 ] || fail "jfr print shows $(grep -c '^hindsight' printed) events"
grep -q '^ *Chunks: 1$' summary || fail "chunks: $(head -n 6 summary)"
for type in Call Throw Write Lock; do
    grep -q "@Name(\"hindsight.$type\")" metadata || fail "jfr metadata does not have hindsight.$type"
done

# durations that the clock of the recording cannot tell are marked, those by --time seq are none
! grep -q 'belowClock = true' printed && grep -q 'belowClock = false' printed || fail "--time seq has a clock"
"$HINDSIGHT" export t --to jfr -o clock.jfr || die "export by the clock"
"$JFR" print --events hindsight.Call clock.jfr >clock
below=$(grep -c 'belowClock = true' clock)
[ "$below" -gt 100 ] || fail "calls below the clock: $below"
marked() { "$HINDSIGHT" export t --to chrome "$@" | grep -c '"ph":"E".*"cat":"call,below_clock"'; }
[ "$(marked)" = "$below" ] && [ "$(marked --time seq)" = 0 ] || fail "chrome marks $(marked) calls, jfr $below"

python3 "$HERE/jfr.py" || fail "other contents"

# the calls that are open at --from have no samples before it
"$HINDSIGHT" export t --to jfr --time seq --from 9000 -o late.jfr || die "export --from"
samples=$("$JFR" summary late.jfr | awk '$1 == "jdk.ExecutionSample" { print $2 }')
[ "$samples" -gt 2 ] && [ "$samples" -lt $(($(cat samples) - 8)) ] || fail "$samples samples from event 9000 on"

# a long recording is several chunks
sample big 200000 weave=EXEC+PARAM
"$HINDSIGHT" export big --to jfr -o big.jfr || die "export of the long recording"
"$JFR" summary big.jfr >summary || fail "jfr summary of the long recording"
[ "$(awk '/Chunks:/ { print $2 }' summary)" -gt 1 ] || fail "one chunk"
entries=$("$HINDSIGHT" print big --json --event METHOD_ENTRY | wc -l)
[ "$(awk '$1 == "hindsight.Call" { print $2 }' summary)" = "$entries" ] || fail "not $entries calls: $(cat summary)"

npm_client speedscope
node "$HERE/speedscope.js" t.jfr >imported.json || fail "speedscope"
[ "$(json imported.json 'd["profiles"][0]["endValue"]')" = "$(cat samples)" ] || fail "speedscope has other samples"
finish
