#!/bin/bash
# `setup`: each of its texts is whole in its own language, names the agent, and what the project here is built with; the
# lines that record are options that the agent and the command take.
#
# test: cli.setup
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
export HINDSIGHT_AGENT=$AGENT
for what in maven gradle github gitlab jenkins; do
    "$HINDSIGHT" setup $what >$what && [ -s $what ] || fail "setup $what"
    ! grep -nE "\{(agent|test)\}" $what || fail "setup $what: a placeholder"
    "$HINDSIGHT" setup $what --json >json && [ "$(json json 'd["lines"]')" = "$(sed 1d $what)" ] || fail "$what --json"
    [ "$(json json 'd["agent"]')" = "$(realpath "$AGENT")" ] || fail "setup $what: the agent: $(cat json)"
done
python3 - <<'PY' || fail "a text is not whole in its language"
import re, xml.dom.minidom
maven = open("maven").read()
xml.dom.minidom.parseString("<profiles>" + maven + "</profiles>")
for name in ("gradle", "jenkins"):
    text = re.sub(r"'[^'\n]*'", "", open(name).read())
    assert text.count("{") == text.count("}") > 0 and text.count("(") == text.count(")"), name
for name in ("github", "gitlab"):
    text = open(name).read()
    assert "\t" not in text and all(re.match(r" *(- |#|[a-z_-]+:)", l) for l in text.splitlines()), name
    try:
        import yaml
        yaml.safe_load(text)
    except ImportError:
        pass
PY
# what they record with: the agent takes the options
option=$(sed -nE "s/.*'(-agentpath:.*)build\/hindsight.*/\1/p" gradle)
grep -qF -- "$option" maven || fail "Maven and Gradle have other options: $(cat maven)"
"$JAVA" "${option}trace" -cp c Hello >out 2>err; [ $? = 0 ] && [ ! -s err ] || fail "the agent: $(cat err)"
# the words of the job, with a java in the place of the build tool
words=$(sed -nE 's/^  run: hindsight (record .*) -- .*/\1/p' github)
[ -n "$words" ] || fail "no command in $(cat github)"
for what in gitlab jenkins; do grep -qF "hindsight $words -- " $what || fail "$what has another command"; done
# shellcheck disable=SC2086
"$HINDSIGHT" $words -- "$JAVA" -cp c Hello >out 2>err
grep -q 'no JVM that runs tests was recorded' err || fail "record: $(cat err)"
# what the jobs run of a red test, as their shell runs it
if [ -e /usr/share/java/junit4.jar ]; then
    jars=/usr/share/java/junit4.jar:/usr/share/java/hamcrest-all.jar
    compile red "$ROOT"/test/bugs/off_by_one/*.java -- -g -cp $jars || die "the red test does not compile"
    "$HINDSIGHT" record --tests --pack -o hindsight-trace -- "$JAVA" -cp red:$jars org.junit.runner.JUnitCore \
        off_by_one.PagesTest >out 2>err
    for what in github gitlab jenkins; do
        rm -f hindsight-trace.html
        sed -nE "s/^ *(run: |- |sh ')(for t in .*done)'?$/\2/p" $what >loop
        PATH=$(dirname "$HINDSIGHT"):$PATH sh loop >out 2>err || fail "the loop of $what: $(cat loop err)"
        grep -q '^failed  off_by_one.PagesTest.lastPageIsShort' out || fail "$what: no page: $(cat out err)"
        grep -q '<html' hindsight-trace.html || fail "$what: no file for a browser: $(ls)"
        [ "$(grep -c '^::error ' out)" = "$([ $what = github ] && echo 1 || echo 0)" ] ||
            fail "$what: annotations: $(cat out)"
    done
    # one file: every server takes it
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"failure","arguments":{}}}' |
        "$HINDSIGHT" mcp hindsight-trace.hst | grep -q 'PagesTest.lastPageIsShort' || fail "mcp of a .hst"
fi
# the project
says() { "$HINDSIGHT" setup github | grep -qF -- "-- $1" || fail "$2: $("$HINDSIGHT" setup github)"; }
says 'mvn -B test' 'no project'
touch build.xml; says 'ant test' Ant
touch build.gradle; says 'gradle test' Gradle
touch gradlew; says './gradlew test' "Gradle's wrapper"
touch pom.xml mvnw; says './mvnw -B test' "Maven's wrapper"
touch build.gradle.kts; "$HINDSIGHT" setup gradle | grep -q '^tasks.withType<Test> {$' || fail "Kotlin"
# versions, by the libraries beside the command
mkdir -p tool/bin tool/lib && touch tool/lib/{maven-core-3.9.9,gradle-core-8.1}.jar && cp /bin/true tool/bin/mvn &&
    cp /bin/true tool/bin/gradle
for row in "maven Maven 3.9.9" "gradle Gradle 8.1"; do
    PATH=$WORK/tool/bin:$PATH "$HINDSIGHT" setup "${row%% *}" | head -n 1 | grep -qF "${row#* }, Hindsight" ||
        fail "version: $(PATH=$WORK/tool/bin:$PATH "$HINDSIGHT" setup "${row%% *}" | head -n 1)"
done
# Debian's Maven has the version elsewhere
if [ -e /usr/share/java/maven3-core.jar ]; then
    said=$("$HINDSIGHT" setup maven | head -n 1)
    version=$(dpkg-query -f '${Version}' -W libmaven3-core-java)
    [[ $said = *": Maven ${version%-*},"* ]] || fail "Debian: $said"
fi
# options that the project gives its test JVMs already
pom() { # CONTENT OF-ARGLINE PROPERTIES
    echo "<project><!-- <argLine>-a</argLine> --><?x y?>$1</project>" >pom.xml
    "$HINDSIGHT" setup maven >maven
    grep -qF "<argLine>$2 -agentpath:" maven && [ "$(grep -c '<properties>' maven)" = "$3" ] ||
        fail "a pom.xml with $1: $(cat maven)"
}
plugin='<build><plugins><plugin><configuration>'
pom '' '@{argLine}' 1
pom '<properties><x/><argLine>-Xmx9m</argLine></properties>' '@{argLine}' 0
pom "$plugin<argLine>-Xmx9m @{argLine}</argLine></configuration>" '-Xmx9m @{argLine}' 0
pom "<profiles><profile>$plugin<argLine>-Xmx9m</argLine>" '@{argLine}' 1
pom "$plugin<argLine" '@{argLine}' 1
one_line 2 'specify for what' "$HINDSIGHT" setup
one_line 2 "unknown: 'bazel'" "$HINDSIGHT" setup bazel
one_line 2 "unknown: 'gradle_kotlin'" "$HINDSIGHT" setup gradle_kotlin
mkdir 'a b' && cp "$AGENT" 'a b/agent.so'
HINDSIGHT_AGENT='a b/agent.so' one_line 1 'has a character that a build cannot take' "$HINDSIGHT" setup maven
finish
