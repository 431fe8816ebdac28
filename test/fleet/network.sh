#!/bin/bash
# A fleet in a bucket behind a network as it is: a server of our own breaks requests by a seeded plan (bucket.py). Every
# push that says it was done is there, whole, once; every answer is that of the runs that are there, or is none. A
# server that answers with what is no list, or no object, is refused in one line.
#
# test: fleet.network
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { "$HINDSIGHT" fleet "$@"; }
server=
start() { # bucket.py's arguments
    [ -z "$server" ] || kill "$server"
    rm -f port
    python3 "$ROOT/test/fleet/bucket.py" "$@" >port 2>server.err & server=$!
    wait_for . port
    export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat port)"
}
trap '[ -z "$server" ] || kill $server $slow; rm -rf "$WORK"' EXIT
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
mkdir scratch && export TMPDIR=$WORK/scratch HINDSIGHT_FLEET=s3://bucket/f
PUSHES=${FLEET_PUSHES:-40} SEED=${FLEET_SEED:-46} PERCENT=${FLEET_PERCENT:-5}
KILLS=${FLEET_KILLS:-50} RANDOM=$SEED killed=0

record one weave=ALL -cp c Caller one req-1 >out 2>err || die "recording: $(cat err)"
# a byte a second: given up after two minutes, which pass meanwhile
python3 "$ROOT/test/fleet/bucket.py" hostile >slow.port 2>slow.err & slow=$!
wait_for . slow.port && mkdir slow
TMPDIR=$WORK/slow timeout 300 "$HINDSIGHT" fleet list --from s3://bucket/drip \
    --endpoint "http://127.0.0.1:$(cat slow.port)" >drip.out 2>drip.err & drip=$!
start break "$SEED" "$PERCENT"
push() { # NUMBER: again until it is done, as a script would
    mkdir "t$1" && cp one/data.mdb one/run "t$1" && echo "copy $1" >>"t$1/run"
    for _ in 1 2 3 4 5 6 7 8; do
        fleet push "t$1" >"pushed$1" 2>"err$1" && break
        status=$?
        { [ $status = 1 ] && [ ! -s "pushed$1" ] && [ "$(wc -l <"err$1")" = 1 ]; } ||
            fail "push $1: exit status $status: $(cat "pushed$1" "err$1")"
        echo again >>failed
    done
    [ -s "pushed$1" ] || fail "push $1 is never done: $(cat "err$1")"
}
wrong=0 refused=0
ask() { # after how many pushes: an answer has those runs that are there, which only grow
    local n
    n=$(fleet query 'SELECT count(*) AS n, count(DISTINCT name) AS d FROM runs' --json 2>asked.err); status=$?
    case $status in
    0) [[ $n =~ ^\{\"n\":([0-9]+),\"d\":([0-9]+)\}$ ]] && [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] &&
        [ "${BASH_REMATCH[1]}" = "$1" ] || { fail "asked after $1 pushes: $n"; wrong=$((wrong + 1)); } ;;
    1) { [ -z "$n" ] && [ "$(wc -l <asked.err)" = 1 ]; } || fail "asked: $n $(cat asked.err)"
        refused=$((refused + 1)) ;;
    *) fail "asked after $1 pushes: exit status $status: $n $(cat asked.err)" ;;
    esac
}
for ((i = 1; i <= PUSHES; i += 4)); do
    pids=
    for k in 0 1 2 3; do push $((i + k)) & pids="$pids $!"; done
    # shellcheck disable=SC2086
    wait $pids
    for _ in 1 2; do
        ask $((i + 3))
        rm -rf "$XDG_CACHE_HOME" # every second time all is fetched again, or the merged tables are
        ask $((i + 3))
    done
    [ $((i % 20)) != 1 ] || fleet compact >merged 2>compact.err || refused=$((refused + 1))
