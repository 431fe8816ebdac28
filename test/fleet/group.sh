#!/bin/bash
# `hindsight fleet init --group`: two users of a group push into one folder and ask all runs; neither removes or changes
# what is the other's, and a third user sees nothing. Needs root, who becomes these users.
#
# test: fleet.group
# labels: fleet
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || skip "only root can become two other users"
command -v setpriv >/dev/null || skip "there is no setpriv"
compile "$WORK/c" "$ROOT/test/fleet/Caller.java" || die "Caller does not compile"
cd "$WORK" || exit 1
record one weave=ALL -cp c Caller one req-1 >out 2>err || die "recording: $(cat err)"
group=$(getent group | awk -F: '$3 > 0 && $3 < 60000 { print $1 ":" $3; exit }')
chmod 755 "$WORK" && umask 077
as() { # USER NUMBER WORDS...: of the group, but 7003
    local user=$1 of=(--groups "${group#*:}"); shift
    [ "$user" != 7003 ] || of=(--clear-groups)
    setpriv --reuid "$user" --regid "$user" "${of[@]}" env HOME="$WORK/h$user" TMPDIR="$WORK/h$user" "$@"
}
denied() { # USER PATTERN WORDS...
    local user=$1 pattern=$2; shift 2
    as "$user" "$@" >out 2>err; [ $? = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "$pattern" err ||
        fail "$user: $*: $(cat out err)"
}
for user in 7001 7002 7003; do
    mkdir -p "h$user" "trace$user" && cp one/data.mdb one/run "trace$user" && echo "$user" >>"trace$user/run"
    chown -R "$user:$user" "h$user" "trace$user"
done
parent=$(dirname "$HINDSIGHT")
as 7001 test -x "$HINDSIGHT" && as 7001 test -r "$parent/../lib" || skip "other users cannot run $HINDSIGHT"
mkdir shared && chown 7001 shared && chmod 755 shared
as 7001 "$HINDSIGHT" fleet init --to shared/F --group "${group%:*}" || fail "init"
[ "$(cd shared/F && stat -c '%a %g' . runs tmp tables | tr '\n' ' ')" = \
    "2750 ${group#*:} 3770 ${group#*:} 3770 ${group#*:} 3770 ${group#*:} " ] ||
    fail "modes: $(stat -c '%a %g' shared/F/*)"
export HINDSIGHT_FLEET=$WORK/shared/F
for user in 7001 7002; do
    as "$user" "$HINDSIGHT" fleet push "trace$user" >"pushed$user" 2>err || fail "push of $user: $(cat err)"
done
for user in 7001 7002; do
    as "$user" "$HINDSIGHT" fleet query "SELECT count(*) AS n, count(DISTINCT name) AS d FROM runs" --json >out 2>err
    [ "$(cat out)" = '{"n":2,"d":2}' ] || fail "$user asks: $(cat err)"
done
run1=$(cut -d ' ' -f 1 pushed7001) run2=$(cut -d ' ' -f 1 pushed7002)
[ "$(stat -c '%a %u %g' "shared/F/runs/$run2")" = "2750 7002 ${group#*:}" ] ||
    fail "$(stat -c '%a %u %g' shared/F/runs/*)"
[ "$(stat -c %a "shared/F/runs/$run2"/* | sort -u)" = 640 ] || fail "files: $(stat -c '%a %n' "shared/F/runs/$run2"/*)"
as 7001 "$HINDSIGHT" fleet open "$run2" -o h7001/copy >/dev/null && cmp -s h7001/copy/data.mdb one/data.mdb ||
    fail "7001 opens the run of 7002"
denied 7001 "Permission denied\|not permitted" "$HINDSIGHT" fleet remove "$run2"
as 7001 sh -c "echo x >>shared/F/runs/$run2/data.mdb" 2>/dev/null && fail "7001 writes into the run of 7002"
[ -d "shared/F/runs/$run2" ] || fail "7001 has removed the run of 7002"
denied 7003 "Permission denied" "$HINDSIGHT" fleet query "SELECT 1"
denied 7003 "Permission denied" "$HINDSIGHT" fleet push trace7003
as 7002 "$HINDSIGHT" fleet compact >/dev/null || fail "compact of 7002"
[ "$(as 7001 cat shared/F/tables/current | wc -l)" = 1 ] || fail "7001 cannot read the tables of 7002"
for old in 1:2 2:1; do # what is of the other user stays, before its own and behind it
    touch -d "${old#*:}0 days ago" "shared/F/runs/$run2/data.mdb"
    as 7001 "$HINDSIGHT" fleet push trace7001 >/dev/null
    touch -d "${old%:*}0 days ago" "shared/F/runs/$run1/data.mdb"
    as 7001 "$HINDSIGHT" fleet prune --older-than 1d >out 2>err; status=$?
    [ "$status $(cut -d ' ' -f 1 out)" = "1 $run1" ] && grep -q "$run2: .*\(denied\|permitted\)" err &&
        [ "$(ls shared/F/runs)" = "$run2" ] || fail "prune of 7001: exit status $status: $(cat out err)"
    as 7001 "$HINDSIGHT" fleet push trace7001 >/dev/null || fail "push after prune"
done
as 7002 "$HINDSIGHT" fleet remove "$run2" >/dev/null || fail "7002 removes its own run"
[ "$(as 7001 "$HINDSIGHT" fleet query "SELECT run FROM runs" --json)" = "{\"run\":\"$run1\"}" ] || fail "after remove"
one_line 2 "no such group" "$HINDSIGHT" fleet init --to G --group nobody-has-this
one_line 2 "init makes folders" "$HINDSIGHT" fleet init --to s3://bucket/f
"$HINDSIGHT" fleet init --to G && [ "$(stat -c %a G)" = 700 ] || fail "init without --group"
finish
