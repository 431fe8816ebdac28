#!/bin/bash
# A fleet in a bucket of S3, on a server that was not written here (s3.mjs): traces are pushed by processes at once,
# some of them twice; the bucket answers what a folder of the same traces answers; a run comes back; nothing is half
# when the server dies or the disk is full; wrong addresses and keys are one line each.
#
# test: fleet.s3
# labels: fleet slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
npm_client s3
fleet() { "$HINDSIGHT" fleet "$@"; }
server=
start() {
    # its tokens for the next page of a list are made with a cipher that OpenSSL 3 has put there
    node --openssl-legacy-provider "$ROOT/test/fleet/s3.mjs" "$WORK/objects" >port 2>server.err & server=$!
    wait_for . port
    export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat port)"
}
trap '[ -z "$server" ] || kill $server; rm -rf "$WORK"' EXIT
start
export AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER AWS_REGION=eu-west-3 HINDSIGHT_FLEET='s3://fleet/a b+ü/'
mkdir scratch && export TMPDIR=$WORK/scratch

record one weave=ALL -cp c Caller one req-1 req-30 >out 2>err || die "recording: $(cat err)"
for i in 2 3 4 5; do mkdir "copy$i" && cp one/data.mdb one/run "copy$i" && echo "copy $i" >>"copy$i/run"; done

# an object is there when it is whole; the same trace is there once
echo /catalogues/ >objects.fault
one_line 1 "127.0.0.1:[0-9]+/fleet/.*/catalogues/" "$HINDSIGHT" fleet push one
wait $server; start
[ "$(fleet query 'SELECT count(*) AS n FROM runs' --json)" = '{"n":0}' ] || fail "half a run is there"
rm objects.fault
pids=
for t in one copy2 copy3 copy4 copy5 one copy3; do
    fleet push $t --request X-Request-Id >>pushed 2>&1 & pids="$pids $!"
    fleet push $t --request X-Request-Id --to folder >>into-folder || fail "push to a folder"
done
for pid in $pids; do wait "$pid" || fail "a push: $(cat pushed)"; done
[ "$(cut -d ' ' -f 1 pushed | sort -u)" = "$(cut -d ' ' -f 1 into-folder | sort -u)" ] ||
    fail "other runs: $(cat pushed)"
fleet push one | grep -q "was there already" || fail "pushed again"
[ "$(find objects/fleet -name '*._S3rver_object' | wc -l)" = 50 ] || fail "not the ten files of five runs"

. "$ROOT/test/fleet/questions.bash"
FLEET_WANTED=folder
same_answers "SQLite over the bucket"
HINDSIGHT_DUCKDB=$(find "$BUILD/test/clients/tables/node_modules" -name libduckdb.so 2>/dev/null | head -n 1)
export HINDSIGHT_DUCKDB
if [ -n "$HINDSIGHT_DUCKDB" ]; then
    same_answers "DuckDB over the bucket" --engine duckdb
    same_answers "DuckDB over the folder" --engine duckdb --from folder
else
    echo "    left out: DuckDB"
fi
run=$(cut -d ' ' -f 1 into-folder | head -n 1)
[ "$(fleet open "${run:0:9}" -o opened)" = opened ] || fail "open"
cmp -s one/data.mdb opened/data.mdb && cmp -s one/run opened/run || fail "another trace comes back"

