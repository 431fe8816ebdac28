#!/bin/bash
# derive.sh [--all]: traces of derive=on, the default, have the same events, and give the same answers, as plain ones.
#
# 1. Recordings of the oracle programs, of threads that race (litmus/) and of real programs: each chunk is derived as
#    the recorder does it, executed, and compared with the events of the plain chunk of the same run
#    (bench/bench_derive.c); also from the records of hooks that record inputs alone, which a plain trace has among
#    others (corpus/hooked.c shows that the weaver leaves just those). --all: all workloads.
# 2. Programs of test/jvm recorded with derive=off must pass as they do with the default, derive=on, and so must tests
#    of exports; --all: every one of them.
# 3. A program whose classes are initialized by code that is not woven, with derive=on and off, has the same events.
#    So has one with many or large frames.
# 4. A derived trace and the same trace with every event (expand) give the same answers, byte for byte; also one whose
#    program was killed. fsck proves both.
#
# test: derive
# labels: derive slow
# jdks: all
# needs: traces
# limit: 900 s
# full: --all
# full limit: 3600 s
. "$(dirname "$0")/lib.sh"
here=$ROOT/test
programs=(ConstructorExits Exceptions FloatBits Lambdas Paths StoreBeforeThrow StackOverflow StackOverflowSuper
    VirtualThreads)
if [ "${1:-}" = --all ]; then
    programs=("$here"/jvm/*.java)
    programs=("${programs[@]##*/}")
    programs=("${programs[@]%.java}")
fi

