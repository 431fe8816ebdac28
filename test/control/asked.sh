#!/bin/bash
# asked.sh: recording begins when the JVM asks code of the program already while it loads classes (Asked.java): system
# properties, a security manager. The program runs as without us, and the events are in order (fsck), also where hooks
# would record inputs alone (derive=on).
#
# test: control.asked
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Asked.java" || die "Asked does not compile"
mkdir late && mv c/AskedLate.class late
"$JDK/bin/jar" -c -f late.jar -C late AskedLate.class || die "late.jar"
what=("")
[ "$RELEASE" -ge 24 ] || what+=(manager)
for argument in "${what[@]}"; do
    allow=(); [ -z "$argument" ] || allow=(-Djava.security.manager=allow)
    for way in start attach; do
        for derive in off on; do
            name=${argument:-properties}.$way.$derive
            rm -f in && mkfifo in && : >out
            options=("-agentpath:$AGENT=output=$WORK/$name,format=omni,start=off,derive=$derive")
            [ $way = start ] || options=()
            # shellcheck disable=SC2086
            "$JAVA" $QUIET "${options[@]}" "${allow[@]}" -cp c:late.jar Asked $argument <in >out 2>err &
            exec 3>in
            wait_ready
            if [ $way = start ]; then
                h start "$SERVER" weave=ALL >/dev/null
            else
                h attach "$SERVER" "output=$WORK/$name,format=omni,weave=ALL,derive=$derive" >/dev/null
            fi
            echo go >&3
            exec 3>&-
            wait "$SERVER" || fail "$name: it ended with status $?: $(head -n 3 err)"
            SERVER=
            tail -n 1 out | grep -q '^2[12] asked$' || fail "$name: it computes $(tail -n 1 out)"
            "$HINDSIGHT" print "$name" --json --method it --event OBJECT_INSTANCEOF_RESULT | grep -q . ||
                fail "$name: what it did is not there"
            clean "$name"
        done
    done
done
finish
