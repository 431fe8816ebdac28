#!/bin/bash
# A class that is woven several times is one class in every answer and export, and a place one place: because a virtual
# thread starts, recording stops and starts, another agent retransforms it. Counts are those of the program.
#
# test: ask.weavings
# labels: ask
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
here=$ROOT/test/ask/weavings
cd "$WORK" || exit 1
compile c "$here/Weavings.java" "$here/Exchanger.java" || die "Weavings does not compile"
mkdir other
sed 's|return "word";|int[] more = { 1, 2 }; return "x".concat("after") + more.length;|' "$here/Weavings.java" \
    >other/Weavings.java
compile other other/Weavings.java || die "the other Weavings does not compile"
rm -f c/Exchanger.jar
printf 'Premain-Class: Exchanger\nCan-Retransform-Classes: true\n' >manifest
"$JDK/bin/jar" cfm Exchanger.jar manifest -C c Exchanger.class -C c 'Exchanger$1.class' || die "no agent"
rm c/Exchanger*.class

check() { # TRACE: what it says, against what the program counted
    consistent "$1"
    python3 "$here/check.py" "$HINDSIGHT" "$1" "$(tail -n 1 "$1.out")" || fail "$1: see above"
}
run() { # TRACE OPTIONS COMMANDS
    printf '%s' "$3" | record "$1" "quiet=true,$2" -cp c Weavings >"$1.out" 2>"$1.err" ||
        fail "$1: $(head -n 3 "$1.err")"
    check "$1"
}
if [ "$RELEASE" -ge 21 ]; then
    run virtual "" $'round 9\nvirtual 3\nround 4\n'
    run latest format=latest,size=8 $'round 9\nvirtual 3\nround 4\n'
    run freq format=freq $'round 9\nvirtual 3\nround 4\n'
    run timing format=timing $'round 9\nvirtual 3\nround 4\n'
fi
# the agent before ours, which weaves what that gives
JAVA_TOOL_OPTIONS=-javaagent:Exchanger.jar=other/Weavings.class \
    run exchanged e=Exchanger $'round 9\nexchange 0\nround 7\nexchange 0\nround 4\n'

mkfifo commands
record again quiet=true -cp c Weavings <commands >again.out 2>again.err &
pid=$!
exec 9>commands
round() { # N TIMES: the program has come to its end that often
    echo "round $1" >&9
    for _ in $(seq 1200); do [ "$(grep -c '^done' again.out)" = "$2" ] && return; sleep 0.05; done
    fail "the program does not come to the end of a round: $(cat again.err)"
}
round 9 1
for n in 2 3; do
    "$HINDSIGHT" stop again >said 2>&1 && "$HINDSIGHT" start again >said 2>&1 || fail "not started again: $(cat said)"
    round $n $n
done
exec 9>&-
wait $pid || fail "again: exit status $?: $(head -n 3 again.err)"
check again
finish
