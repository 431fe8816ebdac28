#!/bin/bash
# run.sh [ROUNDS [SEED]]: our verifier (weaver/verify) against that of the JVM. Woven classes with one
# fault each (mutants.c), those of the test programs and of a jar that has old class files: what ours refuses the JVM
# refuses, and what the JVM refuses ours refuses, unless the reason lies in other classes (Verdicts.java).
#
# test: verify
# labels: corpus
# jdks: all
# limit: 900 s
# short: 52
# long: 520
. "$(dirname "$0")/../../lib.sh"
tool=$BUILD/test/verify_mutants rounds=${1:-52} seed=${2:-1}
compile "$WORK/verdicts" "$ROOT/test/corpus/verify/Verdicts.java" || die "Verdicts does not compile"
mkdir "$WORK/own"
"${JAVAC[@]}" -nowarn -Xlint:none -XDsuppressNotes -proc:none -g --release 17 -d "$WORK/own" \
    "$ROOT"/test/oracle/src/oracle/*.java "$ROOT"/test/jvm/{Paths,Records,Lambdas,StackTraces,Uninitialized}.java ||
    die "the programs do not compile"
compare() { # ROUNDS INPUT
    rm -rf "$WORK/m"; mkdir "$WORK/m"
    "$tool" "$WORK/m" "$1" "$seed" "$2" || fail "$2: no mutants"
    "$JAVA" -Xverify:all -XX:-CreateCoredumpOnCrash -cp "$WORK/verdicts" \
        Verdicts "$WORK/m" "$2" >"$WORK/out" 2>/dev/null ||
        fail "$(basename "$2"): $(grep -m 5 FAILED "$WORK/out")"
    # the kinds that stand for what the weaver could do wrong are refused by both
    for kind in branch constant-index constructor frame handler instruction local maximum subroutine; do
        grep -qE "^$kind +[0-9]+ compared, +[1-9][0-9]* refused by both" "$WORK/out" || fail "$kind: none was refused"
    done
    cat "$WORK/out"
}
compare "$rounds" "$WORK/own"
compare $((rounds / 4)) /usr/share/java/org.sat4j.core.jar
finish "our verifier and that of JDK $RELEASE agree"
