#!/bin/bash
# `hindsight fleet watch`: a spool whose traces appear while the watch is killed at random moments, and while the bucket
# is away or breaks requests: at the end each trace is in the fleet once. A trace that is still recorded or still being
# copied waits, what is no trace is said once, --remove takes away what is in the fleet and nothing else.
#
# test: fleet.watch
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
record one weave=ALL -cp c Caller one req-1 >out 2>err || die "recording: $(cat err)"
fleet() { "$HINDSIGHT" fleet "$@"; }
server=
watching=
trap 'kill -KILL $watching $server 2>/dev/null; rm -rf "$WORK"' EXIT
start() { # bucket.py's arguments
    python3 "$ROOT/test/fleet/bucket.py" "$@" >port 2>server.err & server=$!
    wait_for . port
}
names() {
    fleet query "SELECT name FROM runs ORDER BY name" --json 2>/dev/null | sed -E 's/.*:"(.*)".*/\1/' | tr '\n' ' '
}
trace() { # NAME: appears by a rename
    mkdir -p making && mkdir "making/$1" && cp one/data.mdb one/run "making/$1" && echo "$1" >>"making/$1/run"
    mv "making/$1" "spool/$1"
}
mkdir spool scratch && export TMPDIR=$WORK/scratch

# a folder: --once, what is no trace, and what is pushed again
export HINDSIGHT_FLEET=F
trace a; trace b; mkdir spool/empty; echo text >spool/notes; mkdir spool/bad && echo text >spool/bad/data.mdb
fleet watch spool --once --label by=watch >out 2>err; status=$?
{ [ $status = 1 ] && [ "$(grep -c pushed out)" = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q "bad" err; } ||
    fail "--once: exit status $status: $(cat out err)"
rm -r spool/bad
fleet watch spool --once >out 2>err || fail "--once again: $(cat err)"
[ "$(grep -c "was there already" out)" = 2 ] && [ "$(names)" = "a b " ] || fail "--once again: $(cat out)"
[ "$(fleet list --label by=watch --json | wc -l)" = 2 ] || fail "labels"
fleet watch spool --once --remove >out 2>err || fail "--remove: $(cat err)"
[ "$(ls spool | tr '\n' ' ')" = "empty notes " ] || fail "--remove leaves $(ls spool)"
one_line 1 "nowhere: No such file" "$HINDSIGHT" fleet watch nowhere
one_line 1 "not a folder" "$HINDSIGHT" fleet watch spool/notes
one_line 2 "every wants" "$HINDSIGHT" fleet watch spool --every soon
one_line 2 "watch wants one folder" "$HINDSIGHT" fleet watch

# a trace that is copied slowly, one that is recorded, and one that is no trace while the watch runs
mkdir spool/bad && echo text >spool/bad/data.mdb
"$HINDSIGHT" fleet watch spool --every 3s >out 2>err & watching=$! # not the function, whose shell would be killed
mkdir spool/slow
size=$(stat -c %s one/data.mdb)
for part in $(seq 30); do # so close that two looks never find the same, on a busy machine too
    head -c $((size * part / 30)) one/data.mdb >spool/slow/data.part && cat spool/slow/data.part >spool/slow/data.mdb
    sleep 0.25
done
cp one/run spool/slow && echo slow >>spool/slow/run && rm spool/slow/data.part
echo 'class Sleeper { public static void main(String[] a) throws Exception { Thread.sleep(10000); } }' >Sleeper.java
compile s Sleeper.java || die "Sleeper does not compile"
"$JAVA" "-agentpath:$AGENT=output=spool/running,format=omni,weave=EXEC" -cp s Sleeper & java=$!
while kill -0 $java 2>/dev/null; do # its files are the same in several looks
    [[ $(names) = *running* ]] && "$HINDSIGHT" status spool/running --json 2>/dev/null | grep -q '"recording":true' &&
        fail "a trace was pushed while it was recorded"
    sleep 0.3
done
wait $java
for _ in $(seq 1200); do [ "$(names)" = "a b running slow " ] && break; sleep 0.1; done
[ "$(names)" = "a b running slow " ] || fail "slow and running: $(names)"
[ "$(fleet query "SELECT count(*) AS n FROM runs WHERE \"end\" = 'clean'" --json)" = '{"n":4}' ] ||
    fail "a trace was pushed before its end"
[ "$(grep -c bad err)" = 1 ] || fail "what is no trace is not said once: $(cat err)"
kill -TERM $watching; wait $watching; [ $? = 143 ] || fail "TERM"
watching=
rm -r spool/bad spool/slow spool/running

# killed at random moments, behind a bucket that breaks requests, and is away in between
export HINDSIGHT_FLEET=s3://bucket/f
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
start break "${FLEET_SEED:-46}" 5
export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat port)"
KILLS=${FLEET_KILLS:-12} RANDOM=46
for i in $(seq "$KILLS"); do
    "$HINDSIGHT" fleet watch spool --every 1s --remove >>pushed 2>>err & watching=$!
    trace "t$i"
    sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    kill -KILL $watching; wait $watching 2>/dev/null
done
kill -STOP $server # away: it takes connections and says nothing
trace last
timeout 10 "$HINDSIGHT" fleet watch spool --every 1s --remove >/dev/null 2>&1
[ -e spool/last/data.mdb ] || fail "a trace was removed while the bucket was away"
kill -CONT $server
"$HINDSIGHT" fleet watch spool --every 1s --remove >>pushed 2>>err & watching=$!
for _ in $(seq 3000); do [ -z "$(ls -d spool/t* spool/last 2>/dev/null)" ] && break; sleep 0.1; done
kill -TERM $watching; wait $watching; watching=
[ -z "$(ls -d spool/t* spool/last 2>/dev/null)" ] || fail "left in the spool: $(ls spool), $(tail -n 3 err)"
for _ in 1 2 3 4 5; do
    fleet query "SELECT name FROM runs ORDER BY name" --json >have 2>asked.err && break
done
for i in $(seq "$KILLS"); do echo "{\"name\":\"t$i\"}"; done | cat - <(echo '{"name":"last"}') | sort >want
cmp -s want <(sort have) || fail "lost or doubled: $(diff want <(sort have) | head -n 5) $(cat asked.err)"
ls -d spool/empty spool/notes >/dev/null || fail "what is no trace was removed"

# away for long: the oldest of those that wait are given up, and it is said
kill -KILL $server; wait $server 2>/dev/null; server=
for i in 1 2 3; do trace "w$i"; sleep 0.02; done
"$HINDSIGHT" fleet watch spool --every 1s --max-bytes $((size * 2 + 20000)) >out 2>err & watching=$!
for _ in $(seq 1200); do [ ! -e spool/w1 ] && break; sleep 0.1; done
kill -TERM $watching; wait $watching; watching=
"$HINDSIGHT" fleet watch spool --every 1s >out 2>gone & watching=$!
sleep 0.5
mv spool elsewhere
wait $watching; [ $? = 1 ] && grep -q "spool: No such file" gone || fail "a folder that is gone: $(cat gone)"
watching=
mv elsewhere spool
[ ! -e spool/w1 ] && [ -e spool/w2 ] && [ -e spool/w3 ] && [ "$(grep -c "removed, not pushed" err)" = 1 ] &&
    [ "$(grep -c "the traces wait" err)" = 1 ] || fail "--max-bytes: $(ls spool) $(cat err)"
finish "passed: killed $KILLS times"
