#!/bin/bash
# Somebody cuts a file of the trace while it is recorded: the recording ends and says so, the program does what it does
# without it. Every file that is mapped, to nothing and to a part, in each format that has it.
#
# test: beside.cut
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer has its own handler of SIGBUS"
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
"$JAVA" -cp c Beside 2 | sed '/^steps/d' >plain

HOLD=0

# hold NAME PID: the storing thread stands still until NAME.go exists
hold() {
    python3 "$ROOT/test/beside/hold.py" "$2" hindsight-drain "$1.go" >"$1.held" 2>&1 &
    wait_for held "$1.held"
}

# cut NAME FORMAT FILE BYTES [OPTIONS]; HOLD seconds pass before the recorder sees it, in which the program goes on
cut_file() {
    local name=$1 file=$3 bytes=$4
    "$JAVA" "-agentpath:$AGENT=output=$name,format=$2${5:-}" -Xmx48m -cp c Beside 2 "$name.stop" >"$name.out" \
        2>"$name.err" &
    local pid=$!
    wait_for '^1 ' "$name.out"
    until_events "$name" 50000
    [ "$HOLD" = 0 ] || hold "$name" $pid
    truncate -s "$bytes" "$name/$file" || fail "$name: there is no $file"
    sleep "$HOLD"
    : >"$name.go"
    for _ in $(seq 1200); do
        "$HINDSIGHT" status "$name" --json 2>/dev/null | grep -q '"recording":true' || break
        sleep 0.05
    done
    : >"$name.stop"
    wait $pid || fail "$name: exit status $?: $(head -n 5 "$name.err")"
    cmp -s plain "$name.out" || fail "$name: the program does something else: $(diff plain "$name.out" | head -n 3)"
    grep -q "recording ended early: .*somebody has cut $file while it was recorded" "$name.err" ||
        fail "$name: it is not said: $(cat "$name.err")"
    "$HINDSIGHT" info "$name" >said 2>&1 # an answer or a refusal
    [ $? -lt 128 ] || fail "$name: info: $(head -n 3 said)"
}
cut_file data omni data.mdb 0
cut_file data-part latest data.mdb 70K
cut_file journal omni journal 0
cut_file journal-part freq journal 100K
cut_file state latest state 0
cut_file state-part freq state 70K
HOLD=1
cut_file state-held latest state 0
cut_file counts-held freq state 0
HOLD=0
cut_file intervals omni intervals 0 ',logstart=#step##METHOD_ENTRY,logend=#step##METHOD_EXIT'

# somebody cuts a trace while a command reads it
"$JAVA" "-agentpath:$AGENT=output=read,format=omni,derive=off" -cp c Beside 2 >/dev/null 2>&1
mkfifo pipe
for command in print 'export --to jsonl'; do
    rm -rf again; cp -r read again
    # shellcheck disable=SC2086
    "$HINDSIGHT" $command again >pipe 2>err &
    pid=$!
    exec 8<pipe
    head -c 1000 <&8 >/dev/null # it waits for more to be read
    truncate -s 16384 again/data.mdb
    cat <&8 >/dev/null
    exec 8<&-
    wait $pid; status=$?
    [ $status = 3 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'not complete: a file of the trace was truncated' err ||
        fail "$command of a trace that is cut: exit status $status: $(cat err)"
done
finish