done
for _ in 1 2 3 4; do fleet compact >merged 2>compact.err && break; done
[ -s merged ] || fail "compact: $(cat compact.err)"
curl -s "$AWS_ENDPOINT_URL/?state" >state.json
curl -s "$AWS_ENDPOINT_URL/?counts" >counts.json
[ "$(json counts.json 'sum(d.values()) - d["none"] >= 20')" = True ] || fail "too little was broken: $(cat counts.json)"
cat pushed* | cut -d ' ' -f 1 | sort -u >runs
[ "$(wc -l <runs)" = "$PUSHES" ] || fail "$(wc -l <runs) runs of $PUSHES traces"
python3 - state.json runs "$(stat -c %s one/data.mdb)" <<'PY' || fail "a run is not whole"
import collections, json, sys
state, runs = json.load(open(sys.argv[1])), set(open(sys.argv[2]).read().split())
files = collections.Counter(name.split("/")[2] for name in state if name.startswith("f/runs/"))
assert files == dict.fromkeys(runs, 9), {run: files[run] for run in runs ^ set(files)}
assert {name.split("/")[2] for name in state if name.startswith("f/catalogues/")} == runs
assert {state[f"f/runs/{run}/data.mdb"] for run in runs} == {int(sys.argv[3])}
PY
objects=$(json state.json "sum(not n.startswith('f/tables/') for n in d)")
[ "$objects" = $((PUSHES * 10)) ] || fail "other objects: $objects"
for _ in 1 2 3 4; do fleet open "$(head -n 1 runs)" -o opened >out 2>err && break; done
cmp -s one/data.mdb opened/data.mdb || fail "another trace comes back: $(cat err)"
echo "$PUSHES pushes done after $(cat failed 2>/dev/null | wc -l) more that said no, $refused of $PUSHES answers" \
    "and $((PUSHES / 20)) compacts refused, $wrong wrong; faults: $(cat counts.json)"

# a run that is there under the name of a trace, and has other contents: said, and neither taken for it nor replaced;
# also of a server that knows no checksums, which is asked for the object, and deletes one object a request
for prefix in 's3://bucket/h&<' s3://bucket/old; do
    push_again() { # PATTERN: a network as it is may need several
        for _ in 1 2 3 4 5 6 7 8; do
            fleet push one --to "$prefix" >out 2>&1; grep -qE "$1" out && return
        done
        fail "$prefix: $1: $(cat out)"
    }
    push_again " pushed|was there already"
    push_again "was there already"
    curl -sG "$AWS_ENDPOINT_URL/" --data-urlencode "spoil=${prefix#s3://bucket/}/runs/$(cut -c 1-32 out)/run" >/dev/null
    push_again "what is there has the sizes of this trace and other contents"
    for _ in 1 2 3 4 5 6 7 8; do fleet prune --max-bytes 0 --from "$prefix" >out 2>err; done
    grep -q "no fleet" err || fail "$prefix: prune: $(cat out err)"
done

