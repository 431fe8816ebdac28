#!/bin/bash
# push, compact, prune, watch and loading into ClickHouse, each killed at random moments of the time it takes, of a
# fleet in a bucket, while others ask, with and without a cache: every answer is whole; what is in the bucket, as
# killed.py reads it, is whole after each; the next one that is let go does all of it: nothing is lost, or there twice.
# FLEET_KILLS=500 is the long run.
#
# test: fleet.killed
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
server= askers=
[ ! -x "$(command -v clickhouse-server)" ] || . "$ROOT/test/fleet/clickhouse.bash" # with a trap of its own
trap 'rm -f asking; for pid in $server $pid1 $pid2; do kill -KILL $pid; done 2>/dev/null; rm -rf "$WORK"' EXIT
pid1=${pid1:-} pid2=${pid2:-}
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
record one weave=ALL -cp c Caller one req-1 >out 2>err || die "recording: $(cat err)"
python3 "$ROOT/test/fleet/bucket.py" break 1 0 >port 2>server.err & server=$!
disown # the shell would tell that it was killed
wait_for . port
export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat port)" HINDSIGHT_FLEET=s3://bucket/f
mkdir scratch spool traces && export TMPDIR=$WORK/scratch
KILLS=${FLEET_KILLS:-6} RANDOM=${FLEET_SEED:-46}
touch must may
trace() { mkdir "$2/$1" && cp one/data.mdb one/run "$2/$1" && echo "$1" >>"$2/$1/run"; } # NAME FOLDER
check() { # WHAT [whole]
    python3 "$ROOT/test/fleet/killed.py" "$AWS_ENDPOINT_URL" f/ must may "${@:2}" 2>wrong ||
        fail "$1: $(tail -n 1 wrong)"
}
added() { # NAME...: pushed, and not killed
    for name; do
        [ -d "traces/$name" ] || trace "$name" traces
        fleet push "traces/$name" >out 2>err || fail "push $name: $(cat err)"
        echo "$name" | tee -a must >>may
    done
}
killed=0
killed_once() { # COMMAND...: after a random part of $took milliseconds
    "$HINDSIGHT" fleet "$@" >>killed.out 2>&1 & local pid=$! at=$((RANDOM * took / 32768))
    sleep "$(printf %d.%03d $((at / 1000)) $((at % 1000)))"
    kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
}
timed() { # COMMAND...: lets it go, and sets took
    local begin=${EPOCHREALTIME/[.,]/}
    fleet "$@" >out 2>err || fail "$*: $(cat out err)"
    took=$(((${EPOCHREALTIME/[.,]/} - begin) * 11 / 10000 + 1))
}
BASE=5
added b1 b2 b3 b4 b5
SQL="SELECT count(*) AS n, count(DISTINCT run) AS d, count(DISTINCT name) AS e, sum(CASE WHEN run IN (SELECT run FROM
    calls) THEN 1 ELSE 0 END) AS c, sum(CASE WHEN name < 'c' THEN 1 ELSE 0 END) AS b FROM runs"
