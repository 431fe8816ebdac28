#!/bin/bash
# threads.sh [NUMBER [CALLS]]: that many threads at once, as many that native code attaches and detaches, and ten times
# as many virtual ones, most of which have ended before the drain comes to what they did. Every call of every thread is
# in the trace, in order, and every thread with its name and its end. By hand: threads.sh 10000.
#
# test: beside.threads
# labels: beside
# jdks: all
# limit: 600 s
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
python3 - "$n" "$calls" "$RELEASE" <<'PY' || failures=$((failures + 1))
import json, re, sys
n, calls, release = map(int, sys.argv[1:])
rows = {r["thread"]: r for r in map(json.loads, open("threads"))}
numbers = {}  # of the program, by thread of the trace
bad = []
work = {}
for line in open("work"):
    e = json.loads(line)
    work.setdefault(e["thread"], []).append(e["value"])
for t, values in work.items():
    number, first = divmod(values[0], 1000000)
    if [number * 1000000 + i for i in range(calls)] != values:
        bad.append("thread %d has not called work(%d) to work(%d)" % (t, values[0], values[0] + calls - 1))
    if number in numbers:
        bad.append("threads %d and %d are the same" % (t, numbers[number]))
    numbers[number] = t
    r = rows.get(t)
    if r is None or "end" not in r:
        bad.append("thread %d has no %s" % (t, "row" if r is None else "end"))
    elif number <= 3 * n:
        name = "platform" if number <= n else "native" if number <= 2 * n else "again"
        if r["name"] != "%s-%d" % (name, number) or r.get("virtual"):
            bad.append("thread %d is %s, not %s-%d" % (t, r["name"], name, number))
    elif not r.get("virtual"):
        bad.append("thread %d is not virtual" % t)
want = list(range(1, 2 * n + 1)) + [i + n for i in range(n + 1, 2 * n + 1) if i % 2 == 0]
want += range(3 * n + 1, 13 * n + 1) if release >= 21 else []
if sorted(numbers) != want:
    bad.append("%d threads, not %d" % (len(numbers), len(want)))
print("    %d threads, %d calls" % (len(numbers), sum(map(len, work.values()))))
print("".join("FAILED: %s\n" % b for b in bad[:5]), end="")
sys.exit(1 if bad else 0)
PY
finish
