#!/bin/bash
# rings.sh [KILLS]: a loop whose last events are kept is killed (default 6 times): events of straight code came equally
# often, to one more or less. Between the last entry of a ring and its position a whole ring once got lost.
#
# test: kill.rings
# labels: kill
# jdks: all
# limit: 900 s
# short: 4
# long: 16
. "$(dirname "$0")/../../lib.sh"
compile "$WORK/classes" "$ROOT/test/faults/kill/Rings.java" || die "Rings does not compile"
cd "$WORK" || exit 1
for ((i = 0; i < ${1:-6}; i++)); do
    rm -rf t
    "$JAVA" "-agentpath:$AGENT=format=latest,weave=ALL,quiet=true,output=t" -cp classes Rings >out 2>&1 &
    pid=$!
    wait_for running out
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill -9 $pid && wait $pid 2>/dev/null
    rm out
    "$HINDSIGHT" recover t >/dev/null 2>&1
    "$HINDSIGHT" freq t --method straight --json >counts 2>err
    [ $? = 3 ] || fail "the trace is not one of a killed program: $(cat err)"
    python3 - <<'PY' || fail "kill $i: see above"
import json, sys

rows = [r for r in map(json.loads, open("counts")) if r["event"] not in ("METHOD_ENTRY", "METHOD_PARAM")]
body = [r for r in rows if 10 <= r["pc"] < 38]  # the loop's body, behind its condition
counts = sorted(r["count"] for r in body)
if len(body) < 12 or counts[-1] < 100000 or counts[-1] - counts[0] > 1:
    print(*[(r["event"], r["pc"], r["count"]) for r in body], sep="\n")
    sys.exit(1)
PY
done
finish "events of straight code came equally often, on JDK $RELEASE"
