#!/bin/bash
# A native agent (retransformer.c) before and behind ours that changes class files, and retransforms or redefines the
# classes all the time, also with the code that we have woven: every event is as without it. The same while recording
# starts and stops. Java agents: agents.sh.
#
# test: beside.native-agents
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
"${CC:-cc}" -shared -fPIC -Wall -Werror -I"$JDK/include" -I"$JDK/include/linux" -o other.so \
    "$ROOT/test/beside/retransformer.c" -lpthread || die "retransformer.c does not compile"
ours() { echo "-agentpath:$AGENT=output=$1,format=omni"; }
other() { echo "-agentpath:$WORK/other.so=$1"; }
# events TRACE: of the program, as text, by thread; without the numbers of events, objects and lambda classes
events() {
    "$HINDSIGHT" print "$1" --class 'Beside*' | sed -E 's/#[0-9]+//g; s/Lambda[^ ]*/Lambda/g; s/RADIUS/radius/g' |
        awk '{ $1 = ""; $2 = $2 > 0; print }' | sort -s -k1,1
}

"$JAVA" -cp c Beside 20 >plain.out || die "the program does not run"
"$JAVA" "$(ours alone)" -cp c Beside 20 >out 2>err || fail "alone: exit status $?: $(head -n 3 err)"
events alone >alone.events
for words in change+load-only change+retransform redefine change+redefine; do
    for order in before behind; do
        name=$words-$order
        both=("$(other $words)" "$(ours "$name")")
        [ $order = before ] || both=("${both[1]}" "${both[0]}")
        "$JAVA" "${both[@]}" -cp c Beside 20 >out 2>err || fail "$name: exit status $?: $(head -n 3 err)"
        cmp plain.out out || fail "$name: the program does something else"
        grep -q '^retransformer: .* error 0$' err || fail "$name: $(cat err)"
        healthy "$name" && consistent "$name"
        "$HINDSIGHT" info "$name" --json >info.json
        [ "$(json info.json 'd["classes"]["woven"], d["not_woven"]')" = "(4, [])" ] ||
            fail "$name: $(json info.json 'd["classes"], d["not_woven"][:3]')"
        events "$name" | diff alone.events - >diff || fail "$name: the events are others than alone: $(head -n 4 diff)"
        "$HINDSIGHT" strings "$name" >strings
        case $words in
        change*) grep -q '"RADIUS -1.0"' strings && ! grep -q '"radius ' strings ;;
        *) grep -q '"radius -1.0"' strings && ! grep -q '"RADIUS ' strings ;;
        esac || fail "$name: $(grep -i radius strings | head -n 3)"
    done
done

for words in retransform redefine; do
    rm -f stop
    "$JAVA" "$(ours started-$words),start=off" "$(other $words)" -cp c Beside 1 stop \
        >started-$words.out 2>err &
    pid=$!
    wait_for '^0 ' started-$words.out
    for ((i = 0; i < 5; i++)); do
        "$HINDSIGHT" start started-$words --json >said 2>&1 || fail "$words, round $i: start: $(cat said)"
        until_events started-$words "$(events_now started-$words)"
        "$HINDSIGHT" stop started-$words --json >said 2>&1 || fail "$words, round $i: stop: $(cat said)"
    done
    : >stop
    wait $pid || fail "started-$words: exit status $?: $(head -n 5 err)"
    grep -q '^retransformer: .* error 0$' err || fail "started-$words: $(cat err)"
    healthy started-$words; consistent started-$words
done
finish
