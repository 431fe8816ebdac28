#!/bin/bash
# sanitized.sh PRESET CTEST-OPTIONS...: builds another preset beside this one and runs some of its tests there.
# This is a test of the release build, so that one run of ctest and one summary covers everything.
set -eu
cd "$HINDSIGHT_SOURCE"
preset=$1; shift
unset AGENT HINDSIGHT JDK JDK_RELEASE JDK17 HINDSIGHT_BUILD
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" >"build/$preset/build.log" 2>&1 || { tail -n 40 "build/$preset/build.log"; exit 1; }
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
