#!/bin/bash
# Java expressions at moments of a recording have the values that the JVM prints for them: generate.py makes the program
# and its expressions, compare.py asks. More than one in ten that is not known is a failure, too.
#
# test: ask.evaluate
# labels: ask
# jdks: all
# limit: 300 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python PYTHONDONTWRITEBYTECODE=1
seeds=${SEEDS:-"1 2"} expressions=${EXPRESSIONS:-200}
for seed in $seeds; do
    for derive in on off; do
        mkdir -p "$WORK/$seed" && cd "$WORK/$seed" || exit 1
        python3 "$HERE/generate.py" "$seed" "$expressions" . || die "generate $seed"
        [ -d c ] || compile c Truth.java Recorded.java || die "the programs of $seed do not compile"
        "$JAVA" -cp c Truth >truth || die "Truth of $seed"
        record "$derive" "weave=ALL,derive=$derive" -cp c Recorded || die "no recording of $seed"
        python3 "$HERE/compare.py" truth expressions.txt "$derive" >out ||
            fail "seed $seed, derive=$derive: $(head -n 5 out)"
        tail -n 1 out
        read -r all _ known _ < <(tail -n 1 out)
        [ $((10 * known)) -ge $((9 * all)) ] || fail "seed $seed, derive=$derive: $(cat out)"
    done
done
finish