prove() { # TRACE...
    for option in "" -i; do
        # shellcheck disable=SC2086
        "$BUILD/bench/bench_derive" $option "$@" >"$WORK/proof" 2>&1 || fail "bench_derive $option: exit status $?"
        grep -v 'wrong chunks 0 of [1-9]' "$WORK/proof"
        [ "$(grep -c 'wrong chunks 0 of [1-9]' "$WORK/proof")" = $# ] ||
            fail "not every recording was proved with bench_derive $option"
    done
}
mkdir "$WORK/l"
for litmus in "$here"/litmus/*.java; do
    name=$(basename "$litmus" .java)
    compile "$WORK/lc" "$litmus"
    divide=$(sed -n 's|^// divide: *||p' "$litmus")
    record "$WORK/l/$name" derive=off,quiet=true -cp "$WORK/lc" "$name" $((5000 / ${divide:-1})) >/dev/null
done
prove "$WORK"/l/*
workloads=(modern17)
[ "${1:-}" != --all ] || workloads=()
mkdir "$WORK/w"
JAVA=$JAVA JAVA_AGENT_OPT="-agentpath:$AGENT=output=$WORK/w/@W@-{pid},format=omni,derive=off,quiet=true" \
    "$here/workloads/run-all.sh" "${workloads[@]}" || fail "a workload"
for trace in "$WORK"/w/*; do prove "$trace"; rm -rf "$trace"; done
oracle_traces
prove "$TRACES"/*/plain/trace
stored=$(sed -nE 's/.* stored ([0-9.]+),.*/\1/p' "$WORK/proof" | sort -n | tail -n 1)
awk "BEGIN { exit !($stored < 0.5) }" || fail "a recording stores $stored of its events: nothing is derived"

for name in "${programs[@]}"; do
    [ "$(sed -nE 's|^// java: *([0-9]+).*|\1|p' "$here/jvm/$name.java")" -le "$RELEASE" ] 2>/dev/null ||
        ! grep -q '^// java:' "$here/jvm/$name.java" || { echo "$name: needs a newer java"; continue; }
    HINDSIGHT_AGENT_EXTRA=derive=off "$here/jvm/run.sh" "$here/jvm/$name.java" >"$WORK/out" 2>&1; status=$?
    [ $status = 0 ] || [ $status = 77 ] || { fail "$name with derive=off: exit status $status"; tail -n 5 "$WORK/out"; }
done

exports=("$here/clients/export/jfr.sh")
[ "${1:-}" != --all ] || exports=("$here"/clients/export/*.sh)
for export in "${exports[@]}"; do
    HINDSIGHT_AGENT_EXTRA=derive=off bash "$export" >"$WORK/out" 2>&1; status=$?
    if grep -q 'option derive: it needs format=omni' "$WORK/out"; then
        echo "${export##*/}: records in other formats too"
    elif [ $status != 0 ] && [ $status != 77 ]; then
        fail "${export##*/} with derive=off: status $status"
        tail -n 5 "$WORK/out"
    fi
done

# An initializer that is not woven catches what woven code throws: the method that it interrupts goes on.
mkdir "$WORK/i"
cat >"$WORK/i/Initializers.java" <<'J'
public class Initializers {
    @interface Generated { }
    static int calls;
    @Generated static class Catches { static int x; static { try { fail(); } catch (RuntimeException e) { x--; } } }
    @Generated static class CatchesTwice {
        static int x;
        static { for (int i = 0; i < 2; i++) try { deeper(); } catch (RuntimeException e) { count(); } }
    }
    @Generated static class Fails { static int x; static { deeper(); } }
    static void count() { calls++; }
    static void fail() { throw new IllegalStateException(); }
    static void deeper() { try { fail(); } finally { calls++; } }
    static int create() { int t = 1; Object o = new Catches(); return t + (o == null ? 1 : 2); }
    static int store() { int t = 1; CatchesTwice.x = t; return t + 1; }
    static int failing() { int t = 1; try { Fails.x = t; } catch (Error e) { t++; } return t; }
    public static void main(String[] a) { System.out.println(create() + store() + failing() + calls); }
}
J
# So does one of the JDK that runs woven code: that of ForkJoinPool makes an object of a class that a property names.
cat >"$WORK/i/Factory.java" <<'J'
import java.util.concurrent.*;
public class Factory implements ForkJoinPool.ForkJoinWorkerThreadFactory {
    static int made;
    public Factory() { made++; }
    public ForkJoinWorkerThread newThread(ForkJoinPool pool) { return null; }
    static int read() { int t = 1; Object o = ForkJoinPool.defaultForkJoinWorkerThreadFactory; return t + made; }
    public static void main(String[] a) {
        System.setProperty("java.util.concurrent.ForkJoinPool.common.threadFactory", "Factory");
        System.out.println(read());
    }
}
J
# That of SplittableRandom asks the providers of the program, if it is told to.
cat >"$WORK/i/Seeds.java" <<'J'
import java.security.*;
public class Seeds extends Provider {
    static int asked;
    Seeds() { super("Seeds", "1", ""); put("SecureRandom.Seeds", Source.class.getName()); }
    public static class Source extends SecureRandomSpi {
        protected void engineSetSeed(byte[] s) { asked++; }
        protected void engineNextBytes(byte[] b) { asked++; }
        protected byte[] engineGenerateSeed(int n) { asked++; return new byte[n]; }
    }
    static int create(int k) {
        int t = k;
        t += 3;
        Object o = new java.util.SplittableRandom();
        t++;
        return o == null ? 0 : t;
    }
    public static void main(String[] a) {
        System.setProperty("java.util.secureRandomSeed", "true");
        Security.insertProviderAt(new Seeds(), 1);
        System.out.println(create(2) + asked);
    }
}
J
# One that is too long for all of its hooks is recorded as it is, in the middle of code that is not.
{
    echo 'public class TooLong {'
    echo '    static int number(int a, int b, int c) { return a + b + c; }'
    echo '    static class Big { static int sum; static {'
    for ((i = 0; i < 3000; i++)); do echo "        sum += number($i, 2, 3);"; done
    echo '    } }'
    echo '    static int create(int k) { int t = k; t += 2; Object o = new Big(); t++; return o == null ? 0 : t; }'
    echo '    public static void main(String[] a) { System.out.println(create(1) + Big.sum); }'
    echo '}'
} >"$WORK/i/TooLong.java"
# Of a NaN that was computed the reader has other bits than the JVM; what was read has those of the JVM.
cat >"$WORK/i/Remainders.java" <<'J'
public class Remainders {
    static float f;
    static double d;
    static void remainder(double a, double b) { f = (float) a % (float) b; f = -f; d = a % b; d = -d; }
    public static void main(String[] a) {
        double[] some = { Double.NaN, Double.longBitsToDouble(0x7ff4000000000123L), 1.5 };
        for (double x : some) for (double y : some) remainder(x, y);
    }
}
J
# A number that looks like an object without an id to the reader. Objects that get theirs in other places than on top of
# the stack, behind a loop or in a handler.
cat >"$WORK/i/Unborn.java" <<'J'
public class Unborn {
    static long keep(long v) { Object o = new Object(); return v; } // `new` at pc 0
    final Object o;
    Unborn(long v) { this(v, 0); System.out.println(v); }
    Unborn(long v, double d) { o = v == 0 ? null : new StringBuilder(d > v ? String.valueOf(v) : new String("b")); }
    static Unborn nested(int k) {
        return new Unborn(k > 2 ? new Unborn(k).o.hashCode() : parse("x" + k), k > 3 ? 1.0 : parse("2"));
    }
    static int parse(String s) { try { return Integer.parseInt(s); } catch (NumberFormatException e) { return -1; } }
    public static void main(String[] a) {
        System.out.println(keep(0xfeed0bad00000000L));
        new Unborn(0xfeed0bad00000000L + 65536); // `this` of a constructor
        for (int i = 0; i < 6; i++) nested(i).o.toString();
    }
}
J
# The initializer of a class of the JDK reads a system property from an object of the program.
cat >"$WORK/i/Properties.java" <<'J'
import java.io.*;
public class Properties extends java.util.Properties {
    static int calls;
    @Override public String getProperty(String k) { calls++; return super.getProperty(k); }
    static int create(int k) throws IOException {
        int t = k;
        t += 3;
        Object o = new ObjectOutputStream(new ByteArrayOutputStream());
        t++;
        return o == null ? 0 : t;
    }
    public static void main(String[] a) throws IOException {
        java.util.Properties own = new Properties();
        own.putAll(System.getProperties());
        System.setProperties(own);
        System.out.println(create(3) + calls);
    }
}
J
# A cast fails right behind a new array of arrays, whose arrays have events of their own.
cat >"$WORK/i/Elements.java" <<'J'
public class Elements {
    static int k;
    void see(int[] a, int b) { }
    static void fail() { ((Elements) (Object) new double[2][3]).see(new int[2], k == 1 ? 1 : 2); }
    public static void main(String[] a) {
        for (; k < 3; k++) try { fail(); } catch (ClassCastException e) { System.out.println(k); }
    }
}
J
# Code that is not woven enters a constructor with the values of a static call, and the other way round: the receiver,
# which no event shows, is in front of them or not.
cat >"$WORK/i/Between.java" <<'J'
public class Between {
    final int v;
    final String s;
    Between(int k, String s) { v = k; this.s = s; if (k == 3) throw new IllegalArgumentException("three"); }
    @Generated static class Factory {
        static Between make(int k, String s) { return new Between(k, s); }
        final int v;
        Factory(int k, long l) { v = twice(k, l); }
        Factory(int k) { v = new Between(k, "own").v; }
        Between other(int k, String s) { return new Between(k, s); }
    }
    @interface Generated { }
    static int twice(int k, long l) { return (int) (k * l); }
    public static void main(String[] a) {
        for (int i = 1; i < 5; i++)
            try {
                System.out.println(Factory.make(i, "made").v + new Factory(i, 1L << i).v + new Factory(i).v +
                    new Factory(i).other(i, "other").v);
            } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
    }
}
J
# A NaN is returned to a class initialiser that is not woven, in the middle of straight code.
cat >"$WORK/i/NotNumber.java" <<'J'
public class NotNumber {
    @Generated static class Init {
        static int v = 1;
        static { nan(0); }
    }
    @interface Generated { }
    static double nan(double d) { return d / d; }
    static int sum(int k) {
        int t = k;
        t += 3;
        t += Init.v;
        t += 4;
        return t;
    }
    public static void main(String[] a) { System.out.println(sum(1) + sum(2)); }
}
J
# A constructor fails in super(...) in the middle of another super(...), and code that is not woven goes on.
cat >"$WORK/i/Swallowed.java" <<'J'
public class Swallowed {
    @interface Generated { }
    @Generated static class Throws { Throws() { throw new IllegalStateException("no"); } }
    static class Part extends Throws {
        int p;
        Part(int k) { super(); p = k; }
    }
    @Generated static class Base {
        Base(int a) {
            try { new Part(a); } catch (IllegalStateException e) { }
        }
    }
    static class Sub extends Base {
        int f;
        Sub(int a, int b) {
            super(a);
            int c = a * 100 + b;
            f = c;
        }
    }
    public static void main(String[] a) { System.out.println(new Sub(1, 7).f + new Sub(2, 7).f); }
}
J
# The JVM numbers the classes of lambdas.
cat >"$WORK/i/FirstLambda.java" <<'J'
public class FirstLambda {
    public static void main(String[] a) {
        Runnable r = () -> { };
        System.out.println(r.getClass().getName().replaceAll("/.*", ""));
    }
}
J
# The loader of a module layer asks its parent, which is woven, in the middle of code.
cat >"$WORK/i/Layer.java" <<'J'
import java.lang.module.*;
import java.nio.file.*;
import java.util.*;
public class Layer extends ClassLoader {
    static int asked;
    @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
        asked++;
        return super.loadClass(name);
    }
    public static void main(String[] a) throws Exception {
        ModuleFinder finder = ModuleFinder.of(Path.of(System.getProperty("layer")));
        Configuration c = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("inlayer"));
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(c, new Layer());
        Object n = layer.findLoader("inlayer").loadClass("p.InLayer").getMethod("literal", int.class).invoke(null, 2);
        System.out.println(n + " " + asked);
    }
}
J
mkdir -p "$WORK/il"
echo 'package q; public class Used { }' >"$WORK/il/Used.java"
cat >"$WORK/il/InLayer.java" <<'J'
package p;
public class InLayer {
    public static int literal(int k) {
        int[] a = new int[1];
        a[0] = k;
        int t = k;
        t *= k;
        a[0] = t;
        t++;
        Class<?> c = q.Used.class;
        t++;
        return c == null ? 0 : t;
    }
}
J
compile "$WORK/ilc" "$WORK"/il/*.java
"$JDK/bin/jar" cf "$WORK/inlayer.jar" -C "$WORK/ilc" p || fail "no jar of the module"
# What a method returns is narrowed before its caller has it; so is what is stored. Another exception than the one that
# left a method reaches its caller, where monitors are not balanced.
compile "$WORK/ic" "$WORK"/i/*.java "$here"/jvm/{Narrowed,Unbalanced,Loaders}.java "$here/jvm/lib/Assembler.java"
for name in Initializers Factory Seeds TooLong Remainders Unborn Narrowed Unbalanced Elements Properties Layer \
    Loaders Between NotNumber Swallowed; do
    for option in off on; do
        trace=$WORK/$name.$option
        jvm=("-Dlayer=$WORK/inlayer.jar")
        # the verifier asks loaders too, in an order that depends on the woven code
        [ $name != Loaders ] || jvm+=(-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote)
        record "$trace" skip=generated,derive=$option,dump=true,quiet=true "${jvm[@]}" \
            -cp "$WORK/ic:$WORK/ilc" $name returns >/dev/null
        "$HINDSIGHT" print --json "$trace" | sed 's,Lambda[^"]*/0x[0-9a-f]*,Lambda,g' >"$trace.json"
        [ "${PIPESTATUS[0]}" = 0 ] || fail "$name, derive=$option: print"
        "$HINDSIGHT" fsck "$trace" >"$WORK/out" || fail "$name, derive=$option: fsck: $(head -n 2 "$WORK/out")"
    done
    # where all classes are woven again they get other data IDs
    [ $name != Properties ] || sed -i 's/"dataid":[0-9]*,//' "$WORK/$name".{off,on}.json
    [ -s "$WORK/$name.off.json" ] && cmp "$WORK/$name.off.json" "$WORK/$name.on.json" ||
        fail "$name: derive=on has other events"
