#!/bin/bash
# strangers.sh: what another user of the machine gets from the servers (nothing), what files and links that he laid in
# our way do (nothing), and the mode of every file that is made. A recording: test/cli/other-user.sh; saved classes:
# test/agent/weavecache.sh; a forged socket for attach: test/control/hostile.sh.
#
# test: trust.strangers
# labels: trust
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root, to become another user"
command -v setpriv >/dev/null || skip "needs setpriv (util-linux)"
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; } # as UID COMMAND
OWNER=65533 STRANGER=65534
compile "$WORK/c" "$ROOT/test/cli/Waits.java" || die "the program does not compile"
cd "$WORK" || exit 1
chmod 0755 . && chmod -R a+rX c && install -d -o $OWNER -m 0755 mine && install -d -o $STRANGER -m 0755 theirs
as $OWNER test -r "$AGENT" -a -x "$HINDSIGHT" || skip "the build cannot be read by other users"
java_of() { # UID DIRECTORY AGENT-OPTIONS: status of the JVM; what it says is in `said`
    (cd "$2" && as "$1" "$JAVA" -XX:-UsePerfData "-agentpath:$AGENT=$3" -cp "$WORK/c" Waits) >out 2>said </dev/null
}

# ---- servers
java_of $OWNER mine output=t,format=omni || die "the program fails: $(cat said)"
chmod 0644 said
declare -A port
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
while read -r kind arguments; do
    # shellcheck disable=SC2086
    (cd mine && exec setpriv --reuid $OWNER --regid $OWNER --clear-groups "$HINDSIGHT" $arguments) \
        >$kind.out 2>$kind.err &
    servers+=($!)
    wait_for '[0-9]' $kind.out
    port[$kind]=$(grep -oE ': ?[0-9]+' $kind.out | tail -n 1 | tr -d ': ')
done <<'E'
dap dap --listen 0
jdwp jdwp t --port 0
view view t --no-browser
E
token() { sed -n 's/.*token=//p' "$1.out"; }
try() {
    python3 "$ROOT/test/trust/strangers.py" "$1" "${port[dap]}" "$(token dap)" "${port[jdwp]}" "${port[view]}" \
        "$(token view)" "$WORK/mine/made.$1" >tried.$1 2>&1 || fail "user $1: $(tail -n 1 tried.$1)"
}
try $STRANGER
expected='dap: nothing
dap, mapped: nothing
dap, launch and leave: nothing
dap, web: nothing
dap, web with the token: nothing
jdwp: nothing
jdwp, mapped: nothing
view: 403
view, api: 403
view, wrong token: 403
view, live: 403
view, page: 403
view with the token: 403'
[ "$(cat tried.$STRANGER)" = "$expected" ] ||
    fail "a stranger at the servers: $(diff <(echo "$expected") tried.$STRANGER)"
try $OWNER # the same tries get an answer: it is the user that they are refused for
for line in 'dap: answered' 'dap, mapped: answered' 'dap, web: 403' 'dap, web with the token: 101' 'jdwp: answered' \
    'jdwp, mapped: answered' 'view, api: 401' 'view, page: 200' 'view with the token: 200'; do
    grep -qx "$line" tried.$OWNER || fail "the owner at the servers: no '$line' in $(cat tried.$OWNER)"
done
[ ! -e mine/made.$STRANGER ] || fail "a program was run for a stranger"
grep -q 'refused: it is of another user' dap.err || fail "dap does not say that it refuses: $(cat dap.err)"
kill "${servers[@]}" && wait "${servers[@]}" 2>/dev/null
servers=()

# ---- attach, in both directions
for pair in "$OWNER 0" "0 $OWNER" "$STRANGER $OWNER"; do
    read -r runs attaches <<<"$pair"
    mkfifo -m 0666 pipe
    (exec setpriv --reuid $runs --regid $runs --clear-groups "$JAVA" -XX:-UsePerfData -cp c Waits) <pipe >out 2>err &
    pid=$!
    exec 9>pipe
    wait_for ready out
    rm -f "$WORK/theirs/a"
    one_line 1 "$pid: it runs as another user" setpriv --reuid "$attaches" --regid "$attaches" \
        --clear-groups "$HINDSIGHT" attach $pid "output=$WORK/theirs/a"
    exec 9>&-
    wait $pid || fail "attach of user $attaches: the program of $runs ended with $?"
    [ "$(cat out)" = ready ] && [ ! -s err ] || fail "attach of user $attaches: $(cat out err)"
    rm -f pipe
done

