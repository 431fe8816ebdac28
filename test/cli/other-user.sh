#!/bin/bash
# What another user of the machine can do to a recording: nothing. And what he prepared for it is refused.
#
# test: cli.other-user
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root, to become another user"
command -v setpriv >/dev/null || skip "needs setpriv (util-linux)"
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; } # as UID COMMAND
compile "$WORK/c" "$ROOT/test/cli/Waits.java" || die "the program does not compile"
cd "$WORK" || exit 1
chmod 0777 . && chmod -R a+rX c && mkfifo -m 0666 pipe
as 65533 test -r "$AGENT" -a -x "$HINDSIGHT" || skip "the build cannot be read by other users"

# read, cut, replaced and asked by another user; with umask 0777 its owner must still be able to use it
for run in "omni 0" "latest 0" "latest 0777"; do
    read -r format mask <<<"$run"
    rm -rf t-$format
    (
        umask $mask
        exec setpriv --reuid 65533 --regid 65533 --clear-groups "$JAVA" -XX:-UsePerfData \
            "-agentpath:$AGENT=output=t-$format,format=$format,dump=true" \
        -cp c Waits <pipe >out 2>err) &
    pid=$!
    exec 9>pipe
    wait_for ready out
    as 65534 ls t-$format >/dev/null 2>&1 && fail "$format: another user lists the trace"
    chmod 0755 t-$format # even then
    for file in $(cd t-$format && find . -type f); do
        as 65534 test -r "t-$format/$file" -o -w "t-$format/$file" && fail "$format: another user reads or writes $file"
        as 65534 truncate -s 0 "t-$format/$file" 2>/dev/null && fail "$format: another user cuts $file"
        as 65534 rm -f "t-$format/$file" 2>/dev/null && fail "$format: another user removes $file"
    done
    as 65534 "$HINDSIGHT" status t-$format >log 2>&1 && fail "$format: another user is answered on the control socket"
    as 65534 "$HINDSIGHT" info t-$format >log 2>&1 && fail "$format: another user reads the trace"
    (umask $mask; as 65533 "$HINDSIGHT" snapshot t-$format) >log 2>&1 ||
        fail "$format, umask $mask: its own user is not answered: $(tail -n 1 log)"
    exec 9>&-
    wait $pid; status=$?
    [ $status = 0 ] || fail "$format: the program ended with $status: $(cat err)"
    (umask $mask; as 65533 "$HINDSIGHT" fsck t-$format) >log 2>&1 ||
        fail "$format, umask $mask: its own user: $(tail -n 1 log)"
done

# a directory that another user prepared: he could put other files in the place of ours
as 65534 mkdir -m 0777 theirs
as 65533 "$JAVA" -XX:-UsePerfData "-agentpath:$AGENT=output=theirs,strict=true" -cp c Waits >out 2>err </dev/null
status=$?
[ $status = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'option output=theirs: .*another user' err ||
    fail "another user's directory: exit status $status: $(cat err)"
finish "another user reads and changes nothing"
