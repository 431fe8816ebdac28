#!/bin/bash
# heap: what a program says that it holds at two moments, and what the JVM writes into dumps of its heap there
# (Holds.java); and of that program and of random ones (ask/slice/generate.py) what Python finds from the events: what
# is reached, what each object retains, what has changed (model.py). Arguments: programs, the first seed.
#
# test: ask.heap
# labels: ask cli
# limit: 900 s
# short: 1
# long: 20
# full: 200
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/test/ask/lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
programs=${1:-1} first=${2:-1}
cd "$WORK" || exit 1
counted() { python3 "$HERE/model.py" "$HINDSIGHT" "$1" >told 2>&1 || fail "$1: $(tail -n 5 told)"; } # TRACE
compile c "$HERE/Holds.java" || die "the program does not compile"
for derive in on off; do
    rm -rf dumps && mkdir dumps
    record holds-$derive "quiet=true,weave=ALL,derive=$derive" -cp c Holds dumps >said 2>err ||
        die "recording: $(tail -n 3 err)"
    python3 "$HERE/model.py" "$HINDSIGHT" holds-$derive said dumps >told 2>&1 ||
        fail "derive=$derive: $(tail -n 5 told)"
    tail -n 1 told
done
compile c "$HERE/../alloc/Makes.java" || die "Makes does not compile"
record makes quiet=true,weave=ALL -cp c Makes >/dev/null 2>err || die "recording: $(tail -n 3 err)"
counted makes
each_generated "$first" "$programs" counted
"$HINDSIGHT" heap holds-on --at 900 --csv >rows.csv && "$HINDSIGHT" heap holds-on --at 900 --json >rows.json &&
    "$HINDSIGHT" sql 'SELECT * FROM heap(900)' holds-on --json >rows.sql || fail "--csv, --json, sql"
python3 "$HERE/../alloc/same_rows.py" type reached outside unheld retained ||
    fail "--csv, or the table heap, is not what --json says"
# the index keeps the types at the end, once they were asked for
"$HINDSIGHT" heap holds-on --json >plain 2>/dev/null
"$HINDSIGHT" index holds-on >/dev/null 2>&1
"$HINDSIGHT" heap holds-on --json >once 2>/dev/null
HINDSIGHT_CHUNKS=1 "$HINDSIGHT" heap holds-on --json >again 2>chunks
[ -s plain ] && cmp -s plain once && cmp -s plain again && grep -q '^chunks decoded: 0$' chunks ||
    fail "kept in the index: $(cat chunks)"
# what was not recorded is said
record few quiet=true,weave=EXEC+CALL -cp c Makes >/dev/null 2>err
"$HINDSIGHT" heap few >said 2>err && grep -q 'more objects may be held than is known, since FIELD was not' err ||
    fail "without FIELD: $(cat err)"
one_line 2 'since is behind --at' "$HINDSIGHT" heap holds-on --at 5 --since 6
one_line 1 'at 999999' "$HINDSIGHT" heap holds-on --at 999999
finish
