#!/bin/bash
# `hindsight tests` says of tests what the reports of JUnit and TestNG say, and `failure` where they failed and by which
# lines the value came (tests.py). Recorded by record --tests and whole; a JVM that runs no tests is not recorded.
#
# test: clients.junit
# labels: clients slow
# jdks: all
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
*junit-jupiter-engine*junit-platform-console*testng*) ;;
*) die "no JUnit 5 or TestNG (test/packages.sh)" ;;
esac
"${JAVAC[@]}" -g -nowarn -cp "$jars" -d c "$HERE"/*.java 2>javac.err ||
    die "they do not compile: $(head -n 3 javac.err)"
console="org.junit.platform.console.ConsoleLauncher --disable-banner --details=none --reports-dir=platform"

# as record --tests, and with all classes of the frameworks
run() { # TRACE EXIT-STATUS RECORD-OPTION... -- ARGUMENT...
    local trace=$1 status=$2; shift 2
    local options=(); while [ "$1" != -- ]; do options+=("$1"); shift; done; shift
    timeout 120 "$HINDSIGHT" record -o "$trace" "${options[@]}" -- "$JAVA" -cp "c:$jars" "$@" >out 2>err
    local got=$?
    [ $got = "$status" ] || fail "$trace: exit status $got: $(tail -n 3 err)"
}
check() { python3 "$HERE/tests.py" "$HINDSIGHT" "$HERE" "$@" >said 2>&1 || fail "$*: $(head -n 8 said)"; }
# shellcheck disable=SC2086
run platform.tests 1 --tests --option keep=all -- $console -c JupiterTests -c OldTests
old="OldTests:rebate OldTests:ruled OldTests:ruledNothing OldTests:wrongType OldTests:collected OldTests:started
    OldTests:startedAgain"
check platform.tests platform JupiterTests:three JupiterTests:absent JupiterTests:count JupiterTests:all \
    JupiterTests:wrongType $old
run testng.tests 3 --tests --option keep=all -- org.testng.TestNG -d testng -testclass \
    NgTests,NgSetUpTests,NgOtherTests
check testng.tests testng NgTests:rebate NgSetUpTests:prepare NgOtherTests:nothing NgOtherTests:wrongType
run junit4.tests 1 --tests --option keep=all -- org.junit.runner.JUnitCore OldTests
check junit4.tests - OldTests:collectedTwice $old
for runner in junit.textui.TestRunner org.junit.runner.JUnitCore; do # of which the second tells what the first does
    run "$runner" 1 --tests --option keep=all -- "$runner" ThreeTests
    check "$runner" - ThreeTests:testRebate
    said=$("$HINDSIGHT" tests "$runner" --json |
        sed -E 's/.*"status":"([a-z]+)".*"method":"([A-Za-z]+)".*/\2 \1/' | sort)
    [ "$said" = $'testNone passed\ntestRebate failed' ] || fail "$runner: $said"
done
if [ "$RELEASE" = 17 ]; then
    # shellcheck disable=SC2086
    run platform.whole 1 -- $console -c JupiterTests
    check platform.whole platform JupiterTests:three JupiterTests:absent
fi

# what sets failing tests apart: nothing of the framework, nor that they ran
run prices 1 --tests --option keep=all -- org.junit.runner.JUnitCore PriceTests
"$HINDSIGHT" suspects prices --limit 1 >said
grep -qE '^1.00 +0.50 +2/2 +0/2 +[0-9]+ branch +PriceTests.price:8  pieces > 4  in PriceTests' said &&
    [ "$(wc -l <said)" = 2 ] || fail "suspects: $(cat said)"
[ "$("$HINDSIGHT" suspects prices --json --test five | grep -c '"run":"PriceTests.five"')" -ge 1 ] ||
    fail "suspects --test: $("$HINDSIGHT" suspects prices --test five)"

# a test that ends the JVM has begun and not ended
run exits 3 --tests -- org.junit.runner.JUnitCore Exits
[ "$("$HINDSIGHT" tests exits --json | grep -c '"status":"unfinished","class":"Exits","method":"leaves"')" = 1 ] ||
    fail "System.exit: $("$HINDSIGHT" tests exits)"
"$HINDSIGHT" failure exits | grep -q '^at  *Exits.leaves' ||
    fail "failure of System.exit: $("$HINDSIGHT" failure exits)"

# another JVM is not recorded, and nothing is printed into it
timeout 60 "$HINDSIGHT" record --tests -o none -- "$JAVA" -version >out 2>&1
[ ! -e none ] && grep -q 'no JVM that runs tests was recorded' out || fail "a JVM without tests: $(cat out)"

# --until-fail: run again until a test fails; only that recording is left
flaky() { # N STATUS
    "$HINDSIGHT" record --tests --until-fail "$1" -o flaky -- "$JAVA" -cp "c:$jars" org.junit.runner.JUnitCore Flaky \
        >out 2>err
    local got=$?
    [ $got = "$2" ] || fail "--until-fail $1: exit status $got: $(tail -n 3 err)"
}
rm -f flaky.runs
flaky 2 0
[ "$(cat flaky.runs)" = 2 ] && [ -z "$(ls -d flaky* | grep -v runs)" ] &&
    grep -qx 'hindsight: no test failed in 2 runs, of which nothing is kept' err || fail "two runs: $(ls) $(cat err)"
rm -f flaky.runs
flaky 9 1
[ "$(cat flaky.runs)" = 3 ] && [ "$(ls -d flaky* | tr '\n' ' ')" = 'flaky flaky.runs ' ] &&
    grep -qx 'hindsight: run 3 failed' err || fail "three runs: $(ls -d flaky*) $(cat err)"
"$HINDSIGHT" failure flaky | grep -q 'AssertionError: run 2$' || fail "failure of the third run"

# what is not there
says() { # STATUS PATTERN WORD...
    timeout 60 "$HINDSIGHT" "${@:3}" >out 2>&1; local got=$?
    [ $got = "$1" ] && grep -qE "$2" out || fail "${*:3}: exit status $got: $(head -n 3 out)"
}
says 1 "no test is named 'Nope'" failure testng.tests Nope
says 2 "wants passed, failed" tests testng.tests --status green
says 0 "none of [0-9]+ tests satisfies" tests testng.tests --test Nope
says 0 "NgTests.rebate" failure testng.tests 'NgTests.re*'
finish
