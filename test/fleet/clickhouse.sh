#!/bin/bash
# `fleet query --server`: two servers of ClickHouse, as shards, get the rows of up to 21 runs and answer what SQLite
# answers; runs that come later, or are removed, are asked or not; commands that load at once double nothing; a shard
# that is killed, also in the middle, and comes back has lost nothing. One server alone does the same.
#
# test: fleet.clickhouse
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
. "$ROOT/test/fleet/clickhouse.bash"
start_shard 1; start_shard 2
export HINDSIGHT_FLEET=F CLICKHOUSE_USER=asker CLICKHOUSE_PASSWORD=key
one=http://127.0.0.1:$http1 two=http://127.0.0.1:$http2
fleet() { "$HINDSIGHT" fleet "$@"; }
shards() { fleet query --server "$one" --server "$two" --cluster shards "$@"; }
on() { # NUMBER SQL: one shard alone
    echo "$2" | curl -sS -u asker:key "http://127.0.0.1:$(shard http "$1")/" --data-binary @-
}

record front weave=ALL -cp c Caller front req-1 req-2 req-30 >out 2>err || die "recording: $(cat err)"
push() {
    for i; do mkdir -p "copy$i" && cp front/data.mdb front/run "copy$i" && echo "copy $i" >>"copy$i/run"; done
    for i; do fleet push "copy$i" --request X-Request-Id >/dev/null || fail "push"; done
}
push 1 2 3 4 5 6
same() { # WHAT: SQLite and the shards have one answer
    for sql in "SELECT run, name, events, started, pushed, ended, command FROM runs ORDER BY run" \
        "SELECT run, class, method, desc, calls, exceptions, total_ns FROM calls ORDER BY run, class, method, desc" \
        "SELECT type, frames, line, sum(count) AS n FROM exceptions GROUP BY type, frames, line ORDER BY n" \
        "SELECT value, count(*) AS n, count(DISTINCT run) AS runs FROM requests GROUP BY value ORDER BY value" \
        "SELECT name, method, calls FROM runs JOIN calls USING (run) ORDER BY name, method, calls LIMIT 50"; do
        [ "${sql/desc,/}" = "$sql" ] || sql=${sql//desc/\"desc\"}
        shards "$sql" --json >have 2>err
        fleet query "$sql" --json >want
        { [ -s want ] && cmp -s want have; } || fail "$1: $sql: $(diff want have | head -n 3) $(cat err)"
    done
}
# several commands load at once
pids=
for _ in 1 2 3; do shards "SELECT count(*) FROM runs" >>counts & pids="$pids $!"; done
for pid in $pids; do wait "$pid" || fail "a query"; done
pids=
same "six runs"

# values, and SQL that is refused
shards "SELECT toInt64('-9223372036854775808') AS a, 18446744073709551615 AS b, 'x\\ty\\n\\\\' AS c, NULL AS d,
    0/0 AS e, -1/0 AS f, 0.5 AS g, toDate('2026-11-22') AS h" --json >have
[ "$(cat have)" = '{"a":-9223372036854775808,"b":"18446744073709551615","c":"x\ty\n\\","d":null,"e":"NaN",'$(
)'"f":"-Infinity","g":0.5,"h":"2026-11-22"}' ] || fail "values: $(cat have)"
shards "SELECT run FROM runs WHERE name = 'nobody'" --json >have && [ ! -s have ] || fail "no rows: $(cat have)"
one_line 2 "Unknown identifier" "$HINDSIGHT" fleet query --server "$one" "SELECT nothing FROM runs"
one_line 2 "is no table" "$HINDSIGHT" fleet query --server "$one" "SELECT 1 FORMAT CSV"
# nothing but the tables of the fleet: other statements, tables, files, servers and settings are refused
database=$(on 1 "SELECT name FROM system.databases WHERE match(name, '^hindsight_[0-9a-f]+_[0-9]+\$')")
on 1 "CREATE DATABASE \`other db\`"
refusals="asked with SELECT|forbidden in readonly|only the tables of the fleet|in readonly mode|is no table"
refusals="$refusals|with a backslash|INTO OUTFILE is not|Syntax error"
while IFS= read -r sql; do
    one_line 2 "$refusals" "$HINDSIGHT" fleet query --server "$one" "$sql"
done <<SQL
KILL QUERY WHERE 1
 (kill query WHERE 1 TEST)
/* SELECT */ KILL QUERY WHERE 1
 -- SELECT
SELECT 1; KILL QUERY WHERE 1
SYSTEM FLUSH LOGS
ATTACH TABLE x (a Int8) ENGINE = Memory
DETACH TABLE runs
CREATE TEMPORARY TABLE x (a Int8)
DROP TABLE runs
RENAME TABLE runs TO x
TRUNCATE TABLE runs
OPTIMIZE TABLE runs
INSERT INTO runs SELECT * FROM runs
INSERT INTO FUNCTION remote('127.0.0.1', system.one) SELECT 1
SET max_threads = 1
SELECT 1 SETTINGS readonly = 0
SHOW PROCESSLIST
SHOW DATABASES
DESCRIBE TABLE system.one
EXISTS TABLE system.one
CHECK TABLE runs
USE system
EXPLAIN SELECT 1
SELECT * FROM file('/etc/passwd', 'TSV', 'a String')
SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'a String')
SELECT * FROM remote('127.0.0.1:1', x)
SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')
SELECT * FROM odbc('DSN=a', 'b')
SELECT * FROM jdbc('a', 'b')
SELECT * FROM merge('system', '.*')
SELECT * FROM cluster('shards', x)
SELECT * FROM numbers(2)
SELECT * FROM system.tables
SELECT * FROM system . tables
SELECT * FROM system/* */.tables
SELECT * FROM "system".tables
SELECT * FROM \`system\`.tables
SELECT * FROM \`sys\\tem\`.tables
SELECT * FROM \`other db\`.x
SELECT 'it''s' AS a, "b""c" AS d FROM system.one
SELECT 1 WHERE 1 IN (SELECT dummy FROM system.one)
SELECT 1 WHERE 'a' IN system.tables
SELECT * FROM $database.rows_runs
SELECT dictGetString('a', 'b', toUInt64(1))
SELECT joinGet('x', 'a', 1)
SELECT file('/etc/passwd')
SELECT 1 INTO OUTFILE 'x'
SELECT * FROM (
SQL
[ "$(fleet query --server "$one" "WITH 'system.one -- \` x' AS a SELECT a, count() AS n FROM runs AS r
    WHERE r.run <> '' /* of system.one */ -- all
    " --json)" = '{"a":"system.one -- ` x","n":6}' ] || fail "a text with the name of a table"

