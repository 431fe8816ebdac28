#!/bin/bash
# fold.sh: fold=trivial leaves out methods that do next to nothing, and no other; what is recorded beside them is right.
#
# test: agent.fold
# labels: agent
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
mkdir src
cat >src/Fold.java <<'J'
public class Fold {
    int n = 7;
    int[] cells = { 1, 2, 3 };
    Object box = "text";
    static String name = "fold";

    // trivial
    int get() { return n; }
    static int seven() { return 7; }
    static String text() { return "constant"; }
    static Object same(Object o) { return o; }
    double half() { return n * 0.5; }
    String cast() { return (String) box; }
    int length() { return cells.length; }
    static String name() { return name; }
    void nothing() { }
    // trivial where FIELD is not woven
    void set(int n) { this.n = n; }

    // not
    int choose(boolean b) { return b ? n : 0; }
    int calls() { return get(); }
    Object makes() { return new Object(); }
    int cell(int i) { return cells[i]; }
    int divides(int by) { return n / by; }
    synchronized int locked() { return n; }
    static Class<?> constant() { return Fold.class; }
    int guarded(Fold other) { try { return other.n; } catch (NullPointerException e) { return -1; } }
    @interface Generated { }
    @Generated static int made(int by) { return 12 / by; }
    int stores(int a) { int b = a + 1; return b; }

    public static void main(String[] args) {
        Fold f = new Fold(), none = null;
        Object sum = f.get() + seven() + text() + same("x") + f.half() + f.cast() + f.length() + name() + f.choose(true)
            + f.calls() + (f.makes() != null) + f.cell(1) + f.divides(2) + f.locked() + constant() + f.guarded(none)
            + f.stores(3) + made(4);
        f.nothing();
        f.set(9);
        try {
            none.get();
        } catch (NullPointerException e) {
            sum = sum + " null";
        }
        System.out.println(sum + " " + f.n);
    }
}
J
run() { "$JAVA" "-agentpath:$AGENT=output=$1,$2" -Xverify:all -cp c Fold >out 2>err || fail "$1: $(cat err)"; }
compile c src/Fold.java || die "Fold does not compile"
"$JAVA" -cp c Fold >plain
trivial="cast get half length name nothing same seven text"
other="calls cell choose constant divides guarded locked made main makes stores"
setting="calls cell choose constant divides guarded locked made main makes set stores"
check() { # TRACE TRIVIAL OTHER
    "$HINDSIGHT" fsck "$1" >/dev/null || fail "$1: fsck"
    entered=$("$HINDSIGHT" print "$1" --event METHOD_ENTRY --json | sed -E 's/.*"method":"([^"]*)".*/\1/' |
        grep -v '<' | sort -u | tr '\n' ' ')
    [ "$entered" = "$3 " ] || fail "$1 enters $entered, not $3"
    count=$(wc -w <<<"$2")
    "$HINDSIGHT" info "$1" --json | grep -q "\"folded\":$count,.*\"not_woven\":\[\]" || fail "$1: not $count are folded"
    "$HINDSIGHT" info "$1" | grep -q "^folded     $count trivial methods" || fail "$1: info does not say $count"
}
for run in "all format=omni,weave=ALL" "whole format=omni,weave=ALL,derive=off" \
    "few format=omni,weave=EXEC+CALL+PARAM" "last weave=EXEC+CALL+PARAM,dump=true"; do
    read -r name options <<<"$run"
    run "$name" "fold=trivial,$options"
    cmp -s plain out || fail "$name: it prints something else"
done
check all "$trivial" "$setting"
check whole "$trivial" "$setting"
check few "$trivial set" "$other"
# a call of one stands in its caller, with its result, and throws what it threw
value=$("$HINDSIGHT" print few --event CALL_RETURN --json | grep -c '"value":7[,}]')
((value >= 2)) || fail "the results of folded calls are missing"
"$HINDSIGHT" print few --event METHOD_EXCEPTIONAL_EXIT --json 2>/dev/null | grep -q . &&
    fail "a method was left by an exception"
"$HINDSIGHT" print few --event CATCH --json | grep -c NullPointerException | grep -qx 2 ||
    fail "two exceptions were caught"
# format=latest: a call of a method further down in the class that is left out does not enter woven code at once
direct() {
    "$JDK/bin/javap" -c -p "$(find "$1" -name Fold.class)" | sed -n '/ main(/,/Exception table/p' |
        grep -c 'Hook.direct'
}
run left skip=generated,weave=EXEC+CALL+PARAM,dump=true
[ "$(direct last)" = 3 ] || fail "fold: main makes $(direct last) such calls, not those of <init>, constant, made"
[ "$(direct left)" = 6 ] || fail "skip: main makes $(direct left) such calls, not 6"
run times fold=trivial,format=timing
"$HINDSIGHT" report times --json | grep -q '"method":"get"' && fail "timing has a folded method"
one_line 1 'fold=all.*trivial' "$JAVA" "-agentpath:$AGENT=output=x,fold=all" -cp c Fold
finish "what is trivial is folded"