done
"$JAVA" -cp "$WORK/ic" FirstLambda >"$WORK/plain"
record "$WORK/lambda" derive=on,quiet=true -cp "$WORK/ic" FirstLambda >"$WORK/out"
cmp -s "$WORK/plain" "$WORK/out" || fail "FirstLambda: $(cat "$WORK/out"), without the agent $(cat "$WORK/plain")"
# A method that takes no code for its 31,900 slots of locals: 600 frames have more registers than 2^24.
{
    echo 'public class Slots {'
    echo "    static int down(int k) { long $(seq -f 'a%.0f' -s, 1 15950);"
    echo '        long last = k; if (k > 0) last += down(k - 1); return (int) last; }'
    echo '    static void run(int k) { System.out.println(down(k)); }'
    echo '    public static void main(String[] a) throws Exception {'
    echo '        Thread t = new Thread(null, () -> run(Integer.parseInt(a[0])), "deep", 2000L << 20);'
    echo '        t.start(); t.join();'
    echo '    }'
    echo '}'
} >"$WORK/i/Slots.java"
# A recursion that is deeper than 2^20 frames.
cat >"$WORK/i/Deep.java" <<'J'
public class Deep {
    static int down(int k) { if (k == 0) return 1; int t = down(k - 1); return t + 1; }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(null, () -> System.out.println(down(Integer.parseInt(a[0]))), "deep", 1000L << 20);
        t.start(); t.join();
    }
}
J
compile "$WORK/dc" "$WORK/i/Slots.java" "$WORK/i/Deep.java"
for run in "Slots 600" "Deep 1048580"; do
    # shellcheck disable=SC2086
    record "$WORK/deep" derive=on,quiet=true -cp "$WORK/dc" $run >/dev/null
    "$HINDSIGHT" fsck "$WORK/deep" >"$WORK/out" 2>&1 || fail "$run: fsck: $(head -n 2 "$WORK/out")"
    rm -rf "$WORK/deep"
