#!/bin/bash
# sanitized.sh PRESET TARGET CTEST-OPTIONS...: builds TARGET of another preset beside this one and runs some of its
# tests there. This is a test of the release build, so that one run of ctest and one summary covers everything.
set -eu
cd "$HINDSIGHT_SOURCE"
preset=$1 target=$2; shift 2
export HINDSIGHT_CLASSES_DIR=$HINDSIGHT_BUILD/test/classes # the programs are compiled already
size=$(sed -n 's/^HINDSIGHT_TEST_SIZE:STRING=//p' "$HINDSIGHT_BUILD/CMakeCache.txt")
unset AGENT HINDSIGHT JDK JDK_RELEASE JDK17 HINDSIGHT_BUILD
cmake --preset "$preset" -DHINDSIGHT_TEST_SIZE="$size" >/dev/null
cmake --build --preset "$preset" --target "$target" >"build/$preset/build.log" 2>&1 || {
    tail -n 40 "build/$preset/build.log"
    exit 1
}
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
