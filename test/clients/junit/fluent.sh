#!/bin/bash
# `hindsight failure` finds expected and actual value of AssertJ, Truth and Hamcrest, whose assertions are chains of
# calls and matchers (fluent.py).
#
# test: clients.junit.fluent
# labels: clients
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export HINDSIGHT_AGENT=$AGENT
cd "$WORK" || exit 1
jars=$(ls /usr/share/java/{junit4,hamcrest-all,assertj-core,byte-buddy,truth,guava}.jar 2>/dev/null | tr '\n' ':')
case $jars in *assertj-core*hamcrest-all*truth*) ;; *) die "no AssertJ, Hamcrest, Truth (test/packages.sh)" ;; esac
classes="AssertJTests TruthTests HamcrestTests"
"${JAVAC[@]}" -g -nowarn -cp "$jars" -d c "$HERE"/fluent/*.java 2>javac.err ||
    die "it does not compile: $(head -n 3 javac.err)"
"$HINDSIGHT" record --tests -o t -- "$JAVA" -XX:TieredStopAtLevel=1 -cp "c:$jars" org.junit.runner.JUnitCore $classes \
    >out 2>&1
grep -q 'There were 21 failures' out || fail "the tests: $(grep -E '^(OK|There|Tests)' out)"
python3 "$HERE/fluent.py" "$HINDSIGHT" t "$HERE/fluent" $classes >said 2>&1 || fail "$(cat said)"
finish