done
if [ "${1:-}" = --all ]; then # what is more than is followed: 2^27 slots, and 2^26 in fsck
    record "$WORK/more" derive=on,quiet=true -cp "$WORK/dc" Slots 4300 >/dev/null
    "$HINDSIGHT" info "$WORK/more" >/dev/null 2>"$WORK/out"; status=$?
    [ $status = 3 ] && grep -q 'more slots than are followed' "$WORK/out" || fail "Slots 4300: $(cat "$WORK/out")"
    rm -rf "$WORK/more"
    record "$WORK/more" derive=on,quiet=true -cp "$WORK/dc" Slots 2500 >/dev/null
    "$HINDSIGHT" info "$WORK/more" >/dev/null 2>"$WORK/out" || fail "Slots 2500: $(cat "$WORK/out")"
    "$HINDSIGHT" fsck "$WORK/more" >"$WORK/out" 2>&1; status=$?
    [ $status = 1 ] && grep -q 'more than fsck follows' "$WORK/out" || fail "Slots 2500: fsck: $(cat "$WORK/out")"
    rm -rf "$WORK/more"
fi
# Far from the begin: the index is built up to there, which the next question finds, and the rest of it later.
cat >"$WORK/i/Far.java" <<'J'
public class Far {
    static int sum;
    public static void main(String[] a) { for (int i = 0; i < 2500000; i++) sum += i ^ sum; System.out.println(sum); }
}
J
compile "$WORK/dc" "$WORK/i/Far.java"
for option in off on; do
    record "$WORK/far.$option" derive=$option,quiet=true -cp "$WORK/dc" Far >/dev/null
    "$HINDSIGHT" print --from 17000000 --limit 1000 --json "$WORK/far.$option" |
        sed 's/"ns":[0-9]*,*//' >"$WORK/far.$option.json"
