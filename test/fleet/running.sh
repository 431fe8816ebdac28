#!/bin/bash
# Twenty JVMs are pushed while they run, twice, and when they have ended: all are asked together each time, nothing is
# lost or there twice, in SQLite, in DuckDB, and in two servers of ClickHouse, one of which is killed in between. A run
# that was pushed while it ran is the trace up to then.
#
# test: fleet.running
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Server.java" || die "Server does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
export HINDSIGHT_FLEET=F CLICKHOUSE_USER=asker CLICKHOUSE_PASSWORD=key
JVMS=20
shards=
if command -v clickhouse-server >/dev/null; then
    . "$ROOT/test/fleet/clickhouse.bash"
    start_shard 1; start_shard 2
    shards="--server http://127.0.0.1:$http1 --server http://127.0.0.1:$http2 --cluster shards"
else
    echo "    left out: ClickHouse, as clickhouse-server is not installed"
fi
HINDSIGHT_DUCKDB=$(find "$BUILD/test/clients/tables/node_modules" -name libduckdb.so 2>/dev/null | head -n 1)
export HINDSIGHT_DUCKDB

declare -A to
for i in $(seq $JVMS); do
    mkfifo "in$i"
    record "jvm$i" weave=ALL -Xmx32m -XX:TieredStopAtLevel=1 -cp c Server <"in$i" >"out$i" 2>"err$i" &
    exec {fd}>"in$i"
    to[$i]=$fd
done
send() { # ID: all have handled it
    for i in $(seq $JVMS); do echo "$1" >&"${to[$i]}"; done
    for i in $(seq $JVMS); do wait_for "^$1\$" "out$i"; done
}
push() { # the JVMs of these numbers, at once
    local pids=() pid
    rm -f err.push*
    for i; do fleet push "jvm$i" --request X-Request-Id --json >"pushed$i" 2>"err.push$i" & pids+=($!); done
    for pid in "${pids[@]}"; do wait "$pid" || fail "a push: exit status $?: $(cat err.push* | head -n 1)"; done
}
asked() { # WHAT RUNS REQUESTS RUNNING: of all, in each engine
    local sql="SELECT count(*) AS runs, count(DISTINCT name) AS names, sum(CASE WHEN \"end\" IS NULL THEN 1 ELSE 0 END)
        AS running FROM runs"
    local want="{\"runs\":$2,\"names\":$2,\"running\":$4}" have engine
    for engine in sqlite duckdb shards; do
        case $engine in
        sqlite) set -- "$1" "$2" "$3" "$4" ;;
        duckdb) [ -n "$HINDSIGHT_DUCKDB" ] || continue; set -- "$1" "$2" "$3" "$4" --engine duckdb ;;
        # shellcheck disable=SC2086
        shards) [ -n "$shards" ] || continue; set -- "$1" "$2" "$3" "$4" $shards ;;
        esac
        have=$(fleet query "$sql" --json "${@:5}" 2>&1)
        [ "$have" = "$want" ] || fail "$1, $engine: $have, not $want"
        # each ID is a parameter twice (of the caller and of the method), and of put, and the result of get
        have=$(fleet query "SELECT value, count(DISTINCT run) AS runs, max(count) AS most, min(count) AS least
            FROM requests GROUP BY value ORDER BY value" --json "${@:5}" 2>&1)
        [ "$have" = "$3" ] || fail "$1, $engine: $have"
    done
}
row() { echo "{\"value\":\"$1\",\"runs\":$2,\"most\":$3,\"least\":$3}"; }

send req-1
push $(seq $JVMS)
[ "$(cat pushed* | grep -c '"running":true')" = $JVMS ] || fail "not pushed as running: $(cat pushed1)"
asked "while they run" $JVMS "$(row req-1 $JVMS 4)" $JVMS
run=$(json pushed3 'd["run"]')
fleet open "$run" -o opened >/dev/null
"$HINDSIGHT" print opened --json >opened.json 2>/dev/null
{ "$HINDSIGHT" print jvm3 --json 2>/dev/null | head -n "$(wc -l <opened.json)" | cmp -s - opened.json; } ||
    fail "the copy of a running trace has other events"
grep -q '"string":"req-1"' opened.json || fail "the copy of a running trace lacks its last events"
consistent opened || fail "opened: fsck"

[ -z "$shards" ] || kill_shard 2
send req-2
push $(seq 2 2 $JVMS)
[ -z "$shards" ] || start_shard 2
asked "half of them again" $JVMS "$(row req-1 $JVMS 4)
$(row req-2 $((JVMS / 2)) 4)" $JVMS

for i in $(seq $JVMS); do exec {to[$i]}>&-; done
for i in $(seq $JVMS); do wait_for "events of" "err$i"; done
push $(seq $((JVMS - 5)))
asked "most have ended" $JVMS "$(row req-1 $JVMS 4)
$(row req-2 $((JVMS - 2)) 4)" 5
push $(seq $JVMS)
asked "all have ended" $JVMS "$(row req-1 $JVMS 4)
$(row req-2 $JVMS 4)" 0
[ "$(ls F/runs | wc -l)" = $((JVMS + JVMS + JVMS / 2)) ] || fail "$(ls F/runs | wc -l) runs"
fleet prune >pruned || fail "prune"
[ "$(ls F/runs | wc -l)" = $JVMS ] || fail "prune left $(ls F/runs | wc -l) runs"
[ -z "$(ls F/tmp)" ] || fail "left in tmp: $(ls F/tmp)"
finish
