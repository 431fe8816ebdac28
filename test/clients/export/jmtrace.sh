#!/bin/bash
# jmtrace: the lines are those that the program computes of itself, up to the numbers of its objects: in order, with
# the accesses that failed left out, and the object of stores before super().
#
# test: export.jmtrace
# labels: export
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/export
cd "$WORK" || exit 1
compile classes "$HERE/Accesses.java" || die "Accesses does not compile"
# shellcheck disable=SC2016
record t 'weave=ALL,e=Accesses$Log' -cp classes Accesses >want 2>err || die "recording: $(cat err)"

# compare GOT WANT: the same lines, each object one number on each side
compare() {
    python3 "$ROOT/test/clients/export/jmtrace_same.py" "$@"
}
"$HINDSIGHT" export t --to jmtrace -o got && compare got want || fail "not the lines that the program computed"
# the same object in the table of writes, also of a part that ends with the store, and in jfr and mse
early=$(($((16#$(sed -n 's/^W [0-9]* \([0-9a-f]*\) Accesses$1Local.val$captured$/\1/p' got | head -n 1)))))
[ "$early" -gt 0 ] || fail "jmtrace: no object of val\$captured"
seq=$("$HINDSIGHT" print t --event PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION --text captured --json |
    sed -n 's/^{"seq":\([0-9]*\),.*/\1/p')
for range in "--until $seq" "--from $seq" ""; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" export t --to jsonl --table writes $range | grep -F "{\"seq\":$seq," |
        grep -q "\"object_id\":$early,\"object_type\":\"Accesses\$1Local\"" || fail "writes $range: not object $early"
done
"$HINDSIGHT" export t --to mse | grep -E "FieldAccess.*\(start $seq\)" | grep -qE '\(object \(ref: [1-9][0-9]*\)\)' ||
    fail "mse: no object of the store before super()"
if [ -x "$JDK/bin/jfr" ]; then
    "$HINDSIGHT" export t --to jfr -o t.jfr
    "$JDK/bin/jfr" print --events hindsight.Write t.jfr | grep -B 6 -A 6 "seq = $seq\$" |
        grep -qF "Accesses\$1Local#$early" ||
        fail "jfr: not object $early"
fi

# filters: an access passes if one of its events does
"$HINDSIGHT" export t --to jmtrace --class Accesses --event PUT_INSTANCE_FIELD_VALUE --thread Thread-1 >some
[ "$(grep -cE '^W [0-9]+ [0-9a-f]{16} Accesses.value$' some)" = 20 ] && [ "$(wc -l <some)" = 20 ] ||
    fail "a filter: $(head -n 3 some)"
"$HINDSIGHT" export t --to jmtrace --value 4611686018427387904 | cut -d ' ' -f 1,4 | grep -qx 'W long\[2\]' ||
    fail "--value"
finish
