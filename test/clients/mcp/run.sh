#!/bin/bash
# `hindsight mcp`: two clients of the protocol, of both of its eras, find the cause of a stale value with four calls and
# get the same answers within their budgets (session.mjs), which are those of the command (against.py); several traces,
# folders; nothing is written. A failing test, and the tool that records (failing.py). malformed.sh has what is no
# message.
#
# test: mcp.clients
# labels: mcp slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
cd "$WORK" || exit 1
compile classes "$HERE/Shop.java" || die "Shop.java does not compile"
mkdir traces
record traces/one weave=ALL -cp classes Shop 120 >out 2>err || die "recording: $(cat err)"
record traces/two weave=ALL -cp classes Shop 121 >out 2>err || die "recording: $(cat err)"
grep -q '^price 30 30$' out || fail "the program printed $(cat out)"
sums() { (cd traces && find . -type f -printf '%p %s %T@ ' -exec sha256sum {} \;); }
sums >before
cp -r traces copies # for the command, which locks what it reads

npm_client mcp
for era in sdk handshake stateless; do
    node "$HERE/session.mjs" $era "$HINDSIGHT" traces/one >$era.calls 2>$era.err ||
        fail "$era: $(grep -vE '^ +at ' $era.err | head -n 20)"
    [ "$(wc -l <$era.calls)" -ge 40 ] || fail "$era: $(wc -l <$era.calls) calls"
    cmp -s sdk.calls $era.calls || fail "$era: other answers than sdk: $(diff sdk.calls $era.calls | head -n 4)"
done
python3 "$HERE/against.py" "$HINDSIGHT" copies/one sdk.calls || fail "other answers than the command"
python3 "$HERE/several.py" "$HINDSIGHT" traces || fail "several traces"
sums >after
cmp -s before after || fail "a file of the traces was written: $(diff before after)"

bug=$ROOT/test/bugs/off_by_one jars=/usr/share/java/junit4.jar:/usr/share/java/hamcrest-all.jar
if [ -e /usr/share/java/junit4.jar ]; then
    "${JAVAC[@]}" -g -cp $jars -d tested "$bug"/*.java || die "the program with a fault does not compile"
    "$HINDSIGHT" record --tests -o failing -- "$JDK/bin/java" -cp tested:$jars org.junit.runner.JUnitCore \
        off_by_one.PagesTest >out 2>err
    PATH=$JDK/bin:$PATH python3 "$HERE/failing.py" "$HINDSIGHT" tested off_by_one.PagesTest $jars failing ||
        fail "a failing test"
fi
"$HINDSIGHT" mcp --skill | cmp -s - "$ROOT/docs/assistants/SKILL.md" || fail "--skill: another text"

one_line 1 'neither a trace nor a folder' "$HINDSIGHT" mcp classes
one_line 1 'no/such: No such file' "$HINDSIGHT" mcp no/such
one_line 2 'timeout wants 1 to' "$HINDSIGHT" mcp traces/one --timeout 0
finish
