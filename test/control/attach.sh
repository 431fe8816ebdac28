#!/bin/bash
# attach.sh: the agent is loaded into a server that runs: it records, stops, starts again; a wrong process, wrong
# options and a second attach get one line and harm nobody.
#
# test: control.attach
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
serve 1 -Dsun.net.httpserver.nodelay=true
answer() { [ "$(tell work)" = "work true" ] || fail "the program computes something else"; }
answer
h attach -h | tr -s ' \n' ' ' | grep -q 'Without format= it is latest' || fail "attach -h names no default format"
one_line 1 'weave.*EXECX'      "$HINDSIGHT" attach "$SERVER" format=omni,weave=EXECX
one_line 1 'nope.*accepted'    "$HINDSIGHT" attach "$SERVER" nope=1
one_line 1 'output'            "$HINDSIGHT" attach "$SERVER" format=omni,output=nowhere/below/t
one_line 1 'no such process'   "$HINDSIGHT" attach 999999999
one_line 1 'not a JVM'         "$HINDSIGHT" attach $$
one_line 2 'which process'     "$HINDSIGHT" attach
one_line 1 'records'           "$HINDSIGHT" status "$SERVER"
answer

h attach "$SERVER" 'format=omni,weave=EXEC+CALL+PARAM' --only Server --only nothing. >said
trace=$(sed 's/.*trace //' said)
case $trace in "$WORK"/hindsight-*) ;; *) fail "attach says: $(cat said)" ;; esac
one_line 1 'already'           "$HINDSIGHT" attach "$SERVER" format=omni
answer
is_recording "$SERVER"
# comes WHAT PRINT-OPTIONS...: until the newest trace here has three such events: the threads call when they are let
comes() {
    for _ in $(seq 300); do
        h snapshot >/dev/null
        [ "$("$HINDSIGHT" print "${@:2}" --limit 3 2>/dev/null | wc -l)" != 4 ] || return 0
        sleep 0.2
    done
    fail "$1 in $trace"
}
comes "no calls of work" --method work --event METHOD_ENTRY
comes "a thread that ran before has not its name" --thread client-0
h stop >/dev/null
n=$(key "$SERVER" events)
answer
h snapshot >/dev/null
[ "$(key "$SERVER" events)" = "$n" ] || fail "events after the stop"
h start "$SERVER" 'weave=ALL' >/dev/null
answer
one_line 1 'already'           "$HINDSIGHT" attach "$SERVER" format=omni
h stop "$SERVER" >/dev/null
[ "$(key "$SERVER" events)" -gt "$n" ] || fail "nothing in the second period"
end_server
clean "$trace"

# start=off: nothing until it is asked for; another user is refused even where the file's mode would let him in
serve 0
one_line 2 "contains a comma" "$HINDSIGHT" attach "$SERVER" --only a,b
one_line 1 'option only=' "$HINDSIGHT" attach "$SERVER" --only ''
h attach "$SERVER" format=omni,start=off,output=late >/dev/null
answer
[ "$(key late events)" = 0 ] && [ "$(key late recording)" = false ] || fail "start=off records"
if [ "$(id -u)" = 0 ]; then
    command -v setpriv >/dev/null || fail "no setpriv (util-linux): another user cannot be tried"
    cp "$HINDSIGHT" "$WORK/h" && cp "$AGENT" "$WORK/" && chmod 755 "$WORK" "$WORK/h" "$WORK/late"
    other() { one_line 1 "$1" setpriv --reuid=65534 --regid=65534 --clear-groups "$WORK/h" "${@:2}"; }
    other 'another user'      status "$WORK/late"
    chmod 666 late/control
    other 'only the user'     stop "$WORK/late"
    other 'only the user'     start "$WORK/late"
    other 'another user|no such process' attach "$SERVER" format=omni
    chmod 600 late/control
fi
h start late weave=EXEC >/dev/null
answer
end_server # while it records
clean late
h info late --json | grep -q '"weave":"EXEC",' && ! h info late --json | grep -q '"starts"' ||
    fail "the groups of one start: $(h info late | grep -E '^(weave|starts)')"
[ "$("$HINDSIGHT" print late --method work --event METHOD_ENTRY --limit 1 | wc -l)" = 2 ] ||
    fail "no calls of work in late"

# classes of the JDK: those of the JVM's archive have no StackMapTables any more, and our own thread becomes a thread of
# the program
serve 1 -Dsun.net.httpserver.nodelay=true
h attach "$SERVER" format=omni,weave=EXEC+CALL,i=java/util/,i=java/lang/,output=jdk >/dev/null
answer
h stop "$SERVER" >/dev/null
h start "$SERVER" weave=EXEC >/dev/null
answer
h stop "$SERVER" >/dev/null
end_server
clean jdk
[ "$(h info jdk | grep -E '^(weave|starts)' | tr -s ' \n' ' ')" = 'weave EXEC+CALL starts EXEC+CALL; EXEC ' ] &&
    h info jdk --json | grep -q '"weave":"EXEC+CALL",.*"starts":\["EXEC+CALL","EXEC"\]' ||
    fail "the groups of two starts: $(h info jdk | grep -E '^(weave|starts)')"

# the same by the JVM's own way; jcmd wants options with = in quotation marks. As soon as status says that it records,
# what is called is there: nobody else tells when all classes are woven.
if [ -z "${HINDSIGHT_SANITIZE:-}" ]; then
    [ -x "$JDK/bin/jcmd" ] || fail "no $JDK/bin/jcmd"
    serve 0
    "$JDK/bin/jcmd" "$SERVER" JVMTI.agent_load "$AGENT" \
        "\"output=$WORK/j,format=omni,weave=EXEC+CALL,i=java/util/,i=java/lang/\"" >jcmd.out 2>&1 &
    jcmd=$!
    is_recording j
    answer
    wait $jcmd || fail "jcmd: $(cat jcmd.out)"
    end_server
    clean j
    [ "$("$HINDSIGHT" print j --thread worker --method work --event METHOD_ENTRY --limit 1 | wc -l)" = 2 ] ||
        fail "no call of work after jcmd and status"
fi
finish
