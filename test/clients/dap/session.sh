#!/bin/bash
# session.sh [STEPS]: sessions with `hindsight dap` (session.js): programs whose answers are known, so many random
# steps, wrong requests, hostile messages.
#
# test: dap.session
# labels: ask cli
# limit: 900 s
# short: 100
# long: 1000
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/dap
npm_client dap
compile "$WORK/c" "$HERE"/{Shop,Held,Wide}.java "$ROOT"/test/ask/{Bank,Failure}.java || die "javac"
mkdir "$WORK/traces"
for name in Shop Held Wide Bank Failure; do
    record "$WORK/traces/$name" weave=ALL -cp "$WORK/c" $name >"$WORK/out" 2>"$WORK/err" ||
        die "recording $name: $(tail -n 3 "$WORK/err")"
done
node "$HERE/session.js" "$HINDSIGHT" "$WORK/traces" "$ROOT/test" "${1:-100}" || fail "session.js"

# a program that is recorded first, in the words of the protocol
ask() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
cd "$WORK" || exit 1
words="[\"$JAVA\",\"-cp\",\"c\",\"Shop\"]"
{
    ask '{"seq":1,"type":"request","command":"initialize"}'
    ask '{"seq":2,"type":"request","command":"launch","arguments":{"trace":"made","command":'"$words}}"
    ask '{"seq":3,"type":"request","command":"threads"}'
    ask '{"seq":4,"type":"request","command":"disconnect"}'
} | "$HINDSIGHT" dap >launched 2>err || fail "launch with a command: $(cat err)"
grep -q '"output":"35000000019 xtrue5010' launched || fail "the program's output is not passed on"
grep -q '"request_seq":3,"success":true,.*"name":"main"' launched || fail "no session after launch: $(cat launched)"
python3 "$HERE/fuzz.py" "$HINDSIGHT" "$WORK/traces/Bank" 15 || fail "fuzz.py"
one_line 2 'expected \[ADDR:\]PORT' "$HINDSIGHT" dap --listen 70000
one_line 2 'only addresses of this machine' "$HINDSIGHT" dap --listen 8.8.8.8:0
finish
