#!/bin/bash
# 100 classes of tests of three frameworks, which have every outcome and run in parallel (many.py): the rows of `tests`
# are those of the frameworks' own reports. Of a JVM that is killed in a test, and of one that a test ends, the tests
# before that have their outcome, and that one has not ended.
#
# test: clients.junit.many
# labels: clients slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export HINDSIGHT_AGENT=$AGENT
cd "$WORK" || exit 1
jars=$(for j in junit-jupiter-{api,engine,params} junit-platform-{commons,console,engine,launcher,reporting} \
    junit-vintage-engine opentest4j opentest4j-reporting-{events,schema} apiguardian-api junit4 hamcrest-all picocli \
    univocity-parsers testng jcommander bsh; do
    ls /usr/share/java/$j.jar 2>/dev/null
done | tr '\n' ':')
case $jars in *junit-jupiter-engine*testng*) ;; *) die "no JUnit 5 or TestNG (test/packages.sh)" ;; esac
python3 "$HERE/many.py" src 100
"${JAVAC[@]}" -g -nowarn -Xlint:none -proc:none -cp "$jars" -d c src/*.java "$HERE/Killed.java" 2>javac.err ||
    die "they do not compile: $(head -n 3 javac.err)"
of() { for ((i = $1; i < 100; i += 3)); do echo "$2Many$i"; done; } # the classes of a framework
run() { # TRACE ARGUMENT...
    local trace=$1; shift
    timeout 400 "$HINDSIGHT" record --tests -o "$trace" -- "$JAVA" -XX:TieredStopAtLevel=1 -cp "c:$jars" "$@" >out 2>err
    local status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "$trace: exit status $status: $(tail -n 3 out err)"
}
console=(org.junit.platform.console.ConsoleLauncher --disable-banner --details=none)
parallel=junit.jupiter.execution.parallel
run platform.trace "${console[@]}" --reports-dir=platform --config $parallel.enabled=true \
    --config $parallel.mode.default=concurrent --config $parallel.config.strategy=fixed \
    --config $parallel.config.fixed.parallelism=4 $(of 0 --select-class=) $(of 1 --select-class=)
python3 "$HERE/tests.py" "$HINDSIGHT" "$HERE" platform.trace platform >said 2>&1 || fail "JUnit: $(head -n 8 said)"
tail -n 1 said
run testng.trace org.testng.TestNG -d testng -parallel methods -threadcount 4 -testclass "$(of 2 '' | paste -sd,)"
python3 "$HERE/tests.py" "$HINDSIGHT" "$HERE" testng.trace testng >said 2>&1 || fail "TestNG: $(head -n 8 said)"
tail -n 1 said
# TestNG compares each method with each other one: 24 million events, of which `tests` reads few
chunks=$("$HINDSIGHT" info testng.trace --json | grep -o '"derived_chunks":[0-9]*' | tr -dc 0-9)
decoded=$(HINDSIGHT_CHUNKS=1 "$HINDSIGHT" tests testng.trace 2>&1 >/dev/null | sed -n 's/^chunks decoded: //p')
[ "$chunks" -gt 100 ] && [ "$decoded" -gt 0 ] && [ "$decoded" -le $((3 * chunks)) ] ||
    fail "tests decodes $decoded times a chunk of $chunks"

# the JVM ends within a test
for how in kill exit; do
    run $how.trace "-Dhow=$how" org.junit.runner.JUnitCore Killed
    "$HINDSIGHT" tests $how.trace --json | grep -oE '"status":"[a-z]+"|"method":"[a-z]+"' | paste -d' ' - - |
        sort -u >said
    printf '"status":"%s" "method":"%s"\n' failed afails passed apasses unfinished blast | sort | diff - said >rest ||
        fail "$how: $(cat rest)"
    "$HINDSIGHT" failure $how.trace blast 2>&1 | grep -q '^at  *Killed.blast' || 
        fail "$how: $("$HINDSIGHT" failure $how.trace blast)"
done
finish
