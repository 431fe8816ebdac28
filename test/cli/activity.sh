#!/bin/bash
# activity.sh - the stretches of the index, `hindsight activity` and `timeline --fast` against the events of `print`,
# read by plain Python: what each thread did in every piece, which calls were open before it, and when it waited.
. "$(dirname "$0")/../lib.sh"

compile "$WORK/classes" "$ROOT/test/cli/Lanes.java" || die "Lanes does not compile"
record "$WORK/lanes" weave=EXEC+CALL+SYNC+LINE -cp "$WORK/classes" Lanes >"$WORK/run.out" 2>&1
python3 "$ROOT/test/cli/activity.py" "$HINDSIGHT" "$BUILD/examples/stretches" "$WORK/lanes" || fail "activity"
one_line 2 "from 1 to" "$HINDSIGHT" activity "$WORK/lanes" --buckets 0
finish
