#!/bin/bash
# `setup`: each of its texts is whole in its own language, names the agent, and what the project here is built with; the
# lines that record are options that the agent and the command take.
#
# test: cli.setup
# labels: cli
# limit: 300 s
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
one_line 2 'specify for what' "$HINDSIGHT" setup
one_line 2 "unknown: 'bazel'" "$HINDSIGHT" setup bazel
one_line 2 "unknown: 'gradle_kotlin'" "$HINDSIGHT" setup gradle_kotlin
mkdir 'a b' && cp "$AGENT" 'a b/agent.so'
HINDSIGHT_AGENT='a b/agent.so' one_line 1 'has a character that a build cannot take' "$HINDSIGHT" setup maven
finish
