#!/bin/bash
# The formats of tables: their rows, read by clients that were not written here, are those that plain Python computes
# from `print --json`. Values at the ends of their types and texts with every kind of character come through.
#
# test: export.tables
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t
tables() { python3 "$HERE/tables.py" "$@"; }
clients() { node "$HERE/tables.mjs" "$@"; }
tables expect "$HINDSIGHT" t >expected || fail "the expected rows"

# on a terminal control characters of texts are shown; a file has them
python3 - "$HINDSIGHT" >shown <<'PY' || fail "csv on a terminal"
import pty, sys
pty.spawn([sys.argv[1], "export", "t", "--to", "csv", "--table", "strings"])
PY
"$HINDSIGHT" export t --to csv --table strings >exact
grep -q $'\033' exact || fail "no ESC in csv: the test sees nothing"
grep -qF '\u0001\u001b[31m' shown && ! grep -q $'\033' shown ||
    fail "csv on a terminal: $(grep -a '31m' shown | cat -v)"

# csv, by itself and by DuckDB; one table a file, or all in a directory
"$HINDSIGHT" export t --to csv --table all -o csv || fail "csv"
"$HINDSIGHT" export t --to csv --table writes | cmp - csv/writes.csv || fail "--table writes is another file"
"$HINDSIGHT" export t --to csv | cmp - csv/events.csv || fail "without --table it is not the events"
tables csv csv >read && tables compare expected read || fail "csv is not what print --json has"

# filters choose rows by the event that has the value; tables of things are whole
"$HINDSIGHT" export t --to jsonl --table all -o jsonl || fail "jsonl"
filtered() { # TABLE PATTERN FILTER...: the lines of the whole table that have the pattern
    local table=$1 pattern=$2; shift 2
    grep -E "$pattern" "jsonl/$table.jsonl" >want
    "$HINDSIGHT" export t --to jsonl --table "$table" "$@" >some
    [ -s want ] && cmp want some || fail "$table $*: $(wc -l <some) rows, not $(wc -l <want)"
}
filtered writes '"event":"(PUT_STATIC_FIELD|ARRAY_STORE_VALUE)","class":"Sampler",' --class Sampler \
    --event PUT_STATIC_FIELD,ARRAY_STORE_VALUE
object=$(grep -o '"value_id":[0-9]*' jsonl/reads.jsonl | sort | uniq -c | sort -n | sed -n '$s/.*://p')
filtered reads "\"value_id\":$object," --object "$object"
filtered calls '"method":"echo"' --method echo
for table in calls locks; do # of the thread that comes last there
    thread=$(grep -o '"thread":[0-9]*' jsonl/$table.jsonl | sort -t: -nk 2 | sed -n '$s/.*://p')
    filtered $table "\"thread\":$thread," --thread "$thread"
done
filtered exceptions IllegalStateException --event METHOD_THROW # the others are thrown by the JVM and the JDK
# a filter chooses rows, and never changes what they say: also of calls and monitors that are left behind the range
ranges() { # TABLE COLUMN FROM UNTIL
    python3 -c '
import json, sys
for line in open(f"jsonl/{sys.argv[1]}.jsonl"):
    if int(sys.argv[3]) <= json.loads(line)[sys.argv[2]] <= int(sys.argv[4]):
        print(line, end="")' "$@" >want
    "$HINDSIGHT" export t --to jsonl --table "$1" --from "$3" --until "$4" >some
    [ -s want ] && cmp want some || fail "$1 from $3 until $4: $(diff want some | head -n 4)"
}
called=$(sed -n 's/^{"seq":\([0-9]*\),.*"depth":1,.*/\1/p' jsonl/calls.jsonl | sed -n 2p)
ranges calls seq "$called" $((called + 1))
ranges calls seq 0 "$called"
entered=$(sed -n 's/.*"entered":\([0-9]*\),.*/\1/p' jsonl/locks.jsonl | sed -n 2p)
ranges locks entered "$entered" "$entered"
cat >Again.java <<'JAVA'
public class Again {
    public static void main(String[] args) {
        synchronized (args) {
            inner(args);
        }
    }
    static void inner(Object o) {
        synchronized (o) {
            o.hashCode();
        }
    }
}
JAVA
compile . Again.java && record again weave=SYNC -cp . Again >again.out 2>&1 || fail "Again: $(cat again.out)"
"$HINDSIGHT" export again --to jsonl --table locks | grep '"method":"inner"' | grep '"again":true' >want
"$HINDSIGHT" export again --to jsonl --table locks --method inner | cmp want - || fail "the monitor was held already"
one_line 2 "rows are no events" "$HINDSIGHT" export t --to csv --table classes --event CALL
one_line 2 "no such table.*nearest: writes" "$HINDSIGHT" export t --to csv --table write
one_line 2 "several files" "$HINDSIGHT" export t --to csv --table all
[ "$("$HINDSIGHT" export t --to csv --table reads --limit 3 | wc -l)" = 4 ] || fail "--limit"
one_line 2 "--until 5: is before --from 10" "$HINDSIGHT" export t --to csv --from 10 --until 5

