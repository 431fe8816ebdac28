#!/bin/bash
# format=timing of constructors that are left by an exception in this(...) or super(...), where no handler can record
# it: calls and exceptions are those that the program counts itself, whether the calls are timed or only counted.
#
# test: cli.timing-constructors
# labels: cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Makes.java <<'J'
public class Makes {
    static class Base {
        int x;
        Base(int x) { if (x % 3 == 0) throw FIXED; this.x = x; }
    }
    static class Derived extends Base { Derived(int x) { super(x + 1); } }
    static class Deep extends Derived {
        Deep(int x) { super(x); }
        Deep() { this(8); }                                   // 9: it throws
    }
    static class Rare extends Base { Rare(int x) { super(x); } }
    static class Sized extends java.util.ArrayList<Object> { Sized(int n) { super(n); } }
    static class Alone extends Base { Alone() { super(3); } }
    static class Nested extends Base { Nested(int n) { super(n > 0 ? new Nested(n - 1).x : 3); } }
    static final IllegalStateException FIXED = new IllegalStateException("fixed");
    static int deep, rare, sized, nested;

    static void make(int i) {
        try { if (i % 1000 == 0) new Deep(); else new Deep(i); } catch (IllegalStateException e) { deep++; }
    }
    static void rare(int i) { try { new Rare(i); } catch (IllegalStateException e) { rare++; } }
    static void sized(int n) { try { new Sized(n); } catch (IllegalArgumentException e) { sized++; } }
    static void nested(int n) { try { new Nested(n); } catch (IllegalStateException e) { nested++; } }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2_000_000; i++) {
            make(i);
            if (i % 100_000 == 0) { rare(i / 100_000); sized(i % 300_000 - 1); nested(4); }
        }
        Thread t = new Thread(() -> { new Alone(); });
        t.setUncaughtExceptionHandler((thread, e) -> { });
        t.start();
        t.join();
        System.out.println(deep + " " + rare + " " + sized + " " + nested);
    }
}
J
compile c Makes.java || die "the program does not compile"
"$JAVA" -cp c Makes >plain
for run in counted: timed:,logstart='Makes#main#.*#METHOD_ENTRY'; do
    name=${run%%:*}
    "$JAVA" "-agentpath:$AGENT=output=$name,format=timing${run#*:}" -Xverify:all -cp c Makes >out 2>err ||
        fail "$name: $(cat err)"
    cmp -s plain out || fail "$name: it prints something else: $(cat out)"
    "$HINDSIGHT" fsck $name >/dev/null || fail "$name: fsck"
    "$HINDSIGHT" report $name --json >report.json || fail "$name: report"
    # shellcheck disable=SC2046
    python3 - $name $(cat plain) <<'PY' || fail "$name: $("$HINDSIGHT" report $name)"
import json, sys
name, (deep, rare, sized, nested) = sys.argv[1], map(int, sys.argv[2:])
rows = {}
for r in map(json.loads, open("report.json")):
    if r["method"] == "<init>":
        rows[r["class"].split("$")[-1] + r["desc"]] = (r["calls"], r["exceptions"])
alone = {"Alone()V": (1, 1)}
want = {"Deep()V": (2_000, 2_000), "Deep(I)V": (2_000_000, deep), "Derived(I)V": (2_000_000, deep),
        "Rare(I)V": (20, rare), "Sized(I)V": (20, sized), "Nested(I)V": (100, 100), "Alone()V": (1, 1),
        "Base(I)V": (2_000_000 + 20 + 20 + 1, deep + rare + 20 + 1)}
assert nested == 20 and deep > 600_000, (nested, deep)
assert rows == want, (rows, want)
PY
done
"$HINDSIGHT" info counted | grep -q '^counted .*calls of [0-9]* short methods' || fail "nothing was counted"
"$HINDSIGHT" info timed | grep -q '^counted' && fail "with logstart= calls are counted"
finish "constructors that are left in super(...)"
