"""table.py: the output of workloads.sh on standard input as Markdown: for each way the medians over all programs, then
a row for each program."""
import json
import statistics
import sys

SECONDS = {"c1_s": "C1", "c2_s": "C2", "drain_s": "storing", "pack_s": "packing", "waited_s": "waited"}


def cell(r):
    if r["way"] == "plain":
        figures = [f"{r['wall_s']:.2f} s", f"{r['cpu_s']:.1f} s"]
    else:
        figures = [f"{r['slowdown']:.1f}x", f"{r['cpu_ratio']:.1f}x"]
    figures += [f"{r[key]:.1f}" for key in SECONDS]
    return "; ".join(figures + ([f"{r['bytes_per_event']:.3f}"] if r["bytes_per_event"] else []))


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.1f} to {max(values):.1f})"


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("| --- " * len(head) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def medians(rows, way):
    ran = [by_way[way] for by_way in rows.values()]
    stored = [r["bytes_per_event"] for r in ran if r["bytes_per_event"]]
    times = [[""] * 2] if way == "plain" else [[spread([r[key] for r in ran]) for key in ("slowdown", "cpu_ratio")]]
    return [
        way,
        *times[0],
        *(f"{statistics.median(r[key] for r in ran):.2f}" for key in SECONDS),
        f"{statistics.median(r['peak_mb'] for r in ran):.0f}",
        f"{statistics.median(stored):.3f}" if stored else "",
    ]


def main():
    rows = {}
    for line in sys.stdin:
        r = json.loads(line)
        rows.setdefault(r["workload"], {})[r["way"]] = r
    ways = list(next(iter(rows.values())))
    print(f"Medians of {len(rows)} programs (least to greatest), seconds of CPU and of waiting, in memory at most:\n")
    head = ["way", "clock", "CPU", *SECONDS.values(), "peak MB", "bytes an event"]
    table(head, [medians(rows, way) for way in ways])
    print(f"A cell: clock; CPU; {'; '.join(SECONDS.values())} in seconds; bytes an event.\n")
    most = lambda by_way: max(r["events"] for way, r in by_way.items() if way != "exceptions")
    lines = ([name, f"{most(by_way) / 1e6:.1f}", *map(cell, by_way.values())] for name, by_way in sorted(rows.items()))
    table(["program", "M events", *ways], lines)


main()
