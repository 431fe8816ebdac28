#!/bin/bash
# activity.sh - the stretches of the index, `hindsight activity` and `timeline --fast` against the events of `print`,
# read by plain Python: what each thread did in every piece, which calls were open before it, and when it waited.
#
# test: cli.activity
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"

compile "$WORK/classes" "$ROOT/test/cli/Lanes.java" || die "Lanes does not compile"
record "$WORK/lanes" weave=EXEC+CALL+SYNC+LINE -cp "$WORK/classes" Lanes >"$WORK/run.out" 2>&1
record "$WORK/exact" weave=EXEC+CALL+SYNC,timestamp=true -cp "$WORK/classes" Lanes >"$WORK/run.out" 2>&1
python3 "$ROOT/test/cli/activity.py" "$HINDSIGHT" "$BUILD/examples/stretches" "$WORK"/{lanes,exact} || fail "activity"
# a sanitized library does not load into python3
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python PYTHONDONTWRITEBYTECODE=1
[ -n "${HINDSIGHT_SANITIZE:-}" ] || python3 - "$WORK/lanes" >"$WORK/stretches" <<'PY' || fail "stretches in Python"
import sys, hindsight
with hindsight.open(sys.argv[1]) as t:
    for s in t.stretches():
        frames = [" %d:%s" % (-1 if at is None else at, t.method(number).name) for number, at in s.frames]
        row = s.thread, s.seq, s.position, s.events, s.calls, s.exceptions, s.depth, s.least, s.most
        print(*row, end="".join(frames) + "\n")
        assert s.pause is None or s.pause.ns >= 1000000 and s.pause.begin <= s.seq
PY
[ -n "${HINDSIGHT_SANITIZE:-}" ] || "$BUILD/examples/stretches" "$WORK/lanes" | cmp - "$WORK/stretches" ||
    fail "stretches in Python are others"
# a thread that hangs has a pause up to the end, if that is asked for
compile "$WORK/classes" "$ROOT/test/cli/Hangs.java" || die "Hangs does not compile"
record "$WORK/hangs" weave=ALL -cp "$WORK/classes" Hangs >"$WORK/run.out" 2>&1
python3 - "$HINDSIGHT" "$WORK/hangs" <<'PY' || fail "a thread that hangs"
import json, subprocess, sys
def ask(*words):
    return [json.loads(row) for row in subprocess.check_output([*words, sys.argv[2], "--json"]).splitlines()]
command = sys.argv[1]
number = next(t["thread"] for t in ask(command, "threads") if t["name"] == "hangs")
pauses = [p for p in ask(command, "activity", "--pauses", "--least", "300000000") if p["thread"] == number]
last = ask(command, "print", "--thread", "hangs")[-1]
assert len(pauses) == 1 and pauses[0]["open"] and "to" not in pauses[0], pauses
assert (pauses[0]["from"], pauses[0]["event"], pauses[0]["method"]) == (last["seq"], "CALL", "hang"), (pauses, last)
assert 3e8 <= pauses[0]["ns"] and not any(p.get("open") for p in ask(command, "activity", "--pauses", "--to", "20"))
PY
one_line 2 "from 1 to" "$HINDSIGHT" activity "$WORK/lanes" --buckets 0
finish
