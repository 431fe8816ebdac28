#!/bin/bash
# The format clickhouse, in a real server: its rows are those of the other formats, its answers to the questions of
# docs/clickhouse.md those of `hindsight sql` or a model. An export that is refused, cut off by a signal, or whose
# server goes away leaves no table, says so, and can be made again; several threads send what one sends.
#
# test: export.clickhouse
# labels: export slow
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
. "$ROOT/test/fleet/clickhouse.bash"
cd "$WORK" || exit 1
export CLICKHOUSE_USER=asker CLICKHOUSE_PASSWORD=key
sample t
start_shard 1
server=http://127.0.0.1:$http1
ask() { echo "$1" | curl -sS -u asker:key "$server/" --data-binary @-; }
export_to() { "$HINDSIGHT" export "${trace:-t}" --to clickhouse --server "$server" "$@"; }
compare() { python3 "$HERE/clickhouse.py" "$HINDSIGHT" t "$server" "$1" "$ROOT/docs/clickhouse.md" || fail "$1"; }

export_to || fail "export"
compare t
export_to --database again --jobs 1 && export_to --database again --replace --jobs 4 || fail "--replace"
compare again
[ "$(ask "SELECT name FROM system.databases WHERE name LIKE '%loading%'")" = '' ] || fail "something is left"

# what is chosen, by filters, --table, --limit and --derived none
export_to --database some --table events --event METHOD_ENTRY --class 'Sampler*' || fail "filters"
[ "$(ask "SELECT count(), uniqExact(event), uniqExact(thread) FROM some.events FORMAT CSV")" = \
    "$("$HINDSIGHT" print t --event METHOD_ENTRY --class 'Sampler*' --json | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
print(len(events), 1, len({e["thread"] for e in events}), sep=",")')" ] || fail "filters: other events"
[ "$(ask "SELECT count() FROM system.tables WHERE database = 'some'")" = 1 ] || fail "--table events made others"
export_to --database few --limit 7 || fail "--limit"
[ "$(ask "SELECT sum(rows), max(rows) FROM system.parts WHERE database = 'few' AND active FORMAT CSV")" = \
    "$(for table in $(ask "SELECT name FROM system.tables WHERE database = 't'"); do
        ask "SELECT count() FROM t.$table"; done | awk '{ n += $1 < 7 ? $1 : 7 } END { print n ",7" }')" ] ||
    fail "--limit: $(ask "SELECT table, rows FROM system.parts WHERE database = 'few'")"
export_to --database inputs --table events --derived none || fail "--derived none"
follow=LABEL,NEW_OBJECT,PUT_STATIC_FIELD,LOCAL_LOAD,LOCAL_STORE # of the types that follow, those of this program
[ "$(ask "SELECT count() FROM inputs.events WHERE position(',$follow,', concat(',', event, ',')) > 0")" = 0 ] ||
    fail "--derived none has events that follow from the code"
[ "$(ask "SELECT count() FROM inputs.events WHERE event IN ('METHOD_ENTRY', 'GET_INSTANCE_FIELD_RESULT')")" = \
    "$(ask "SELECT count() FROM t.events WHERE event IN ('METHOD_ENTRY', 'GET_INSTANCE_FIELD_RESULT')")" ] ||
    fail "--derived none lacks inputs"
one_line 2 "follow from the bytecode" "$HINDSIGHT" export t --to clickhouse --server "$server" --database none \
    --table events --derived none --event LABEL

# what is there, or is made by another one, stays
one_line 1 "has a table events: --replace" "$HINDSIGHT" export t --to clickhouse --server "$server"
ask "CREATE DATABASE held_loading"
one_line 1 "held_loading is there: another export" "$HINDSIGHT" export t --to clickhouse --server "$server" \
    --database held
[ "$(ask "SELECT count() FROM system.databases WHERE name = 'held_loading'")" = 1 ] || fail "another's was dropped"
export_to --database held --replace || fail "--replace of what a killed one left"
compare held

# words of the command line
one_line 2 "is missing" "$HINDSIGHT" export t --to clickhouse
one_line 2 "wants http" "$HINDSIGHT" export t --to clickhouse --server localhost:8123
one_line 2 "letters, digits" "$HINDSIGHT" export t --to clickhouse --server "$server" --database 'a b'
one_line 2 "not to -o" "$HINDSIGHT" export t --to clickhouse --server "$server" -o out
one_line 1 "answers [45]" env CLICKHOUSE_PASSWORD=other "$HINDSIGHT" export t --to clickhouse --server "$server" \
    --database other

# Ctrl-C and the end of the server in the middle: nothing is left, and it says so
trace=long sample long 60000
none_there() { # NAME
    [ "$(ask "SELECT count() FROM system.databases WHERE name = '$1_loading'")" = 0 ] &&
        [ "$(ask "SELECT count() FROM system.tables WHERE database = '$1'")" = 0 ] || fail "$1: a table is left"
}
begin() { # NAME: an export in the background, of which some rows are there
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL) # bash has it ignored behind &
os.execv(sys.argv[1], sys.argv[1:])' "$HINDSIGHT" export long --to clickhouse --server "$server" --database "$1" \
        --table events >out 2>err & exporter=$!
    for _ in $(seq 400); do
        [ "$(ask "SELECT count() FROM system.tables WHERE database = '$1_loading'")" = 1 ] && return
        sleep 0.02
    done
}
for signal in INT TERM; do
    begin "cut_$signal"
    kill -"$signal" $exporter
    wait $exporter; status=$?
    if [ $status = 0 ]; then
        echo "    $signal came when all was done"
    else
        { [ $status -gt 128 ] && [ "$(wc -l <err)" = 1 ] && grep -q "interrupted" err; } ||
            fail "$signal: exit status $status: $(cat err)"
        none_there "cut_$signal"
    fi
done
begin killed
kill -KILL $exporter; wait $exporter 2>/dev/null
[ "$(ask "SELECT count() FROM system.tables WHERE database = 'killed'")" = 0 ] || fail "kill -9 left a table"
trace=long export_to --database killed --table events --replace || fail "after kill -9"
[ "$(ask "SELECT count() FROM killed.events")" = "$("$HINDSIGHT" sql long "SELECT count(*) AS n FROM events" --json |
    tr -dc 0-9)" ] || fail "after kill -9: other rows"
begin away
kill_shard 1
wait $exporter && fail "the server went away, and the export did not notice"
{ [ "$(wc -l <err)" = 1 ] && grep -q "away_loading is left there" err; } || fail "the server went away: $(cat err)"
start_shard 1
[ "$(ask "SELECT count() FROM system.tables WHERE database = 'away'")" = 0 ] || fail "the server went away: a table"
trace=long export_to --database away --table events --replace || fail "when the server is back"
finish
