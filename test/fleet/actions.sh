#!/bin/bash
# `hindsight fleet list`, `show`, `remove`, `repair`, `compact` and `push` of several traces: against the tables that
# SQLite itself reads; the compacted files are read by DuckDB alone with the command of docs/fleet.md. Processes that
# push, compact and prune are killed at random moments while others ask: every answer is whole.
#
# test: fleet.actions
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
export HINDSIGHT_FLEET=F

record one weave=ALL -cp c Caller one req-1 req-2 req-30 >out 2>err || die "recording: $(cat err)"
mkdir -p many/empty many/.hidden && echo text >many/notes.txt
for i in 1 2 3 4; do mkdir "many/t$i" && cp one/data.mdb one/run "many/t$i" && echo "copy $i" >>"many/t$i/run"; done
fleet push many one --request X-Request-Id --label service=pay --label version=1.4 >pushed || fail "push: $?"
[ "$(wc -l <pushed)" = 5 ] && [ "$(ls F/runs | wc -l)" = 5 ] || fail "push of a folder and a trace: $(cat pushed)"
one_line 2 "wants KEY=VALUE" "$HINDSIGHT" fleet push one --label service
fleet push many/empty one 2>err; status=$?
[ $status != 0 ] && grep -q empty err || fail "a folder without traces: exit status $status: $(cat err)"
mkdir other && cp one/data.mdb one/run other && echo other >>other/run
fleet push other --label service=shop >/dev/null || fail "push"

names() { fleet list "$@" --json | sed -nE 's/.*"name":"([^"]*)".*/\1/p' | sort | tr '\n' ' '; }
[ "$(names)" = "one other t1 t2 t3 t4 " ] || fail "list: $(names)"
[ "$(names --label service=shop)" = "other " ] || fail "list --label: $(names --label service=shop)"
[ "$(names --label service=pay --label version=1.4)" = "one t1 t2 t3 t4 " ] || fail "list --label twice"
[ "$(names --name 't[12]')" = "t1 t2 " ] || fail "list --name: $(names --name 't[12]')"
[ "$(names --since 1d)" = "one other t1 t2 t3 t4 " ] && [ -z "$(names --since 0s 2>/dev/null)" ] || fail "list --since"
[ "$(names --handled req-2)" = "one t1 t2 t3 t4 " ] || fail "list --handled: $(names --handled req-2)"
exception=$(fleet query 'SELECT type FROM exceptions LIMIT 1' --json | cut -d '"' -f 4)
[ "$(names --exception "${exception%n}*")" = "one other t1 t2 t3 t4 " ] || fail "list --exception"
[ -z "$(names --exception 'no.such.*' 2>/dev/null)" ] || fail "list --exception of none"
hash=$(fleet query 'SELECT hash FROM builds LIMIT 1' --json | cut -d '"' -f 4)
[ "$(names --build "$hash")" = "one other t1 t2 t3 t4 " ] || fail "list --build"
one_line 1 "no such run" "$HINDSIGHT" fleet remove ""
one_line 2 "since wants" "$HINDSIGHT" fleet list --since soon
run=$(fleet query "SELECT run FROM runs WHERE name = 't1'" --json | cut -d '"' -f 4)
fleet list --name t1 | grep -qE "^${run:0:12} +20[0-9-]+ [0-9:]+ +[0-9.]+ +t1 +clean .*service=pay version=1.4" ||
    fail "list as text: $(fleet list --name t1)"
fleet show "${run:0:9}" --json >shown
python3 - shown one/data.mdb <<'PY' || fail "show: $(cat shown)"
import json, os, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
shown = {r["key"]: r["value"] for r in rows}
assert shown["name"] == "t1" and shown["label service"] == "pay" and shown["requests"] == 3, shown
assert shown["started"].endswith(" UTC") and shown["bytes"] > os.path.getsize(sys.argv[2]), shown
PY
fleet query "SELECT 1 AS x FROM runs WHERE events = 0" --fail-if-any >out 2>/dev/null || fail "--fail-if-any of none"
fleet query "SELECT 1 AS x FROM runs" --fail-if-any >out; [ $? = 1 ] || fail "--fail-if-any"

# compact: the current parts have each run once, also those that were pushed in between
set=$(fleet compact) || fail "compact"
[ "$(cat F/tables/current)" = "$set" ] && [ "$(fleet compact)" = "$set" ] && [ "$(ls F/tables | wc -l)" = 2 ] ||
    fail "compact twice: $(ls F/tables)"
