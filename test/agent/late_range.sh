#!/bin/bash
# A variable whose range in LocalVariableTable begins some instructions after its store, as Kotlin's compiler makes it:
# the store is its write, and it has that value in its range. javac has the range begin right behind the store: it is
# moved here.
#
# test: agent.late_range
# labels: agent cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Late.java <<'J'
public class Late {
    static void mark() {}
    static int twice(int n) {
        int late = n * 2;
        mark();
        return late;
    }
    static int reused(int n) {
        { int other = n; mark(); if (other > 9) return 0; }
        int late = n * 3;
        mark();
        return late;
    }
    public static void main(String[] args) { System.out.println(twice(4) + reused(5)); }
}
J
compile c Late.java -- -g || die "the program does not compile"
python3 "$ROOT/test/agent/late_range.py" || die "the ranges are not moved"
record t '' -Xverify:all -cp c Late >out 2>err && [ "$(cat out)" = 23 ] || fail "recording: $(cat out err)"
"$HINDSIGHT" fsck t >/dev/null || fail "fsck: $("$HINDSIGHT" fsck t | tail -n 3)"
for method in twice:8 reused:15; do
    name=${method%:*} value=${method#*:}
    "$HINDSIGHT" history t "Late.$name:late" --json | grep -q "\"value\":$value[,}]" || fail "history of late in $name"
    at=$("$HINDSIGHT" print t --event METHOD_NORMAL_EXIT --method "$name" --json | sed -nE 's/.*"seq":([0-9]+).*/\1/p')
    "$HINDSIGHT" locals t --at "$at" >locals
    grep -qE "late.*[^0-9]$value([^0-9]|\$)" locals || fail "locals of $name: $(cat locals)"
done
"$HINDSIGHT" history t Late.reused:other --json | grep -q '"value":5[,}]' || fail "history of other"
finish
