#!/bin/bash
# `hindsight watch` prints of a recording what the program prints in a run of its own (Printed.java): several threads,
# recursion, exceptions, inherited and hidden fields, collections, statics, calls. Texts that are none are told.
#
# test: ask.watch
# labels: ask
# jdks: all
# limit: 300 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONDONTWRITEBYTECODE=1
cd "$WORK" || exit 1
compile c "$HERE/Printed.java" || die "Printed.java does not compile"
"$JAVA" -cp c Printed print >truth || die "Printed"
for derive in on off; do
    record "$derive" "weave=ALL,derive=$derive" -cp c Printed || die "no recording"
    python3 "$HERE/compare.py" "$HINDSIGHT" "$HERE/Printed.java" truth "$derive" >out ||
        fail "derive=$derive: $(head -n 5 out)"
    tail -n 1 out
    read -r all _ unknown _ < <(tail -n 1 out)
    [ "$all" -gt 300 ] && [ $((10 * unknown)) -le "$all" ] || fail "derive=$derive: $(cat out)"
done
finish