done
[ -s "$WORK/far.off.json" ] && cmp "$WORK/far.off.json" "$WORK/far.on.json" || fail "Far: derive=on has other events"
[ ! -e "$WORK/far.off/index" ] && [ -s "$WORK/far.on/index" ] || fail "Far: which traces have an index"
"$HINDSIGHT" print --from 17000000 --limit 1000 --json "$WORK/far.on" | sed 's/"ns":[0-9]*,*//' |
    cmp - "$WORK/far.on.json" || fail "Far: with an index the events are others"
"$HINDSIGHT" index "$WORK/far.on" >"$WORK/out" || fail "Far: index: $(cat "$WORK/out")"
cp "$WORK/far.on/index" "$WORK/parts"
rm "$WORK/far.on/index"
"$HINDSIGHT" index "$WORK/far.on" >"$WORK/out"
cmp "$WORK/parts" "$WORK/far.on/index" || fail "Far: an index that was built in parts is another one"
rm -rf "$WORK"/far.*
# A Java agent whose transformer is woven, however it comes: the JVM calls it when it loads a class.
cat >"$WORK/i/Transforms.java" <<'J'
import java.lang.instrument.*;
public class Transforms implements ClassFileTransformer {
    static int seen;
    static class A { }
    static class B { }
    public byte[] transform(ClassLoader l, String name, Class<?> c, java.security.ProtectionDomain d, byte[] b) {
        if (name != null && name.startsWith("Transforms")) seen++;
        return null;
    }
    public static void premain(String a, Instrumentation i) { i.addTransformer(new Transforms()); }
    public static void agentmain(String a, Instrumentation i) { premain(a, i); }
    static int literal(int k) { int t = k; t += 3; Class<?> c = A.class; t++; return c == null ? 0 : t; }
    static int instance(Object o, int k) { int t = k; t += 3; boolean b = o instanceof B; t++; return b ? t : 1; }
    public static void main(String[] a) { System.out.println(literal(1) + instance("", 2) + seen); }
}
J
compile "$WORK/tc" "$WORK/i/Transforms.java"
printf 'Premain-Class: Transforms\nLauncher-Agent-Class: Transforms\nMain-Class: Transforms\n' >"$WORK/manifest"
"$JDK/bin/jar" cfm "$WORK/transforms.jar" "$WORK/manifest" -C "$WORK/tc" . || fail "no jar of the Java agent"
transforms() { # NAME OPTIONS...: fsck knows where other code may run
    local trace=$WORK/$1; shift
    record "$trace" derive=on,quiet=true "$@" >/dev/null
    "$HINDSIGHT" fsck "$trace" >"$WORK/out" || fail "$trace: $(head -n 2 "$WORK/out")"
    "$HINDSIGHT" print "$trace" --text 'Transforms$A' --event METHOD_PARAM | grep -q transform ||
        fail "$trace: the transformer was not called for a class of the program"
}
transforms library "-agentlib:instrument=$WORK/transforms.jar" -cp "$WORK/transforms.jar" Transforms
transforms launcher -jar "$WORK/transforms.jar"
# One that is asked behind us, and changes a constant: the values are those of the code that runs.
cat >"$WORK/i/Changes.java" <<'J'
import java.lang.instrument.*;
public class Changes implements ClassFileTransformer {
    static class Changed { static int next(int k) { int t = k + 123456; return t; } }
    public byte[] transform(ClassLoader l, String name, Class<?> c, java.security.ProtectionDomain d, byte[] b) {
        if (!"Changes$Changed".equals(name)) return null;
        byte[] changed = b.clone();
        for (int i = 0; i + 4 < b.length; i++) // the constant 0x1e240
            if (b[i] == 3 && b[i + 1] == 0 && b[i + 2] == 1 && b[i + 3] == (byte) 0xe2 && b[i + 4] == 0x40)
                changed[i + 4]++;
        return changed;
    }
    static Instrumentation instrumentation;
    public static void premain(String a, Instrumentation i) { i.addTransformer(new Changes(), true); }
    public static void agentmain(String a, Instrumentation i) { instrumentation = i; }
    public static void main(String[] a) throws Exception {
        int sum = Changed.next(1);
        if (instrumentation != null) { // it is loaded already
            premain(null, instrumentation);
            instrumentation.retransformClasses(Changed.class);
        }
        System.out.println(sum + Changed.next(2));
    }
}
J
compile "$WORK/cc" "$WORK/i/Changes.java"
printf '%s: Changes\n' Premain-Class Launcher-Agent-Class Main-Class >"$WORK/manifest"
echo 'Can-Retransform-Classes: true' >>"$WORK/manifest"
"$JDK/bin/jar" cfm "$WORK/changes.jar" "$WORK/manifest" -C "$WORK/cc" . || fail "no jar of the Java agent"
changes() { # JVM-OPTIONS...
    local option
    for option in off on; do
        record "$WORK/changes.$option" derive=$option,quiet=true "$@" >/dev/null
        "$HINDSIGHT" print --class 'Changes$Changed' --json "$WORK/changes.$option" |
            sed -E 's/"(seq|dataid)":[0-9]*,//g' >"$WORK/changes.$option.json"
    done
    grep -q '"value":12345[89]' "$WORK/changes.off.json" && cmp "$WORK"/changes.{off,on}.json ||
        fail "$*: derive=on has other values"
    rm -rf "$WORK"/changes.{off,on}
}
changes "-javaagent:$WORK/changes.jar" -cp "$WORK/changes.jar" Changes
changes -jar "$WORK/changes.jar"
# The agent of a debugger that does not come changes nothing.
for debugger in -agentlib:jdwp= -Xrunjdwp:; do
    record "$WORK/debugged" derive=on,quiet=true -cp "$WORK/ic" \
        "${debugger}transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0" Remainders
    "$HINDSIGHT" fsck "$WORK/debugged" >"$WORK/out" || fail "$debugger: fsck: $(head -n 2 "$WORK/out")"
    "$HINDSIGHT" expand "$WORK/debugged" -o "$WORK/debugged.whole" >"$WORK/out" 2>&1
    grep -qE '[1-9][0-9]* chunks were derived' "$WORK/out" || fail "$debugger: $(cat "$WORK/out")"
    rm -rf "$WORK/debugged" "$WORK/debugged.whole"
