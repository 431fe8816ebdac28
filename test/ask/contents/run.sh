#!/bin/bash
# run.sh [STEPS] [SEED...]: what collections, StringBuilder, Optional, Atomic... of the JDK held, as the calls on them
# tell, is what a program that does random things with them prints (compare.py).
#
# test: ask.contents
# labels: ask cli
# limit: 900 s
# short: 12
# long: 60
. "$(dirname "$0")/../../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
steps=${1:-12}
shift
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python
compile "$WORK/c" "$ROOT"/test/ask/contents/*.java || die "javac"
for seed in "${@:-1}"; do
    rm -rf "$WORK/t"
    record "$WORK/t" quiet=true -cp "$WORK/c" Contents "$seed" "$steps" >"$WORK/out" 2>&1 || die "$(head "$WORK/out")"
    python3 "$ROOT/test/ask/contents/compare.py" "$WORK/t" $((steps * 16)) || fail "seed $seed"
done

# the command says the same, a page at a time, and since when it does not know
held() { # KIND: the object that the last call of check with such a value was given
    "$HINDSIGHT" print "$WORK/t" --event METHOD_PARAM --class Contents --method 'check(Object, String)' --json |
        sed -nE "s/.*\"value\":\{\"id\":([0-9]+),\"type\":\"$1\".*/\1/p" | tail -n 1
}
list=$(held java.util.Vector)
whole=$("$HINDSIGHT" object "$WORK/t" "$list" --json)
part=$("$HINDSIGHT" object "$WORK/t" "$list" --json --skip 1 --limit 1)
python3 - "$whole" "$part" <<'PY' || fail "object --json: $whole"
import json, sys
whole, part = (json.loads(a)["contents"] for a in sys.argv[1:])
assert whole["kind"] == "list" and whole["known"] and whole["size"] == len(whole["entries"]), whole
assert part["entries"] == whole["entries"][1:2] and part["size"] == whole["size"], part
PY
shown=$("$BUILD/examples/contents" "$WORK/t" "$list" | wc -l)
[ "$shown" = "$(grep -oE '\{"value":' <<<"${whole#*contents}" | wc -l)" ] || fail "example contents: $shown"
says() { # TYPE TEXT: why the contents of the last such object are not known
    "$HINDSIGHT" object "$WORK/t" "$(held "$1")" >"$WORK/says"
    grep -qE "^contents not known: $2" "$WORK/says" || fail "$1: $(cat "$WORK/says")"
}
last=$("$HINDSIGHT" history "$WORK/t" Contents.last --json | sed -nE 's/.*"value":\{"id":([0-9]+).*/\1/p')
"$HINDSIGHT" object "$WORK/t" "$last" >"$WORK/says"
grep -q "^contents not known since .* copied from one collection to the next more than 500 times" "$WORK/says" ||
    fail "nested 600 times: $(cat "$WORK/says")"
says java.util.BitSet 'calls of java.util.BitSet are not followed'
says 'Contents\$Own' 'its class extends java.util.ArrayList,'
says 'Contents\$1' 'its class extends java.util.LinkedHashMap,'
"$HINDSIGHT" history "$WORK/t" "$list[0]" 2>"$WORK/says" && fail "elements of a Vector"
grep -q "not an array: hindsight object $list --at SEQ " "$WORK/says" || fail "$(cat "$WORK/says")"
"$HINDSIGHT" object "$WORK/t" "$(held java.util.HashMap)" >"$WORK/map"
grep -qE '^contents not known since [0-9]+: java.util.Map.replaceAll ' "$WORK/map" || fail "$(cat "$WORK/map")"

# a million calls (CONTENTS_CALLS_MAX) are followed, and no more
record "$WORK/t" quiet=true,overwrite=true,weave=EXEC+CALL+PARAM+OBJECT -cp "$WORK/c" Contents many 1000001 \
    >"$WORK/out" 2>&1 || die "$(head "$WORK/out")"
counter=$(held java.util.concurrent.atomic.AtomicInteger)
last=$("$HINDSIGHT" object "$WORK/t" "$counter" --json)
lost='"known":false,"since":([0-9]+),"why":"only the first 1000000 calls '
seq=$(sed -nE "s/.*\"contents\":\{[^}]*$lost.*/\1/p" <<<"$last")
[ -n "$seq" ] || die "after all calls: $last"
# the first call that is not followed has returned one more than what was known before it
returned=$("$HINDSIGHT" print "$WORK/t" --from "$seq" --num 2 --event CALL_RETURN --json |
    sed -nE 's/.*"value":([0-9]+).*/\1/p' | head -n 1)
before=$("$HINDSIGHT" object "$WORK/t" "$counter" --at $((seq - 1)) --json)
[ "$returned" = 1000000 ] || fail "the call at $seq returned $returned"
grep -q '"entries":\[{"value":999999,' <<<"$before" || fail "before $seq: $before"
finish
