#!/bin/bash
# `hindsight fleet`: twenty traces pushed by processes at once, some twice, some killed in between: none is lost or
# there twice. The catalogue is what the other commands answer, and what DuckDB reads from its Parquet files; a run that
# is opened gives the answers of its trace; damaged and foreign files are refused; prune removes by age and size.
#
# test: fleet
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
export HINDSIGHT_FLEET=F

record front weave=ALL -cp c Caller front req-1 req-2 req-30 >out 2>err || die "recording: $(cat err)"
record back weave=ALL -cp c Caller back req-2 req-30 req-30 >out 2>err || die "recording: $(cat err)"
"$JAVA" "-agentpath:$AGENT=output=counts,format=freq" -cp c Caller counts req-4 >out 2>err ||
    die "recording: $(cat err)"
traces="front back counts"
for i in $(seq 17); do # traces of their own: the file `run` names the run
    mkdir "copy$i" && cp front/data.mdb front/run "copy$i" && echo "copy $i" >>"copy$i/run"
    traces="$traces copy$i"
done

# killed at moments from before the first file to after the last one, then all at once, and the first ones again
push() { fleet push "$1" --request X-Request-Id --json >"$1.pushed" 2>"$1.err"; }
for n in 1 2 3 4 5 6 7; do
    "$HINDSIGHT" fleet push "copy1$n" --request X-Request-Id >/dev/null 2>&1 & pid=$!
    sleep 0.0$n; kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null
done
mkdir -p F/tmp/push.dead F/tmp/push.live && touch F/tmp/push.dead/data.mdb F/tmp/push.live/data.mdb
exec 8<F/tmp/push.live && flock -n 8
pids=
for t in $traces front back copy1 copy2 copy3 front; do
    push "$t" & pids="$pids $!"
done
for pid in $pids; do wait "$pid" || fail "a push: exit status $?: $(cat ./*.err)"; done
[ "$(ls F/tmp)" = push.live ] || fail "left in tmp: $(ls F/tmp)"
exec 8<&-
[ "$(fleet query 'SELECT count(*) AS n, count(DISTINCT run) AS d, count(DISTINCT name) AS m FROM runs' --json)" = \
    '{"n":20,"d":20,"m":20}' ] || fail "not 20 runs: $(fleet query 'SELECT run, name FROM runs')"
pairs=
for t in $traces; do
    run=$(json "$t.pushed" 'd["run"]')
    { [ -d "F/runs/$run" ] && cmp -s "$t/data.mdb" "F/runs/$run/data.mdb" && cmp -s "$t/run" "F/runs/$run/run"; } ||
        fail "$t is not run $run"
    pairs="$pairs $t=$run"
