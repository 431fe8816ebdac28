#!/bin/bash
# find: of a program with values of every kind in every place (Lives.java), and of random ones (ask/slice/generate.py),
# it has the places that Python finds in the events alone (model.py): without an index, and with one, of the events that
# are recorded and of those that are derived. Arguments: programs, the first seed.
#
# test: ask.find
# labels: ask cli slow
# limit: 900 s
# short: 1
# long: 20
# full: 200
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/test/ask/lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
programs=${1:-1} first=${2:-1}
cd "$WORK" || exit 1
found() { # TRACE
    python3 "$HERE/model.py" "$HINDSIGHT" "$1" >told 2>&1 || fail "$1: $(tail -n 5 told)"
    tail -n 1 told
}
compile c "$HERE/Lives.java" || die "the program does not compile"
for derive in on off; do
    record lives-$derive "quiet=true,stdout=true,derive=$derive" -cp c Lives >/dev/null 2>err ||
        die "recording: $(tail -n 3 err)"
    found lives-$derive
    "$HINDSIGHT" index lives-$derive >said || fail "index: $(cat said)"
    found lives-$derive
done
each_generated "$first" "$programs" found
# a value that is nowhere costs the index, and no chunk; one that is once, its segment
"$HINDSIGHT" find lives-on 424242 --json >row && [ "$(wc -l <row)" = 1 ] || fail "424242: $(cat row)"
one_line 0 'there is no place with this value' "$HINDSIGHT" find lives-on 123456789
one_line 2 'is none of field, element' "$HINDSIGHT" find lives-on 1 --kind feild
finish
