#!/bin/bash
# analysis.sh [FILE...]: what clang-tidy (.clang-tidy) and cppcheck (cppcheck.txt) find in the product. Without names:
# all files; in the short size clang-tidy reads those that parse what comes from outside, and cppcheck nothing.
#
# test: style.analysis
# labels: style
# limit: 900 s
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1
[ -e "$BUILD/compile_commands.json" ] || die "no $BUILD/compile_commands.json"
command -v clang-tidy >/dev/null && command -v cppcheck >/dev/null || die "no clang-tidy or cppcheck (test/packages.sh)"
all=(formats logging reader weaver)
[ "${HINDSIGHT_TEST_SIZE:-long}" != short ] || all=(formats weaver/tool logging/control reader/serve)
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(find "${all[@]}" -name '*.c' ! -path 'reader/examples/*' | sort)
[ ${#files[@]} -ge 1 ] || die "no files"

tidy() { clang-tidy --quiet -p "$BUILD" "$@" 2>/dev/null; }
# The checks are asked: a fault that they must see.
mkdir "$WORK/seen"
cp .clang-tidy "$WORK/seen"
printf 'int same(int a);\nint same(int a) { return a == 1 || a == 1; }\n' >"$WORK/seen/seen.c"
clang-tidy --quiet "$WORK/seen/seen.c" -- 2>/dev/null | grep -q redundant-expression ||
    fail "clang-tidy does not see a redundant expression"

export BUILD
export -f tidy
printf '%s\n' "${files[@]}" | xargs -P 2 -n 16 bash -c 'tidy "$@"' tidy >"$WORK/tidy"
grep -E ': (error|warning): ' "$WORK/tidy" >"$WORK/found" && fail "clang-tidy: $(head -n 20 "$WORK/found")"
echo "clang-tidy: ${#files[@]} files, $(grep -c . "$WORK/found") findings"
if [ "${HINDSIGHT_TEST_SIZE:-long}" != short ]; then
    printf '%s\n' "${files[@]}" >"$WORK/files"
    cppcheck -j 2 --quiet --enable=warning,performance,portability --library=posix --max-configs=1 -I. -D_GNU_SOURCE \
        --suppressions-list=test/cppcheck.txt --file-list="$WORK/files" 2>"$WORK/cppcheck" >/dev/null
    grep -E ': (error|warning|performance|portability): ' "$WORK/cppcheck" >"$WORK/found" &&
        fail "cppcheck: $(head -n 20 "$WORK/found")"
    echo "cppcheck: ${#files[@]} files, $(grep -c . "$WORK/found") findings"
fi
finish