done
[ "$(fleet push front)" = "$(json front.pushed 'd["run"]')  was there already" ] || fail "front was pushed again"
(cd front && fleet push . --to ../G >/dev/null) || fail "push of ."
[ "$(fleet query --from G 'SELECT name FROM runs' --json)" = '{"name":"front"}' ] || fail "the name of ."
none=$(fleet query --from G 'SELECT name FROM runs WHERE false' --json 2>&1)
[ "$none" = "hindsight fleet: empty: there is no row" ] || fail "a query without rows says: $none"
# shellcheck disable=SC2086
python3 "$ROOT/test/fleet/expect.py" "$HINDSIGHT" F $pairs || fail "the catalogue"
[ "$(fleet query "SELECT DISTINCT name FROM requests JOIN runs USING (run) WHERE value = 'req-2'
    AND name NOT LIKE 'copy%' ORDER BY name" --json)" = '{"name":"back"}
{"name":"front"}' ] || fail "the JVMs of request req-2"

# a header that goes over HTTP from one JVM to another, in small letters on the other side
compile c "$ROOT/test/fleet/Relay.java" || die "Relay does not compile"
record callee weave=ALL -cp c Relay >port 2>err & callee=$!
wait_for . port
record caller weave=ALL -cp c Relay "http://127.0.0.1:$(head -n 1 port)/" req-7 >out 2>err ||
    die "asking: $(cat out err)"
wait $callee && [ "$(tail -n 1 port)" = req-7 ] || fail "the header did not come: $(cat port)"
for t in caller callee; do fleet push $t --to H --request X-Request-Id >/dev/null || fail "push $t"; done
[ "$(fleet query --from H "SELECT DISTINCT name, value FROM requests JOIN runs USING (run) ORDER BY name DESC" \
    --json)" = '{"name":"caller","value":"req-7"}
{"name":"callee","value":"req-7"}' ] || fail "one request in two JVMs: $(fleet query --from H 'SELECT * FROM requests')"

sed -n '/^```sql$/,/^```$/p' "$ROOT/docs/fleet.md" | sed '/^```/d; /^--/d' >queries
while IFS= read -r -d ';' query; do
    { fleet query "$query" >answer 2>&1 && [ -s answer ]; } || fail "docs/fleet.md: $query: $(cat answer)"
done <queries
[ "$(grep -c ';' queries)" -ge 3 ] || fail "the queries of docs/fleet.md"

# another engine reads the same rows
(
    npm_client tables
    node "$ROOT/test/fleet/tables.mjs" F >duckdb || exit 1
    {
        fleet query 'SELECT method, sum(calls) AS calls, count(DISTINCT run) AS runs FROM calls GROUP BY method
            ORDER BY method' --json
        fleet query 'SELECT value, count(DISTINCT run) AS runs FROM requests GROUP BY value ORDER BY value' --json
        fleet query 'SELECT max(pushed) AS pushed, sum(events) AS events FROM runs' --json
    } >asked
    [ "$(wc -l <asked)" -ge 8 ] && cmp duckdb asked || exit 1
)
case $? in
0) ;;
77) echo "    left out: DuckDB" ;;
*) fail "DuckDB reads other rows: $(diff duckdb asked | head -n 4)" ;;
esac

# other engines of query: the same questions have the same answers; files are out of their reach
engine() { # NAME REFUSAL: exit status 2 and a line with one of these for what is no question
    for question in 'SELECT method, sum(calls) AS n, count(DISTINCT run) AS r FROM calls GROUP BY method ORDER BY 1' \
        'SELECT run, pushed, events, ended, jvm FROM runs ORDER BY run' \
        "SELECT 'a' AS x, 2 AS z, NULL AS y" \
        "SELECT run FROM runs WHERE name = 'nobody'"; do
        fleet query "$question" --json >want
        fleet query "$question" --engine "$1" --json >have 2>err
        cmp -s want have || fail "$1: $question: $(diff want have | head -n 3) $(cat err)"
    done
    while IFS= read -r sql; do
        fleet query "$sql" --engine "$1" >out 2>err; status=$?
        { [ $status = 2 ] && [ ! -s out ] && [ ! -e written.csv ] && grep -qE "$2" err; } ||
            fail "$1: $sql: exit status $status, $(cat out err)"
    done
    mkdir -p E/runs E/tmp
    fleet query 'SELECT count(*) AS n FROM calls' --from E --engine "$1" --json | grep -qx '{"n":0}' ||
        fail "$1: a fleet without runs"
}
duckdb=$(find "$BUILD/test/clients/tables/node_modules" -name libduckdb.so 2>/dev/null | head -n 1)
if [ -n "$duckdb" ]; then
    export HINDSIGHT_DUCKDB=$duckdb
    engine duckdb "DuckDB: |column f: neither" <<'SQL'
