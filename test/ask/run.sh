#!/bin/bash
# Known answers: small programs with one error each, recorded with weave=ALL or what their line "// record:" says; every
# question has one right answer, asked through the command and through the example programs of reader/examples, without
# an index and with one. Questions stand in comments at the end of a program (directions.py), or, where an answer has to
# be computed, in a script beside it (ask.py).
#
# test: ask.answers
# labels: ask cli slow
# limit: 1200 s
. "$(dirname "$0")/../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
EXAMPLES=${EXAMPLES:-$BUILD/examples}
export MARK_TRACE=${MARK_TRACE:-$BUILD/test/mark_trace}
compile "$WORK/c" "$HERE"/*.java || die "the programs do not compile"
for program in "$HERE"/*.java; do
    name=$(basename "$program" .java)
    options=$(sed -nE 's|^// record: (.*)|\1|p' "$program")
    record "$WORK/$name" "${options:-weave=ALL}" -cp "$WORK/c" "$name" >"$WORK/$name.out" 2>"$WORK/err" ||
        die "recording $name: $(tail -n 3 "$WORK/err")"
done
# neither makes an index
sums() {
    "$HINDSIGHT" report "$WORK/$1" --sort name --json
    "$HINDSIGHT" info "$WORK/$1" --json | sed 's/,"index":[0-9]*//'
}
for pass in plain indexed; do
    if [ $pass = indexed ]; then
        for program in "$HERE"/*.java; do
            name=$(basename "$program" .java)
            rm -f "$WORK/$name/index" # of the questions before
            sums "$name" >"$WORK/$name.sums"
            "$HINDSIGHT" index "$WORK/$name" >/dev/null || fail "index $name"
            [ -f "$WORK/$name/index" ] || fail "index $name: no file"
            sums "$name" >"$WORK/$name.indexed"
            cmp -s "$WORK/$name.sums" "$WORK/$name.indexed" ||
                fail "$name:" \
                "the index adds up to something else: $(diff "$WORK/$name.sums" "$WORK/$name.indexed" | head -n 3)"
        done
    fi
    for questions in "$HERE"/*.py; do
        case $questions in */ask.py | */directions.py) continue ;; esac
        PYTHONPATH=$HERE python3 "$questions" "$HINDSIGHT" "$EXAMPLES" "$WORK" \
            >"$WORK/$(basename "$questions").$pass" || {
            fail "$(basename "$questions") $pass:"; tail -n 12 "$WORK/$(basename "$questions").$pass"; }
        tail -n 1 "$WORK/$(basename "$questions").$pass"
    done
done
finish
