#!/bin/bash
# `hindsight redact`: a copy of a trace in which a text and a number are nowhere, whose answers are sound, and which
# says the same of everything else. The trace itself stays as it was.
#
# test: cli.redact
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Old.java <<'J'
public class Old {
    static int pin; static double rate; static long big = 77110011L;
    static String key = "hunter2-größe";
    static int read(String s) { return Integer.parseInt(s); }
    public static void main(String[] a) throws Exception {
        String secret = new StringBuilder("ssorg-7ff").reverse() + a[0], wide = secret + "\u20ac" + key;
        pin = read(a[0]); rate = pin;
        int other = 77110011, small = 77;
        Thread t = new Thread(() -> { }, "of " + secret);
        t.start(); t.join();
        try { throw new IllegalStateException("bad " + secret); }
        catch (IllegalStateException e) { System.out.println(pin == other ? wide.length() : small); }
    }
}
J
compile c Old.java -- -g -encoding UTF-8
printf '77110011\n\nff7-gross\nhunter2-größe\n' >secrets
search() { # FOLDER: what of the secrets is in its files, or in answers about it
    for what in print strings exceptions threads info dataids classes; do "$HINDSIGHT" $what "$1" --json; done >"$1.all"
    python3 - "$1" "$1.all" secrets <<'PY'
import glob, sys
files = glob.glob(sys.argv[1] + "/**", recursive=True) + [sys.argv[2]]
for secret in open(sys.argv[3], encoding="utf-8").read().split():
    forms = [secret.encode(c) for c in ("utf-8", "latin-1", "utf-16-le", "utf-16-be")]
    for name in files:
        try: data = open(name, "rb").read()
        except IsADirectoryError: continue
        if any(f in data for f in forms): print(secret, "in", name)
PY
}
for derive in on off; do
    record t$derive derive=$derive,dump=true -Dkey=hunter2-größe -cp c Old 77110011 >out || die "Old does not run"
    "$HINDSIGHT" index t$derive >/dev/null
    cp t$derive/data.mdb before
    "$HINDSIGHT" redact t$derive --out u$derive --secret - <secrets >said || fail "redact: exit status $?"
    cmp before t$derive/data.mdb || fail "the trace itself has changed"
    grep -qE "^[1-9][0-9]* texts and [1-9][0-9]* numbers replaced in u$derive\$" said || fail "redact says: $(cat said)"
    [ "$(search t$derive | wc -l)" -gt 5 ] || fail "the secrets are not in the trace: the test sees nothing"
    found=$(search u$derive); [ -z "$found" ] || fail "derive=$derive: $found"
    "$HINDSIGHT" fsck u$derive >out 2>&1 || fail "fsck: $(head -n 4 out)"
    python3 "$ROOT/test/cli/redact_same.py" t$derive.all u$derive.all ||
        fail "derive=$derive: the copy says something else of other things"
done
# copies of objects (values.def): numbers in them are 0, a text that is made of several is gone; the others stay
cat >Copied.java <<'J'
import java.math.*; import java.time.*; import java.util.*;
public class Copied {
    record Card(String name, long number, double rate) {}
    static void show(Object o) {}
    static int past(int x) { return x > 5 ? x + 1 : 2; } // the copy has another x
    public static void main(String[] a) {
        int n = Integer.parseInt(a[0]);
        show(n); show((long) n); show((float) n); show((double) n); show(OptionalInt.of(n)); show(OptionalDouble.of(n));
        show(Optional.of(n)); show(List.of("pin", n)); show(new Card("mine", n, n)); show(new BigDecimal(a[0] + ".00"));
        show(BigInteger.valueOf(n)); show(new BigInteger(a[1])); show(new BigDecimal(a[1]));
        show(UUID.fromString(a[2]));
        show(past(n));
        LocalDate day = LocalDate.parse(a[3]);
        show(day); show(day.atTime(8, 15)); show(Instant.ofEpochSecond(n)); show(Duration.ofSeconds(n));
        show(1234567); show(new Card("other", 1234568, 0.5)); show(LocalDate.of(2001, 2, 3));
        show(new BigInteger("5" + a[3].substring(0, 4)));
    }
}
J
compile c Copied.java -- -g
printf '%s\n' 77110011 918273645546372819100 550e8400-e29b-41d4-a716-446655440000 1987-03-14 >four
record copied derive=on -cp c Copied $(cat four) >out || die "Copied does not run"
"$HINDSIGHT" redact copied --out clean --secret - <four >said || fail "redact of copies: $(cat said)"
shown() { "$HINDSIGHT" print "$1" --class Copied --event METHOD_PARAM; }
for secret in 77110011 7.711001e+07 918273645546372819100 550e8400- 1987-03-14 1972-06-1; do
    shown copied | grep -qF -- "$secret" || fail "copies: $secret is not in the trace: the test sees nothing"
    ! shown clean | grep -F -- "$secret" || fail "copies: $secret is in the copy"