COPY runs TO 'written.csv'
COPY runs FROM '/etc/passwd'
SELECT 1; COPY runs TO 'written.csv'
EXPORT DATABASE 'written.csv'
ATTACH 'written.csv' AS x
ATTACH '/etc/passwd' AS x (TYPE sqlite)
INSTALL httpfs
LOAD httpfs
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_blob('/etc/passwd')
SELECT * FROM read_json('/etc/passwd')
SELECT * FROM read_parquet('/proc/self/fd/3')
SELECT * FROM parquet_metadata('F/tables/x.parquet')
SELECT * FROM sniff_csv('/etc/passwd')
SELECT * FROM glob('/etc/*')
SELECT * FROM sqlite_scan('/etc/passwd', 'x')
SELECT * FROM postgres_scan('host=127.0.0.1', 'x', 'y')
SELECT * FROM mysql_query('host=127.0.0.1', 'SELECT 1')
SELECT * FROM 'https://127.0.0.1:1/x.parquet'
SELECT * FROM 's3://bucket/x.parquet'
CREATE SECRET x (TYPE s3)
SET temp_directory = 'written.csv'
SET lock_configuration = false
SET allow_community_extensions = true
PRAGMA database_list_of_files
SELECT getenv('HOME')
SELECT [1, 2] AS f
SET enable_external_access = true
SELECT nothing FROM runs
SQL
    fleet query "SELECT (-9223372036854775808)::BIGINT AS a, 9007199254740993 AS b,
        true AS c, 18446744073709551615::UBIGINT AS d, 'x' || chr(10) AS e, CAST([1, 2] AS VARCHAR) AS f,
        'nan'::DOUBLE AS g, 0.5e0 AS g" --engine duckdb --json >have
    [ "$(cat have)" = '{"a":-9223372036854775808,"b":9007199254740993,"c":1,"d":"18446744073709551615",'$(
    )'"e":"x\n","f":"[1, 2]","g":"NaN","g":0.5}' ] || fail "DuckDB: values: $(cat have)"
else
    echo "    left out: DuckDB as the engine"
fi
HINDSIGHT_DUCKDB=missing.so one_line 1 "DuckDB is not there" "$HINDSIGHT" fleet query --engine duckdb "SELECT 1"
one_line 2 "sqlite and duckdb" "$HINDSIGHT" fleet query --engine oracle "SELECT 1"

# a run comes back whole, under a new name only
run=$(json back.pushed 'd["run"]')
[ "$(fleet open "${run:0:12}" -o opened)" = opened ] || fail "open"
for question in "print --json" "report --json" "info --json"; do
    # shellcheck disable=SC2086
    cmp -s <("$HINDSIGHT" $question back 2>&1) <("$HINDSIGHT" $question opened 2>&1) || fail "opened: other $question"
done
consistent opened || fail "opened: fsck"
one_line 1 "opened: File exists" "$HINDSIGHT" fleet open "$run" -o opened
one_line 1 "no such run" "$HINDSIGHT" fleet open 0123456789
one_line 1 "no such run" "$HINDSIGHT" fleet open ""

# damaged and foreign files
cp -r F B && mkdir no
printf x | dd of="B/runs/$run/data.mdb" bs=1 seek=9000 conv=notrunc 2>/dev/null
one_line 1 "is damaged" "$HINDSIGHT" fleet open "$run" --from B -o no/x
rm "B/runs/$run/run" && ln -s /etc/passwd "B/runs/$run/run"
one_line 1 "/run: " "$HINDSIGHT" fleet open "$run" --from B -o no/x
rm "B/runs/$run/run" && mkfifo "B/runs/$run/run"
one_line 1 "/run: " "$HINDSIGHT" fleet open "$run" --from B -o no/x
[ -z "$(ls -A no)" ] || fail "left: $(ls -A no)"
incomplete() { # PATTERN: 19 runs are answered, the other one is named
    fleet query --from B 'SELECT count(*) FROM runs' --json >out 2>err; status=$?
    { [ $status = 3 ] && [ "$(cat out)" = '{"count(*)":19}' ] && [ "$(wc -l <err)" = 1 ] && grep -qE "$1" err; } ||
        fail "query of a damaged catalogue: exit status $status: $(cat out err)"
}
echo "no database" >"B/runs/$run/catalogue.db"
incomplete "$run.*no catalogue"
rm "B/runs/$run/catalogue.db"
python3 - "B/runs/$run/catalogue.db" "$run" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute(f"CREATE VIEW runs AS WITH RECURSIVE r(run) AS (SELECT '{sys.argv[2]}' UNION ALL SELECT run FROM r)"
           " SELECT * FROM r")
