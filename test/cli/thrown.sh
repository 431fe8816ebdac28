#!/bin/bash
# thrown.sh - exceptions one after the other: a session of dap that stops at each, forwards and backwards, over more
# than it has in memory at a time; what `exceptions --json` has in memory is bounded at any number of them, with what
# each held; their index is less than a fifth of the trace.
#
# test: cli.thrown
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Thrown.java"

record t '' -cp c Thrown 1500 1500 >/dev/null 2>&1 || die "no recording"
python3 "$ROOT/test/cli/thrown.py" "$HINDSIGHT" t || fail "stops"

[ -z "${HINDSIGHT_SANITIZE:-}" ] || finish
record m '' -cp c Thrown 1 500000 >/dev/null 2>&1 || die "no longer recording"
"$HINDSIGHT" index m >/dev/null 2>&1
/usr/bin/time -f %M -o most "$HINDSIGHT" exceptions m --json >rows
[ "$(grep -c '"message":"r[a-z]* [0-9]*"' rows)" = 500041 ] || fail "not all exceptions with their messages"
[ "$(tail -n 1 most)" -lt $((256 * 1024)) ] || fail "$(tail -n 1 most) KB for 500,041 exceptions"
index=$(stat -c %s m/index) trace=$(stat -c %s m/data.mdb)
[ $((5 * index)) -lt "$trace" ] || fail "an index of $index bytes beside a trace of $trace"
finish "memory: $(tail -n 1 most) KB"