done
for other in 1234567 'number=1234568, rate=0.5' 2001-02-03 51987 'name=mine, number=0, rate=0.0'; do
    shown clean | grep -qF -- "$other" || fail "copies: $other is not in the copy: $(shown clean)"
done
"$HINDSIGHT" fsck clean >out 2>&1 && grep -q '^numbers were removed' out || fail "copies: fsck: $(head -n 4 out)"
"$HINDSIGHT" fsck copied >out 2>&1 && ! grep -q 'removed' out || fail "fsck of the trace itself: $(head -n 4 out)"
# a text alone leaves the chunks derived; a copy in the place of something is refused, and so is what cannot be found
"$HINDSIGHT" redact ton --out texts --secret ff7-gross --json | grep -qE '^\{"texts":[1-9][0-9]*,"numbers":0\}$' ||
    fail "a text alone"
"$HINDSIGHT" info texts --json | grep -q '"derived_chunks":[1-9]' || fail "the chunks were expanded for a text"
# secrets that overlap, the shorter one first, and one that overlaps itself
printf '%s\n' ff7-g ff7-gro 7-gross7 1100 0011 | "$HINDSIGHT" redact ton --out over --secret - >said
"$HINDSIGHT" strings over | grep -qF '"**********7******"' || fail "overlapping: $("$HINDSIGHT" strings over)"
"$HINDSIGHT" redact ton --out none --secret nowhere-in-it | grep -q ': the secret was not found$' || fail "not found"
one_line 1 'texts: exists already' "$HINDSIGHT" redact ton --out texts --secret ff7-gross
one_line 2 'a secret of 3 bytes' "$HINDSIGHT" redact ton --out new --secret abc
one_line 2 '--secret TEXT is missing' "$HINDSIGHT" redact ton --out new
one_line 2 '--out DIR is missing' "$HINDSIGHT" redact ton --secret abcd
record latest format=latest -cp c Old 77110011 >out
one_line 1 'format=latest keeps numbers in another form' "$HINDSIGHT" redact latest --out new --secret 77110011
"$HINDSIGHT" redact latest --out lately --secret ff7-gross >said && ! "$HINDSIGHT" strings lately | grep -q ff7-gross ||
    fail "texts of format=latest"
[ ! -e new ] || fail "a refused copy was begun"
# a secret that was written to the output in pieces, and the beginning of one where a text or a message was cut
cat >Pieces.java <<'J'
public class Pieces {
    static void show(Object o) { }
    public static void main(String[] a) {
        String secret = new StringBuilder(a[0]).toString();
        System.out.print("pin " + secret.substring(0, 5));
        System.out.println(secret.substring(5) + " end");
        System.err.println("i".repeat(8182) + secret + " end");
        System.out.println("whole " + secret + "\nnext");
        show("c".repeat(30) + secret);
        try { throw new IllegalStateException("e".repeat(30) + secret); } catch (Exception e) { show(e); }
    }
}
J
compile c Pieces.java -- -g
record whole derive=on,stdout=true -cp c Pieces 'swördfish-99' >out 2>err || die "Pieces: $(head -n 3 err)"
record short derive=on,stdout=true,maxstring=40 -cp c Pieces 'swördfish-99' >out 2>err ||
    die "Pieces: $(head -n 3 err)"
for t in whole short; do
    "$HINDSIGHT" pack $t -o $t.hst --redact 'swördfish-99' >said || fail "pack --redact: $(cat said)"
    "$HINDSIGHT" fsck $t.hst >out 2>&1 || fail "pack --redact: fsck: $(head -n 4 out)"
    for what in print strings exceptions output; do "$HINDSIGHT" $what $t.hst --json; done >$t.answers
    for what in print strings exceptions output; do "$HINDSIGHT" $what $t --json; done >$t.before
done
outputs() { "$HINDSIGHT" output "$1" --json | grep -o '"text":"[^"]*"' | tr -s i; }
outputs whole | grep -q 'pin swördfish-99 end' && outputs whole | grep -q 'iswördfish-99 end' ||
    fail "the pieces are not in the output: the test sees nothing: $(outputs whole)"
! outputs whole.hst | grep -E 'pin [^*]|i[^*]*sw|dfish' || fail "pieces of the output: $(outputs whole.hst)"
outputs whole.hst | grep -q 'pin \** end' || fail "pieces: $(outputs whole.hst)"
grep -q 'cswördfish' short.before && grep -q 'eswördfish' short.before ||
    fail "nothing was cut: the test sees nothing"
! grep -E '[ce]sw' short.answers || fail "a text that was cut shows the beginning of the secret"
finish