done
# One that comes while the program runs sets variables: from then on nothing follows from the code.
cat >"$WORK/i/Attached.java" <<'J'
public class Attached {
    static int late(int k) {
        int t = k;
        t += 3;
        return t; // line 5
    }
    static long early(int n) { long t = 0; for (int i = 0; i < n; i++) t += t ^ i; return t; }
    static int call(int k) { return late(k) * 2; }
    public static void main(String[] a) throws Exception {
        long sum = early(100_000);
        int n = 0, r;
        while ((r = call(++n)) < 8000) Thread.sleep(5);
        System.out.println(r + " " + sum);
    }
}
J
cat >"$WORK/debugs.py" <<'PY'
import re, subprocess, sys
from jdb import RUNNING, Jdb

program = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
port = re.search(r"(\d+)$", program.stdout.readline())[1]
jdb = Jdb(sys.argv[1], "-attach", port, prompt=RUNNING)
jdb.ask("stop at Attached:5", RUNNING)
jdb.until_prompt(rb"main\[1\] $")
jdb.ask("set t = 5000")
jdb.ask("clear Attached:5")
jdb.process.stdin.write(b"cont\n")
print(program.stdout.readlines()[-1].split()[0])
jdb.process.kill()
PY
compile "$WORK/ac" "$WORK/i/Attached.java"
PYTHONPATH=$here/clients/jdwp timeout -s KILL 120 python3 "$WORK/debugs.py" "$JDK/bin/jdb" "$JAVA" \
    "-agentpath:$AGENT=output=$WORK/debugged,format=omni,quiet=true" -cp "$WORK/ac" \
    -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0 Attached >"$WORK/out" 2>&1
