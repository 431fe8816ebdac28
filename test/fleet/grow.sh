#!/bin/bash
# A fleet that grows (grow.py: copies of a run under other names): a question reads the catalogues that are new, and no
# others: those that were read before are answered from the cache, also by DuckDB, until their size or time has changed.
# Prints how long commands take, and how much memory: FLEET_RUNS="10 100 1000 10000 100000" FLEET_LATENCY=20 for a table
# of sizes, which is in docs/fleet.md.
#
# test: fleet.grow
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
export HINDSIGHT_FLEET=F
"$JAVA" "-agentpath:$AGENT=output=t,format=freq" -cp c Caller t req-1 >out 2>err || die "recording: $(cat err)"
fleet push t >/dev/null || die "push"
run=$(ls F/runs)
one=$(fleet query 'SELECT sum(calls) FROM calls' --json | tr -dc 0-9)
sql='SELECT count(*) AS n, (SELECT sum(calls) FROM calls) AS calls FROM runs'
measured() { # WHAT COMMAND...: its output is in the file `out`
    local what=$1; shift
    python3 "$ROOT/test/fleet/grow.py" measure "$HINDSIGHT" fleet "$@" >out 2>err || fail "$what: $(cat out err)"
    printf '%s %s, ' "$what" "$(tail -n 1 err)"
    sed -i '$d' err
}
ask() { # WHAT RUNS OPTION...
    local what=$1 runs=$2; shift 2
    measured "$what" query "$sql" --json "$@"
    [ "$(cat out)" = "{\"n\":$runs,\"calls\":$((runs * one))}" ] || fail "$runs runs, $what: $(cat out err)"
}
for runs in ${FLEET_RUNS:-10 300}; do
    python3 "$ROOT/test/fleet/grow.py" F "$run" "$runs"
    printf '%s runs: ' "$runs"
    rm -rf "$XDG_CACHE_HOME"
    ask "no cache" "$runs"
    ask "cache" "$runs"
    measured "compact" compact
    measured "compact again" compact
    rm -rf "$XDG_CACHE_HOME"
    ask "merged tables" "$runs"
    measured "list" list --limit 20
    [ "$(wc -l <out)" -ge 10 ] || fail "list: $(cat out err)"
    measured "show" show "$run"
    measured "push" push t
    measured "prune" prune --dry-run
    [ ! -s out ] || fail "prune: $(cat out)"
    if [ -n "${FLEET_LATENCY-0}" ]; then # of a bucket, in milliseconds
        rm -f port
        python3 "$ROOT/test/fleet/bucket.py" folder F "${FLEET_LATENCY-0}" >port 2>server.err & server=$!
        export AWS_ENDPOINT_URL
        wait_for . port && AWS_ENDPOINT_URL=http://127.0.0.1:$(cat port)
        ask "bucket" "$runs" --from s3://bucket/f
        [ "$runs" -lt 100 ] || [ "$(grep -c /catalogues/ server.err)" -le 3 ] ||
            fail "bucket: $(grep -c /catalogues/ server.err) catalogues were asked for in spite of the merged tables"
        ask "bucket, cache" "$runs" --from s3://bucket/f
        measured "bucket, show" show "$run" --from s3://bucket/f
        kill $server
    fi
    echo
done
[ "$runs" -le 1000 ] || finish "measured" # the rest does not depend on the size
# with merged tables no file of a run is read: all catalogues become zeros, of the same size and time
mkdir kept
for c in F/runs/*/catalogue.db; do
    name=${c#F/runs/}; name=${name%/*}
    cp -p "$c" "kept/$name" && head -c "$(stat -c %s "$c")" /dev/zero >"$c" && touch -r "kept/$name" "$c"
done
rm -rf "$XDG_CACHE_HOME"
ask "merged tables alone" "$runs"
part=$(head -n 1 F/tables/current)
cp -p "F/tables/$part/catalogue.db" part && truncate -s 8k "F/tables/$part/catalogue.db" && rm -rf "$XDG_CACHE_HOME"
fleet query 'SELECT count(*) AS n FROM runs' --json >out 2>err
{ [ $? = 3 ] && [ "$(cat out)" != "{\"n\":$runs}" ]; } || fail "a part is cut, no catalogues: $(cat out err)"
for c in kept/*; do cp -p "$c" "F/runs/${c#kept/}/catalogue.db"; done
rm -rf "$XDG_CACHE_HOME"
ask "a part is cut" "$runs"
echo "nonsense" >>F/tables/current
rm -rf "$XDG_CACHE_HOME"
ask "no merged tables" "$runs"
fleet compact >/dev/null || fail "compact after nonsense"
cp -p part "F/tables/$part/catalogue.db" 2>/dev/null
echo
# the contents of catalogues that have the same size and time are not looked at; of others they are
touch -r "F/runs/$run/catalogue.db" stamp
head -c "$(stat -c %s "F/runs/$run/catalogue.db")" /dev/zero >"F/runs/$run/catalogue.db"
touch -r stamp "F/runs/$run/catalogue.db"
ask "cache" "$runs"
echo
touch "F/runs/$run/catalogue.db"
fleet query 'SELECT count(*) AS n FROM runs' --json >out 2>err
[ $? = 3 ] && [ "$(cat out)" = "{\"n\":$((runs - 1))}" ] || fail "a catalogue that has changed: $(cat out err)"
fleet remove "$run" >/dev/null || fail "remove"
ask "one less" $((runs - 1))
echo
# commands that read at once into one cache
rm -rf "$XDG_CACHE_HOME"
pids=
for i in 1 2 3 4; do fleet query "$sql" --json >"at-once$i" 2>&1 & pids="$pids $!"; done
# shellcheck disable=SC2086
wait $pids
for i in 1 2 3 4; do
    [ "$(cat "at-once$i")" = "{\"n\":$((runs - 1)),\"calls\":$(((runs - 1) * one))}" ] ||
        fail "at once: $(cat "at-once$i")"
done
# somebody holds the cache for long: all is read again, and nothing is said
python3 - "$XDG_CACHE_HOME"/hindsight/fleet-*.db held <<'PY' & holder=$!
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").write("held")
time.sleep(60)
PY
wait_for held held
touch F/runs/*5/catalogue.db
ask "held" $((runs - 1))
[ ! -s err ] || fail "held: $(cat err)"
kill $holder
finish
