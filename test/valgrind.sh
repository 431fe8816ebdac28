#!/bin/bash
# valgrind.sh [NAME...]: unit tests under valgrind, which sees what no sanitizer of the tests does: reads of memory that
# was never written. Only of what reads rows and class files: valgrind cannot map an LMDB file of 1 TiB. Without names a
# few small ones; in the full size (HINDSIGHT_TEST_SIZE) the slow ones, too.
. "$(dirname "$0")/lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer and valgrind do not go together"
command -v valgrind >/dev/null || die "no valgrind (test/packages.sh)"
names=("$@")
[ $# -gt 0 ] || names=(filter fold json mutf8 objects pack rows)
[ "${HINDSIGHT_TEST_SIZE:-long}" != full ] || names+=(chunk derived event classfile code weave)
cd "$WORK" || exit 1
for name in "${names[@]}"; do
    valgrind --quiet --error-exitcode=9 --leak-check=no \
        "$BUILD/test/test_$name" >out 2>err || fail "test_$name: $(grep -m 12 '^==' err || tail -n 5 out)"
    echo "$name: $(cat out err | grep -c '^\[ *OK ') tests"
done
finish
