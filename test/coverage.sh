#!/bin/bash
# coverage.sh [CTEST-OPTION...]: builds the preset `coverage`, runs the tests in it, and prints how many lines of each
# folder they ran (coverage.py). Exit 1 if a test fails, or if less than 90 % of weaver, formats or reader ran. Left out
# are tests that run nothing of these folders, or copies of the tree. With options, the tests that they choose add to
# what ran before:
#
#   test/coverage.sh -R unit.test_rows && test/coverage.py build/coverage --missing formats/rows
set -eu
cd "$(dirname "$0")/.."
[ -z "${HINDSIGHT_BUILD:-}" ] || export HINDSIGHT_CLASSES_DIR=$HINDSIGHT_BUILD/test/classes # compiled already
unset AGENT HINDSIGHT JDK JDK_RELEASE JDK17 HINDSIGHT_BUILD
log=$(mktemp); trap 'rm -f "$log"' EXIT
{ cmake --preset coverage -DHINDSIGHT_TEST_SIZE=short && cmake --build --preset coverage; } >"$log" 2>&1 ||
    { tail -n 40 "$log"; exit 1; }
if [ $# = 0 ]; then
    rm -rf build/coverage/coverage
    set -- -LE 'style|lab|litmus' -E 'cli.recipes|cli.install'
fi
status=0
ctest --test-dir build/coverage --output-on-failure --no-tests=error -j $(($(nproc) + 1)) "$@" || status=1
python3 test/coverage.py build/coverage || status=1
exit $status
