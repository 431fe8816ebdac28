#!/bin/bash
# agent.sh FAIL_LIBRARY CASES: allocations and calls of files fail in the agent (agent.py).
. "$(dirname "$0")/../lib.sh"
library=$1 cases=$2
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer has malloc itself"
compile "$WORK/classes" "$ROOT/test/damage/Damaged.java" || die "Damaged does not compile"
python3 "$ROOT/test/faults/agent.py" "$JAVA" "$AGENT" "$HINDSIGHT" "$library" "$WORK/classes" "$cases" ||
    fail "a fault is not told"
finish
