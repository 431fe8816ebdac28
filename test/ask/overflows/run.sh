#!/bin/bash
# overflows: does it say of a program what that finds by computing with BigInteger beside it (Wraps.java), with the
# events that are recorded and with those that are derived, with all groups and without LABEL?
#
# test: ask.overflows
# labels: ask cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
cd "$WORK" || exit 1
compile c "$HERE/Wraps.java" || die "the program does not compile"
told() { # TRACE AGENT-OPTIONS METHOD...: of which it may not be known
    local trace=$1 options=$2; shift 2
    record "$trace" "quiet=true,$options" -cp c Wraps >"$trace.out" 2>err || die "recording: $(tail -n 3 err)"
    python3 "$HERE/check.py" "$HINDSIGHT" "$trace" "$trace.out" "$@" >said 2>&1 || fail "$options: $(tail -n 30 said)"
}
told all derive=on
told stored derive=off
told unlabelled weave=EXEC+PARAM+CALL+FIELD+ARRAY+LOCAL fromEither
"$HINDSIGHT" overflows all --class Wraps --each --csv >rows.csv &&
    "$HINDSIGHT" overflows all --class Wraps --each --json >rows.json &&
    "$HINDSIGHT" sql "SELECT * FROM overflows WHERE class = 'Wraps'" all --json >rows.sql || fail "--csv, --json, sql"
python3 - <<'END' || fail "--csv, or the table overflows, is not what --json says"
import csv, json
rows = list(csv.DictReader(open("rows.csv", newline="")))
table = [json.loads(line) for line in open("rows.sql")]
told = [json.loads(line) for line in open("rows.json")]
assert told and len(rows) == len(table) == len(told), (len(rows), len(table), len(told))
for row, cells, x in zip(rows, table, told):
    for key in "seq thread class method pc line op what exact".split():
        assert row[key] == str(x.get(key, "")) and cells[key] == x.get(key), (key, row, cells, x)
END
# what was not recorded is said
record few quiet=true,weave=EXEC+CALL -cp c Wraps >/dev/null 2>err
"$HINDSIGHT" overflows few >said 2>err || fail "without LOCAL: $(cat err)"
grep -q 'their operands were not recorded, since LOCAL was not woven' err || fail "without LOCAL: $(cat err)"
one_line 2 'expected a value' "$HINDSIGHT" overflows all --where 'op =='
one_line 1 "no row has 'oq'" "$HINDSIGHT" overflows all --where 'oq == imul'
finish
