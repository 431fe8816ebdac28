#!/bin/bash
# stdout=true: what the program writes is in the stream, each write at its moment and with its bytes as text, whichever
# code writes it; without the option nothing is.
#
# test: agent.stdout
# labels: agent cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Says.java <<'J'
import java.io.*;
import java.util.logging.*;
public class Says {
    static int step;
    static void to(int n) { step = n; }
    public static void main(String[] args) throws Exception {
        to(1); System.out.println("first of " + step);
        to(2); System.err.println("an error");
        to(3); System.out.printf("%d %s %c%n", 42, "\u00e4\u20ac", 'x');
        to(4); Logger.getLogger("log").severe("by code that is not woven");
        to(5); new FileOutputStream(FileDescriptor.out).write("bytes\n".getBytes());
        new FileOutputStream(FileDescriptor.out).write('!');
        try (var file = new FileOutputStream(args[0])) { file.write("not the output".getBytes()); }
        to(6); Thread t = new Thread(() -> System.out.println("by another thread"), "second");
        t.start(); t.join();
        try { new FileOutputStream(FileDescriptor.out).write(new byte[2], 1, 5); }
        catch (IndexOutOfBoundsException e) { to(7); }
        System.out.print("end"); System.out.flush();
    }
}
J
compile c Says.java || die "the program does not compile"
utf8=(-Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8)
run() { # TRACE OPTIONS
    record $1 "quiet=true,$2" "${utf8[@]}" -Xverify:all -cp c Says file >$1.out 2>$1.err ||
        fail "$1: $(cat $1.err)"
}
"$JAVA" "${utf8[@]}" -cp c Says file >plain.out 2>plain.err
run t stdout=true; run derived stdout=true,derive=on; run without string=true
for t in t derived without; do
    cmp plain.out $t.out || fail "$t: standard output differs"
    for f in plain $t; do grep -v " log\$\|Says main" $f.err >$f.seen; done
    cmp plain.seen $t.seen || fail "$t: standard error differs"
    "$HINDSIGHT" fsck $t >fsck.out 2>&1 || fail "fsck $t: $(cat fsck.out)"
    "$HINDSIGHT" print $t --json >$t.json
done
python3 "$ROOT/test/agent/stdout.py" || failures=$((failures + 1))
one_line 1 'stdout.*EXEC' "$JAVA" "-agentpath:$AGENT=output=x,stdout=true,weave=CALL" -cp c Says file
one_line 1 'stdout.*values' "$JAVA" "-agentpath:$AGENT=output=x,stdout=true,format=freq" -cp c Says file
finish
