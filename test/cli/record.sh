#!/bin/bash
# `hindsight record`: the same as -agentpath, without paths; the program's exit status and streams pass through.
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
PATH=$JDK/bin:$PATH
"$HINDSIGHT" record -o t --format omni --weave EXEC+CALL+PARAM -- java -cp c Hello you 9 >out 2>err; status=$?
[ $status = 9 ] || fail "exit status $status, not the program's 9: $(cat err)"
java -cp c Hello you 9 >plain
cmp plain out || fail "standard output changed"
healthy t
[ "$("$HINDSIGHT" print t --json --event CALL | wc -l)" -gt 10 ] || fail "too few calls"
"$HINDSIGHT" print t --json --event LOCAL_STORE,LINE_NUMBER | grep . && fail "events of groups that were not chosen"
"$HINDSIGHT" record --format omni -- java -cp c Hello >out 2>err || fail "record with defaults: $(cat err)"
ls -d hindsight-* >/dev/null || fail "no trace of the default name"
one_line 1 'nosuchjava' "$HINDSIGHT" record -o t2 -- nosuchjava -cp c Hello
# the tables
for command in classes methods dataids threads strings; do
    "$HINDSIGHT" $command t --json >$command.jsonl || fail "$command: exit status $?"
    python3 -c 'import json,sys; n = [json.loads(l) for l in open(sys.argv[1])]; print("    %s: %d" % (sys.argv[1], len(n))); sys.exit(not n)' $command.jsonl || fail "$command --json"
    [ "$("$HINDSIGHT" $command t --json --limit 1 | wc -l)" = 1 ] || fail "$command --limit 1"
    "$HINDSIGHT" $command t | grep -q . || fail "$command as text"
done
grep -q '"hello, you"' strings.jsonl || fail "strings does not list the greeting"
grep -q '"second"' threads.jsonl || fail "threads does not list the second thread by name"
grep -q '"Hello"' classes.jsonl || fail "classes does not list Hello"
"$HINDSIGHT" tree t | grep -q greet || fail "tree does not show greet"
"$HINDSIGHT" tree t --thread second | grep -q fib || fail "the tree of the second thread does not show fib"
"$HINDSIGHT" tree t --json | python3 -c 'import json,sys; n = [json.loads(l) for l in sys.stdin]; assert any(x["method"] == "greet" for x in n)' || fail "tree --json"
finish
