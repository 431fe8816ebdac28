#!/bin/bash
# The longest arrays: their length and their last elements are recorded as they are, and every command that meets one
# answers, with memory for what was recorded of it only. In the short size of 2^30 + 2 bytes, in others of the most that
# a JVM makes.
#
# test: beside.arrays
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
n=$(((1 << 30) + 2)) mb=1200
[ "${HINDSIGHT_TEST_SIZE:-short}" = short ] || n=2147483645 mb=2300
free=$(sed -nE 's/^MemAvailable: +([0-9]+).*/\1/p' /proc/meminfo)
[ "$((free / 1024))" -ge $((2 * mb)) ] || skip "an array of $n bytes: only $((free / 1024)) MB of memory are free"
compile c "$ROOT/test/beside/Largest.java" || die "Largest does not compile"
program=(-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC "-Xmx${mb}m" -cp c Largest $n)
"$JAVA" "${program[@]}" >plain 2>err || skip "the JVM makes no array of $n bytes: $(head -n 1 err)"
record t "" "${program[@]}" >out 2>err || fail "exit status $?: $(cat err)"
[ "$(tail -n 1 plain)" = "$(tail -n 1 out)" ] || fail "the program does something else"
healthy t
consistent t
id=$("$HINDSIGHT" objects t --json | sed -nE 's/^."id":([0-9]+),"type":"byte\[\]",.*/\1/p' | head -n 1)
"$HINDSIGHT" print t --json --class Largest --method touch >events
cat >answers.py <<'PY'
import json, sys
n, last = int(sys.argv[1]), {}
values = {"ARRAY_STORE_VALUE", "ARRAY_LOAD_RESULT"}
index = None
for e in map(json.loads, open("events")):
    if e["event"].endswith("_INDEX"): index = e["value"]
    if e["event"] in values and index < n: last[str(index)] = e["value"]
o = json.load(open("object"))
unwritten = {k: o["elements"].pop(k) for k in o["defaults"]}
if o["length"] != n or o["elements"] != last or len(last) != 4 or set(unwritten.values()) != {0} or o["members"] != n:
    sys.exit("FAILED: object has length %d, %s; recorded %s" % (o["length"], o["elements"], last))
PY
end=$(sed -nE '$s/^..seq.:([0-9]+),.*/\1/p' events)
(
    ulimit -v 1500000 # of the command
    "$HINDSIGHT" object "$id" t --json >object || fail "object"
    "$HINDSIGHT" last-write "$id[$((n - 1))]" --at "$end" t --json >written || fail "last-write"
    "$HINDSIGHT" history "$id[$((n - 2))]" t --json >history || fail "history"
    "$HINDSIGHT" locals --at "$end" t >/dev/null || fail "locals"
    "$HINDSIGHT" export t --to hprof -o t.hprof || fail "export"
)
python3 answers.py $n || fail "object"
[ "$(json written 'd["value"]') $(json history 'd["value"]')" = "2 3" ] || fail "writes: $(cat written history)"
finish
