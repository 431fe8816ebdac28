#!/bin/bash
# agent.sh [CASES]: allocations and calls of files fail in the agent (agent.py).
#
# test: faults.agent
# labels: faults
# limit: 900 s
# short: 6
# long: 60
. "$(dirname "$0")/../lib.sh"
library=$BUILD/test/libfail.so cases=${1:-6}
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer has malloc itself"
compile "$WORK/classes" "$ROOT/test/faults/damage/Damaged.java" || die "Damaged does not compile"
python3 "$ROOT/test/faults/agent.py" "$JAVA" "$AGENT" "$HINDSIGHT" "$library" "$WORK/classes" "$cases" ||
    fail "a fault is not told"
finish
