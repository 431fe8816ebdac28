#!/bin/bash
# sanitized.sh build PRESET TARGET: builds TARGET of another preset beside this one.
# sanitized.sh run PRESET CTEST-OPTIONS...: runs some of the tests there.
# They are tests of the release build, so that one run of ctest and one summary covers everything.
set -eu
cd "$HINDSIGHT_SOURCE"
what=$1 preset=$2; shift 2
export HINDSIGHT_CLASSES_DIR=$HINDSIGHT_BUILD/test/classes # the programs are compiled already
size=$(sed -n 's/^HINDSIGHT_TEST_SIZE:STRING=//p' "$HINDSIGHT_BUILD/CMakeCache.txt")
unset AGENT HINDSIGHT JDK JDK_RELEASE JDK17 HINDSIGHT_BUILD
if [ "$what" = build ]; then
    # In the short size compiling takes more than running; without optimization it takes a third.
    flags="-O1 -g"; [ "$size" != short ] || flags="-O0 -g1"
    cmake --preset "$preset" -DHINDSIGHT_TEST_SIZE="$size" "-DCMAKE_C_FLAGS_DEBUG=$flags" >/dev/null
    cmake --build --preset "$preset" --parallel "$(nproc)" --target "$@" >"build/$preset/build.log" 2>&1 || {
        tail -n 40 "build/$preset/build.log"
        exit 1
    }
    exit 0
fi
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error "$@"
