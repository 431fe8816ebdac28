#!/bin/bash
# run.sh TARGET SECONDS        fuzzes one target (targets.def) with libFuzzer and the sanitizers: builds the preset
#                              `fuzz`, goes on from the inputs found before (build/fuzz/found/TARGET) and those kept
#                              (corpus/TARGET), and prints executions, coverage and failures. Exit 1 for any failure;
#                              its input lies in build/fuzz/failures. Mend the cause, then put the smallest such input
#                              into corpus/TARGET, named after the fault.
# run.sh all SECONDS           each target for so long
# run.sh --keep TARGET [N]     copies up to N (30) of the found inputs that add most to the coverage, if they are small,
#                              into corpus/TARGET
set -euo pipefail
cd "$(dirname "$0")/../.."
here=test/fuzz build=build/fuzz
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
limit_bytes=3000 # of an input that is kept

seconds_of() { sed -nE "s/^TARGET\($1, ([0-9]+).*/\1/p" $here/targets.def; }
make_target() {
    [ -n "$(seconds_of "$1")" ] || { echo "run.sh: no such target: $1"; exit 2; }
    [ -e $build/CMakeCache.txt ] || cmake --preset fuzz >/dev/null
    cmake --build --preset fuzz --target "fuzz_$1" >$build/build.log 2>&1 ||
        { tail -n 20 $build/build.log; exit 1; }
    mkdir -p "$build/found/$1" $build/failures
}

fuzz() { # TARGET SECONDS
    local target=$1 log=$build/$1.log status=0 executions
    # an input is slower under the sanitizers than the row says
    "$build/test/fuzz_$target" -max_total_time="$2" -timeout=$(($(seconds_of "$target") * 3)) -rss_limit_mb=2500 \
        -malloc_limit_mb=1500 -max_len=65536 -close_fd_mask=3 -print_final_stats=1 \
        -artifact_prefix="$build/failures/$target-" \
        "$build/found/$target" "$here/corpus/$target" >"$log" 2>&1 || status=1
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%-12s %s executions, coverage %s edges, %s inputs found%s\n' "$target" "$executions" \
        "$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$log" | tail -n 1)" "$(find "$build/found/$target" -type f | wc -l)" \
        "$([ $status = 0 ] || grep -m 1 -E 'ERROR:|SUMMARY|runtime error|not so' "$log" | sed 's/^/; FAILED: /')"
    printf 'figure: fuzz executions: %s\nfigure: fuzz targets that crash, hang or leak: %s\n' "${executions:-0}" $status
    return $status
}

keep() { # TARGET N
    local target=$1 small=$build/small/$1
    rm -rf "$small"; mkdir -p "$small"
    "$build/test/fuzz_$target" -set_cover_merge=1 -max_len=$limit_bytes "$small" "$here/corpus/$target" \
        "$build/found/$target" >"$build/$target.merge.log" 2>&1
    # in the order of the merge, which takes those first that add most
    find "$small" -type f -size -${limit_bytes}c -printf '%s %f\n' | sort -n | tail -n +1 | head -n "$2" |
        while read -r _ name; do
            cmp -s "$small/$name" "$here/corpus/$target/$name" || cp "$small/$name" "$here/corpus/$target/${name:0:8}"
        done
    du -sh --apparent-size "$here/corpus/$target"
}

status=0
case ${1:-} in
--keep) make_target "$2"; keep "$2" "${3:-30}" ;;
all)
    for target in $(sed -nE 's/^TARGET\(([a-z_]+).*/\1/p' $here/targets.def); do
        make_target "$target"
        fuzz "$target" "$2" || status=1
    done ;;
?*) make_target "$1"; fuzz "$1" "${2:?seconds}" || status=1 ;;
*) sed -n '2,/^set/p' "$0" | grep '^#'; status=2 ;;
esac
exit $status
