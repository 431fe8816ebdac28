#!/bin/bash
# Methods of the JDK in expressions have the values that the JVM gives them: library.txt has a row each, library.py
# fills in random arguments, the JVM prints the truth. No answer is wrong, every row is known for some of its arguments.
# A long run: SEEDS="1 2 3" COUNT=100.
#
# test: ask.library
# labels: ask
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
[ "$RELEASE" -ge 17 ] || skip "library.txt asks methods of JDK 17"
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python
questions=0 unknown=0
for seed in ${SEEDS:-1}; do
    mkdir -p "$WORK/$seed" && cd "$WORK/$seed" || exit 1
    python3 "$HERE/library.py" "$seed" "${COUNT:-6}" . || die "library.py $seed"
    compile c Truth.java Recorded.java || die "seed $seed does not compile"
    "$JAVA" -cp c Truth >truth || die "Truth of $seed"
    record trace weave=ALL -cp c Recorded || die "no recording of $seed"
    python3 "$HERE/compare.py" truth expressions.txt trace known >out || fail "seed $seed: $(head -n 5 out)"
    read -r all _ known _ wrong _ < <(tail -n 1 out)
    asked=$(wc -l <expressions.txt)
    [ "${all:-0}" = "$asked" ] || fail "seed $seed: ${all:-no} questions of $asked"
    paste known rows.txt >>"$WORK/rows"
    questions=$((questions + all)) unknown=$((unknown + all - known))
done
awk -F '\t' '$2 !~ /^\? / { known[$2] += $1 } END { for (row in known) if (known[row] == 0) print row }' "$WORK/rows" \
    >"$WORK/never"
[ ! -s "$WORK/never" ] || fail "rows that are never known: $(sort "$WORK/never" | head -n 20 | tr '\n' ';')"
finish "$(awk -F '\t' '{ print $2 }' "$WORK/rows" | sort -u | wc -l) methods: $questions questions, $unknown not known"
