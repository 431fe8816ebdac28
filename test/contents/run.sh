#!/bin/bash
# run.sh [STEPS] [SEED...]: what collections, StringBuilder, Optional, Atomic... of the JDK held, as the calls on them
# tell, is what a program that does random things with them prints (compare.py).
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
steps=${1:-12}
shift
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python
compile "$WORK/c" "$ROOT/test/contents/Contents.java" || die "javac"
for seed in "${@:-1}"; do
    rm -rf "$WORK/t"
    record "$WORK/t" quiet=true -cp "$WORK/c" Contents "$seed" "$steps" >"$WORK/out" 2>&1 || die "$(head "$WORK/out")"
    python3 "$ROOT/test/contents/compare.py" "$WORK/t" $((steps * 16)) || fail "seed $seed"
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
[ "$shown" = "$(grep -o '"value":' <<<"${whole#*contents}" | wc -l)" ] || fail "example contents: $shown"
"$HINDSIGHT" object "$WORK/t" "$(held java.util.HashMap)" >"$WORK/map"
grep -qE '^contents not known since [0-9]+: java.util.Map.replaceAll ' "$WORK/map" || fail "$(cat "$WORK/map")"
finish
