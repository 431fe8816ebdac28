#!/bin/bash
# Jars of every kind run recorded as they do plain: multi-release, signed, with a Class-Path, as modules, compressed or
# stored.
#
# test: cli.jars
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
mkdir -p src/main/app src/v17/app src/lib/lib
cat >src/main/app/Main.java <<'J'
package app;
public class Main {
    static String version() { return new Which().name(); }
    public static void main(String[] a) throws Exception {
        System.out.println(version() + " " + lib.Helper.twice(21) + " " + Main.class.getModule().isNamed());
        java.security.CodeSource c = Main.class.getProtectionDomain().getCodeSource();
        System.out.println(c.getCertificates() == null ? "unsigned" : "signed by " + c.getCertificates().length);
        System.out.println(Main.class.getResourceAsStream("/app/Main.class").readAllBytes().length > 100);
    }
}
J
cat >src/main/app/Which.java <<'J'
package app;
class Which { String name() { return "old"; } }
J
cat >src/v17/app/Which.java <<'J'
package app;
class Which { String name() { return "seventeen"; } }
J
cat >src/lib/lib/Helper.java <<'J'
package lib;
public class Helper { public static int twice(int x) { return 2 * x; } }
J
compile lib.d src/lib/lib/Helper.java && compile main.d src/main/app/*.java -- -cp lib.d -g --release 17 &&
    compile v17.d src/v17/app/*.java || die "the programs do not compile"
jar=$JDK/bin/jar
printf 'Class-Path: lib.jar\nMain-Class: app.Main\n' >manifest
$jar cf lib.jar -C lib.d . && $jar cfm multi.jar manifest -C main.d . --release 17 -C v17.d . &&
    $jar cfm0 stored.jar manifest -C main.d . || die "no jars"
cp multi.jar signed.jar
"$JDK/bin/keytool" -genkeypair -keystore ks -storepass secret -keypass secret -alias a -dname CN=test -keyalg EC \
    >/dev/null 2>&1
"$JDK/bin/jarsigner" -keystore ks -storepass secret signed.jar a >log 2>&1 || die "jarsigner: $(tail -n 3 log)"
mkdir -p src/module && cat >src/module/module-info.java <<'J'
module app.module { requires java.base; }
J
mkdir mod.d && cp -r main.d/. lib.d/. mod.d/ && compile mod.d src/module/module-info.java &&
    $jar cf module.jar -C mod.d . || die "no module"
same() { # NAME JAVA-ARGUMENTS...
    local name=$1; shift
    "$JAVA" "$@" >plain 2>&1; local a=$?
    for weave in ALL EXEC; do
        rm -rf t
        record "$WORK/t" "weave=$weave,quiet=true" -Xverify:all "$@" >out 2>&1; local b=$?
        [ $a = $b ] && cmp -s plain out || {
            fail "$name with $weave: exit status $a became $b"
            diff plain out | head -n 5
        }
        healthy t
        [ "$("$HINDSIGHT" print t --json --event METHOD_ENTRY --method twice | wc -l)" = 1 ] ||
            fail "$name with $weave: twice is not recorded once"
    done
    echo "$name: $(head -n 1 plain)"
}
same multi-release -jar multi.jar
same stored -jar stored.jar
same signed -jar signed.jar
same module --module-path module.jar -m app.module/app.Main
sealed() {
    mkdir s.d && cp -r main.d/. s.d/ && printf 'Main-Class: app.Main\nClass-Path: lib.jar\nSealed: true\n' >m2 &&
        $jar cfm sealed.jar m2 -C s.d .
}
sealed; same sealed -jar sealed.jar
# a changed byte in a signed jar is noticed as before
python3 - <<'PY' || die "no broken jar"
import zipfile
with zipfile.ZipFile("signed.jar") as i, zipfile.ZipFile("broken.jar", "w") as o:
    for e in i.infolist():
        data = i.read(e)
        if e.filename.endswith("Which.class"): data = data.replace(b"old", b"odd").replace(b"seventeen", b"seventeem")
        o.writestr(e, data)
PY
"$JAVA" -jar broken.jar >plain 2>&1; a=$?
[ $a != 0 ] && grep -q SecurityException plain || fail "the JVM takes the broken jar: $(head -n 1 plain)"
record t "quiet=true,overwrite=true" -jar broken.jar >out 2>&1; b=$?
[ $a = $b ] && [ "$(head -n 1 plain)" = "$(head -n 1 out)" ] ||
    fail "a broken signed jar: $(head -n 1 plain) became $(head -n 1 out)"
finish
