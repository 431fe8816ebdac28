#!/bin/bash
# A debugger (JDI) on a program that is recorded: it stops at the same lines, with the same stacks, variables and values
# as without recording, steps over and into, changes variables, pops frames, forces returns and redefines the class
# (Stops.java). What the program prints then is the same too. The trace is whole; what no code did is all that fsck
# tells.
#
# test: beside.debugger
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "the debugger starts a JVM without the sanitizer's library"
compile c "$ROOT/test/beside/Debugged.java" "$ROOT/test/beside/Stops.java" || die "Debugged does not compile"
debug() { # NAME JAVA-OPTION...
    local name=$1; shift
    timeout -s KILL 120 "$JAVA" -cp c Stops "$name.out" "$@" -cp "$WORK/c" >"$name.seen" 2>"$name.err" ||
        fail "$name: exit status $?: $(head -n 3 "$name.err"; tail -n 1 "$name.seen")"
}
# a variable was set between call and entry, a frame popped, and a method ended from outside
told() {
    [ "$1" = EXEC ] || echo "argument Debugged.scale pc 0 METHOD_PARAM: its value is 7, not 3"
    echo "pair Debugged.main pc $([ "$1" = EXEC ] && echo "115 METHOD_NORMAL_EXIT" || echo "47 CALL_RETURN"):" \
        "Debugged.scale, entered at N, has no exit"
}
debug plain
for groups in ALL EXEC; do
    debug $groups "-agentpath:$AGENT=output=$WORK/$groups.trace,format=omni,weave=$groups"
    cmp plain.out $groups.out || fail "$groups: the program prints something else"
    diff plain.seen $groups.seen || fail "$groups: the debugger sees something else"
    healthy $groups.trace
    "$HINDSIGHT" info $groups.trace --json >info.json
    [ "$(json info.json 'd["classes"]["woven"]')" = 1 ] || fail "$groups: redefined as it was, the class is another one"
    "$HINDSIGHT" fsck $groups.trace --json | sed 1d |
        sed -E 's/.*"rule":"([a-z]*)".*"what":"([^"]*)".*/\1 \2/; s/at [0-9]+/at N/' | sort -u >$groups.fsck
    told $groups | diff - $groups.fsck || fail "$groups: fsck tells something else"
done
echo "    $(wc -l <plain.seen) lines are equal"
finish
