#!/bin/bash
# `hindsight weave` of class files, folders and jars: equal twice, verified by the JVM, and one clear line for bad
# input.
#
# test: cli.weave
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT"/test/oracle/src/oracle/*.java "$ROOT/test/cli/Hello.java" || die "the programs do not compile"
cd "$WORK" || exit 1
h=$HINDSIGHT
"$h" weave c/Hello.class -o one.class >out 2>err || fail "weave of a class: $(cat err)"
"$h" weave c -o w1 >out 2>err || fail "weave of a folder: $(cat err)"
"$h" weave c -o w2 --weave ALL >out 2>err || fail "weave of a folder: $(cat err)"
diff -r w1 w2 || fail "woven twice is not the same"
cmp one.class w1/Hello.class || fail "a class alone and in a folder are woven differently"
cmp -s c/Hello.class w1/Hello.class && fail "nothing was woven"
(cd c && "$JDK/bin/jar" cf ../in.jar .)
"$h" weave in.jar -o out.jar >out 2>err || fail "weave of a jar: $(cat err)"
mkdir x && (cd x && "$JDK/bin/jar" xf ../out.jar)
for f in $(cd c && find . -name '*.class'); do cmp "w1/$f" "x/$f" || fail "$f in a jar is woven differently"; done
before=$(md5sum c/Hello.class)
one_line 1 'Hello.class' "$h" weave c/Hello.class -o c/Hello.class
[ "$before" = "$(md5sum c/Hello.class)" ] || fail "weaving onto the input changed it"

# bad input
mkdir bad
size=$(stat -c %s c/Hello.class)
one_line 1 'weave: .*missing' "$h" weave missing.class -o bad/out
for in in c/Hello.class c out.jar; do
    one_line 1 'weave: bad/no/x: its directory does not exist' "$h" weave $in -o bad/no/x
done
[ ! -e bad/no ] || fail "a directory was made"
: >bad/empty.class;  one_line 1 'weave: .*empty.class' "$h" weave bad/empty.class -o bad/out
echo text >bad/text.class; one_line 1 'weave: .*text.class' "$h" weave bad/text.class -o bad/out
echo text >bad/text.jar; one_line 1 'weave: .*text.jar' "$h" weave bad/text.jar -o bad/out
head -c 30000 out.jar >bad/cut.jar; one_line 1 'weave: .*cut.jar' "$h" weave bad/cut.jar -o bad/out.jar
for ((n = 1; n < size; n = n * 5 / 4 + 1)); do
    head -c $n c/Hello.class >bad/cut.class
    one_line 1 'weave: .*cut.class' "$h" weave bad/cut.class -o bad/out | grep -v ^ok
done >log; [ ! -s log ] || { head -n 5 log; fail "truncated class files"; }
[ ! -e bad/out ] || fail "a bad class file left an output"
# one byte changed: woven, or one line; never a signal
[ "${HINDSIGHT_TEST_SIZE:-long}" = short ] && changes=100 || changes=400
python3 "$ROOT/test/cli/weave_changed.py" "$h" c/Hello.class $changes || failures=$((failures + 1))
finish