# the tables of all runs in one set; a catalogue is made again from its trace
set=$(fleet compact) || fail "compact"
[ "$(find objects/fleet -path "*/tables/$set/*._S3rver_object" | wc -l)" = 9 ] &&
    [ "$(cat objects/fleet/"a b+ü"/tables/current._S3rver_object)" = "$set" ] ||
    fail "compact: $(find objects | grep tables)"
echo nonsense >"objects/fleet/a b+ü/catalogues/$run._S3rver_object"
fleet query 'SELECT count(*) AS n FROM runs' --json >out 2>err
[ $? = 3 ] && [ "$(cat out)" = '{"n":4}' ] || fail "a damaged catalogue: $(cat out err)"
fleet repair >out 2>err && grep -q "$run  repaired" out || fail "repair: $(cat out err)"
[ "$(fleet query 'SELECT count(*) AS n FROM runs' --json)" = '{"n":5}' ] || fail "after repair"

# a trace that is put in parts; the upload ends with them, or is taken back
mkdir large && cp one/data.mdb one/run large && truncate -s 70M large/data.mdb
{ fleet push large --to s3://fleet/large >out &&
    fleet open "$(cut -d ' ' -f 1 out)" --from s3://fleet/large -o parts >opened.out; } 2>err ||
    fail "push in parts: $(cat out err)"
cmp -s large/data.mdb parts/data.mdb || fail "another trace comes back from parts"
uploads=objects/fleet/._S3rver_uploads
{ [ -d $uploads ] && [ -z "$(ls -A $uploads)" ]; } || fail "an upload is left, or there was none"
rm -r objects/fleet/large parts

# what a push leaves that died is removed when it is a day old
dead=objects/fleet/"a b+ü"/runs/0123456789abcdef0123456789abcdef
mkdir "$dead"
for file in "$(dirname "$dead")/$run"/run.*; do cp "$file" "$dead"; done
fleet prune --older-than 30d >out || fail "prune: $(cat out)"
[ -n "$(ls -A "$dead")" ] || fail "prune removed a push of today"
touch -d '2 days ago' "$dead"/*
fleet prune --older-than 30d >out || fail "prune: $(cat out)"
[ ! -s out ] && [ -z "$(ls -A "$dead" 2>/dev/null)" ] || fail "prune left or removed: $(cat out)"

# errors
unwritable() { # a file system without room for the trace
    mkdir -p full && mount -t tmpfs -o size=40k none full 2>/dev/null || { echo "    left out: a full disk"; return; }
    TMPDIR=$WORK/full one_line 1 "No space left" "$HINDSIGHT" fleet push one
    one_line 1 "No space left" "$HINDSIGHT" fleet push one --to full
    [ -z "$(ls full/runs full/tmp | grep -v :)" ] || fail "left on the full disk: $(ls -R full)"
    rm -r full/runs full/tmp full/identity
    TMPDIR=$WORK/full one_line 1 "No space left" "$HINDSIGHT" fleet open "$run" -o none
    [ -z "$(ls full)" ] || fail "left on the full disk: $(ls full)"
    umount full
}
unwritable
AWS_SECRET_ACCESS_KEY=other one_line 1 "answers 403" "$HINDSIGHT" fleet push one
AWS_SECRET_ACCESS_KEY=other one_line 1 "403 SignatureDoesNotMatch: as the test says & wants" "$HINDSIGHT" fleet query ""
AWS_ACCESS_KEY_ID=other one_line 1 "403 InvalidAccessKeyId" "$HINDSIGHT" fleet query "SELECT 1"
AWS_ACCESS_KEY_ID='' one_line 2 "one is not set" "$HINDSIGHT" fleet query "SELECT 1"
one_line 1 "404 NoSuchBucket" "$HINDSIGHT" fleet push one --to s3://other/x
one_line 2 "wanted is s3://" "$HINDSIGHT" fleet push one --to s3://
one_line 2 "neither a folder nor s3" "$HINDSIGHT" fleet push one --to ftp://host/x
one_line 2 "does not begin with http" "$HINDSIGHT" fleet query "SELECT 1" --endpoint localhost:9000
one_line 1 "no such run" "$HINDSIGHT" fleet open 0123456789
one_line 1 "127.0.0.1:9/fleet: .*connect" "$HINDSIGHT" fleet query "SELECT 1" --endpoint http://127.0.0.1:9
echo xx >"$(find objects/fleet -path "*$run/run._S3rver_object")"
one_line 1 "is damaged" "$HINDSIGHT" fleet open "$run" -o none
[ ! -e none ] || fail "half a trace was opened"
fleet prune --max-bytes 0 >pruned || fail "prune --max-bytes"
[ "$(wc -l <pruned)" = 5 ] && [ -z "$(find objects/fleet -name '*_object' | grep -v /tables/)" ] ||
    fail "prune left: $(find objects | head -n 3)"
[ -z "$(ls -A scratch)" ] || fail "left in TMPDIR: $(ls scratch)"
finish
