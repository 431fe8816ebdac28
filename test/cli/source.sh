#!/bin/bash
# --source: lines of the source beside what is shown, from a directory, a jar, and a zip with modules; what is missing
# is told once; the files and names may hold anything.
#
# test: cli.source
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
mkdir -p src/com/acme && cat >src/com/acme/Cart.java <<'J'
package com.acme;
public class Cart {
    int total;
    static class Item {
	int price = 7; // é
    }
    void add(Item item) {
        total += item.price;
    }
    static void fail() {
        throw new IllegalStateException("full");
    }
    public static void main(String[] args) {
        Cart cart = new Cart();
        cart.add(new Item());
        try { fail(); } catch (IllegalStateException e) { System.out.println(cart.total); }
    }
}
J
compile c src/com/acme/Cart.java || die "Cart does not compile"
record t "" -cp c com.acme.Cart >/dev/null 2>err || die "recording: $(cat err)"
mkdir modules && cp -r src modules/java.shop && "$JDK/bin/jar" cf cart-sources.jar -C src . &&
    "$JDK/bin/jar" cf src.zip -C modules . || die "no jars"
h=$HINDSIGHT

# every event has the line that its number says, whichever way the file is found; JSON and text are the same but for it
"$h" print t --json >plain
for path in src cart-sources.jar src.zip nowhere:src :src:; do
    mkdir -p nowhere
    "$h" print t --json --source $path >out 2>err || fail "print --source $path: $(cat err)"
    python3 - plain out src/com/acme/Cart.java <<'PY' || fail "print --json --source $path"
import json, sys
plain, rows = ([json.loads(l) for l in open(f)] for f in sys.argv[1:3])
lines = [l.strip() for l in open(sys.argv[3], encoding="utf-8")]
for r in rows:
    assert r.pop("source", None) == lines[r["line"] - 1], r
assert rows == plain and len(rows) > 20
PY
done
shows() { # LINE COMMAND...: the text has a row that ends with this line of the source
    local line=$1; shift
    "$h" "$@" t --source src >out 2>err || fail "$*: $(cat err)"
    grep -qF -- "  | $line" out || fail "$*: no row has '$line': $(head -n 5 out)"
    "$h" "$@" t >without && sed 's/  | .*//' out | cmp -s - without || fail "$*: other rows with --source"
    "$h" "$@" t --source src --json | grep -qF -- "\"source\":\"$line" || fail "$* --json: no '$line'"
}
seq=$(sed -nE '/PUT_INSTANCE_FIELD_VALUE.*"name":"total"/s/.*"seq":([0-9]+).*/\1/p' plain | tail -n 1)
shows 'total += item.price;' print
shows 'int price = 7; // é' print --group FIELD
shows 'Cart cart = new Cart();' tree
shows 'total += item.price;' tree --method add
shows 'total += item.price;' locals --at "$seq"
shows 'cart.add(new Item());' locals --at "$seq"
shows 'throw new IllegalStateException(' exceptions
shows 'total += item.price;' why "$seq"
shows 'total += item.price;' history Cart.total
shows 'total += item.price;' last-write Cart.total --before $((seq + 1))

# what is not there
one_line 1 "source gone: No such file" "$h" print t --source gone
one_line 1 "source plain: is neither a directory nor" "$h" print t --source plain
one_line 2 'source wants' "$h" print t --source :
"$h" print t --source nowhere >out 2>err && [ "$(grep -c 'source: there is no com/acme/Cart.java' err)" = 1 ] &&
    [ "$(wc -l <err)" = 1 ] && ! grep -q '  |' out || fail "a missing file: $(cat err)"

# a source of one huge line, of bytes that are no text, shorter than the line numbers, a folder, a pipe
hostile() { # WHAT: com/acme/Cart.java of `bad` is like this
    timeout 120 "$h" print t --source bad >out 2>err || fail "$1: exit status $?, $(cat err)"
    LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]' out && fail "$1: control characters are shown"
    [ "$(awk '{ if (length > n) n = length } END { print n + 0 }' out)" -lt 3000 ] || fail "$1: a long row"
}
mkdir -p bad/com/acme && file=bad/com/acme/Cart.java
head -c 20000000 /dev/zero | tr '\0' x >$file; hostile 'a huge line'
for _ in $(seq 20); do head -c 5000 /dev/zero | tr '\0' y; echo; done >$file; hostile 'long lines'
grep -q 'yyy\.\.\.$' out || fail "long lines are not cut"
head -c 100000 /dev/urandom >$file; hostile 'random bytes'
for _ in $(seq 20); do printf 'x\033[31m\0\rred\n'; done >$file; hostile 'control characters'
grep -qF '  | x\u001b[31m' out || fail "control characters: $(head -n 3 out)"
: >$file; hostile 'an empty file'
rm $file; mkdir $file; hostile 'a folder'
rmdir $file; mkfifo $file; hostile 'a pipe'
finish