[ "$(tail -n 1 "$WORK/out")" = 10000 ] || fail "a debugger comes: $(cat "$WORK/out")"
"$HINDSIGHT" print "$WORK/debugged" --class Attached --json | tail -n 100 >"$WORK/events"
grep '"method":"late"' "$WORK/events" | grep -q '"event":"METHOD_NORMAL_EXIT".*"value":5000' &&
    grep '"method":"call"' "$WORK/events" | grep -q '"event":"METHOD_NORMAL_EXIT".*"value":10000' ||
    fail "a debugger comes: its value is not in the trace: $(tail -n 5 "$WORK/events")"
"$HINDSIGHT" expand "$WORK/debugged" -o "$WORK/debugged.whole" >"$WORK/out" 2>&1
grep -qE '[1-9][0-9]* chunks were derived' "$WORK/out" || fail "before a debugger came: $(cat "$WORK/out")"
"$HINDSIGHT" info "$WORK/debugged" --json | grep -q '"whole_because":"a debugger is connected"' ||
    fail "info does not tell of a debugger"
rm -rf "$WORK/debugged" "$WORK/debugged.whole"
# info tells why there are hooks for more than inputs.
because() { # REASON OPTIONS [JVM-OPTION...]
    local why=$1 options=$2; shift 2
    record "$WORK/because" "$options,quiet=true" "$@" -cp "$WORK/ic" Elements >/dev/null
    "$HINDSIGHT" info "$WORK/because" --json >"$WORK/info"
    [ "$(json "$WORK/info" 'd.get("whole_because", "")')" = "$why" ] || fail "$options: not because of: $why"
    rm -rf "$WORK/because"
}
because '' derive=on
because '' timestamp=true,freeze=Elements
because 'derive=off' derive=off
because 'percall=' percall=50
because 'logstart= or logend= without derive=on' 'logend=#fail##'
because '' 'logend=#fail##,derive=on'
because 'onfull=drop-oldest' maxbytes=64M,onfull=drop-oldest
because 'weave= leaves out what others follow from' weave=EXEC+CALL
because 'order=total' order=total
because 'the filter includes classes of the JDK' i=java/util/zip/
because 'a Java agent has come' derive=on "-agentlib:instrument=$WORK/transforms.jar"
code() { stat -c %s "$WORK/Initializers.$1/woven/Initializers.class"; }
[ "$(code on)" -lt "$(code off)" ] || fail "Initializers: derive=on has as many hooks: $(code on) of $(code off) bytes"

compile "$WORK/c" "$here/cli/Filler.java"
record "$WORK/clean" derive=on,quiet=true -cp "$WORK/c" Filler 2 20000 >/dev/null
# Behind a failure all events are counted, those without a hook too: of frames that were open, of classes and threads
# that come later, behind exceptions.
cat >"$WORK/i/Bounded.java" <<'J'
import java.util.Random;
public class Bounded {
    static class Late { static long times(long x) { for (int k = 0; k < 3; k++) x = x * 31 + k; return x; } }
    static long calls;
    static long step(Random r, int i) {
        if (i % 1000 == 7) throw new IllegalStateException("at " + i);
        return r.nextLong();
    }
    static long call(Random r, int i) {
        try { return step(r, i); } catch (IllegalStateException e) { return i; } finally { calls++; }
    }
    static long run(int seed, int rounds) {
        Random r = new Random(seed);
        long t = 0;
        for (int i = 0; i < rounds; i++) t ^= i < rounds / 2 ? call(r, i) : Late.times(call(r, i));
        return t;
    }
    public static void main(String[] a) throws Exception {
        long sum = run(1, 1_000_000);
        Thread t = new Thread(() -> System.out.println(run(2, 300_000)));
        t.start();
        t.join();
        System.out.println(sum + calls);
        if (a.length > 0) while (true) sum += run(3, 1000);
    }
}
J
compile "$WORK/bc" "$WORK/i/Bounded.java"
record "$WORK/unbound" derive=on,quiet=true -cp "$WORK/bc" Bounded >"$WORK/plain"
"$HINDSIGHT" info --json "$WORK/unbound" >"$WORK/info"
happened=$(json "$WORK/info" 'd["events"]')
for option in on off; do
    record "$WORK/bound" derive=$option,maxbytes=8M -cp "$WORK/bc" Bounded >"$WORK/out" 2>"$WORK/err"
    cmp "$WORK/plain" "$WORK/out" || fail "derive=$option, at a bound: the program does something else"
    "$HINDSIGHT" info --json "$WORK/bound" >"$WORK/info" 2>/dev/null
    lost=$(sed -nE 's/.*maxbytes=.* is reached; ([0-9,]+) events lost.*/\1/p' "$WORK/err" | tr -d ,)
    [ "${lost:-0}" = "$(json "$WORK/info" 'd["lost"]')" ] && [ "${lost:-0}" -gt 0 ] &&
        [ "$(json "$WORK/info" 'd["events"] + d["lost"]')" = "$happened" ] && ! grep -q at_least "$WORK/info" ||
        fail "derive=$option, at a bound: $happened events; $(cat "$WORK/err")"
    rm -rf "$WORK/bound"
    # killed behind it: what was counted is told
    rm "$WORK/out" # of the run before: it has as many lines
    "$JAVA" "-agentpath:$AGENT=output=$WORK/bound,format=omni,derive=$option,maxbytes=8M,quiet=true" -cp "$WORK/bc" \
        Bounded on >"$WORK/out" &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        [ "$(wc -l <"$WORK/out" 2>/dev/null)" != 2 ] || break # the events of `unbound` have happened
        sleep 0.1
    done
    "$HINDSIGHT" status "$WORK/bound" >"$WORK/told"
    grep -q '^ended early, trace .*; the bound maxbytes=8388608 is reached$' "$WORK/told" ||
        fail "derive=$option, at a bound: status: $(cat "$WORK/told")"
    kill -9 $pid
    wait $pid 2>/dev/null
    "$HINDSIGHT" info --json "$WORK/bound" >"$WORK/info" 2>"$WORK/err"
    grep -q '"lost_at_least":true' "$WORK/info" && grep -q 'incomplete: at least [1-9]' "$WORK/err" &&
        [ "$(json "$WORK/info" 'd["events"] + d["lost"]')" -gt $((happened * 9 / 10)) ] ||
        fail "derive=$option, killed behind a bound: $(cat "$WORK/err")"
    "$HINDSIGHT" fsck "$WORK/bound" >"$WORK/out" 2>&1
    grep -q ' 0 violations' "$WORK/out" || fail "derive=$option, killed behind a bound: $(head -n 3 "$WORK/out")"
    rm -rf "$WORK/bound"
