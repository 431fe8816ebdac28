#!/bin/bash
# late.sh: a class that the JVM has read before `start`, and that becomes a class after it, is woven soon after: by the
# second look at once, or by the third a second later (logging/agent/unfinished_classes.c).
#
# test: control.late
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Late.java" || die "Late does not compile"
for attached in no yes; do
    rm -f in && mkfifo in && : >out
    options=("-agentpath:$AGENT=output=$WORK/$attached,format=omni,start=off,weave=EXEC")
    [ $attached = no ] || options=()
    # shellcheck disable=SC2086
    "$JAVA" $QUIET "${options[@]}" -cp c Late <in >out 2>err &
    exec 3>in
    wait_ready
    [ "$(tell begin)" = begun ] || fail "no class is begun"
    if [ $attached = no ]; then
        h start "$SERVER" >/dev/null
    else
        h attach "$SERVER" "output=$WORK/$attached,format=omni,weave=EXEC" >/dev/null
    fi
    [ "$(tell finish)" = defined ] || fail "no class is defined"
    for _ in $(seq 300); do
        [ "$(tell call)" = "called 42" ] || fail "the program computes something else"
        h snapshot $attached >/dev/null
        "$HINDSIGHT" print $attached --json --class 'Late$Sub' --event METHOD_ENTRY --method step --limit 1 \
            2>/dev/null | grep -q . && break
        sleep 0.2
    done
    "$HINDSIGHT" print $attached --json --class 'Late$Sub' --event METHOD_ENTRY --method step --limit 1 2>/dev/null |
        grep -q . ||
        fail "attached $attached: no call of a class that was being defined at the start"
    [ "$("$HINDSIGHT" classes $attached --json | grep '"class":"Late$Sub"' | grep -c '"woven":true')" = 1 ] ||
        fail "attached $attached: $("$HINDSIGHT" classes $attached --json | grep 'Late.Sub')"
    h stop $attached >/dev/null
    n=$(key "$SERVER" events)
    [ "$(tell call)" = "called 42" ] || fail "the program computes something else"
    h snapshot $attached >/dev/null
    [ "$(key "$SERVER" events)" = "$n" ] || fail "attached $attached: it records after the stop"
    exec 3>&-
    wait "$SERVER" || fail "it ended with status $?: $(head -n 3 err)"
    SERVER=
    clean $attached
done
finish
