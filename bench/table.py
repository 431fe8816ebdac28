"""table.py: the output of workloads.sh on standard input as a Markdown table, a row for each program.

A cell: times plain by the clock; CPU seconds; peak MB; bytes of an event with everything on disk. Below it, for each
way, the medians over all programs of the times by the clock, of the times in CPU seconds, and of the bytes."""
import json
import statistics
import sys

rows = {}
for line in sys.stdin:
    r = json.loads(line)
    rows.setdefault(r["workload"], {})[r["way"]] = r
ways = list(next(iter(rows.values())))
print("| program | M events | " + " | ".join(ways) + " |")
print("| --- | --- |" + " --- |" * len(ways))
for name, by_way in sorted(rows.items()):
    cells = [name, f"{by_way['omni']['events'] / 1e6:.1f}"]
    for way in ways:
        r = by_way[way]
        first = f"{r['wall_s']:.2f} s" if way == "plain" else f"{r['slowdown']:.1f}x"
        cells.append(
            "; ".join(
                [first, f"{r['cpu_s']:.1f}", f"{r['peak_mb']:.0f}"]
                + ([f"{r['bytes_per_event']:.3f}"] if r["bytes_per_event"] else [])
            )
        )
    print("| " + " | ".join(cells) + " |")
print()
for way in ways[1:]:
    ran = [(by_way[way], by_way["plain"]) for by_way in rows.values()]
    stored = [r["bytes_per_event"] for r, _ in ran if r["bytes_per_event"]]
    print(
        f"{way}: {len(ran)} programs, {statistics.median(r['slowdown'] for r, _ in ran):.2f} times by the clock"
        f" ({min(r['slowdown'] for r, _ in ran):.1f} to {max(r['slowdown'] for r, _ in ran):.1f}),"
        f" {statistics.median(r['cpu_s'] / p['cpu_s'] for r, p in ran):.2f} in CPU seconds,"
        + (f" {statistics.median(stored):.3f} bytes an event" if stored else " no events")
    )
