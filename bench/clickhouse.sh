#!/bin/bash
# clickhouse.sh EVENTS [SHAPE...]: a trace as tables of a ClickHouse server (export --to clickhouse) on this machine: a
# JSON object for each shape of Scale.java and way: rows, seconds, bytes a row on the disk when the parts are merged,
# bytes of the trace. Needs Debian's clickhouse-server.
. "$(dirname "$0")/../test/lib.sh"
. "$ROOT/test/fleet/clickhouse.bash"
events=${1:?EVENTS}; shift
cd "$WORK" || exit 1
export CLICKHOUSE_USER=asker CLICKHOUSE_PASSWORD=key
compile c "$ROOT/bench/Scale.java" -- -g --release 17 || die "Scale does not compile"
start_shard 1
ask() { echo "$1" | curl -sS -u asker:key "http://127.0.0.1:$http1/" --data-binary @-; }
export_to() { # WHAT SHAPE OPTIONS...
    local what=$1 shape=$2 from; shift 2
    from=$(date +%s%N)
    "$HINDSIGHT" export "$shape" --to clickhouse --server "http://127.0.0.1:$http1" --database x --replace "$@" ||
        exit 1
    local ns=$(($(date +%s%N) - from))
    for table in $(ask "SELECT name FROM system.tables WHERE database = 'x'"); do
        ask "OPTIMIZE TABLE x.$table FINAL"
    done
    ask "SELECT '$shape' AS shape, '$what' AS what, toUInt32(sum(rows)) AS all_rows,
        toUInt32(sumIf(rows, table = 'events')) AS event_rows, round($ns / 1e9, 1) AS seconds,
        round(sum(rows) / $ns * 1e9) AS rows_per_second,
        round(sumIf(bytes, table = 'events') / sumIf(rows, table = 'events'), 2) AS bytes_per_event_row,
        round(sum(bytes) / $total, 2) AS bytes_per_event_of_trace,
        round($trace_bytes / $total, 3) AS trace_bytes_per_event FROM system.parts WHERE database = 'x' AND active
        FORMAT JSONEachRow"
    ask "DROP DATABASE x"
}
for shape in ${*:-writes exceptions threads}; do
    "$JAVA" "-agentpath:$AGENT=format=omni,output=r" -cp c Scale "$shape" 1000 >/dev/null 2>&1
    each=$("$HINDSIGHT" info r --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"] / 1000)')
    "$JAVA" "-agentpath:$AGENT=format=omni,output=$shape" -cp c Scale "$shape" \
        "$(python3 -c "print(int($events / $each))")" >/dev/null 2>&1
    rm -r r
    read -r total trace_bytes < <("$HINDSIGHT" info "$shape" --json |
        python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["events"], d["bytes"])')
    export_to "all tables" "$shape"
    export_to "events" "$shape" --table events
    export_to "events, one job" "$shape" --table events --jobs 1
    export_to "events, --derived none" "$shape" --table events --derived none
done
