#!/bin/bash
# run.sh: programs as they are delivered: signed jars, multi-release jars, named modules. Woven they run as without, and
# the code that the JVM chose is the code that was recorded.
#
# test: jars
# labels: jvm
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
cd "$WORK" || exit 2
mkdir -p src/base/app src/ten/app src/mod/app out/base out/ten out/mod
cat >src/base/app/Version.java <<'EOF'
package app;
public class Version { public static String name() { return "base"; } }
EOF
cat >src/ten/app/Version.java <<'EOF'
package app;
public class Version {
    public static String name() { return "release 10 or later"; }
    static int onlyHere(int n) { return n + 1; }
    static { onlyHere(8); }
}
EOF
cat >src/base/app/Main.java <<'EOF'
package app;
import java.security.CodeSource;
public class Main {
    static int twice(int n) { return 2 * n; }
    public static void main(String[] a) throws Exception {
        CodeSource source = Main.class.getProtectionDomain().getCodeSource();
        System.out.println(Version.name() + " " + twice(21) + " signers "
            + (source.getCodeSigners() == null ? 0 : source.getCodeSigners().length)
            + " module " + Main.class.getModule().getName() + " " + Main.class.getModule().isNamed());
        for (StackTraceElement e : new Throwable().getStackTrace()) System.out.println(e);
    }
}
EOF
echo 'module app.module { exports app; }' >src/mod/module-info.java
cp src/base/app/*.java src/mod/app/
"${JAVAC[@]}" -g --release 9 -d out/base src/base/app/*.java &&
    "${JAVAC[@]}" -g --release 10 -d out/ten src/ten/app/Version.java &&
    "${JAVAC[@]}" -g -d out/mod src/mod/module-info.java src/mod/app/*.java || die "the programs do not compile"
jar=$JDK/bin/jar
"$jar" cfe plain.jar app.Main -C out/base . && "$jar" cfe multi.jar app.Main -C out/base . --release 10 -C out/ten . &&
    "$jar" cfe module.jar app.Main -C out/mod . ||
    die "no jars"
"$JDK/bin/keytool" -genkeypair -keystore keys -storepass secret1 -keypass secret1 -alias me -keyalg RSA -dname CN=Test \
    >/dev/null 2>&1 &&
    cp multi.jar signed.jar && "$JDK/bin/jarsigner" -keystore keys -storepass secret1 signed.jar me >/dev/null 2>&1 ||
    die "no signed jar"

# both NAME PATTERN JAVA-OPTIONS...: the same output as without, a healthy and consistent trace that has the events of
# PATTERN
both() {
    local name=$1 pattern=$2; shift 2
    "$JAVA" "$@" >plain.out 2>plain.err; local plain=$?
    rm -rf t
    "$JAVA" -Xverify:all -Xcheck:jni "-agentpath:$AGENT=output=t,format=omni" "$@" >woven.out 2>woven.err
    local woven=$?
    echo "$name: $(head -n 1 woven.out)"
    [ $plain = 0 ] && [ $woven = 0 ] || fail "$name: exit status $plain, $woven: $(tail -n 2 woven.err)"
    cmp -s plain.out woven.out || fail "$name: its output changed: $(diff plain.out woven.out | head -n 3)"
    healthy t && consistent t
    "$HINDSIGHT" print t --event METHOD_ENTRY | grep -q "$pattern" || fail "$name: no METHOD_ENTRY of $pattern"
}
both "plain jar" 'app.Main.twice' -jar plain.jar
both "multi-release jar" 'app.Version.onlyHere' -jar multi.jar
both "signed jar" 'app.Version.onlyHere' -jar signed.jar
grep -q "signers 1" woven.out || fail "the signed jar shows no signer"
both "signed on the class path" 'app.Main.twice' -cp signed.jar app.Main
both "module" 'app.Main.twice' -p module.jar -m app.module/app.Main
both "sealed off module path" 'app.Main.twice' --limit-modules java.base -p module.jar -m app.module/app.Main
finish "delivered programs run as without, on JDK $RELEASE"
