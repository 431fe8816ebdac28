#!/bin/bash
# verify.sh [FOLDER...]: what the weaver makes of the inputs of its target is verified by the JVM, if the
# class was before. By default those kept in corpus/weaver; run.sh leaves others in build/fuzz/found/weaver.
#
# test: fuzz.verify
# labels: fuzz
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
replay=$BUILD/test/fuzz_replay
[ $# -gt 0 ] || set -- "$ROOT/test/fuzz/corpus/weaver"
compile "$WORK/classes" "$ROOT/test/fuzz/Verify.java" || die "Verify does not compile"
mkdir "$WORK/out"
"$replay" --woven "$WORK/out" "$@" || fail "the inputs are not woven"
# The hook classes need not be there: the verifier does not load what it only calls.
"$JAVA" -Xverify:all -XX:-CreateCoredumpOnCrash -cp "$WORK/classes" Verify "$WORK/out" || fail "not verified"
finish
