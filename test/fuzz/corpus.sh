#!/bin/bash
# corpus.sh [TARGET...]: every input of corpus/, in this build; a sanitized one sees wrong memory and leaks,
# too.
#
# test: fuzz.corpus
# labels: fuzz
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
replay=$BUILD/test/fuzz_replay
here=$ROOT/test/fuzz
export ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
[ $# -gt 0 ] || set -- $("$replay" --targets | cut -d' ' -f1)
for target; do
    [ -d "$here/corpus/$target" ] || { fail "$target has no inputs in test/fuzz/corpus"; continue; }
    "$replay" "$target" "$here/corpus/$target" >"$WORK/out" 2>&1 || fail "$target: $(tail -n 30 "$WORK/out")"
    tail -n 1 "$WORK/out"
done
for folder in "$here"/corpus/*/; do
    "$replay" --targets | grep -q "^$(basename "$folder") " || fail "$folder: there is no such target"
done
finish "no input is a failure"
