#!/bin/bash
# hostile.sh: clients of the control socket that are slow, silent or do not read keep nobody else waiting, and what
# another user laid in the way of an attach gets nothing and harms nobody.
#
# test: control.hostile
# labels: control slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
serve 0 "-agentpath:$AGENT=output=t,format=omni,weave=EXEC"

# clients NAME: keeps them until its input ends, then tells how long the first one was let wait
clients() {
    python3 "$ROOT/test/control/hostile_clients.py" "$1" &
    CLIENTS=$!
}
big=$(head -c 60000 /dev/zero | tr '\0' m)
# not_waiting KIND: while such clients are there others are answered, and the clients are not there for long. Whoever
# had to wait for them would be answered when they are gone. False: not so, which a busy machine can cause as well.
not_waiting() {
    local kind=$1 i answered=no
    rm -f ready over
    clients "$kind"
    until [ -e ready ] || ! kill -0 $CLIENTS 2>/dev/null; do sleep 0.05; done
    for i in 1 2 3; do
        if [ "$kind" = deaf ]; then # which the command does not take, having lines of 64 KB
            python3 -c 'import socket, os
os.chdir("t")
s = socket.socket(socket.AF_UNIX)
s.connect("control")
s.sendall(b"nonsense\n")
s.settimeout(60)
s.recv(100)' || fail "$kind: no answer"
        else
            h status t >/dev/null
        fi
        [ ! -e over ] || break
        answered=yes
    done
    wait $CLIENTS
    [ $answered = yes ] && python3 -c 'import sys; sys.exit(not float(open("over").read()) < 12)'
}
for kind in slow silent deaf; do
    [ $kind != deaf ] || for i in 1 2 3 4 5 6 7 8; do # an answer of half a megabyte
        python3 -c 'import socket, os, sys
os.chdir("t")
s = socket.socket(socket.AF_UNIX)
s.connect("control")
s.sendall(b"mark " + sys.argv[1].encode() + b"\n")
s.settimeout(60)
while s.recv(1 << 20): pass' "$big$i"
    done
    not_waiting $kind || not_waiting $kind || not_waiting $kind || not_waiting $kind ||
        fail "$kind clients keep others waiting, or are kept for long: $(cat over) s"
done
[ "$(tell work)" = "work true" ] || fail "the program computes something else"
end_server
clean t

# ---- attach
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || finish "without another user: needs root and setpriv"
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; }
cp "$HINDSIGHT" h && cp "$AGENT" . && chmod 755 h && chmod 777 . && chmod -R a+rX c
as 65533 test -x "$WORK/h" || finish "without another user: $WORK is closed to him"
own() { # a server of user 65533 that is here
    rm -f in out && mkfifo -m 666 in
    as 65533 "$JAVA" -XX:-UsePerfData $QUIET -cp c Server 0 <in >out 2>err &
    JOB=$!
    exec 3>in
    wait_for ready out
    SERVER=$(sed -n 's/^ready //p' out)
}
undisturbed() {
    ! grep -q 'Full thread dump' out err || fail "$1: the program printed its threads"
    [ "$(tell work)" = "work true" ] || fail "$1: the program computes something else"
}
attach() { as 65533 ./h attach "$SERVER" "output=$WORK/a,format=omni" >said 2>&1; }
refused() {
    attach && fail "$1: attached"
    [ "$(wc -l <said)" = 1 ] && grep -q "$2" said || fail "$1: says $(cat said)"
    undisturbed "$1"
    [ ! -e a ] || fail "$1: there is a trace"
}
own
# another user listens in the JVM's place
socket=/tmp/.java_pid$SERVER
python3 -c 'import os, socket, sys # an interpreter that only root may run
os.setgroups([]); os.setgid(65534); os.setuid(65534)
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); os.chmod(sys.argv[1], 0o777)
print("listens", flush=True)
s.settimeout(120)
c, _ = s.accept(); c.settimeout(3)
try: print("got", len(c.recv(100)), flush=True)
except OSError: print("got 0", flush=True)' "$socket" >thief &
THIEF=$!
wait_for listens thief
refused "a socket of another user" 'another process listens'
wait $THIEF
grep -qx 'got 0' thief || fail "the other user got what was meant for the JVM: $(cat thief)"
rm -f "$socket"
# and has made the file that wakes it
as 65534 touch ".attach_pid$SERVER"
refused "a trigger of another user" 'belongs to another user'
rm -f ".attach_pid$SERVER" && ln -s "$WORK/made" ".attach_pid$SERVER"
refused "a link as trigger" 'belongs to another user'
[ ! -e made ] || fail "a file was made through a link"
rm -f ".attach_pid$SERVER"
as 65533 touch ".attach_pid$SERVER" # left by an earlier try of its own user
attach || fail "a trigger left behind: $(cat said)"
[ ! -e ".attach_pid$SERVER" ] || fail "the trigger is still there"
undisturbed attached
echo end >&3; wait $JOB || fail "the program ended with $?: $(head -n 3 err)"
SERVER=
as 65533 ./h fsck a >fsck.out 2>&1 || fail "fsck: $(head -n 3 fsck.out)"
finish