[ "$(shards " /* a */ -- b
    ((SELECT 1 AS n))" --json)$(shards "with 2 as n select n" --json)" = '{"n":1}{"n":2}' ] ||
    fail "SELECT in other forms"

# two fleets, and a copy of one, which grows: none sees runs of the others, also not at once
mkdir other && cp front/data.mdb front/run other && echo other >>other/run
fleet push other --to G >/dev/null && cp -r G H && fleet push copy1 --to H >/dev/null || fail "push"
for _ in 1 2 3 4 5; do
    for fleet in F:6 G:1 H:2; do
        fleet query --from "${fleet%:*}" --server "$two" "SELECT count() AS n FROM runs" --json >>"$fleet" &
        pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || fail "a query of one of three fleets"; done
    pids=
done
for fleet in F:6 G:1 H:2; do
    [ "$(sort -u "$fleet")" = "{\"n\":${fleet#*:}}" ] || fail "three fleets: $fleet: $(sort "$fleet" | uniq -c)"
done

# a shard is away before the rest comes, and in the middle of loading it: nothing is asked of the other one alone
kill_shard 2
one_line 1 "NetException" "$HINDSIGHT" fleet query --server "$one" --cluster shards --database half \
    "SELECT count() FROM runs" # that is no fault of the SQL
push 7 8 9 10 11 12
one_line 1 "$two/: .*connect" "$HINDSIGHT" fleet query "SELECT 1" --server "$one" --server "$two" \
    --cluster shards
start_shard 2
same "twelve runs, after a shard was away"
for delay in 0.02 0.05 0.1; do
    push "$delay" "2$delay" "3$delay"
    shards "SELECT count(*) FROM runs" >out 2>err & asked=$!
    sleep $delay
    kill_shard 2
    wait $asked; status=$?
    { [ $status -le 1 ] && [ "$(wc -l <err)" = $status ]; } || fail "killed after $delay s: status $status, $(cat err)"
    start_shard 2
