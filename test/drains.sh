#!/bin/bash
# drains.sh: what bench_drains simulates of programs for which a formula says what must come out, and of a recorded one;
# what bench_derive says of a log of its records.
#
# test: bench.drains
# labels: cli
# limit: 900 s
. "$(dirname "$0")/lib.sh"
demand=$BUILD/bench/bench_demand simulate=$BUILD/bench/bench_drains
[ -x "$demand" ] && [ -x "$simulate" ] || skip "bench/ is not built"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "figures of a sanitized agent are those of its checks"
cd "$WORK" || exit 1
cat >model.py <<'PY'
"""Programs of which it is known when everything is stored."""
import json
import subprocess
import sys

MB = 1_000_000


def run(name, threads, *options):
    """threads: (CPU seconds, MB); a byte takes 1 ns to store, and 0.1 to pack."""
    with open(name, "w") as f:
        f.write("elapsed 1\nstore 1000000 1000000\npack 100000 1000000\n")
        for number, (cpu, mb) in enumerate(threads):
            for slice in range(10):
                f.write(f"{slice} {number} {cpu * 1e8:.0f} {mb * MB / 10:.0f}\n")
    out = subprocess.run([sys.argv[1], *options, name], capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 10, out
    return {(row["drains"], row["way"]): row for row in rows}


def near(name, row, key, expected, most=0.06):
    if abs(row[key] - expected) > most * expected:
        print(f"{name}: {key} is {row[key]}, not {expected:.3f}: {row}")
        sys.exit(1)


fast = [(0.02, 100)] * 16  # 5 GB a second each: as fast as it is stored
rows = run("fast", fast)
for (drains, way), row in rows.items():
    if way != "hash" or drains == 1:
        near("fast", row, "stored_s", 1.6 / drains, 0.2)
near("fast, waiting", rows[1, "hash"], "waited_s", 16 * 1.6 - 16 * 0.02, 0.15)
rows = run("ordered", fast, "-o", "0.5")  # half of it in order: never faster than that half
near("ordered", rows[8, "load"], "stored_s", 0.8, 0.15)
rows = run("packed", fast, "-p", "0.4")  # packed beside it
near("packed", rows[1, "hash"], "stored_s", 0.96)
rows = run("cores", fast, "-c", "2")  # 1.6 s stored, 0.16 packed, 0.32 of the program, on two cores
near("cores", rows[8, "next"], "stored_s", (1.6 + 0.16 + 0.32) / 2, 0.1)
slow = [(0.5, 1)] * 16  # nobody waits
for row in run("slow", slow).values():
    near("slow", row, "program_s", 0.5)
    assert row["waited_s"] == 0, row
# one thread, which one drain has at a time
one = run("one", [(0.05, 600)] + [(0.05, 10)] * 15)
for drains in (2, 4, 8):
    near("one", one[drains, "load"], "stored_s", 0.6, 0.1)
    assert one[drains, "next"]["stored_s"] > 0.57, one[drains, "next"]
# a thread that has slice 9 alone, of half a second, waits for one that comes to slice 8 after 0.8 s
with open("late", "w") as f:
    f.write("store 1 1000000\npack 1 1000000\n9 1 500000000 1000\n")
    f.writelines(f"{slice} 0 100000000 1000\n" for slice in range(10))
for ahead, program in ("0", 1.0), ("1", 1.3):
    out = subprocess.run([sys.argv[1], "-w", ahead, "late"], capture_output=True, text=True, check=True).stdout
    near(f"late {ahead}", json.loads(out.splitlines()[0]), "program_s", program)
PY
python3 model.py "$simulate" || fail "the simulation is not what the formulas say"
for line in "1 2 3" "x" "1 2 -3 4" "store 1 0"; do
    echo "$line" >bad
    "$simulate" bad >bad.out 2>&1 && fail "bench_drains reads '$line'"
done

compile classes "$ROOT/bench/Sixteen.java" || die "Sixteen does not compile"
"$demand" trace looked "$JAVA" "-agentpath:$AGENT=output=trace,format=omni,weave=ALL,quiet=true" -cp classes Sixteen \
    dominant 40000 >demand.out || die "not looked at: $(cat demand.out)"
"$HINDSIGHT" info trace --json >info.json || fail "no trace"
python3 - <<'PY' || fail "the figures of a recorded run are wrong"
import collections
import json

made, cpu = collections.Counter(), collections.Counter()
for line in open("looked"):
    words = line.split()
    if words[0] in ("store", "pack"):
        stored = int(words[2])
    elif words[0] != "elapsed":
        made[words[1]] += int(words[3])
        cpu[words[1]] += int(words[2])
most, *others = sorted(made.values())[::-1]
events = json.load(open("info.json"))["events"]
assert len(made) >= 16, f"{len(made)} threads"
assert 7 < most / others[0] < 13 and 7 < most / others[14] < 13, f"one does ten times as much: {made}"
assert 0.9 * stored < sum(made.values()) <= stored, f"{sum(made.values())} of {stored} bytes"
assert 1 < stored / events < 16, f"{stored} bytes of {events} events"
assert all(cpu.values()), cpu
PY
# a log of the same records: a head of eight bytes each, and the values
"$JAVA" "-agentpath:$AGENT=output=plain,format=omni,weave=ALL,derive=off,quiet=true" -cp classes Sixteen locks 4000 ||
    fail "not recorded"
"$BUILD/bench/bench_derive" -l plain >log.out || fail "bench_derive -l: $(cat log.out)"
sed -nE 's/^ *log of .*: ([0-9.]+) bytes a record;.*/\1/p' log.out | tr '\n' ' ' >figures
read -r records values narrow <figures
python3 -c "import sys; r, v, n = map(float, sys.argv[1:]); sys.exit(not (7.9 < r - v < 8.1 and v / 8 <= n < v))" \
    "$records" "$values" "$narrow" || fail "a log of $records, $values and $narrow bytes a record"
"$simulate" -c 2 -o 0.03 -p 0.27 looked >rows && [ "$(wc -l <rows)" = 10 ] || fail "no simulation of a recorded run"
finish
