#!/bin/bash
# depths.sh [RUNS]: how deep methods call themselves with the default -Xss, plain and recorded: the table of
# docs/limits.md. Each run takes ten rounds; a round counts from the second on, when something is compiled. A cell has
# the least and the last of them, the medians of all runs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
agent=${HINDSIGHT_AGENT:-$root/build/release/lib/libhindsight.so}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${java}c" -g -d "$work/c" "$root/test/jvm/lib/Depths.java"
for options in plain format=omni format=omni,derive=off format=latest format=freq format=timing; do
    for run in $(seq "${1:-5}"); do
        rm -rf "$work/t"
        case $options in
        plain) "$java" -cp "$work/c" Depths 10 ;;
        *) "$java" "-agentpath:$agent=output=$work/t,quiet=true,$options" -cp "$work/c" Depths 10 ;;
        esac | sed "s/^/${options#format=} $run /"
    done
done >"$work/rows"
python3 - "$work/rows" <<'PY'
import collections, statistics, sys
depths = collections.defaultdict(list)  # of each format, run and method
formats = []
for line in open(sys.argv[1]):
    kind, run, *rest = line.split()
    if kind not in formats: formats.append(kind)
    for method, depth in zip(rest[::2], rest[1::2]):
        depths[method, kind, run].append(int(depth))
print("| method | " + " | ".join(k if k == "plain" else "`%s`" % k for k in formats) + " |")
print("| --- |" + " --- |" * len(formats))
names = {
    "plain": "of one int",
    "mixed": "of an int, a long and a double",
    "descent": "a recursive descent with `finally`",
}
for method, name in names.items():
    cells = []
    for kind in formats:
        runs = [d[1:] for (m, k, _), d in depths.items() if (m, k) == (method, kind)]
        least, last = (statistics.median(x) for x in (map(min, runs), (d[-1] for d in runs)))
        cells.append("{:,.0f}, {:,.0f}".format(least, last))
    print("| %s | %s |" % (name, " | ".join(cells)))
PY
