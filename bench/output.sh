#!/bin/bash
# output.sh [LINES] [RUNS]: what does it cost to record the lines that a program writes? Prints a row of a table for
# each way to run: seconds of println for all lines, the median of the runs, and the size of the trace.
. "$(dirname "$0")/../test/lib.sh"
lines=${1:-1000000} runs=${2:-5}
compile "$WORK/c" "$ROOT/bench/Output.java" || die "Output does not compile"
cd "$WORK" || exit 1
run() { # NAME [WORD...]: the words in front of java
    local name=$1; shift
    for ((i = 0; i < runs; i++)); do
        rm -rf t
        "$@" "$JAVA" -cp c Output "$lines" >out 2>err || die "$name: $(cat err)"
        head -n 1 err
        [ "$(wc -l <out)" = "$lines" ] || die "$name: $(wc -l <out) lines"
    done | sort -n | sed -n "$(((runs + 1) / 2))p" >median
    size=-
    [ ! -d t ] ||
        size=$("$HINDSIGHT" info t --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["bytes"])')
    echo "$name $(cat median) $size" >>rows
}
export HINDSIGHT_AGENT=$AGENT
recorded() { run "$1" "$HINDSIGHT" record -o t "${@:2}" --; }
run plain env
recorded "all groups, stdout=false" --option stdout=false
recorded "all groups"
recorded "EXEC+PARAM, stdout=false" --weave EXEC+PARAM --option stdout=false
recorded "EXEC+PARAM" --weave EXEC+PARAM
awk '{
    size = $NF; ms = $(NF - 1); name = $0; sub(/ [0-9]+ [^ ]+$/, "", name)
    printf "| %s | %.2f s | %s |\n", name, ms / 1000, size == "-" ? "" : sprintf("%.1f MB", size / 1e6)
}' rows