# ---- what lies in the way of a recording
refused() { # WHAT PATTERN UID OPTIONS
    java_of "$3" mine "$4,strict=true" && fail "$1: recorded"
    [ "$(wc -l <said)" = 1 ] && grep -qE "$2" said || fail "$1: says $(cat said)"
}
install -d -o $STRANGER -m 0777 mine/of_stranger
refused "a directory of a stranger" 'of_stranger.*another user' $OWNER output=of_stranger
refused "a directory of a stranger, root" 'of_stranger.*another user' 0 output=of_stranger
[ -z "$(ls -A mine/of_stranger)" ] || fail "something was made in the directory of a stranger"
install -d -o $OWNER -m 0700 full && echo precious >full/precious
for entry in data.mdb lock.mdb run journal control index; do
    install -d -o $OWNER -m 0755 mine/$entry.d
    ln -s "$WORK/full/precious" "mine/$entry.d/$entry"
    refused "a link $entry" "$entry.d" $OWNER output=$entry.d,overwrite=true
    rm -f "mine/$entry.d/$entry" && mkfifo "mine/$entry.d/$entry" && chown $OWNER "mine/$entry.d/$entry"
    refused "a pipe $entry" "$entry.d" $OWNER output=$entry.d,overwrite=true
done
[ "$(cat full/precious)" = precious ] || fail "a file was written through a link"
# in a directory like /tmp nothing can be made through a link either
install -d -m 1777 tmp && as $STRANGER ln -s "$WORK/theirs/new" tmp/t
refused "a dangling link in /tmp" 'tmp/t' 0 "output=$WORK/tmp/t"
[ ! -e theirs/new ] || fail "a directory was made through a link"

# ---- a trace of a stranger: reading it hangs nowhere and writes nothing outside
cp -r mine/t given && chown -R 0:0 given
for entry in lock.mdb index run journal pending; do
    for kind in link hard pipe directory socket; do
        rm -rf given/$entry && echo precious >precious.$entry
        case $kind in
        link) ln -s "$WORK/precious.$entry" given/$entry ;;
        hard) ln precious.$entry given/$entry ;;
        pipe) mkfifo given/$entry ;;
        directory) mkdir given/$entry ;;
        socket) python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' given/$entry ;;
        esac
        for command in info index; do
            timeout -s KILL 120 "$HINDSIGHT" $command given >log 2>&1 </dev/null
            case $? in 0 | 1 | 3) ;; *) fail "$command, $entry is a $kind: exit status $?: $(tail -n 1 log)" ;; esac
        done
        [ "$(cat precious.$entry)" = precious ] || fail "$entry is a $kind: a file outside of the trace was written"
    done
    rm -rf given/$entry
    [ ! -e mine/t/$entry ] || cp mine/t/$entry given/
done

# ---- a fleet of another user
as $OWNER "$HINDSIGHT" fleet push mine/t --to mine/fleet >log 2>&1 || fail "fleet push: $(cat log)"
as $STRANGER "$HINDSIGHT" fleet query --to mine/fleet 'select 1' >log 2>&1 &&
    fail "a stranger asks the fleet: $(cat log)"
[ "$(wc -l <log)" = 1 ] || fail "a stranger asks the fleet: $(cat log)"

# ---- modes: every file that is made under umask 0, as a table of what there may be
(
    umask 0
    mkdir -m 0755 m && cd m || exit 1
    options=output=t,format=omni,dump=true,weavecache=cache,quiet=true
    "$JAVA" -XX:-UsePerfData "-agentpath:$AGENT=$options" -cp ../c Waits </dev/null >../out 2>&1
    {
        "$HINDSIGHT" index t
        "$HINDSIGHT" export t --to csv --table all -o csv
        for format in jsonl sqlite hprof; do "$HINDSIGHT" export t --to $format -o f.$format; done
        "$HINDSIGHT" fleet push t --to fleet
        "$HINDSIGHT" expand t -o expanded
        "$HINDSIGHT" compact t
    } >../log 2>&1
)
modes='d 700 t(/woven.*)?
- 600 t/.*
d 700 cache
- 600 cache/[^/]*
d 700 csv
- 600 csv/[^/]*
- 600 f\.(jsonl|sqlite|hprof)
d 700 fleet(/.*)?
- 600 fleet/.*
d 700 expanded
- 600 expanded/.*'
(cd m && find . -mindepth 1 -printf '%y %m %P\n' | sed 's/^f/-/') >made
grep -vxE -- "$(paste -sd'|' <<<"$modes")" made >wrong && fail "modes that are not in the table: $(cat wrong)"
while read -r row; do
    grep -qxE -- "$row" made || fail "nothing was made for the row $row: $(tail -n 2 log)"
done <<<"$modes"
finish "strangers get nothing"
