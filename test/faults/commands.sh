#!/bin/bash
# commands.sh [CASES]: every allocation, and every call of a file, fails in turn in the commands
# (commands.py).
#
# test: faults.commands
# labels: faults
# limit: 3600 s
# short: 2
# long: 60
# coverage: each
# full: each
# full limit: 14400 s
. "$(dirname "$0")/../lib.sh"
library=$BUILD/test/libfail.so cases=${1:-2}
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer has malloc itself"
compile "$WORK/classes" "$ROOT/test/faults/damage/Damaged.java" || die "Damaged does not compile"
record "$WORK/trace" quiet=true,control=off,timestamp=true -cp "$WORK/classes" Damaged >/dev/null || fail "not recorded"
{ record "$WORK/killed" quiet=true,control=off -cp "$WORK/classes" Damaged kill; } >/dev/null 2>&1
[ -e "$WORK/killed/journal" ] || fail "not killed"
python3 "$ROOT/test/faults/commands.py" "$HINDSIGHT" "$library" "$WORK/trace" "$WORK/killed" "$cases" ||
    fail "a fault is not told"
finish
