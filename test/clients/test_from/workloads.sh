#!/bin/bash
# `hindsight test-from` of random calls of real programs (test/workloads): every test compiles against the same classes
# and passes, or its doubt was told; of other calls it says why there is none. Of 100 calls and more four in five have a
# test that passes. Arguments: calls of each workload, the
# seed, workloads (below the folder of a workload that runs java more than once, the last run). JUnit 4 and 5 in turn.
#
# test: clients.test_from.workloads
# labels: clients
# limit: 900 s
# short: 12 1 modern17
# long: 20 1 freemarker jackson antlr4
# full: 40 1
# full limit: 7200 s
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/lib.sh"
calls=${1:-40} seed=${2:-1}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- jackson freemarker antlr4 rhino modern17
export TZ=UTC
# the workloads are compiled by the plain javac, which is 17: their libraries read no newer classes
PATH=${JDK17:-$JDK}/bin:$PATH
for name; do
    packages=$(sed -n 's/^# needs: *//p' "$ROOT/test/workloads/w/$name.sh")
    # shellcheck disable=SC2086
    [ -z "$packages" ] || dpkg -s $packages >/dev/null 2>&1 || { echo "$name: not installed: $packages"; continue; }
    mkdir -p "$WORK/$name/prep" "$WORK/$name/out" && cd "$WORK/$name" || exit 1
    (
        SRC=$ROOT/test/workloads/src/$name PREP=$PWD/prep OUT=out
        # shellcheck disable=SC2317 # run calls it
        jv() { rm -rf trace; record trace weave=ALL "$@"; }
        . "$ROOT/test/workloads/w/$name.sh"
        ! declare -F prepare >/dev/null || (cd prep && prepare)
        run
    ) >log 2>&1 || { fail "$name is not recorded: $(tail -n 3 log)"; continue; }
    classes=$("$HINDSIGHT" info trace --json | json /dev/stdin 'd["class_path"]')
    check_calls "$name" trace "$classes"
    rm -rf trace
done
[ $all -gt 0 ] || skip "no workload is installed"
# The share is one of many calls: a dozen of one program may be three of a class that no stub can stand for.
[ $all -lt 100 ] || [ $((5 * passed)) -ge $((4 * all)) ] || fail "$passed of $all calls have a test that passes"
figure "random calls of workloads that test-from was asked for" $all
figure "of these that have a test that passes" $passed
finish "$passed of $all calls have a test that passes"
