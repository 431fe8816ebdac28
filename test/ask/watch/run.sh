#!/bin/bash
# `hindsight watch` prints of a recording what the program prints in a run of its own (Printed.java): several threads,
# recursion, exceptions, inherited and hidden fields, collections, statics, calls. Texts that are none are told.
#
# test: ask.watch
# labels: ask
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONDONTWRITEBYTECODE=1
cd "$WORK" || exit 1
compile c "$HERE/Printed.java" || die "Printed.java does not compile"
"$JAVA" -cp c Printed print >truth || die "Printed"
for derive in on off; do
    record "$derive" "weave=ALL,derive=$derive" -cp c Printed || die "no recording"
    python3 "$HERE/compare.py" "$HINDSIGHT" "$HERE/Printed.java" truth "$derive" >out ||
        fail "derive=$derive: $(head -n 5 out)"
    tail -n 1 out
    read -r all _ unknown _ < <(tail -n 1 out)
    [ "$all" -gt 300 ] && [ $((10 * unknown)) -le "$all" ] || fail "derive=$derive: $(cat out)"
done

# texts that are none, places that are not there, values that are not known
says() { # STATUS PATTERN WORD...
    local status=$1 pattern=$2; shift 2
    timeout 60 "$HINDSIGHT" watch on "$@" >out 2>&1 </dev/null; local got=$?
    [ $got = "$status" ] && grep -qE -- "$pattern" out || fail "watch $*: exit status $got: $(head -c 300 out)"
}
many=$(printf 'x%.0s' $(seq 10000))
deep=$(printf '(%.0s' $(seq 3000))
says 2 'character 1: a \{ without \}' Worker.fib '{'
says 2 'character 3: a \} without \{' Worker.fib 'a }'
says 2 'an expression is missing' Worker.fib 'a {} b'
says 2 'an expression is missing' Worker.fib '{ }'
says 2 'character 1: expected' Worker.fib '{)}'
says 2 'without' Worker.fib '{"} {'
says 2 'expected' Worker.fib "{$deep"'}'
says 1 'no variable, field or class .*: nothing_here' Worker.fib '{nothing_here}'
says 1 'no variable, field or class .*: nothing_here' Worker.fib '{n}' --where 'nothing_here == 3'
says 0 '  [{]5[}] }[{] 7$' Worker.fib '{{{n}}} }}{{ {new int[] { 1, 7 }[1]}' --limit 1
says 0 "  $many\$" Worker.fib "$many" --limit 1
says 0 '  $' Worker.fib '' --limit 1
says 0 '  a.b$' Worker.fib 'a.b' --limit 1
says 0 '<throws java.lang.ArithmeticException: / by zero>' Worker.fib '{1 / (n - n)}' --limit 1
says 3 '<not recorded: a result: the call threw' Worker.risky '{result}' --exit
says 1 'no such method; the nearest: fib' Worker.fb '{n}'
says 1 'no event of the trace is in that line; Worker.fib has lines [0-9]+ to [0-9]+' Worker.fib:1 '{n}'
says 1 'no such method|no class' Nowhere.fib '{n}'
says 2 'is no place' . '{n}'
says 2 'is a line' Worker.fib:97 '{n}' --exit
says 2 'exclude each other' Worker.fib '{n}' --exit --entry
says 0 '^ +[0-9]+ +[0-9]+ +[0-9]+  5$' Worker.fib '{n}' --distinct --count
says 0 '^[0-9]+,[0-9]+,5,"a,""b"' Worker.fib "{n} {'a' + \",\\\"b\"}" --csv --limit 1
says 0 'empty' Worker.fib '{n}' --where 'n > 100'

# the same as tables: --csv of calls, watch of SQL
"$HINDSIGHT" calls on Worker.fib --csv --where 'result > 1' >rows.csv || fail "calls --csv"
"$HINDSIGHT" calls on Worker.fib --json --where 'result > 1' >rows.json || fail "calls --json"
python3 - <<'EOF' || fail "calls --csv is not what --json says"
import csv, json
rows = list(csv.DictReader(open("rows.csv", newline="")))
told = [json.loads(line) for line in open("rows.json")]
assert rows and len(rows) == len(told), (len(rows), len(told))
for row, x in zip(rows, told):
    for key in "begin end thread class method desc result events caller caller_line".split():
        assert row[key] == str(x.get(key, "")), (key, row, x)
    assert row["arguments"].split(",")[0] == str(x["arguments"][0]), (row, x)
EOF
"$HINDSIGHT" watch on Worker.fib '{n} {n * 0.5}' --where 'n > 2' --csv | tail -n +2 >rows.csv
sql() { "$HINDSIGHT" sql "$1" on --json; }
sql "SELECT seq, thread, value1, value2, text FROM watch('Worker.fib', '{n} {n * 0.5}', 'n > 2')" >rows.json
python3 - <<'EOF' || fail "watch of SQL is not what watch says"
import csv, json
rows = list(csv.reader(open("rows.csv", newline="")))
told = [json.loads(line) for line in open("rows.json")]
assert rows and rows == [[str(v) for v in list(x.values())[:4]] for x in told], (rows[:3], told[:3])
assert all(x["text"] == f"{x['value1']} {x['value2']}" for x in told)
EOF
[ "$(sql "SELECT count(*) AS n FROM pragma_table_info('watch')")" = '{"n":15}' ] || fail "the columns of watch"
for query in "SELECT * FROM watch" "SELECT * FROM watch('Worker.fib')" "SELECT * FROM watch('Worker.fib', '{')" \
    "SELECT * FROM watch('Nowhere.fib', '{n}')"; do
    sql "$query" >out 2>&1 && fail "$query: $(cat out)"
done
"$HINDSIGHT" watch on '*.*' '{stack}' 2>/dev/null | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" != 139 ] || fail "a pipe that is closed"
finish
