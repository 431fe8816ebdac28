#!/bin/bash
# weavecache=DIR: a run that takes its classes from there has the tables and events of one that wove them, whatever the
# data IDs are there; and a file or directory that cannot be trusted is never used.
#
# test: agent.weavecache
# labels: agent cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Works.java <<'J'
import java.util.*;
/** Prints nothing that differs between runs; which of its two halves are loaded first depends on the argument. */
public class Works {
    interface Shape { double area(); }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Circle(double r) implements Shape { public double area() { return 3 * r * r; } }
    static class Text { String of(String s, int n) { String t = ""; for (int i = 0; i < n; i++) t += s; return t; } }
    static int count(Object[] all) { int n = 0; for (Object o : all) try { n += ((String) o).length(); }
        catch (ClassCastException e) { n += 100; } return n; }
    static double shapes() {
        double sum = 0;
        for (Shape s : new Shape[] { new Square(2), new Circle(1) }) sum += s.area();
        return sum;
    }
    static int texts() { return count(new Object[] { new Text().of("ab", 3), 7, "x" }); }
    public static void main(String[] args) {
        System.out.println(args.length == 0 ? shapes() + " " + texts() : texts() + " " + shapes());
    }
}
J
compile c Works.java || die "the program does not compile"
run() { # TRACE OPTIONS ARGUMENT...
    local trace=$1 options=$2; shift 2
    record "$trace" "$options" -Xverify:all -cp c Works "$@" >"$trace.out" 2>"$trace.err" ||
        fail "$trace: $(cat "$trace.err")"
}
classes=4 # that have code; Shape has none
counts() { # TRACE USED MADE REFUSED
    "$HINDSIGHT" info "$1" --json >info.json
    local got; got=$(json info.json '[d["saved_used"], d["saved_made"], d["saved_refused"]]')
    [ "$got" = "[$2, $3, $4]" ] || fail "$1: used, made, refused are $got, not [$2, $3, $4]"
}
table() { # the JVM loads other classes in an order of its own
    if [ "$1" = woven ]; then "$HINDSIGHT" classes "$2" --json | grep '"class":"Works'; else
        "$HINDSIGHT" "$1" "$2" --json; fi
}
same() { # A B: everything but the times and places of the runs is equal
    for what in print methods woven dataids objects strings exceptions; do
        table $what "$1" >a.json; table $what "$2" >b.json
        [ -s a.json ] && cmp a.json b.json || fail "$what of $1 and $2 differ"
    done
    cmp "$1.out" "$2.out" || fail "the output of $1 and $2 differs"
    "$HINDSIGHT" fsck "$2" >/dev/null || fail "fsck $2"
}
run plain ''
run plain-x '' x
run cold weavecache=cache
[ "$(find cache -name '*.woven' | wc -l)" = $classes ] || fail "the cache has not $classes files: $(ls cache)"
[ "$(stat -c %a cache)" = 700 ] && [ -z "$(find cache -type f ! -perm 600)" ] || fail "others may read the cache"
counts cold 0 $classes 0
same plain cold
run warm weavecache=cache
counts warm $classes 0 0
same plain warm
run warm-x weavecache=cache x # the classes have other data IDs now
counts warm-x $classes 0 0
same plain-x warm-x
cp -r cache other
run whole weavecache=other,derive=off
counts whole 0 $classes 0 # other hooks, for every event
run whole-warm weavecache=other,derive=off
counts whole-warm $classes 0 0
same plain whole-warm
run groups weavecache=other,weave=EXEC # nothing of another configuration
counts groups 0 $classes 0
run total weavecache=other,order=total
counts total 0 $classes 0

# files that cannot be trusted: woven as without, replaced, one note
damage() { # NAME REASON
    run "$1" weavecache=cache
    grep -q "saved classes were not used: weavecache: .*: $2" "$1.err" || fail "$1: no note '$2': $(cat "$1.err")"
    [ "$(wc -l <"$1.err")" = 1 ] || fail "$1: more than one line"
    same plain "$1"
}
# the class that is loaded first is named, with its reason; the others are damaged too
mapfile -t files < <(grep -l -a 'class Works\|main' cache/*.woven; grep -L -a main cache/*.woven)
flip() { python3 - "$2" "$1" <<'PY'
import sys
f = open(sys.argv[1], "r+b"); b = bytearray(f.read()); b[int(sys.argv[2])] ^= 4
f.seek(0); f.write(b)
PY
}
link() { mv "$1" "$1.real"; ln -s "$(basename "$1").real" "$1"; }
other() { cp "${files[1]}" "$1"; } # the right checksum, another class
cut_to() { truncate -s "$1" "$2"; }
each() { # COMMAND: one damage for each file, separated by /
    local n=0 command
    while read -r -d / command; do $command "${files[n]}"; n=$((n + 1)); done <<<"$1/"
}
each 'cut_to -1/cut_to 50/cut_to 0/flip -40'
damage cut 'it is cut off'; counts cut 0 $classes $classes
run again weavecache=cache; counts again $classes 0 0
each 'flip -40/flip 3/flip 20/flip 200'
damage flipped 'its checksum is wrong'; counts flipped 0 $classes $classes
each 'flip 3/flip 50/flip 100/link'
damage magic 'it holds no woven class'; counts magic 0 $classes $classes
each 'flip 20/chmod 666/flip 40/flip 44'
damage version 'another version of the weaver'; counts version 0 $classes $classes
each 'chmod 620/link/chmod 602/flip -1'
damage writable 'other users may write it'; counts writable 0 $classes $classes
each 'link/flip 300/other/flip 150'
damage linked 'it is a symbolic link'; counts linked 0 $classes $classes
each other;                               damage foreign 'it is of another class';        counts foreign 3 1 1
rm -f cache/*.real
if [ "$(id -u)" = 0 ]; then
    chown 65534 cache/*.woven; damage owner 'it belongs to another user'
else
    echo "files of another user are left out: needs root"
fi

# directories
refused() { one_line 1 "weavecache.*$1" "$JAVA" "-agentpath:$AGENT=output=t,strict=true,weavecache=$2" -cp c Works; }
chmod 770 cache; refused 'other users may write it' cache; chmod 700 cache
ln -s cache way; refused 'way: .*own' way
echo text >file; refused 'file: .*own' file
refused 'No such file' nowhere/below
[ "$(id -u)" != 0 ] || { chown 65534 cache; refused 'another user' cache; chown 0 cache; }
one_line 1 'weavecache.*logstart' "$JAVA" "-agentpath:$AGENT=output=t,weavecache=cache,logstart=Works" -cp c Works

# four JVMs that fill one cache
for n in 1 2 3 4; do run "many$n" weavecache=fresh & done
wait
for n in 1 2 3 4; do same plain "many$n"; done
[ "$(find fresh -type f | wc -l)" = $classes ] || fail "the shared cache has not $classes files: $(ls fresh)"
run last weavecache=fresh; counts last $classes 0 0
finish
