#!/bin/bash
# `hindsight failure` shows what PageTests.java makes go wrong, as text, JSON, HTML, in the report of the build and as
# annotations, whatever names, values and messages have in them (page.py).
#
# test: clients.junit.page
# labels: clients slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export HINDSIGHT_AGENT=$AGENT
cd "$WORK" || exit 1
jars=$(ls /usr/share/java/{junit-jupiter-{api,engine,params},junit-platform-{commons,console,engine,launcher}}.jar \
    /usr/share/java/junit-platform-reporting.jar \
    /usr/share/java/{opentest4j,opentest4j-reporting-events,opentest4j-reporting-schema,apiguardian-api}.jar \
    /usr/share/java/{picocli,univocity-parsers}.jar 2>/dev/null | tr '\n' ':')
case $jars in *junit-jupiter-engine*junit-platform-console*) ;; *) die "no JUnit 5 (test/packages.sh)" ;; esac
mkdir src && cp "$HERE/PageTests.java" src
"${JAVAC[@]}" -g -nowarn -cp "$jars" -d c src/PageTests.java 2>javac.err ||
    die "it does not compile: $(head -n 3 javac.err)"
"$HINDSIGHT" record --tests --option keep=all -o t -- "$JAVA" -XX:TieredStopAtLevel=1 -cp "c:$jars" \
    org.junit.platform.console.ConsoleLauncher --disable-banner --details=none --reports-dir=r \
    -c PageTests -c ConstructorTests -c InitializerTests -c ConvertedTests >out 2>&1
ls r/TEST-*.xml >/dev/null 2>&1 || die "it made no report: $(tail -n 3 out)"
python3 "$HERE/page.py" "$HINDSIGHT" t src r/TEST-junit-jupiter.xml >said 2>&1 || fail "$(cat said)"
one_line 2 'ask twice' "$HINDSIGHT" failure t --html x.html --github
one_line 1 '--html .*: Is a directory' "$HINDSIGHT" failure t --html r
one_line 1 'no test is named' "$HINDSIGHT" failure t "$(printf 'n%.0s' {1..2000})" --html x.html
[ ! -e x.html ] || fail "a file of a test that is not there"
finish
