#!/bin/bash
# Somebody cuts a file of the trace while it is recorded: the recording ends and says so, the program does what it does
# without it. Every file that is mapped, to nothing and to a part, in each format that has it.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer has its own handler of SIGBUS"
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
"$JAVA" -cp c Beside 2 | sed '/^steps/d' >plain

# cut NAME FORMAT FILE BYTES [OPTIONS]
cut_file() {
    local name=$1 file=$3 bytes=$4
    "$JAVA" "-agentpath:$AGENT=output=$name,format=$2${5:-}" -Xmx48m -cp c Beside 2 "$name.stop" >"$name.out" \
        2>"$name.err" &
    local pid=$!
    wait_for '^1 ' "$name.out"
    until_events "$name" 50000
    truncate -s "$bytes" "$name/$file" || fail "$name: there is no $file"
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
cut_file intervals omni intervals 0 ',logstart=#step##METHOD_ENTRY,logend=#step##METHOD_EXIT'
finish
