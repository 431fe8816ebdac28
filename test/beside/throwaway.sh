#!/bin/bash
# throwaway.sh [CLASSES]: classes of loaders that are dropped, and hidden classes, in masses. They are unloaded while
# the program is recorded, the memory of the JVM does not grow with them but for the tables of their data IDs, and the
# trace knows each of them, with every call. By hand: throwaway.sh 100000.
#
# test: beside.throwaway
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
if [ "${HINDSIGHT_TEST_SIZE:-short}" = short ]; then n=2000; else n=10000; fi
n=${1:-$n}
compile c "$ROOT/test/beside/Throwaway.java" || die "Throwaway does not compile"
memory=(-Xmx128m -XX:+UseSerialGC "-XX:MaxMetaspaceSize=$((24 + n / 1000))m") # too small for classes that stay
"$JAVA" "${memory[@]}" -cp c Throwaway "$n" >plain 2>plain.err || die "plain: $(head -n 5 plain.err)"
record t "" "${memory[@]}" -cp c Throwaway "$n" >out 2>err || fail "exit status $?: $(head -n 5 err)"
cmp plain out || fail "the program does something else"
[ "$(tail -n 1 out)" = true ] || fail "classes were not unloaded"
[ "$(grep -vc ^resident err)" = 1 ] || fail "on standard error: $(grep -v ^resident err | head -n 3)"

# the second half: at most 4 kB for a class, and what a heap and malloc may keep
grown() { sed -n 's/^resident //p' "$1" | awk 'NR == 5 { half = $1 } END { print $1 - half }'; }
[ "$(grep -c '^resident [0-9]' err)" = 10 ] && [ "$(grown err)" -lt $((32768 + 2 * n)) ] ||
    fail "memory grows by $(grown err) kB in the second half, without recording by $(grown plain.err)"
echo "    $n loaders: the second half takes $(grown err) kB more, without recording $(grown plain.err)"

healthy t
consistent t
"$HINDSIGHT" classes t --json | grep -c '"class":"Throwaway$Unit",.*"woven":true' >count
[ "$(cat count)" = "$n" ] || fail "the trace has $(cat count) of $n classes"
"$HINDSIGHT" print t --json --class 'Throwaway$Unit' --method run --event METHOD_PARAM |
    sed -E 's/.*"value":([0-9]+),.*/\1/' | cmp - <(seq 0 $((n - 1))) || fail "not each call once, in order"
"$HINDSIGHT" objects t --json | sed -E 's/.*"type":"([^"]*)".*/\1/; s/[+/].*//; s/[$][$]Lambda.*/ lambda/' |
    grep '^Throwaway[$][US]' | sort | uniq -c | sed 's/^ *//' >objects
printf '%d Throwaway$Secret\n%d Throwaway$Unit\n%d Throwaway$Unit lambda\n' $((n / 4)) "$n" "$n" | diff - objects ||
    fail "not the objects that were made"
finish
