#!/bin/bash
# verify=: a woven class that the JVM would refuse is given up: the program runs as without, and the trace tells which
# class and why. With an agent whose weaver makes mistakes (test/corpus/verify/faulty.c).
#
# test: agent.verify
# labels: agent cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
faulty=$BUILD/test/libhindsight-faulty.so
[ -e "$faulty" ] || die "no $faulty"
cd "$WORK" || exit 1
mkdir src old c
cat >src/Main.java <<'J'
public class Main {
    public static void main(String[] args) {
        int n = 0;
        if (args.length > 0) n = new StackOld().run(3);
        else n = new Stack().run(3) + new Call().run(4) + new Right().run(5);
        System.out.println(n);
    }
}
class Stack { int run(int n) { int[] a = { n, n + 1 }; return a[0] * a[1] + Long.hashCode(n); } }
class Call { int run(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }
class Right { int run(int n) { return n + 1; } }
J
cat >old/StackOld.java <<'J'
public class StackOld { public int run(int n) { int[] a = { n, n + 1 }; return a[0] * a[1]; } }
J
"${JAVAC[@]}" -nowarn -Xlint:none -g --release 8 -d c old/StackOld.java 2>err ||
    die "StackOld does not compile: $(cat err)"
python3 - <<'PY' # a class file of version 49
b = bytearray(open("c/StackOld.class", "rb").read())
b[4:8] = bytes([0, 0, 0, 49])
open("c/StackOld.class", "wb").write(b)
PY
"${JAVAC[@]}" -nowarn -Xlint:none -g --release 17 -cp c -d c src/Main.java || die "Main does not compile"
run() { # TRACE OPTIONS ARGUMENT...: with the faulty agent
    local trace=$1 options=$2; shift 2
    "$JAVA" "-agentpath:$faulty=output=$trace,format=omni,$options" -cp c Main "$@" >out 2>err
}
refused() { # TRACE: class and reason of what is not woven
    "$HINDSIGHT" info "$1" --json | python3 -c '
import json, sys
for n in json.load(sys.stdin)["not_woven"]: print(n["class"], n["reason"])'
}
plain=$("$JAVA" -cp c Main) plain_old=$("$JAVA" -cp c Main old)

run t verify=all || fail "verify=all: exit status $?: $(cat err)"
[ "$(cat out)" = "$plain" ] || fail "verify=all: $(cat out) instead of $plain"
grep -q '(2 not woven)' err || fail "the closing line does not tell: $(cat err)"
refused t >told
grep -q '^Stack the woven class would not be verified: run(I)I pc [0-9]*: .*max_stack' told || fail "Stack: $(cat told)"
grep -q '^Call the woven class would not be verified: run(I)I pc [0-9]*: invokestatic: constant' told ||
    fail "Call: $(cat told)"
[ "$(wc -l <told)" = 2 ] || fail "more is told: $(cat told)"
"$HINDSIGHT" print t --json --method run >events || fail "the trace is not read"
grep -q '"class":"Right"' events || fail "nothing of Right"
! grep -E '"event":"METHOD_ENTRY".*"class":"(Stack|Call)"' events || fail "events of classes that are not woven"
"$HINDSIGHT" fsck t >fsck.out || fail "fsck: $(cat fsck.out)"

# without it the JVM refuses the class, so the fault is one
run off verify=off && fail "verify=off: the fault does no harm"
grep -q VerifyError err || fail "verify=off: no VerifyError: $(cat err)"

# by default classes of rare shapes: an old class file
run rare quiet=false old || fail "an old class file: exit status $?: $(cat err)"
[ "$(cat out)" = "$plain_old" ] || fail "an old class file: $(cat out) instead of $plain_old"
refused rare | grep -q '^StackOld .*max_stack' || fail "StackOld is not told: $(refused rare)"

# and a weaver without faults loses nothing
record right verify=all -cp c Main >out 2>err || fail "our weaver: $(cat err)"
grep -q 'not woven' err && fail "our weaver: $(cat err)"
finish