done
"$JAVA" "-agentpath:$AGENT=output=$WORK/killed,format=omni,derive=on,quiet=true" -cp "$WORK/c" Filler 2 100000000 \
    >/dev/null &
pid=$!
# From the first chunk on it can be read. It is killed soon, since all of it is proved below, twice.
for ((i = 0; i < 1200; i++)); do [ ! -e "$WORK/killed" ] || break; sleep 0.05; done
for ((i = 0; i < 12; i++)); do
    "$HINDSIGHT" print "$WORK/killed" --limit 1 >/dev/null 2>"$WORK/out"
    ! grep damaged "$WORK/out" || fail "a trace that is being recorded is called damaged"
    now=$(events_now "$WORK/killed" 2>/dev/null)
    ((i < 3)) || [ "${now:-0}" -le 3000000 ] || break
done
until_events "$WORK/killed" 1000000
kill -9 $pid
wait $pid 2>/dev/null
for trace in "$WORK/clean" "$WORK/killed"; do
    name=$(basename "$trace") want=0
    [ "$name" = clean ] || want=3 # the recording ended with a crash
    "$HINDSIGHT" recover "$trace" >/dev/null 2>&1
    "$HINDSIGHT" fsck "$trace" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || { fail "$name: fsck: exit status $status"; head -n 5 "$WORK/out"; }
    grep -q ' 0 violations' "$WORK/out" || fail "$name: $(head -n 5 "$WORK/out")"
    "$HINDSIGHT" expand "$trace" -o "$trace.whole" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || fail "$name: expand: exit status $status: $(cat "$WORK/out")"
    grep -qE '[1-9][0-9]* chunks were derived' "$WORK/out" || fail "$name: no chunk is derived: $(cat "$WORK/out")"
    "$HINDSIGHT" fsck "$trace.whole" >"$WORK/out" 2>&1; status=$?
    [ $status = $want ] || { fail "$name.whole: fsck: exit status $status"; head -n 5 "$WORK/out"; }
done
"$here/same-answers/run.sh" --quick --expand "$HINDSIGHT" "$HINDSIGHT" "$WORK/clean" >"$WORK/out" 2>&1 ||
    { fail "the answers differ"; head -n 20 "$WORK/out"; }
tail -n 1 "$WORK/out"

"$HINDSIGHT" expand "$WORK/clean" -o "$WORK/killed" >"$WORK/out" 2>&1 && fail "expand into a trace that is there"
grep -q 'exists already' "$WORK/out" || fail "expand into a trace that is there: $(cat "$WORK/out")"
"$HINDSIGHT" expand "$WORK/clean" >"$WORK/out" 2>&1; status=$?
[ $status = 2 ] || fail "expand without -o: exit status $status"
finish
