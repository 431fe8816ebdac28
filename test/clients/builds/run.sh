#!/bin/bash
# The tests of one small project by its builds, recorded by the lines that `setup` prints, as printed: Maven with two
# forks at a time and a new JVM for each class, with threads, with an agent of coverage; Gradle and Ant, with forks,
# too. Is each JVM in a trace of its own, does `tests` say what the report of the build says, and does `failure` name
# the lines? One class of tests needs Mockito's inline agent, which changes classes that are loaded. With Debian's
# packages, offline.
#
# test: clients.builds
# labels: clients slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "builds start java themselves, which needs its library first"
[ "$RELEASE" -lt 19 ] || skip "Gradle 4.4 and Mockito 2.23 do not run on JDK $RELEASE"
for tool in mvn gradle ant; do command -v $tool >/dev/null || die "no $tool (test/packages.sh)"; done
export HINDSIGHT_AGENT=$AGENT JAVA_HOME=$JDK HOME=$WORK GRADLE_USER_HOME=$WORK/gradle
# of the builds themselves, not of the JVMs of their tests
export MAVEN_OPTS=-XX:TieredStopAtLevel=1 ANT_OPTS=-XX:TieredStopAtLevel=1
PATH=$(dirname "$HINDSIGHT"):$PATH
cp -r "$HERE/src" "$WORK" && cd "$WORK" || exit 1
mkdir -p src/test/resources/mockito-extensions
echo mock-maker-inline >src/test/resources/mockito-extensions/org.mockito.plugins.MockMaker

# build LOG COMMAND...: whose tests fail
build() {
    local log=$1; shift
    timeout 300 "$@" >"$log" 2>&1
    [ $? = 1 ] || fail "$log: $*: $(grep -E 'ERROR|FAIL|wrong|Exception' "$log" | head -n 5)"
    ! grep -iE 'hindsight.*(warn|cannot|error)|corrupted' "$log" || fail "$log: what the agent or the build says"
}
# check NAME FORKS REPORTS TRACE...
check() {
    python3 "$HERE/builds.py" "$HINDSIGHT" "$@" >said 2>&1 || fail "$1: $(head -n 8 said)"
}

# Maven, with its plugins of Debian and the profile as it is printed
cp -rs /usr/share/maven-repo repository # links: Maven writes beside them
of_debian() { # ARTIFACT: its newest version there
    local versions=("/usr/share/maven-repo/org/apache/maven/plugins/$1"/*/)
    basename "$(printf '%s\n' "${versions[@]}" | sort -V | tail -n 1)"
}
plugin() { # ARTIFACT [CONFIGURATION]
    echo "<plugin><artifactId>$1</artifactId><version>$(of_debian "$1")</version>
        <configuration>${2:-}</configuration></plugin>"
}
# classes of Java 8: of later ones JaCoCo 0.8 makes what Mockito 2.23 cannot read
pom() { # CONFIGURATION-OF-SUREFIRE [PROPERTIES]
    rm -f pom.xml
    cat >pom.xml <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    ${2:-}
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version></dependency>
    <dependency>
      <groupId>org.mockito</groupId><artifactId>mockito-core</artifactId><version>debian</version>
    </dependency>
  </dependencies>
  <build><plugins>
    $(plugin maven-resources-plugin) $(plugin maven-compiler-plugin) $(plugin maven-surefire-plugin "$1")
  </plugins></build>
</project>
END
    hindsight setup maven >profile
    { sed '/^<\/project>/d' pom.xml; echo "<profiles>$(cat profile)</profiles></project>"; } >whole
    mv whole pom.xml
}
maven() { # LOG ARGUMENT...
    local log=$1; shift
    rm -rf target/hindsight-* target/surefire-reports
    build "$log" mvn -B -o "-Dmaven.repo.local=$WORK/repository" -Phindsight "$@" test
}
unzip -q -o /usr/share/java/org.jacoco.agent.jar jacocoagent.jar || die "no JaCoCo"
jacoco="-javaagent:$WORK/jacocoagent.jar=destfile=$WORK/covered"
covered() { # JVMS
    [ "$(find . -maxdepth 1 -name 'covered*' -size +0 | wc -l)" = "$1" ] || fail "JaCoCo: $(ls)"
    rm -f covered*
}
pom "<forkCount>2</forkCount><reuseForks>false</reuseForks><argLine>$jacoco-\${surefire.forkNumber}</argLine>"
maven forks
check forks 4 target/surefire-reports target/hindsight-*
covered 2
pom '<parallel>classes</parallel><threadCount>4</threadCount><perCoreThreadCount>false</perCoreThreadCount>' \
    "<argLine>$jacoco</argLine>"
maven threads
check threads 1 target/surefire-reports target/hindsight-*
covered 1
pom ''
maven plain
check plain 1 target/surefire-reports target/hindsight-*

# Gradle
cp "$HERE/build.gradle" . && hindsight setup gradle >>build.gradle
build gradle.log gradle --offline --no-daemon -Phindsight test
check gradle 4 build/test-results/test build/hindsight-*
# without a line of the project, while a daemon runs that was started without the agent
grep -v hindsight "$HERE/build.gradle" >build.gradle
build daemon.log gradle --offline cleanTest test
build gradle.log hindsight record --tests -o gradle.trace -- gradle --offline cleanTest test
gradle --stop >stopped 2>&1
check daemon 4 build/test-results/test gradle.trace*

# Ant, of which no line changes
cp "$HERE/build.xml" .
build ant.log hindsight record --tests -o trace -- ant test
check ant 4 reports trace*
finish
