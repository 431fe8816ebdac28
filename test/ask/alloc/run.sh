#!/bin/bash
# alloc: what a program says that it made, and of how many objects nothing was read (Makes.java); and of that program
# and of random ones (ask/slice/generate.py) what Python counts from the events alone (model.py), with the events that
# are recorded and with those that are derived. Arguments: programs, the first seed.
#
# test: ask.alloc
# labels: ask cli
# limit: 900 s
# short: 2
# long: 20
# full: 200
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/test/ask/lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
programs=${1:-2} first=${2:-1}
cd "$WORK" || exit 1
counted() { python3 "$HERE/model.py" "$HINDSIGHT" "$1" >told 2>&1 || fail "$1: $(tail -n 5 told)"; } # TRACE
compile c "$HERE/Makes.java" || die "the program does not compile"
for derive in on off; do
    record makes-$derive "quiet=true,weave=ALL,derive=$derive" -cp c Makes >said 2>err ||
        die "recording: $(tail -n 3 err)"
    python3 "$HERE/model.py" "$HINDSIGHT" makes-$derive said >told 2>&1 || fail "derive=$derive: $(tail -n 5 told)"
    tail -n 1 told
done
each_generated "$first" "$programs" counted
"$HINDSIGHT" alloc makes-on --csv >rows.csv && "$HINDSIGHT" alloc makes-on --json >rows.json &&
    "$HINDSIGHT" sql 'SELECT * FROM alloc' makes-on --json >rows.sql || fail "--csv, --json, sql"
python3 "$HERE/same_rows.py" type count unread elements grown added repeated life longest seq last thread dataid \
    class method line pc ||
    fail "--csv, or the table alloc, is not what --json says"
# the index keeps the rows of the first question
"$HINDSIGHT" index makes-on >/dev/null 2>&1
for by in place type; do
    "$HINDSIGHT" alloc makes-on --by $by --json >once 2>/dev/null
    HINDSIGHT_CHUNKS=1 "$HINDSIGHT" alloc makes-on --by $by --json >again 2>chunks
    [ -s once ] && cmp -s once again && grep -q '^chunks decoded: 0$' chunks || fail "kept by $by: $(cat chunks)"
done
cmp -s rows.json <("$HINDSIGHT" alloc makes-on --json) || fail "other rows from the index"
# what was not recorded is said
record few quiet=true,weave=EXEC+CALL -cp c Makes >/dev/null 2>err
"$HINDSIGHT" alloc few >said 2>err &&
    grep -q 'more objects may have been read than is known, since PARAM was not' err ||
    fail "without PARAM: $(cat err)"
record none quiet=true,weave=EXEC -cp c Makes >/dev/null 2>err
one_line 0 'no object that was made.*since CALL.ARRAY was not woven' "$HINDSIGHT" alloc none
one_line 2 'give one of them' "$HINDSIGHT" alloc makes-on --tree --by type
one_line 1 'no.*Maker' "$HINDSIGHT" alloc makes-on --class Maker
finish