# jsonl of a table: the keys of the command of that name
"$HINDSIGHT" print t --json | cmp - jsonl/events.jsonl || fail "jsonl events are not print --json"
python3 "$ROOT/test/clients/export/tables_jsonl.py" "$HINDSIGHT" || fail "jsonl of tables"

# sqlite: the same rows, indexes, views, and the queries of docs/export.md
"$HINDSIGHT" export t --to sqlite -o t.db || fail "sqlite"
tables sqlite t.db >read && tables compare expected read || fail "sqlite is not what print --json has"
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 t.db 'PRAGMA integrity_check')" = ok ] || fail "the database is not whole"
    [ "$(sqlite3 t.db "SELECT string_json FROM strings WHERE string LIKE 'lone_'")" = '"lone\ud800"' ] ||
        fail "an unpaired surrogate"
    [ "$(sqlite3 t.db "SELECT sum(calls) FROM method_calls")" = "$(wc -l <jsonl/calls.jsonl)" ] || fail "method_calls"
    [ "$(sqlite3 t.db 'SELECT sum(calls) FROM call_edges')" = "$(wc -l <jsonl/calls.jsonl)" ] || fail "call_edges"
    sqlite3 t.db 'EXPLAIN QUERY PLAN SELECT * FROM writes WHERE object_id = 3' | grep -q 'USING INDEX' ||
        fail "the index is not used"
    sed -n '/^```sql$/,/^```$/p' "$ROOT/docs/export.md" | sed '/^```/d' >queries
    [ "$(grep -c ';' queries)" -ge 5 ] || fail "the queries of docs/export.md"
    while IFS= read -r -d ';' query; do
        [ -n "${query//[[:space:]]/}" ] || continue
        sqlite3 -bail t.db <<<"$query;" >answer 2>&1 && [ -s answer ] || fail "docs/export.md: $query: $(cat answer)"
    done <queries
else
    echo "    left out: sqlite3 is not installed"
fi
"$HINDSIGHT" export t --to sqlite --table writes --event PUT_STATIC_FIELD >one.db || fail "sqlite on standard output"
[ "$(sqlite3 one.db 'SELECT count(*) FROM writes')" = 5 ] || fail "a filter of sqlite"

# sql: the same rows without a copy, as JSON; the same answers as sqlite3 gives; questions only
for table in events calls writes reads locks; do
    "$HINDSIGHT" sql t "SELECT * FROM $table" --json | sed "s/.*/{\"table\":\"$table\",\"row\":&}/"
done | python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    row["row"] = {k: v for k, v in row["row"].items() if v is not None}
    print(json.dumps(row))' >read
tables compare expected read || fail "sql is not what print --json has"
for query in "SELECT count(*) AS a, sum(seq) AS b FROM events WHERE seq BETWEEN 100 AND 600" \
    "SELECT count(*) AS a, sum(length) AS b FROM writes JOIN strings ON id = value_id" \
    "SELECT count(*) AS a, sum(pc) AS b FROM dataids WHERE dataid > 100 AND dataid <= 200" \
    "SELECT count(*) AS a, max(o.last) AS b FROM reads JOIN objects AS o ON o.id = object_id" \
    "SELECT count(*) AS a, sum(m.code_length) AS b FROM calls JOIN methods AS m USING (method_id)" \
    "SELECT sum(calls) AS a, max(objects) AS b FROM method_calls"; do
    want=$(sqlite3 t.db "$query" | sed 's/\(.*\)|\(.*\)/{"a":\1,"b":\2}/')
    [ "$("$HINDSIGHT" sql t "$query" --json)" = "$want" ] || fail "sql $query: not $want"
