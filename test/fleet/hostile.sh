#!/bin/bash
# A fleet in which somebody else may write: catalogues that have no end or grow while they are read, names of runs that
# are taken, files that are large without room on the disk, locks that are held, traces of a spool that are none.
# Nothing hangs or takes memory, what is pushed is there, and what cannot be read is named.
#
# test: fleet.hostile
# labels: fleet
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
fleet() { (ulimit -v 2000000 -t 20; exec timeout 300 "$HINDSIGHT" fleet "$@"); } # 20 s of CPU
record one weave=ALL -cp c Caller one req-1 >out 2>err || die "recording: $(cat err)"
mkdir two && cp one/data.mdb one/run two && echo two >>two/run
fleet push one two --to F --label service=pay >pushed || die "push: $?"
run=$(cut -c 1-32 pushed | head -n 1)

# forged catalogues: the others are asked, and the one is named
for kind in view column default tree columns; do
    rm -rf G .cache && cp -r F G || die "copy"
    python3 "$ROOT/test/fleet/forge.py" "G/runs/$run/catalogue.db" "$run" "$kind" || die "forge.py $kind"
    fleet query --from G "SELECT count(*) AS n FROM labels" --json >out 2>err; status=$?
    [ "$status $(cat out)" = '3 {"n":1}' ] && grep -q "$run: no catalogue" err ||
        fail "$kind: exit status $status: $(cat out err)"
    fleet repair --from G >out 2>&1 && fleet query --from G "SELECT count(*) AS n FROM runs" --json >out 2>err &&
        [ "$(cat out)" = '{"n":2}' ] || fail "$kind, repaired: $(cat out err)"
done

# a name that is taken by something else is no run that is there
taken() {
    fleet push one --to G >out 2>err; status=$?
    [ "$status $(cat out)" = "0 $run  pushed" ] || fail "$1: exit status $status: $(cat out err)"
    fleet open "$run" --from G -o copy >out 2>&1 && cmp -s one/data.mdb copy/data.mdb || fail "$1: open: $(cat out)"
    [ -z "$(ls G/tmp)" ] || fail "$1: tmp has $(ls G/tmp)"
    rm -rf copy "G/runs/$run"
}
rm -rf "G/runs/$run" && mkdir "G/runs/$run" && taken "an empty directory"
mkdir "G/runs/$run" && touch "G/runs/$run/other" && taken "a directory with something else"
touch "G/runs/$run" && taken "a file"
ln -s /etc "G/runs/$run" && taken "a link"
mkfifo "G/runs/$run" && taken "a pipe"
cp -r "F/runs/$run" G/runs && truncate -s 100 "G/runs/$run/data.mdb" && taken "a trace that is cut"
cp -r "F/runs/$run" G/runs && rm "G/runs/$run/catalogue.db" && taken "a run without its catalogue"
cp -r "F/runs/$run" G/runs && mkdir "G/tmp/$run" && touch "G/tmp/$run/other"
fleet remove "$run" --from G >out 2>&1 && [ ! -e "G/runs/$run" ] || fail "remove, its name taken in tmp: $(cat out)"

# a run that has the sizes of the trace and other contents is neither taken for it nor replaced
cp -r "F/runs/$run" G/runs && printf x | dd of="G/runs/$run/data.mdb" bs=1 seek=9000 conv=notrunc 2>/dev/null
one_line 1 "$run: what is there has the sizes of this trace and other contents" "$HINDSIGHT" fleet push one --to G
mkdir -p spool1 && cp -r one spool1
fleet watch spool1 --to G --once --remove >out 2>err; status=$?
[ "$status $(wc -l <err)" = "1 1" ] && grep -q "other contents" err && [ -e spool1/one ] ||
    fail "watch of such a run: exit status $status: $(cat out err)"
fleet remove "$run" --from G >out 2>&1 && fleet push one --to G >out 2>err && grep -q "$run  pushed" out ||
    fail "after remove: $(cat out err)"

# a file that takes no room does not have others removed
rm -rf G && cp -rp F G && truncate -s 4T "G/runs/$run/large"
fleet prune --from G --max-bytes 1G >out 2>&1 && [ ! -s out ] || fail "prune of a file with a hole: $(cat out)"

# a lock that is held: said, and Ctrl-C ends it at once
fleet compact --from G >out 2>&1 || fail "compact: $(cat out)"
(
    exec 9<G/tables && flock 9 && timeout -s TERM 2 "$HINDSIGHT" fleet compact --from G >out 2>&1
    [ $? = 124 ] && [ ! -s out ] || fail "compact that is ended: $(cat out)"
)

# a spool: what is no trace is said, the others are pushed and removed
mkdir -p spool/{pipe,link,half} && mkfifo spool/pipe/data.mdb spool/some && ln -s /etc/passwd spool/link/data.mdb
cp one/data.mdb spool/half && mkfifo spool/half/run && cp -r two spool/zz
fleet watch spool --to W --once --remove >out 2>err; status=$?
[ "$status $(wc -l <err) $(cat out)" = "1 3 $(sed -n 2p pushed)" ] && [ ! -e spool/zz ] ||
    fail "watch: exit status $status: $(cat out err)"

# an age that is longer than time itself; an option of another action
[ "$(fleet list --from F --since 18446744074s --json | wc -l)" = 2 ] || fail "list --since"
one_line 2 "repair: --label wants KEY=VALUE" "$HINDSIGHT" fleet repair --from F --label key
for place in s3://KEY:secret@bucket/f http://KEY:secret@host/f; do
    one_line 2 "has an @|http:" "$HINDSIGHT" fleet list --from "$place"
    "$HINDSIGHT" fleet list --from "$place" 2>&1 | grep -q secret && fail "$place: it is printed"
done
one_line 2 "query has no --label" "$HINDSIGHT" fleet query --from F --label a=b "SELECT 1"
mkdir -p S/tmp S/runs/0000000000000000000000000000000{a,b}
one_line 1 "several runs" "$HINDSIGHT" fleet open 0 --from S
one_line 1 "no such run" "$HINDSIGHT" fleet open "" --from S
finish