# killed at random moments while they push: of a run there is nothing to ask, or all; pushed again it is there once
for k in 1 2 3 4 5 6 7 8 9 10; do mkdir "k$k" && cp one/data.mdb one/run "k$k" && echo "killed $k" >>"k$k/run"; done
whole() { # until the network lets it: its runs have their rows, each once
    for _ in 1 2 3 4 5 6 7 8; do
        fleet query --from s3://bucket/g "SELECT count(*) AS n, count(DISTINCT run) AS d, sum(EXISTS (SELECT 1 FROM
            calls WHERE calls.run = runs.run)) AS c FROM runs" --json >answer 2>err && break
    done
    [[ $(cat answer) =~ ^\{\"n\":([0-9]+),\"d\":([0-9]+),\"c\":([0-9]+)\}$ ]] &&
        [ "${BASH_REMATCH[1]}${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}${BASH_REMATCH[3]}" ] ||
        fail "asked after $killed were killed: $(cat answer err)"
}
fleet push k1 --to s3://bucket/g >/dev/null 2>&1 || fleet push k1 --to s3://bucket/g >/dev/null || fail "push k1"
for ((i = 1; i <= KILLS; i++)); do
    "$HINDSIGHT" fleet push "k$((i % 10 + 1))" --to s3://bucket/g >/dev/null 2>&1 & pid=$!
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
    [ $((i % 10)) != 0 ] || whole
done
for k in 1 2 3 4 5 6 7 8 9 10; do
    for _ in 1 2 3 4 5 6 7 8; do fleet push "k$k" --to s3://bucket/g >>kept 2>err && break; done
done
whole
[ "${BASH_REMATCH[1]}" = 10 ] && [ "$(cut -d ' ' -f 1 kept | sort -u | wc -l)" = 10 ] ||
    fail "of 10 runs: $(cat answer)"
curl -s "$AWS_ENDPOINT_URL/?state" >state.json
[ "$(json state.json "sum(n.startswith('f/runs/') for n in d), sum(n.startswith('g/') for n in d)")" = \
    "($((PUSHES * 9)), 100)" ] || fail "objects that are of no run, or too few"
echo "$killed of $KILLS pushes killed"

# a server that is none
start hostile
refused() { # PREFIX PATTERN
    one_line 1 "$2" timeout 60 "$HINDSIGHT" fleet query --from "s3://bucket/$1" "SELECT count(*) FROM runs"
    one_line 1 "$2" timeout 60 "$HINDSIGHT" fleet push one --to "s3://bucket/$1"
}
refused html "cannot be read: it is <html>"
refused error "cannot be read: it is <Error>"
refused empty "cannot be read: it is empty"
refused cut "cannot be read: it is no XML, or cut"
refused no-end "whether it is the end"
refused no-token "without a token|not asked for"
refused same-token "without a token"
refused endless "empty pages without an end"
refused other "that was not asked for"
refused twice "twice, or not in order|not asked for"
refused no-size "without name, size or time"
refused negative "without name, size or time"
refused entity "entities of its own"
refused laughs "entities of its own|no XML"
refused deep "too deep"
refused long "more than 16777216 bytes"
refused redirect "the server answers 307 TemporaryRedirect"
refused to-file "the server answers 307 TemporaryRedirect"
refused bomb "cannot be read: it is no XML"
refused bomb-transfer "more than 16777216 bytes|Transfer-Encoding|cannot be read"
one_line 1 "no fleet" "$HINDSIGHT" fleet query --from s3://bucket/misspelt "SELECT 1"
one_line 1 "took the run .* and does not list it" "$HINDSIGHT" fleet push one --to s3://bucket/all-ok
incomplete() { # PREFIX PATTERN: an answer without what is named
    fleet query --from "s3://bucket/$1" 'SELECT count(*) AS n FROM runs' --json >out 2>err; status=$?
    { [ $status = 3 ] && [ "$(cat out)" = '{"n":0}' ] && [ "$(wc -l <err)" = 1 ] && grep -qE "$2" err; } ||
        fail "$1: exit status $status: $(cat out err)"
}
incomplete foreign "notes.txt: is no file of a run"
incomplete larger "more than 10 bytes"
incomplete junk "no catalogue"
incomplete huge "it has 1099511627776 bytes"
one_line 1 "4096 bytes came, not 1048576" "$HINDSIGHT" fleet query --from s3://bucket/smaller "SELECT 1"
one_line 2 "without . and .. in it" "$HINDSIGHT" fleet query --from s3://bucket/../other "SELECT 1"
one_line 2 "without . and .. in it" "$HINDSIGHT" fleet query --from s3://bucket/a/./b "SELECT 1"
one_line 2 "has a user, a password" "$HINDSIGHT" fleet query --endpoint http://me:secret@127.0.0.1 "SELECT 1"
fleet query --endpoint http://me:secret@127.0.0.1 "SELECT 1" 2>&1 | grep -q secret && fail "a password is printed"

# what a killed one left is removed by the next; SIGTERM and SIGHUP leave nothing
mkfifo hang
python3 - <<'PY' >hang & hang=$!
import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(s.accept())
PY
read -r port <hang
for signal in TERM HUP KILL; do
    "$HINDSIGHT" fleet query --endpoint "http://127.0.0.1:$port" "SELECT 1" >out 2>err & pid=$!
    for _ in $(seq 1200); do [ -n "$(ls scratch)" ] && break; sleep 0.05; done
    [ -n "$(ls scratch)" ] || fail "$signal: there is no folder to be left"
    kill -$signal $pid; wait $pid
    status=$?
    case $signal in
    TERM | HUP) { [ $status = $((128 + $(kill -l $signal))) ] && [ -z "$(ls scratch)" ]; } ||
        fail "$signal: exit status $status, left in TMPDIR: $(ls scratch)" ;;
    *) [ -n "$(ls scratch)" ] || fail "a killed one left nothing: the next line shows nothing" ;;
    esac
done
kill $hang
wait $drip
{ [ $? = 1 ] && [ ! -s drip.out ] && [ "$(wc -l <drip.err)" = 1 ] &&
    grep -q "too slow. Less than 1000 bytes" drip.err; } ||
    fail "a byte a second: $(cat drip.out drip.err)"
one_line 1 "no fleet" "$HINDSIGHT" fleet query --from s3://bucket/misspelt "SELECT 1"
[ -z "$(ls scratch)" ] || fail "left in TMPDIR: $(ls scratch)"
finish
