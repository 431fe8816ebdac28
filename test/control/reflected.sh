#!/bin/bash
# reflected.sh: what reflection shows of classes that were loaded before is the same while they are recorded, and after
# it: names of parameters too, which JVMs before 21 leave out of the bytes that they give agents (JDK-8240908).
#
# test: control.reflected
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Reflected.java" "$ROOT/test/jvm/ReflectionView.java" || die "Reflected does not compile"
for attached in no yes; do
    rm -f in && mkfifo in && : >out
    options=("-agentpath:$AGENT=output=$WORK/$attached,format=omni,start=off,weave=ALL")
    [ $attached = no ] || options=()
    # shellcheck disable=SC2086
    "$JAVA" $QUIET "${options[@]}" -cp c Reflected <in >out 2>err &
    exec 3>in
    wait_ready
    for word in plain recorded stopped again after; do
        case $word$attached in
        recordedno | again*) h start "$SERVER" >/dev/null ;;
        recordedyes) h attach "$SERVER" "output=$WORK/$attached,format=omni,weave=ALL" >/dev/null ;;
        stopped* | after*) h stop $attached >/dev/null ;;
        esac
        echo $word >&3
        wait_for "^$word\$" out
    done
    exec 3>&-
    wait "$SERVER" || fail "it ended with status $?: $(head -n 3 err)"
    SERVER=
    sed -n '2,/^plain$/p' out | sed '$d' >plain
    grep -q 'int first' plain && grep -q 'Reflected.java' plain || fail "too little is shown: $(head -n 3 plain)"
    for word in recorded stopped again after; do
        sed -n "/^$word\$/q;p" out | tail -n "$(wc -l <plain)" | diff plain - >diff ||
            fail "attached $attached: $word: $(head -n 6 diff)"
    done
    clean $attached
done
finish