PY
incomplete "$run.*no catalogue"
broken() { # SQL: on a good catalogue of that run
    rm -f "B/runs/$run/catalogue.db" && cp "F/runs/$run/catalogue.db" "B/runs/$run"
    sqlite3 "B/runs/$run/catalogue.db" "$1"
}
broken "UPDATE runs SET events = 'many'"; incomplete "$run: no catalogue: the table runs: a value is of a wrong type"
broken "UPDATE calls SET class = x'00ff'"; incomplete "$run: .*the table calls: a value is of a wrong type"
broken "UPDATE calls SET calls = 0.5"; incomplete "$run: .*the table calls: a value is of a wrong type"
broken "DELETE FROM runs"; incomplete "$run: .*one row of this run"
broken "INSERT INTO runs SELECT * FROM runs"; incomplete "$run: .*one row of this run"
whole() { # all runs are answered, in each engine, and what is none is named
    for engine in sqlite ${duckdb:+duckdb}; do
        timeout 120 "$HINDSIGHT" fleet query --from B 'SELECT count(*) AS n FROM runs' --json --engine $engine \
            >out 2>err; status=$?
        { [ $status = 3 ] && [ "$(cat out)" = '{"n":20}' ] && [ "$(wc -l <err)" = 1 ] && grep -qE "$1" err; } ||
            fail "$engine: $1: exit status $status: $(cat out err)"
    done
}
broken ""
fleet query --from B 'SELECT count(*) AS n FROM runs' --json | grep -qx '{"n":20}' || fail "it is good again"
touch B/runs/notes.txt; whole "notes.txt: is no run"; rm B/runs/notes.txt
mkfifo B/runs/0123456789abcdef0123456789abcdef
whole "0123456789abcdef.*: is no run"; rm B/runs/0123456789abcdef0123456789abcdef
ln -s "$PWD/F/runs/$run" B/runs/0123456789abcdef0123456789abcdef
whole "0123456789abcdef.*: is no run"; rm B/runs/0123456789abcdef0123456789abcdef
mkdir B/runs/0123456789abcdef0123456789abcdef
whole "0123456789abcdef.*: it has no catalogue"; rmdir B/runs/0123456789abcdef0123456789abcdef
rm "B/runs/$run/catalogue.db" && mkfifo "B/runs/$run/catalogue.db"; incomplete "$run: its catalogue is no file"
rm "B/runs/$run/catalogue.db" && ln -s "$PWD/F/runs/$run/catalogue.db" "B/runs/$run/catalogue.db"
incomplete "$run: its catalogue is no file"
if [ "$(id -u)" = 0 ]; then # a run of somebody else that says it is a later push of this recording
    broken "UPDATE runs SET recording = 'r', \"end\" = NULL"
    run=$(json front.pushed 'd["run"]')
    broken "UPDATE runs SET recording = 'r', events = events + 1"
    count() { fleet query --from B 'SELECT count(*) AS n FROM runs' --json; }
    [ "$(count)" = '{"n":19}' ] || fail "a later push of the same user: $(count)"
    chown 65534 "B/runs/$run/catalogue.db" && touch "B/runs/$run/catalogue.db"
    [ "$(count)" = '{"n":20}' ] || fail "a run of another user hides one: $(count)"
    run=$(json back.pushed 'd["run"]')
fi
echo no database >"$(echo "$XDG_CACHE_HOME"/hindsight/fleet-*.db | cut -d ' ' -f 1)"
for _ in 1 2; do
    fleet query 'SELECT count(*) AS n FROM runs' --json | grep -qx '{"n":20}' || fail "a damaged cache"
done
XDG_CACHE_HOME=/proc/none fleet query 'SELECT count(*) AS n FROM runs' --json | grep -qx '{"n":20}' || fail "no cache"

# wrong usage; questions only
one_line 2 "missing: push" "$HINDSIGHT" fleet
one_line 2 "none of init push" "$HINDSIGHT" fleet pull
one_line 2 "none of init push" env -u HINDSIGHT_FLEET "$HINDSIGHT" fleet pull # before what else is missing
one_line 2 "SQL is missing" "$HINDSIGHT" fleet query
one_line 2 "RUN is missing" "$HINDSIGHT" fleet open
one_line 2 "one statement" "$HINDSIGHT" fleet query "SELECT 1; SELECT 2"
one_line 2 "cannot modify" "$HINDSIGHT" fleet query "DELETE FROM runs"
one_line 2 "not authorized" "$HINDSIGHT" fleet query "DELETE FROM rows_runs"
while IFS= read -r sql; do
    one_line 2 "not authorized|no such|cannot modify|one statement|prohibited" "$HINDSIGHT" fleet query "$sql"
    [ ! -e written.db ] || fail "written: $sql"
