#!/bin/bash
# run.sh [LIVE [GENERATIONS]]: LIVE objects live at once, collected and replaced: no id is ever shared
# (ManyObjects.java, check_ids.c). Default 1,000,000 objects of 3 generations with two collectors; with other sizes
# (`check --full`: 10,000,000 of 4) with every collector.
#
# test: objects.slice
# labels: objects
# jdks: all
# limit: 900 s
# short: 200000
# long: 1000000
# full: 10000000 4
# full limit: 7200 s
. "$(dirname "$0")/../lib.sh"
check=$BUILD/test/check_ids live=${1:-1000000} generations=${2:-3}
collectors=(-XX:+UseG1GC -XX:+UseSerialGC)
[ $# -lt 1 ] || collectors+=(-XX:+UseParallelGC -XX:+UseZGC -XX:+UseShenandoahGC -XX:+UseCompactObjectHeaders)
compile "$WORK/classes" "$(dirname "$0")/ManyObjects.java" || die "ManyObjects does not compile"
ran=0
heap=$((live / 10000 + 100)) # MB: a hundred bytes per object, of which it takes about thirty
for collector in "${collectors[@]}"; do
    case $collector in *CompactObjectHeaders) [ "$RELEASE" -ge 25 ] || continue ;; esac
    if ! "$JAVA" $collector -version >"$WORK/version" 2>&1; then
        if grep -q "GC not supported" "$WORK/version"; then echo "left out: $(head -n 1 "$WORK/version")"
        else fail "the JVM refuses $collector: $(head -n 1 "$WORK/version")"; fi
        continue
    fi
    ran=$((ran + 1))
    rm -rf "$WORK/trace"
    record "$WORK/trace" weave=EXEC+PARAM $collector -Xmx${heap}m -cp "$WORK/classes" ManyObjects $live $generations \
        >"$WORK/out" 2>"$WORK/err"
    [ "$(cat "$WORK/out")" = "done $live $generations" ] || { fail "$collector: $(tail -n 2 "$WORK/err")"; continue; }
    healthy "$WORK/trace" || continue
    "$check" "$WORK/trace" $live $generations >"$WORK/checked" || failures=$((failures + 1))
    sed "s/^/$collector: /" "$WORK/checked"
done
[ $ran -gt 0 ] || fail "no collector was tried"
finish
