#!/bin/bash
# A JVM that cannot be recorded is refused before its program runs, with one line that says which can be; nothing else
# is asked of it, and with strict=true its program does not run (foreign.c).
#
# test: agent.foreign
# labels: agent cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
headers=$JDK/include
"${CC:-cc}" -I"$headers" -I"$headers/linux" -o foreign "$ROOT/test/agent/foreign.c" -ldl ||
    die "foreign.c does not compile"
refused() { # NAME RELEASE
    LD_PRELOAD=${preload:-} ./foreign "$AGENT" "$1" "$2" output=t >out 2>err || fail "$1: exit status $?"
    [ "$(cat out)" = "the program runs" ] || fail "$1: its program does not run"
    [ "$(wc -l <err)" = 1 ] || fail "$1: $(wc -l <err) lines"
    grep -qxE "hindsight: nothing is recorded: this JVM is $1, release [0-9]+: only HotSpot from JDK 8 on can be \
recorded" err || fail "$1: $(cat err)"
    LD_PRELOAD=${preload:-} ./foreign "$AGENT" "$1" "$2" output=t,strict=true >out 2>err
    [ $? = 1 ] && [ ! -s out ] || fail "$1 with strict=true: its program runs"
    [ ! -e t ] || fail "$1: there is a trace"
}
refused "Eclipse OpenJ9 VM" 17
refused "Substrate VM" 21
refused "OpenJDK 64-Bit Server VM" 1.7
finish "JVMs that cannot be recorded are refused"