done <<'SQL'
SELECT fts3_tokenizer('simple')
SELECT readfile('/etc/passwd')
SELECT writefile('written.db', 'x')
SELECT edit('x')
ATTACH 'written.db' AS x
ATTACH '/etc/passwd' AS x
DETACH temp
PRAGMA temp_store_directory = '/'
PRAGMA journal_mode = DELETE
PRAGMA writable_schema = 1
CREATE TEMP TABLE x(a)
CREATE VIRTUAL TABLE temp.x USING fts5(a)
DROP VIEW runs
UPDATE main.rows_runs SET name = 'x'
INSERT INTO fleet_known VALUES('x', 'y', 0)
SELECT * FROM fsdir('/etc')
SELECT * FROM csv('/etc/passwd')
BEGIN
SQL
one_line 1 "not authorized" "$HINDSIGHT" fleet query "SELECT load_extension('x')"
one_line 1 "cannot VACUUM" "$HINDSIGHT" fleet query "VACUUM INTO 'written.db'"
[ ! -e written.db ] || fail "VACUUM wrote a file"
one_line 1 "not the folder of a fleet" "$HINDSIGHT" fleet query --from no "SELECT 1"
one_line 1 "No such file" "$HINDSIGHT" fleet query --from missing "SELECT 1"
one_line 2 "older-than wants" "$HINDSIGHT" fleet prune --older-than soon
one_line 2 "max-bytes wants" "$HINDSIGHT" fleet prune --max-bytes 99999999999T
one_line 2 "endpoint is for s3" "$HINDSIGHT" fleet query "SELECT 1" --endpoint http://localhost:9000
one_line 2 "are for --server" "$HINDSIGHT" fleet query "SELECT 1" --cluster shards
one_line 2 "are for --server" "$HINDSIGHT" fleet query "SELECT 1" --database other
HINDSIGHT_FLEET='' one_line 2 "to DIR is missing" "$HINDSIGHT" fleet push front

# prune: by age, then the oldest until the size is kept; the line of docs/fleet.md for cron
(
    mkdir home && cp -r F home/fleet && cd home || exit 1
    touch -d '31 days ago' "fleet/runs/$run/data.mdb"
    line=$(sed -n '/^```crontab$/,/^```$/p' "$ROOT/docs/fleet.md" | grep '^0 3')
    PATH=$(dirname "$HINDSIGHT"):$PATH sh -c "${line#0 3 \* \* \* }" >pruned
    [ "$(cut -d ' ' -f 1 pruned)" = "$run" ] && [ "$(ls fleet/runs | wc -l)" = 19 ] && [ ! -e "fleet/runs/$run" ]
) || fail "the line for cron: $(cat home/pruned)"
touch -d '40 days ago' "F/runs/$run/data.mdb"
fleet prune --older-than 30d --dry-run --json >pruned
{ [ "$(json pruned 'd["run"]')" = "$run" ] && [ -d "F/runs/$run" ]; } || fail "prune --dry-run"
{ [[ $(fleet prune --older-than 30d) =~ ^$run\ +[0-9]+\ bytes,\ pushed\ [0-9]+d\ ago$ ]] &&
    [ ! -e "F/runs/$run" ]; } ||
    fail "prune --older-than"
[ "$(ls F/runs | wc -l)" = 19 ] || fail "prune --older-than removed others"
youngest=$(fleet query 'SELECT run FROM runs ORDER BY pushed DESC LIMIT 1' --json | cut -d '"' -f 4)
touch -d 'tomorrow' "F/runs/$youngest/data.mdb"
bytes=$(find "F/runs/$youngest" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
fleet prune --max-bytes "$bytes" >pruned
{ [ "$(ls F/runs)" = "$youngest" ] && [ "$(wc -l <pruned)" = 18 ]; } || fail "prune --max-bytes: $(ls F/runs)"
[ -z "$(ls F/tmp)" ] || fail "prune left: $(ls F/tmp)"
finish
