#!/bin/bash
# index_now.sh - when the index is made: `record --index now` leaves a whole one; so does the agent with index=now, soon
# after the JVM has ended; with index=off no question makes one, and `hindsight index` does. What is made while the
# program runs has, byte for byte, what is made at the end.
#
# test: cli.index_now
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Reads.java <<'EOF'
class Reads {
    static int x;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < Integer.parseInt(args[0]); i++)
            x += i;
        System.in.read();
    }
}
EOF
compile c "$ROOT/test/cli/Passes.java" Reads.java

whole() { # TRACE: is all of it in the index?
    [ -f "$1/index" ] && "$HINDSIGHT" index --json "$1" | python3 -c '
import json, sys
x = json.load(sys.stdin)
sys.exit(not (x["chunks"] > 4 and x["indexed"] == x["chunks"]))'
}
decoded() { # QUESTION...
    HINDSIGHT_CHUNKS=1 "$HINDSIGHT" "$@" 2>&1 >/dev/null | sed -n 's/^chunks decoded: //p'
}

"$HINDSIGHT" record -o now --index now -- "$JAVA" -cp c Passes 6000 >/dev/null 2>err || fail "record: $(cat err)"
[ -f now/index ] || fail "record --index now: no index"
before=$(stat -c %Y.%s now/index)
whole now || fail "record --index now: not whole"
[ "$before" = "$(stat -c %Y.%s now/index)" ] || fail "it was made afterwards"
for question in info report activity 'exceptions --limit 5'; do
    # shellcheck disable=SC2086
    [ "$(decoded $question now)" = 0 ] || fail "$question decodes chunks"
done

"$JAVA" "-agentpath:$AGENT=format=omni,output=agent,index=now" -cp c Passes 6000 >/dev/null 2>err || fail "$(cat err)"
for _ in $(seq 600); do whole agent && break; sleep 0.1; done
whole agent || fail "index=now: no index after a minute"

"$HINDSIGHT" record -o off --index off -- "$JAVA" -cp c Passes 6000 >/dev/null 2>&1
"$HINDSIGHT" report off >first
[ ! -e off/index ] || fail "index=off: a question has made it"
"$HINDSIGHT" index off >/dev/null 2>&1
whole off || fail "index=off: hindsight index does not make it"
"$HINDSIGHT" report off >second
cmp first second || fail "index=off: another report"
"$HINDSIGHT" record --index never -- "$JAVA" -version 2>err
[ $? = 2 ] && grep -q 'now, later or off' err || fail "--index never: $(cat err)"

# while the program runs: it waits for its input when it has filled more than 64 chunks
mkfifo in
record living weave=ALL,derive=off -cp c Reads 800000 <in &
exec 3>in
indexed() { "$HINDSIGHT" index living 2>/dev/null | sed -nE 's/^([0-9]+) of .*/\1/p'; }
for _ in $(seq 600); do [ "$(indexed)" -ge 64 ] 2>/dev/null && break; sleep 0.1; done
[ "$(indexed)" -ge 64 ] || fail "while it runs: $(indexed) chunks"
echo >&3
wait
"$HINDSIGHT" index living >/dev/null 2>&1
whole living || fail "living: not whole"
[ "$(decoded report living)" = 0 ] || fail "report decodes chunks: times are not in what was made while it ran"
mv living/index made
"$HINDSIGHT" index living >/dev/null 2>&1
cmp made living/index || fail "what was made while it ran differs"
finish
