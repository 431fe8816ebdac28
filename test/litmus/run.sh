#!/bin/bash
# run.sh FILE.java [ROUNDS]: two threads pass messages; `print` must never list a receive before its send (order.py).
# Each program runs with several choices of groups, since the recorder stamps differently with each: EXEC and CALL
# together, one of them alone (library code may have synchronised unseen), fields alone, everything. Default 10,000
# rounds; the full size is a million (test/litmus/run.sh FILE 1000000, or `check --full`). `// divide: N` in a source:
# so many rounds fewer; `// events: E...`: those that are compared; `// groups: G...`: the choices that make sense.
. "$(dirname "$0")/../lib.sh"
here=$(dirname "$(realpath "$0")") source=$(realpath "$1") name=$(basename "$source" .java)
rounds=${2:-${HINDSIGHT_ROUNDS:-10000}}
divide=$(sed -n 's|^// divide: *||p' "$source"); rounds=$((rounds / ${divide:-1}))
compile "$WORK/classes" "$source" || die "$name does not compile"
groups=$(sed -n 's|^// groups: *||p' "$source")
n=0
events=$(sed -n 's|^// events: *||p' "$source")
events=${events:-METHOD_PARAM,CALL,CALL_PARAM,PUT_STATIC_FIELD,GET_STATIC_FIELD,ARRAY_STORE_VALUE,ARRAY_LOAD_RESULT}
for weave in ${groups:-EXEC+CALL+PARAM EXEC+PARAM CALL+PARAM FIELD+ARRAY ALL}; do
    trace=$WORK/trace; rm -rf "$trace"
    out=$(record "$trace" "weave=$weave" -Xverify:all -cp "$WORK/classes" "$name" "$rounds" 2>"$WORK/stderr"); status=$?
    [ $status = 0 ] && [ "${out#done }" != "$out" ] || {
        fail "$name with $weave: exit status $status: $(tail -n 3 "$WORK/stderr")"
        continue
    }
    healthy "$trace" || continue
    consistent "$trace"
    "$HINDSIGHT" print "$trace" --json --event "$events" 2>"$WORK/stderr" |
        LC_ALL=C grep -E '"method":"(send|recv)"|"event":"[^M]' | python3 "$here/order.py" "$rounds"
    [ "${PIPESTATUS[*]}" = "0 0 0" ] || fail "$name with $weave: $(cat "$WORK/stderr")"
    n=$((n + 1))
done

# The last events are kept by the hook, in another way (weaver/plan_direct.c); here all of those that are compared.
for weave in EXEC+CALL+PARAM ALL; do
    trace=$WORK/latest; rm -rf "$trace"
    out=$(record "$trace" "format=latest,size=16384,weave=$weave" -Xverify:all -cp "$WORK/classes" "$name" "$rounds" \
        2>"$WORK/stderr"); status=$?
    [ $status = 0 ] && [ "${out#done }" != "$out" ] || {
        fail "$name, latest with $weave: exit status $status: $(tail -n 3 "$WORK/stderr")"
        continue
    }
    for of in "$events" METHOD_PARAM; do # CALL_PARAM alone would do for the order
        "$HINDSIGHT" latest "$trace" --json --event "$of" 2>"$WORK/stderr" |
            LC_ALL=C grep -E '"method":"(send|recv)"|"event":"[^M]' >"$WORK/rows"
        python3 "$here/latest_rows.py" <"$WORK/rows" | python3 "$here/order.py" "$rounds" 2>>"$WORK/stderr"
        [ "${PIPESTATUS[*]}" = "0 0" ] || fail "$name, latest with $weave: $(head -n 3 "$WORK/stderr")"
    done
    n=$((n + 1))
done
figure "litmus rounds" $((n * rounds))
finish "$name: $n recordings of $rounds rounds in order on JDK $RELEASE"
