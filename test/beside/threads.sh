#!/bin/bash
# threads.sh [NUMBER [CALLS]]: that many threads at once, as many that native code attaches and detaches, and ten times
# as many virtual ones, most of which have ended before the drain comes to what they did. Every call of every thread is
# in the trace, in order, and every thread with its name and its end. By hand: threads.sh 10000.
#
# test: beside.threads
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
if [ "${HINDSIGHT_TEST_SIZE:-short}" = short ]; then n=500; else n=2000; fi
n=${1:-$n} calls=${2:-100}
compile c "$ROOT/test/beside/Threads.java" || die "Threads does not compile"
${CC:-cc} -shared -fPIC -Wall -Werror -I"$JDK/include" -I"$JDK/include/linux" -o libattach.so \
    "$ROOT/test/beside/attach.c" -lpthread || die "attach.c does not compile"
program=(--enable-native-access=ALL-UNNAMED -cp c Threads "$WORK/libattach.so" "$n" "$calls")
"$JAVA" "${program[@]}" >plain 2>plain.err || skip "without us: $(head -n 3 plain.err)"
record t weave=EXEC+PARAM -Xcheck:jni "${program[@]}" >out 2>err ||
    fail "exit status $?: $(head -n 5 err)"
cmp plain out || fail "the program does something else"
[ "$(wc -l <err)" = 1 ] || fail "on standard error: $(head -n 5 err)"
healthy t
consistent t
"$HINDSIGHT" threads t --json >threads
"$HINDSIGHT" print t --json --class Threads --method work --event METHOD_PARAM >work
python3 "$ROOT/test/beside/threads.py" "$n" "$calls" "$RELEASE" || failures=$((failures + 1))
finish
