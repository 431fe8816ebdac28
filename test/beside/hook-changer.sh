#!/bin/bash
# A Java agent that changes the hook classes, before and behind ours: what it makes of them is not used. And a method
# that it runs before recording begins has no event without its begin.
#
# test: beside.hook-changer
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/beside/HookChanger.java" || die "HookChanger does not compile"
printf 'Premain-Class: HookChanger\nCan-Retransform-Classes: true\n' >manifest
"$JDK/bin/jar" cfm changer.jar manifest -C c . || die "no jar of HookChanger"
for order in before behind; do
    both=(-javaagent:changer.jar "-agentpath:$AGENT=output=$order,format=omni,redact=HookChanger.none")
    [ $order = before ] || both=("${both[1]}" "${both[0]}")
    "$JAVA" "${both[@]}" -cp c HookChanger >out 2>err || fail "$order: exit status $?: $(head -n 3 err)"
    grep -qx 'all changed' out || fail "$order: $(cat out) $(head -n 3 err)"
    healthy $order && consistent $order
    [ "$("$HINDSIGHT" print $order --json --method step --event METHOD_ENTRY | wc -l)" = 5 ] ||
        fail "$order: not five calls of step: $("$HINDSIGHT" print $order --method step --event METHOD_ENTRY)"
done
finish