done
same "after a shard was killed three times"
[ "$(shards "SELECT count(*) AS n, count(DISTINCT run) AS d FROM runs" --json)" = '{"n":21,"d":21}' ] ||
    fail "not 21 runs"
for n in 1 2; do # which one a run is in depends on its hash
    [ "$(on $n "SELECT count() BETWEEN 1 AND 20 FROM $database.shard_runs")" = 1 ] || fail "the runs of shard $n"
done

# a run whose tables are made again, with more in them
fleet repair "$(fleet query "SELECT run FROM runs ORDER BY run LIMIT 1" --json | cut -d '"' -f 4)" --request later \
    --request X-Request-Id --label later=yes >/dev/null || fail "repair"
for _ in 1 2; do
    sql="SELECT run, key, value FROM labels ORDER BY run, key"
    [ "$(shards "$sql" --json)" = "$(fleet query "$sql" --json)" ] || fail "after repair: $(shards "$sql" --json)"
    same "after repair"
done

# a run that is removed, and one that comes, in the middle of a question: it sees one set of runs
slow="SELECT (SELECT count() FROM runs) AS a, (SELECT sleep(3)) AS s, (SELECT sleep(2.99)) AS t,
    (SELECT uniqExact(run) FROM calls) AS b"
run=$(fleet query "SELECT run FROM runs ORDER BY run LIMIT 1" --json | cut -d '"' -f 4)
fleet query --server "$two" --database set "SELECT count() FROM runs" >/dev/null || fail "set"
for change in "remove $run" "push front"; do
    begin=$EPOCHSECONDS
    fleet query --server "$two" --database set "$slow" --json >have 2>err & asked=$!
    for _ in $(seq 1200); do
        [ "$(on 2 "SELECT count() FROM system.processes WHERE match(query, 'sleep.2.99')")" -lt 2 ] || break
        sleep 0.05 # the question above is one of them
    done
    # shellcheck disable=SC2086
    fleet $change >out 2>&1 && fleet query --server "$two" --database set "SELECT 1" >out 2>&1 || fail "$(cat out)"
    wait $asked || fail "asked while $change: $(cat err)"
    [ $((EPOCHSECONDS - begin)) -ge 11 ] || fail "$change came before the question, or after it"
    [[ $(cat have) =~ ^\{\"a\":([0-9]+),\"s\":0,\"t\":0,\"b\":([0-9]+)\}$ ]] &&
        [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] ||
        fail "asked while $change: $(cat have)"
done

# runs that are removed, and one server for all
old=$(fleet query "SELECT run FROM runs ORDER BY run LIMIT 3" --json | cut -d '"' -f 4)
for run in $old; do touch -d '9 days ago' "F/runs/$run/data.mdb"; done
fleet prune --older-than 8d >/dev/null
same "after prune"
. "$ROOT/test/fleet/questions.bash"
FLEET_WANTED=F
same_answers "two shards" --server "$one" --server "$two" --cluster shards
same_answers "one server" --server "$two" --database alone
for _ in 1 2; do
    fleet query --server "$two" --database alone "SELECT count(*) AS n, sum(bytes) AS b FROM runs" --json >have
done
[ "$(cat have)" = "$(fleet query "SELECT count(*) AS n, sum(bytes) AS b FROM runs" --json)" ] ||
    fail "one server: $(cat have)"

one_line 1 "answers [45]" env CLICKHOUSE_PASSWORD=other "$HINDSIGHT" fleet query --server "$one" "SELECT 1"
one_line 2 "wants http" "$HINDSIGHT" fleet query --server "localhost:8123" "SELECT 1"
one_line 2 "asked as a --cluster" "$HINDSIGHT" fleet query --server "$one" --server "$two" "SELECT 1"
one_line 2 "letters, digits" "$HINDSIGHT" fleet query --server "$one" --cluster "a b" "SELECT 1"
one_line 2 "without --server" "$HINDSIGHT" fleet query --server "$one" --engine duckdb "SELECT 1"
finish