is_whole() { # ANSWER
    [[ $1 =~ ^\{\"n\":([0-9]+),\"d\":([0-9]+),\"e\":([0-9]+),\"c\":([0-9]+),\"b\":$BASE\}$ ]] &&
        [ "$(printf '%s\n' "${BASH_REMATCH[@]:1}" | sort -u | wc -l)" = 1 ]
}
asker() { # CACHE: asks until the file `asking` is gone
    local n=0 answer
    while [ -e asking ]; do
        answer=$(XDG_CACHE_HOME=$1 fleet query "$SQL" --json 2>"asked.$2"); n=$((n + 1))
        is_whole "$answer" || fail "asked meanwhile: $answer $(cat "asked.$2")"
        sleep 0.2
    done
    echo "$n answers" >"answers.$2"
}
touch asking
asker /proc/none 1 & askers=$!
asker "$XDG_CACHE_HOME" 2 & askers="$askers $!"

# push
trace p0 traces; echo p0 >>may
timed push traces/p0
for i in $(seq "$KILLS"); do
    trace "p$i" traces; echo "p$i" >>may
    killed_once push "traces/p$i"
    [ $((i % 5)) != 0 ] || check "push was killed"
    if [ $((i % 25)) = 0 ] || [ "$i" = "$KILLS" ]; then # let go, and gone again
        added p0 $(cd traces && ls -d p[0-9]*)
        check "push"
        sed -i /p/d must may
        curl -s "$AWS_ENDPOINT_URL/?age=f/runs/0" >state # prune may look at what was left
        for name in traces/p*; do
            fleet remove "$(fleet push "$name" | cut -d ' ' -f 1)" >out 2>err || fail "remove: $(cat err)"
        done
        rm -r traces/p*
    fi
done
echo "push: $killed of $KILLS killed within $took ms"

# compact: something is new each time
killed=0
added c0
timed compact
for i in $(seq "$KILLS"); do
    added "c$i"
    killed_once compact
    check "compact was killed"
    [ $((i % 4)) != 0 ] || fleet compact >out 2>err || fail "compact: $(cat err)"
done
fleet compact >out 2>err || fail "compact: $(cat err)"
check "compact"
echo "compact: $killed of $KILLS killed within $took ms"

# prune: runs that are old, and no others
killed=0
age() { # NAME: as if it had been pushed two days ago
    curl -s "$AWS_ENDPOINT_URL/?age=$(fleet push "traces/$1" | cut -d ' ' -f 1)" >state
    sed -i "/^$1\$/d" must
}
added o0; age o0
timed prune --older-than 1d
sed -i /o0/d may
for i in $(seq "$KILLS"); do
    added "o$i" "u$i"; age "o$i"; age "u$i"
    killed_once prune --older-than 1d
    check "prune was killed"
done
fleet prune --older-than 1d >out 2>err || fail "prune: $(cat err)"
sed -i '/[ou]/d' may
check "prune"
echo "prune: $killed of $KILLS killed within $took ms"

# watch: the folder is emptied, and each trace of it is there
killed=0
trace w0 spool; echo w0 | tee -a must >>may
timed watch spool --once --remove
for i in $(seq "$KILLS"); do
    trace "w$i" spool; echo "w$i" >>may
    killed_once watch spool --once --remove
    [ $((i % 5)) != 0 ] || check "watch was killed"
done
fleet watch spool --once --remove >out 2>err || fail "watch: $(cat out err)"
[ -z "$(ls -A spool)" ] || fail "watch leaves $(ls -A spool)"
seq -f w%g "$KILLS" >>must
check "watch"
echo "watch: $killed of $KILLS killed within $took ms"

rm asking
# shellcheck disable=SC2086
wait $askers
cat answers.*
curl -s "$AWS_ENDPOINT_URL/?age=f/" >state
fleet prune >out 2>err && fleet compact >out 2>err || fail "the last prune and compact: $(cat err)"
check "all" whole
[ -z "$(ls scratch)" ] || fail "left in TMPDIR: $(ls scratch)"

# ClickHouse: a load is killed while another is under way, which says all
if [ -x "$(command -v clickhouse-server)" ]; then
    killed=0
    export CLICKHOUSE_USER=asker CLICKHOUSE_PASSWORD=key
    start_shard 1
    at="--server http://127.0.0.1:$http1"
    # shellcheck disable=SC2086
    timed query "$SQL" $at
    added l0
    # shellcheck disable=SC2086
    timed query "$SQL" $at
    for i in $(seq "$KILLS"); do
        added "l$i"
        # shellcheck disable=SC2086
        [ $((i % 3)) != 0 ] || { fleet query "$SQL" --json $at >meanwhile 2>err; } & other=$!
        # shellcheck disable=SC2086
        killed_once query "$SQL" $at
        wait $other
        if [ $((i % 3)) = 0 ]; then
            [ "$(cat meanwhile)" = "$(fleet query "$SQL" --json)" ] && is_whole "$(cat meanwhile)" ||
                fail "loads at once: $(cat meanwhile err)"
        fi
        [ $((i % 10)) != 0 ] || fleet remove "$(fleet push "traces/l$((i - 5))" | cut -d ' ' -f 1)" >out ||
            fail "remove"
    done
    for sql in "$SQL" "SELECT class, method, sum(calls) AS n, count(*) AS r FROM calls GROUP BY class, method ORDER BY
        class, method" "SELECT value, count(*) AS n FROM requests GROUP BY value"; do
        # shellcheck disable=SC2086
        [ "$(fleet query "$sql" --json $at)" = "$(fleet query "$sql" --json)" ] || fail "ClickHouse: other rows: $sql"
    done
    echo "load: $killed of $KILLS killed within $took ms"
else
    echo "    left out: ClickHouse, as clickhouse-server is not installed"
fi
finish
