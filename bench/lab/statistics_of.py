"""statistics_of.py - from runs to cells: medians, ratios to the plain program, confidence intervals.

A ratio is that of two runs of one repetition of one block, the recorded one over the plain one. Ratios of run times are
spread like a product of many factors, so mean and interval are those of their logarithms (Student's t, 95 %)."""
import math
import statistics

# Student's t, two-sided 95 %, by degrees of freedom 1..30; the normal distribution's value above.
T95 = [
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
    2.120,
    2.110,
    2.101,
    2.093,
    2.086,
    2.080,
    2.074,
    2.069,
    2.064,
    2.060,
    2.056,
    2.052,
    2.048,
    2.045,
    2.042,
]


def ratio(values):
    """{"mean", "low", "high", "runs"} of ratios; low and high are absent for a single one."""
    logs = [math.log(v) for v in values if v > 0]
    if not logs:
        return None
    middle = statistics.fmean(logs)
    answer = {"mean": math.exp(middle), "runs": len(logs)}
    if len(logs) > 1:
        t = T95[len(logs) - 2] if len(logs) - 2 < len(T95) else 1.96
        half = t * statistics.stdev(logs) / math.sqrt(len(logs))
        answer.update(low=math.exp(middle - half), high=math.exp(middle + half))
    return answer


def median_of(runs, key):
    values = [r[key] for r in runs if key in r]
    return statistics.median(values) if values else None


def median_table(tables):
    """The medians of dicts of numbers (or of dicts of them), key by key."""
    answer = {}
    for key in sorted({k for t in tables for k in t}):
        values = [t[key] for t in tables if key in t]
        answer[key] = median_table(values) if isinstance(values[0], dict) else statistics.median(values)
    return answer


def summarize(experiment, runs):
    """[{...}] one dict a cell, in the order of the file. `runs` is {(repetition, cell): result}."""
    rows = []
    for block in experiment.blocks():
        for cell in block:
            own = {r: runs[r, cell] for r in range(experiment.repetitions) if (r, cell) in runs}
            good = {r: run for r, run in own.items() if "failed" not in run}
            row = {
                "program": cell.program,
                "jvm": cell.jvm,
                "parameters": dict(cell.parameters),
                "format": cell.format or "plain",
                "groups": cell.groups,
                "options": cell.options,
                "runs": len(good),
                "failed": len(own) - len(good),
            }
            failures = sorted({run["failed"] for run in own.values() if "failed" in run})
            if failures:
                row["failures"] = failures
            for key in ("wall_s", "cpu_s", "max_rss_kb", "events", "bytes"):
                row[key] = median_of(good.values(), key)
            if not cell.plain:
                add_ratios(row, block[0], good, runs)
                for table in ("storage", "by_group", "by_type"):
                    row[table] = median_table([run[table] for run in good.values() if table in run])
                row["bytes_per_event"] = row["bytes"] / row["events"] if row["events"] else None
                found = [run["analyses"] for run in good.values() if "analyses" in run]
                if found:
                    row["analyses"] = median_table(found)
            rows.append(row)
    return rows


def add_ratios(row, plain, good, runs):
    pairs = [(run, runs[r, plain]) for r, run in good.items() if (r, plain) in runs and "failed" not in runs[r, plain]]
    for name, key in (("slowdown", "wall_s"), ("cpu", "cpu_s"), ("memory", "max_rss_kb")):
        row[name] = ratio([a[key] / b[key] for a, b in pairs if b[key] > 0])