done
"$HINDSIGHT" sql t "SELECT 1 FROM events WHERE seq < 0" --fail-if-any 2>err || fail "--fail-if-any without rows"
[ "$(cat err)" = "hindsight sql: t: empty: there is no row" ] || fail "sql without rows says: $(cat err)"
"$HINDSIGHT" sql t "SELECT 1 FROM events" --limit 3 --fail-if-any >some; status=$?
[ $status = 1 ] && [ "$(wc -l <some)" = 4 ] || fail "--fail-if-any with rows: status $status"
one_line 2 "not authorized" "$HINDSIGHT" sql t "ATTACH '$WORK/other.db' AS other"
one_line 2 "not authorized" "$HINDSIGHT" sql t "CREATE TABLE x(y)"
one_line 2 "no such column: nowhere" "$HINDSIGHT" sql t "SELECT nowhere FROM events"
one_line 2 "one statement" "$HINDSIGHT" sql t "SELECT 1; SELECT 2"
one_line 1 "integer overflow" "$HINDSIGHT" sql t "SELECT sum(value_int) FROM events"

# a recording without a stream has no rows of events: that is no empty answer, except among all tables
sample latest 5 format=latest
one_line 1 "format=latest keeps no event stream" "$HINDSIGHT" export latest --to csv
for to in csv jsonl parquet sqlite; do
    one_line 1 "format=latest keeps no event stream" "$HINDSIGHT" export latest --to $to --table calls
done
one_line 1 "exceptions: format=latest keeps no event stream" \
    "$HINDSIGHT" sql latest "SELECT * FROM thrown_types" --fail-if-any
"$HINDSIGHT" export latest --to csv --table all -o latest.csv && [ "$(wc -l <latest.csv/calls.csv)" = 1 ] &&
    [ "$(wc -l <latest.csv/dataids.csv)" -gt 100 ] || fail "all tables of a recording without a stream"
[ "$("$HINDSIGHT" sql latest "SELECT count(*) > 100 AS n FROM dataids" --json)" = '{"n":1}' ] || fail "sql of dataids"

npm_client tables
clients csv-duckdb csv >read && tables compare expected read || fail "DuckDB reads csv otherwise"
# DuckDB's parser refuses the escape of an unpaired surrogate, so those lines are left out
clients jsonl-duckdb jsonl | sort >read
python3 - >want <<'PY'
import collections, json
groups = collections.defaultdict(lambda: [0, 0])
for line in open("jsonl/events.jsonl"):
    event = json.loads(line)
    if not any("\ud800" <= c <= "\udfff" for c in json.dumps(event, ensure_ascii=False)):
        groups[event["event"]][0] += 1
        groups[event["event"]][1] += event["seq"]
for name, (n, seqs) in groups.items():
    print(name, n, seqs)
print('"NaN" -0.0 -9223372036854775808 9007199254740993 9223372036854775807')
PY
sort want | cmp - read || fail "DuckDB reads jsonl otherwise: $(diff want read | head -n 3)"

# parquet: a directory with each table, or one file; by two readers
"$HINDSIGHT" export t --to parquet -o parquet || fail "parquet"
"$HINDSIGHT" export t --to parquet --table writes | cmp - parquet/writes.parquet || fail "parquet --table"
for client in duckdb hyparquet; do
    clients parquet-$client parquet >read && tables compare expected read || fail "$client reads parquet otherwise"
done

echo "    left out: chdb, whose package is 178 MB"

# several groups of rows, whose statistics are right: DuckDB's counts and sums are those of plain Python
sample long 20000 weave=EXEC+CALL+PARAM
mkdir long.parquet
"$HINDSIGHT" export long --to parquet --table events -o long.parquet/events.parquet || fail "parquet of a longer trace"
"$HINDSIGHT" print long --json | python3 -c '
import collections, json, sys
kinds = collections.defaultdict(lambda: [0, 0, 0])
for line in sys.stdin:
    e = json.loads(line)
    value = e.get("value")
    row = kinds[e["event"], e["method"]]
    row[0] += 1
    row[1] += e["seq"]
    row[2] += int(value) if isinstance(value, int) else 0
for (event, method), row in kinds.items():
    print(event, method, *row)' | sort >want
clients sums-duckdb long.parquet | sort >read
cmp want read || fail "sums: $(diff want read | head -n 4)"
clients groups-duckdb long.parquet || fail "the statistics of parquet"
finish
