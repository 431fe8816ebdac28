#!/bin/bash
# Every command takes --json: those that run a program, make a file, repair, or serve say what they did as one object a
# line, where it is in nobody's way.
#
# test: cli.json
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
compile "$WORK/c" "$ROOT"/test/cli/{Hello,Killed}.java || die "Hello or Killed does not compile"
cd "$WORK" || exit 1
PATH=$JDK/bin:$PATH h=$HINDSIGHT
"$BUILD/test/option_list" >options || die "no table of options"
for c in $(cut -d ' ' -f 1 options | sort -u); do
    grep -qx "$c json j -" options || fail "$c has no --json"
done
is() { # FILE EXPRESSION: true of d, the last line of the file
    tail -n 1 "$1" >last; [ "$(json last "$2")" = True ] || fail "not $2: $(tail -n 2 "$1")"
}

# record: the last line of standard error, whatever quiet= says; the program's own output is as it was
java -cp c Hello you 9 >plain
"$h" record --json -o t -w EXEC+CALL+PARAM --option quiet=true -- java -cp c Hello you 9 >out 2>err
[ $? = 9 ] && cmp plain out && [ "$(wc -l <err)" = 1 ] || fail "record: $(cat err)"
is err 'd["trace"] == "t" and d["exit_status"] == 9 and d["traces"] == 1 and d["format"] == "omni" and d["took_ns"] > 0'
"$h" info t --json >info
is err "d['events'] == $(json info 'd["events"]') > 50 and \
    d['bytes'] == $(json info 'd["bytes"]') and d['end'] == 'clean'"
"$h" record --json -o dead -- java -cp c Killed >out 2>err
is err 'd["signal"] == 9 and d["end"] == "crashed" and d["events"] > 100 and "exit_status" not in d'
"$h" record --json -o none -w PARAM -- java -cp c Hello >out 2>err
is err 'd["trace"] == "none" and d["events"] == 0 and d["reason"].startswith("PARAM is of methods")'
"$h" record --json -o none -- sh -c 'exit 3' >out 2>err
is err 'd["exit_status"] == 3 and d["reason"].startswith("no JVM was recorded") and "trace" not in d'
"$h" record --json -o none -- java -Xshare:dump -XX:SharedArchiveFile=no/x -cp c Hello >out 2>err
is err 'd["exit_status"] > 0 and "(-Xshare:dump) takes no agent" in d["reason"]'

# recover
java "-agentpath:$AGENT=output=k,format=omni" -cp c Killed >out 2>err
"$h" recover k --json >out 2>err; [ $? = 3 ] || fail "recover: $(cat err)"
"$h" info k --json >info 2>err
is out "d['trace'] == 'k' and d['events'] == $(json info 'd["events"]') >= d['recovered'] > 100 and d['lost'] == 0"
"$h" recover k --json >out 2>err; is out 'd["recovered"] == 0 and not d["recording"] and d["events"] > 100'

# export: where it is not in the way of what is exported
"$h" export t --to jsonl --json -o e.jsonl -e CALL >out 2>err || fail "export: $(cat err)"
is out "d['format'] == 'jsonl' and d['file'] == 'e.jsonl' and d['bytes'] == $(stat -c %s e.jsonl)"
is out "d['events'] == $(wc -l <e.jsonl) > 5 and d['events'] + d['left_out'] == $("$h" print t --json | wc -l)"
"$h" export t --to jsonl --json -e CALL >out 2>err
cmp out e.jsonl && is err "d['events'] == $(wc -l <e.jsonl) and 'file' not in d"
"$h" export t --to parquet --json -o tables >out 2>err || fail "export: $(cat err)"
is out "d['files'] == $(find tables -type f | wc -l) > 5 and d['bytes'] > 1000 and d['rows'] > 100"

# weave: what could not be woven, then the counts
"$h" weave c/Hello.class -w EXEC -o h.class --json >out 2>err || fail "weave: $(cat err)"
is out "d['classes'] == 1 and d['failed'] == 0 and d['hooks'] > 5 and d['after'] == $(stat -c %s h.class) > d['before']"
printf 'class Large { static void run(int i) { %s } }' "$(printf 'i++;%.0s' {1..19000})" >Large.java
compile . Large.java || die "Large does not compile"
"$h" weave Large.class --json >out 2>err || fail "weave of a large method: $(cat err)"
is out 'd["classes"] == 1 and d["narrowed"] == 1 and d["given_up"] == 0'
sed '$d' out >rows; [ "$(wc -l <rows)" = 1 ] &&
    is rows '(d["class"], d["method"], d["desc"]) == ("Large", "run", "(I)V")'
is rows '"LOCAL" in d["groups"].split("+") and "EXEC" not in d["groups"] and len(d["reason"]) > 5'
head -c 100 c/Hello.class >cut.class; "$h" weave cut.class --json >out 2>err
grep -q '^{"reason":"cut.class: ' out && [ -s err ] && is out 'd["failed"] == 1'

# scripts of shells, and servers
"$h" completion zsh --json >out && "$h" completion zsh >script && is out 'd["script"] == open("script").read()'
is out 'd["shell"] == "zsh"'
printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' | "$h" mcp t --json >out &&
    is out 'd["id"] == 1 and d["result"] == {}'
serves() { # PATTERN COMMAND...: its first line has an address like this
    local pattern=$1 pid; shift
    "$h" "$@" --json >"$1.out" 2>"$1.err" &
    pid=$!
    wait_for . "$1.out"
    kill $pid; wait $pid
    [[ $(json "$1.out" 'd["address"]') =~ $pattern ]] || fail "$1: $(cat "$1.out" "$1.err")"
} 2>/dev/null # where the shell tells of the kill
serves '^http://127.0.0.1:[0-9]+/\?token=' view t --no-browser
serves '^ws://127.0.0.1:[0-9]+/\?token=' dap --listen 0
serves '^[0-9]+$' jdwp t --port 0
finish
