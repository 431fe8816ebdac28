#!/bin/bash
# Causes that go through code that is not woven: Origins.java prints for each of its cases where the value was made and
# where it was given to the JDK; origins.py asks `why`. Recorded with all groups, and with those that `why` needs;
# without an index and with one.
#
# test: ask.why
# labels: ask cli slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
EXAMPLES=${EXAMPLES:-$BUILD/examples}
compile "$WORK/c" "$HERE/Origins.java" || die "the program does not compile"
for trace in Origins:ALL OriginsFew:EXEC+CALL+PARAM+FIELD+ARRAY+OBJECT+LOCAL+LABEL; do
    name=${trace%%:*}
    record "$WORK/$name" "weave=${trace#*:}" -cp "$WORK/c" Origins >"$WORK/$name.out" 2>"$WORK/err" ||
        die "recording $name: $(tail -n 3 "$WORK/err")"
done
passes=(plain indexed)
[ -z "${HINDSIGHT_SANITIZE:-}" ] || passes=(plain) # every question is a process, and these are slow to start
for pass in "${passes[@]}"; do
    PYTHONPATH=$HERE/.. python3 "$HERE/origins.py" "$HINDSIGHT" "$EXAMPLES" "$WORK" >"$WORK/$pass" ||
        fail "origins.py $pass: $(tail -n 12 "$WORK/$pass")"
    tail -n 1 "$WORK/$pass"
    for name in Origins OriginsFew; do
        "$HINDSIGHT" index "$WORK/$name" >/dev/null || fail "index $name"
    done
done
finish
