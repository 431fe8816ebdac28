#!/bin/bash
# `hindsight fleet compare`: fleets whose times and exceptions a seeded program has written into the catalogues, so that
# it is known what changed; the rows are those of a model in plain Python, which counts all subsets for the exact p, and
# the functions of SQL give the p of the model for any samples.
#
# test: fleet.compare
# labels: fleet
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
record one weave=ALL -cp c Caller one req-1 req-2 >out 2>err || die "recording: $(cat err)"
mkdir old new
for i in $(seq 18); do
    to=$([ "$i" -le 8 ] && echo old || echo new)
    mkdir "$to/t$i" && cp one/data.mdb one/run "$to/t$i" && echo "copy $i" >>"$to/t$i/run"
done
export HINDSIGHT_FLEET=F
"$HINDSIGHT" fleet push old --label version=1 >/dev/null && "$HINDSIGHT" fleet push new --label version=2 >/dev/null ||
    die "push"
python3 "$ROOT/test/fleet/compare.py" "$HINDSIGHT" F || fail "the model"
fleet() { "$HINDSIGHT" fleet "$@"; }
fleet compare version=1 version=2 2>err | grep -q "^new exception " || fail "as text"
grep -q "^hindsight fleet: 8 and 10 runs, [0-9]* methods have times in both$" err || fail "the note: $(cat err)"
fleet compare version=1 version=2 --fail-if-any >/dev/null 2>&1; [ $? = 1 ] || fail "--fail-if-any"
fleet compare version=1 version=1 --json >out 2>err; [ $? = 1 ] && grep -q "no run is of the build version=1" err ||
    fail "a build and itself: $(cat out err)"
one_line 1 "no run is of the build version=3" "$HINDSIGHT" fleet compare version=1 version=3
one_line 2 "compare wants two builds" "$HINDSIGHT" fleet compare version=1
hash=$(fleet query 'SELECT hash FROM builds LIMIT 1' --json | cut -d '"' -f 4)
one_line 1 "no run is of the build" "$HINDSIGHT" fleet compare "$hash" "$hash"
for run in $(fleet list --label version=1 --json | sed -E 's/.*"run":"([^"]*)".*/\1/' | head -n 6); do
    fleet remove "$run" >/dev/null
done
fleet compare version=1 version=2 2>&1 >/dev/null | grep -q "so few runs cannot show" &&
    fail "2 and 10 runs can show a change: p is 2 of 66"
for run in $(fleet list --label version=2 --json | sed -E 's/.*"run":"([^"]*)".*/\1/' | head -n 7); do
    fleet remove "$run" >/dev/null
done
fleet compare version=1 version=2 2>&1 >/dev/null | grep -q "2 and 3 runs.*so few runs cannot show" ||
    fail "2 and 3 runs: p is at least 0.2"
finish
