#!/bin/bash
# timestamp=true with the default derive=on: the events and values of derive=off, and times that agree with the clock as
# the program itself read it, also of a recording that was killed.
#
# test: agent.times
# labels: agent slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/agent/Clock.java" || die "Clock does not compile"
# start NAME OPTIONS [ARGUMENTS]
start() {
    exec "$JAVA" "-agentpath:$AGENT=output=$1,format=omni,timestamp=true,quiet=true,$2" -Xmx64m -cp c Clock "${@:3}"
}
(start on derive=on) >on.out || fail "on: exit status $?"
(start off derive=off) >off.out || fail "off: exit status $?"
cmp -s on.out off.out || fail "the program does something else"
start killed derive=on for-ever >killed.out &
pid=$!
wait_for ready killed.out
kill -9 $pid
wait $pid 2>/dev/null
"$HINDSIGHT" info on | grep -q 'chunks hold only the events that do not follow' || fail "on: everything is stored"
for trace in on:0 off:0 killed:3; do # 3: the recording is not complete, which is said
    name=${trace%:*}
    "$HINDSIGHT" fsck "$name" >fsck.out 2>&1
    [ $? = "${trace#*:}" ] && grep -q ', 0 violations' fsck.out || fail "$name: fsck: $(tail -n 2 fsck.out)"
    "$HINDSIGHT" print "$name" --json >"$name.json" 2>print.err
    [ $? = "${trace#*:}" ] || fail "$name: print: $(head -n 2 print.err)"
done
python3 "$ROOT/test/agent/times.py" on off killed || fail "see above"
finish
