#!/bin/bash
# surefire.sh [JAR]: Maven's Surefire with the jar (that of preset portable), as docs/install.md says, offline with the
# plugins of Debian, which it installs. Is the JVM of the tests recorded, and is the report that of a passed test?
. "$(dirname "$0")/../lib.sh"
# shellcheck source=test/packages.sh
. "$ROOT/test/packages.sh"
install_missing maven libsurefire-java libmaven-compiler-plugin-java libmaven-resources-plugin-java \
    libmaven-dependency-plugin-java libmaven-install-plugin-java junit4
[ $# -gt 0 ] || (cd "$ROOT" && cmake --preset portable && cmake --build --preset portable --target agent_jar) \
    >"$WORK/log" 2>&1 || die "$(tail -n 5 "$WORK/log")"
jar=$(realpath "${1:-$(ls "$ROOT"/build/portable/hindsight-agent-*.jar)}")
version=$(basename "$jar" .jar)
version=${version#hindsight-agent-}
cd "$WORK" || exit 1
export XDG_CACHE_HOME=$WORK/cache
cp -rs /usr/share/maven-repo repository # links: Maven writes beside them
maven() { JAVA_HOME=$JDK mvn -B -q -o "-Dmaven.repo.local=$WORK/repository" "$@"; }
of_debian() { # ARTIFACT: its newest version there
    basename "$(find "/usr/share/maven-repo/org/apache/maven/plugins/$1" -mindepth 1 -maxdepth 1 | sort -V | tail -n 1)"
}
install=org.apache.maven.plugins:maven-install-plugin:$(of_debian maven-install-plugin)
maven "$install:install-file" "-Dfile=$jar" "-DpomFile=${jar%.jar}.pom" >log 2>&1 ||
    die "install-file: $(tail -n 5 log)"

mkdir -p src/test/java
cat >src/test/java/SumTest.java <<'END'
public class SumTest {
    private int sum;
    @org.junit.Test public void adds() {
        for (int i = 1; i <= 4; i++) sum += i;
        org.junit.Assert.assertEquals(10, sum);
    }
}
END
plugin() { # ARTIFACT [more]
    echo "<plugin><artifactId>$1</artifactId><version>$(of_debian "$1")</version>${2:-}</plugin>"
}
agent='-javaagent:${hindsight:hindsight-agent:jar}=output=target/trace,format=omni'
cat >pom.xml <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>test</groupId><artifactId>sum</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope>
    </dependency>
    <dependency><groupId>hindsight</groupId><artifactId>hindsight-agent</artifactId><version>$version</version>
      <scope>test</scope></dependency>
  </dependencies>
  <build><plugins>
    $(plugin maven-resources-plugin) $(plugin maven-compiler-plugin)
    $(plugin maven-dependency-plugin "<executions>
        <execution><phase>initialize</phase><goals><goal>properties</goal></goals></execution></executions>")
    $(plugin maven-surefire-plugin "<configuration><argLine>$agent</argLine></configuration>")
  </plugins></build>
</project>
END
maven test >log 2>&1 || die "mvn test: $(grep -E 'ERROR|FAIL' log | head -n 5)"
grep -q 'tests="1" errors="0" skipped="0" failures="0"' target/surefire-reports/TEST-SumTest.xml || fail "the report"
"$HINDSIGHT" print target/trace --event PUT_INSTANCE_FIELD_VALUE >said 2>&1
values=$(sed -nE 's/.* PUT_INSTANCE_FIELD_VALUE +([0-9]+) +SumTest\.adds:4 .*/\1/p' said | tr '\n' ' ')
[ "$values" = "1 3 6 10 " ] || fail "recorded of the test: '$values' of $(wc -l <said) lines"
finish