sed -n '/^```duckdb$/,/^```$/p' "$ROOT/docs/fleet.md" | sed '/^```/d; s/fleet\/tables/F\/tables/g' >duckdb.sql
(
    npm_client tables
    node "$ROOT/test/fleet/alone.mjs" "$(cat duckdb.sql)" >alone || exit 1
    fleet query 'SELECT method, sum(calls) AS n FROM calls GROUP BY method ORDER BY method' --json >want
    [ -s want ] && cmp -s <(sed -E 's/.*"method":"([^"]*)","n":([0-9]+).*/\1 \2/' want) alone
)
case $? in
0) ;;
77) echo "    left out: DuckDB" ;;
*) fail "DuckDB alone: $(diff alone want | head -n 4)" ;;
esac

# remove, repair
fleet remove "${run:0:9}" --dry-run >out && [ -d "F/runs/$run" ] || fail "remove --dry-run"
[ "$(fleet remove "${run:0:9}")" = "$run" ] && [ ! -e "F/runs/$run" ] || fail "remove"
one_line 1 "no such run" "$HINDSIGHT" fleet remove "$run"
run=$(fleet query "SELECT run FROM runs WHERE name = 't2'" --json | cut -d '"' -f 4)
fleet query "SELECT * FROM calls WHERE run = '$run'" --json >before
echo nonsense >"F/runs/$run/catalogue.db"
fleet query 'SELECT count(*) AS n FROM runs' --json >out 2>err; [ $? = 3 ] || fail "a damaged catalogue"
fleet repair >out 2>err || fail "repair: $(cat out err)"
grep -q "$run  repaired" out || fail "repair: $(cat out err)"
[ "$(fleet query 'SELECT count(*) AS n FROM runs' --json)" = '{"n":5}' ] || fail "after repair"
fleet query "SELECT * FROM calls WHERE run = '$run'" --json | sort >after
[ -s after ] && cmp -s <(sort before) after || fail "repair makes other rows: $(diff <(sort before) after | head -n 3)"
run=$(fleet query "SELECT run FROM runs WHERE name = 'other'" --json | cut -d '"' -f 4)
fleet repair "$run" --request X-Request-Id --label by=me >out || fail "repair RUN: $(cat out)"
[ "$(names --handled req-2)" = "one other t3 t4 " ] || fail "a header that is asked for later: $(names --handled req-2)"
[ "$(names --label by=me --label service=shop)" = "other " ] || fail "labels after repair"
printf x | dd of="F/runs/$run/data.mdb" bs=1 seek=9000 conv=notrunc 2>/dev/null
one_line 1 "its trace is damaged" "$HINDSIGHT" fleet repair "$run"

# killed at random moments, others asking: an answer has whole runs, each once
RANDOM=46 wrong=0 killed=0
for i in $(seq "${FLEET_KILLS:-50}"); do
    mkdir "k$i" && cp one/data.mdb one/run "k$i" && echo "k $i" >>"k$i/run"
    case $((i % 3)) in
    0) words="push k$i" ;;
    1) words="compact" ;;
    *) words="prune --max-bytes 3M" ;;
    esac
    # shellcheck disable=SC2086
    "$HINDSIGHT" fleet $words >/dev/null 2>&1 & pid=$!
    fleet query "SELECT count(*) AS n, count(DISTINCT run) AS d, sum(EXISTS (SELECT 1 FROM calls WHERE
        calls.run = runs.run)) AS c FROM runs" --json >answer 2>err & asking=$!
    sleep "0.0$((RANDOM % 10))"
    kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null; wait $asking
    [[ $(cat answer) =~ ^\{\"n\":([0-9]+),\"d\":([0-9]+),\"c\":([0-9]+)\}$ ]] &&
        [ "${BASH_REMATCH[1]}${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}${BASH_REMATCH[3]}" ] ||
        fail "asked while $words was killed: $(cat answer err)"
    while read -r part; do
        [ -f "F/tables/$part/runs.parquet" ] && [ -f "F/tables/$part/labels.parquet" ] || fail "no part: $words"
    done <F/tables/current
done
echo "$killed killed"
fleet prune >/dev/null || fail "prune"
[ -z "$(ls F/tmp)" ] || fail "left in tmp: $(ls F/tmp)"
finish
