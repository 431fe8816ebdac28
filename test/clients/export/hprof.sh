#!/bin/bash
# The format hprof, read with the library of VisualVM (Debian: visualvm): what it finds in the dump of a moment is what
# the program has printed at that moment.
#
# test: export.hprof
# labels: export
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/export
cd "$WORK" || exit 1
modules=/usr/share/visualvm/visualvm/modules jars=/usr/share/java
library=$modules/org-graalvm-visualvm-lib-jfluid-heap.jar:$jars/org-openide-util.jar:$jars/org-openide-util-lookup.jar
[ -e "${library%%:*}" ] || skip "visualvm is not installed"
compile classes "$HERE/Heap.java" || die "Heap does not compile"
"${JAVAC[@]}" -nowarn -Xlint:none -proc:none -cp "$library" -d reader \
    "$ROOT/test/clients/npm/visualvm/HeapReader.java" 2>err ||
    die "HeapReader does not compile: $(cat err)"
record t "" -cp classes Heap >shown 2>err || die "recording: $(cat err)"
"$HINDSIGHT" print t --json --event METHOD_ENTRY --method show >moments
for when in before after; do
    seq=$(sed -nE "$([ $when = before ] && echo 1 || echo 2)s/^..seq.:([0-9]+),.*/\1/p" moments)
    "$HINDSIGHT" export t --to hprof --at "$seq" -o $when.hprof || fail "$when is not exported"
    sed -n "/^$when/,/^after/p" shown | { [ $when = before ] && sed '$d' || cat; } >$when.shown
    "$JAVA" -cp "$library:reader" HeapReader $when.hprof $when >$when.read 2>err || fail "$when: $(head -n 5 err)"
    diff $when.shown $when.read || fail "the heap $when the changes"
    echo "    $when: $(wc -l <$when.read) lines are equal"
done
"$HINDSIGHT" info t --json >info
"$HINDSIGHT" export t --to hprof >end.hprof
"$HINDSIGHT" export t --to hprof --at "$(json info 'd["events"] - 1')" | cmp - end.hprof || fail "the end"
one_line 2 "takes no filter" "$HINDSIGHT" export t --to hprof --class Heap
finish
