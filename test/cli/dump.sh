#!/bin/bash
# dump=true keeps woven classes in the trace, and nowhere else: whatever a class file says its name is. The agent sees
# it before the JVM has looked at it.
#
# test: cli.dump
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Loads.java <<'J'
import java.nio.file.*;
public class Loads extends ClassLoader {
    Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    public static void main(String[] files) throws Exception {
        for (String f : files)
            try { System.out.println(new Loads().define(Files.readAllBytes(Path.of(f))).getName().length()); }
            catch (LinkageError e) { System.out.println(e.getClass().getName()); }
    }
}
J
echo 'public class Evil { static int n; static void set(int k) { n = k; } }' >Evil.java
compile c Loads.java Evil.java || die "the programs do not compile"
python3 - "$WORK" <<'PY'
import sys
data = open("c/Evil.class", "rb").read()
names = ["ok/sub/Fine", "../../pwned/Hack", "a/../../../pwned2/Hack", sys.argv[1] + "/absolute/Hack", "/Root", "./Dot",
         "x/./Dot", "x//Empty", "x/../Up", "..", "../Up", "x/..", "x/", "/", "", "n" * 300, "ok/" + "d" * 250,
         "long/" * 5000 + "Deep", "many/" + "/".join("c%d" % i for i in range(40)) + "/Deep",
         "zero\0byte/Hack", "new\nline/Name"]
for i, name in enumerate(names):
    utf8 = name.encode().replace(b"\0", b"\xc0\x80")
    open("n%02d.bin" % i, "wb").write(data.replace(b"\x01\x00\x04Evil", b"\x01" + len(utf8).to_bytes(2, "big") + utf8))
open("n99.bin", "wb").write(data.replace(b"\x01\x00\x04Evil", b"\x01\x00\x0e" + b"ok/raw\0/../../z"[:14]))
PY
for verify in -Xverify:all "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"; do
    "$JAVA" $verify -cp c Loads n*.bin >plain 2>/dev/null
    mkdir -p deep/er && rm -rf deep/er/t
    "$JAVA" $verify "-agentpath:$AGENT=output=deep/er/t,dump=true,quiet=true" -cp c Loads n*.bin >out 2>err ||
        fail "$verify: exit status $?: $(head -n 3 err)"
    # without verification JDK 25 takes such names, but not in a class that an agent has changed (so it is with
    # java.lang.instrument)
    [ "$verify" != -Xverify:all ] && [ "$RELEASE" -gt 17 ] || cmp -s plain out ||
        fail "$verify: the program's output changed: $(diff plain out | head -n 3)"
    cmp -s <(find deep -path deep/er/t -prune -o -print | sort) <(printf 'deep\ndeep/er\n') ||
        fail "$verify: files beside the trace: $(find deep -path deep/er/t -prune -o -print)"
    [ ! -e pwned ] && [ ! -e pwned2 ] && [ ! -e absolute ] && [ ! -e deep/pwned2 ] && [ ! -e deep/pwned ] &&
        [ ! -e /Root.class ] || fail "$verify: a class file was written outside the trace"
    cmp -s <(cd deep/er/t && find . -maxdepth 1 ! -name woven | sort) <(printf '.\n./data.mdb\n./lock.mdb\n./run\n') ||
        fail "$verify: in the trace: $(ls deep/er/t)"
    [ -e deep/er/t/woven/ok/sub/Fine.class ] && [ -e deep/er/t/woven/Loads.class ] ||
        fail "$verify: classes with good names were not kept: $(find deep/er/t/woven)"
    healthy deep/er/t >/dev/null
done
finish "woven classes stay in the trace"
