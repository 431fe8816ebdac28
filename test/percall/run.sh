#!/bin/bash
# percall/run.sh: percall=N keeps the first events of each call, and whatever depends on the others is not known.
#
# test: agent.percall
# labels: agent cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
cd "$WORK" || exit 1
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python
compile classes "$ROOT/test/percall/Percall.java" || die "Percall does not compile"

record() { # TRACE OPTIONS [WORD]
    "$JAVA" "-agentpath:$AGENT=output=$1,format=omni,quiet=true$2" -cp classes Percall ${3:+"$3"} >"$1.out" 2>&1
}
whole() { # TRACE: no violations
    "$HINDSIGHT" fsck "$1" --json >fsck.json 2>/dev/null
    grep -q '"violations":0' fsck.json || fail "fsck of $1: $(head -c 600 fsck.json)"
}
model() { python3 "$ROOT/test/percall/model.py" "$@" || fail "model $*"; } # FULL CUT N [rule]

# one program, the rule in Python, and every answer at each moment
record full "" && record cut ,percall=22 || die "not recorded: $(cat full.out cut.out)"
cmp -s full.out cut.out || fail "the program prints something else: $(cat cut.out)"
whole cut
model full cut 22

# threads at the same time; and few events of each call
record parallel "" parallel && record parallel-cut ,percall=25 parallel || die "threads are not recorded"
whole parallel-cut
model parallel parallel-cut 25 rule
record few ,percall=3 && whole few && model full few 3 rule

# killed while calls are open, some of them stored and some not
(record killed "" killed; record killed-cut ,percall=20 killed) 2>/dev/null
for trace in killed killed-cut; do "$HINDSIGHT" recover "$trace" >/dev/null 2>&1; done
whole killed-cut
model killed killed-cut 20 rule

# stopped and started while a call is open: it is counted from the first event of each period on
mkfifo in
record periods ,percall=15 periods <in &
exec 3>in
ready() { until [ "$(grep -c ready periods.out 2>/dev/null)" = "$1" ]; do sleep 0.05; done; }
ready 1 && "$HINDSIGHT" stop periods >/dev/null && echo >&3
ready 2 && "$HINDSIGHT" start periods >/dev/null && echo >&3
ready 3 && "$HINDSIGHT" stop periods >/dev/null && "$HINDSIGHT" start periods >/dev/null && echo >&3
exec 3>&-
wait
whole periods
"$HINDSIGHT" print periods --json 2>/dev/null | python3 -c '
import json, sys
marks = most = kept = 0
for e in map(json.loads, sys.stdin):
    if e["method"] == "run" and e["event"] == "METHOD_ENTRY":
        kept = 0
    if e["method"] == "run" and e["event"] == "EVENTS_LEFT_OUT":
        marks += 1
    elif e["method"] == "run" and not e["event"].endswith("EXIT"):
        kept += 1
        most = max(most, kept)
assert marks > 0 and 10 < most <= 15, (marks, most)' || fail "periods"

# a frame whose place is not known has no pc in stacks either
seq=$("$HINDSIGHT" print cut --json --event EVENTS_LEFT_OUT --num 1 2>/dev/null | sed -E 's/^."seq":([0-9]+),.*/\1/')
"$HINDSIGHT" threads cut --at "$seq" --json >threads.json 2>/dev/null
python3 "$ROOT/test/percall/stacks.py" "$HINDSIGHT" cut "$seq" || fail "stacks at $seq"

# what is said, and what is refused
"$HINDSIGHT" info cut --json >info.json 2>err
[ $? = 3 ] || fail "info does not exit with 3"
grep -q 'events of [0-9]* calls are left out by percall=22' err || fail "info: $(cat err)"
python3 -c '
import json
i = json.load(open("info.json"))
assert i["percall"] == 22 and i["left_out"] > i["left_out_calls"] > 0, i
assert "EVENTS_LEFT_OUT" in i["types"], i["types"]' || fail "info"
"$HINDSIGHT" tree cut 2>/dev/null | grep -q 'run(9) = .* ([0-9]* events left out)' || fail "tree"
"$HINDSIGHT" last-write Percall.sum few 2>/dev/null | grep -q 'not known' || fail "last-write"
for options in derive=on weave=CALL format=latest logend=x prewoven=.; do
    record refused ",percall=3,$options" && fail "percall with $options is accepted"
    grep -q 'option percall' refused.out || fail "$options: $(cat refused.out)"
done
finish
