#!/bin/bash
# oracle.sh GROUPS: the stream of every oracle program, recorded with these groups (traces.sh), is equal to the golden
# one (test/oracle).
. "$(dirname "$0")/lib.sh"
oracle=$ROOT/test/oracle groups=${1:-ALL}
oracle_traces
strict=--strict ways=("$groups")
[ "$groups" != ALL ] || { strict=; ways+=(plain); }
for golden in "$oracle"/golden/*.tsv; do
    name=$(basename "$golden" .tsv)
    for way in "${ways[@]}"; do
        "$HINDSIGHT" print "$TRACES/$name/$way/trace" --json >"$WORK/$name.jsonl" 2>"$WORK/err" ||
            fail "$name: print exits with status $?: $(head -n 5 "$WORK/err")"
        # shellcheck disable=SC2086
        python3 "$oracle/compare.py" "$golden" --groups "$groups" $strict "$WORK/$name.jsonl" || fail "$name with $way"
    done
done
finish "the streams are the golden ones, on JDK $RELEASE"
