#!/bin/bash
# keep=failed: what it leaves of a run of tests, of which three fail, against the same run with keep=all (keep.py).
#
# test: clients.keep
# labels: clients slow
# jdks: all
# short: 40
# long: 1000
# full: 1000
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONDONTWRITEBYTECODE=1 HINDSIGHT_AGENT=$AGENT
cd "$WORK" || exit 1
jars=$(for j in junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons \
    junit-platform-console junit-platform-engine junit-platform-launcher junit-platform-reporting \
    junit-vintage-engine opentest4j \
    opentest4j-reporting-events opentest4j-reporting-schema apiguardian-api junit4 hamcrest-all picocli \
    univocity-parsers testng jcommander bsh; do
    ls /usr/share/java/$j.jar 2>/dev/null
done | tr '\n' ':')
case $jars in
*junit-jupiter-engine*junit-platform-console*) ;;
*) die "no JUnit 5 (test/packages.sh)" ;;
esac
"${JAVAC[@]}" -g -nowarn -cp "$jars" -d c "$HERE"/*.java "$HERE"/../junit/*.java 2>javac.err ||
    die "they do not compile: $(head -n 3 javac.err)"
console="org.junit.platform.console.ConsoleLauncher --disable-banner --details=none"
many=${1:-40}

record() { # TRACE KEEP CLASS EXIT-STATUS OPTION-OF-JAVA -- OPTION-OF-THE-CONSOLE...
    local trace=$1 keep=$2 class=$3 status=$4 property=$5; shift 6
    # shellcheck disable=SC2086
    timeout 300 "$HINDSIGHT" record -o "$trace" --tests --option "keep=$keep" -- \
        "$JAVA" -Dmany=$many "$property" -cp "c:$jars" $console -c "$class" "$@" >out 2>err
    local got=$?
    [ $got = "$status" ] || fail "$trace: exit status $got: $(tail -n 3 err)"
    "$HINDSIGHT" fsck "$trace" >fsck 2>&1
    [ $? = $((status == 137 ? 3 : 0)) ] && grep -q ' 0 violations' fsck || fail "$trace: $(tail -n 5 fsck)"
}
compare() { python3 "$HERE/keep.py" "$HINDSIGHT" "$@" >said 2>&1 && cat said || fail "$*: $(tail -n 5 said)"; }

record all all ManyTests 1 -Dx=y --
record failed failed ManyTests 1 -Dx=y --
compare serial all failed
record killed failed ManyTests 137 -Dkilled=25 --
compare killed killed
# a passed test of the same class stays beside each that failed
record one failed+1 ManyTests 1 -Dx=y --
compare one all one
# tests of many chunks: those behind a gap are derived, and begin with the state of their thread
record all.long all LongTests 1 -Dx=y --
record failed.long failed LongTests 1 -Dx=y --
compare long all.long failed.long
parallel=--config=junit.jupiter.execution.parallel.enabled=true
record all.threads all ParallelTests 1 -Dx=y -- $parallel
record failed.threads failed ParallelTests 1 -Dx=y -- $parallel
compare parallel all.threads failed.threads
# the other frameworks (../junit)
for keep in all failed; do
    timeout 120 "$HINDSIGHT" record -o served.$keep --tests --option keep=$keep -- \
        "$JAVA" -cp "c:$jars" org.junit.runner.JUnitCore ServedTests >out 2>err
done
compare served served.all served.failed
runner() { # NAME EXIT-STATUS ARGUMENT...
    local name=$1 status=$2 keep; shift 2
    for keep in all failed; do
        timeout 120 "$HINDSIGHT" record -o "$name.$keep" --tests --option keep=$keep -- \
            "$JAVA" -cp "c:$jars" "$@" >out 2>err
        local got=$?
        [ $got = "$status" ] || fail "$name: exit status $got: $(tail -n 3 err)"
    done
    "$HINDSIGHT" fsck "$name.failed" >fsck 2>&1 || fail "$name: $(tail -n 5 fsck)"
    compare runner "$name.all" "$name.failed"
}
runner junit4 1 org.junit.runner.JUnitCore OldTests
runner junit3 1 junit.textui.TestRunner ThreeTests
runner testng 3 org.testng.TestNG -d testng -testclass NgTests
finish
