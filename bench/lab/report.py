"""report.py - the results as files: runs.csv, cells.csv, cells.json, table.tex, and plots in SVG (gnuplot)."""
import csv
import json
import os
import shutil
import subprocess

COLUMNS = [
    "program",
    "jvm",
    "parameters",
    "format",
    "groups",
    "options",
    "runs",
    "failed",
    "wall_s",
    "cpu_s",
    "max_rss_kb",
    "slowdown",
    "slowdown_low",
    "slowdown_high",
    "cpu",
    "memory",
    "events",
    "bytes",
    "bytes_per_event",
]


def write_all(folder, experiment, runs, rows, provenance):
    """Every file anew; each is written beside and renamed. The names of what was written."""
    files = {
        "runs.csv": runs_csv(runs),
        "cells.csv": cells_csv(rows),
        "table.tex": latex(experiment, rows),
        "cells.json": json.dumps({"experiment": experiment.name, "provenance": provenance, "cells": rows}, indent=1)
        + "\n",
    }
    for name, text in files.items():
        replace(os.path.join(folder, name), text)
    return list(files) + plots(folder, experiment, rows)


def replace(path, text):
    with open(path + ".new", "w", newline="") as file:
        file.write(text)
    os.replace(path + ".new", path)


class Lines(list):
    """A file object for csv.writer that keeps the text."""

    write = list.append


def runs_csv(runs):
    out = Lines()
    keys = ["wall_s", "cpu_s", "max_rss_kb", "events", "bytes", "load", "started", "failed"]
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["program", "jvm", "parameters", "format", "groups", "options", "repetition"] + keys)
    for (repetition, cell), run in runs.items():
        table.writerow(
            [
                cell.program,
                cell.jvm,
                values(dict(cell.parameters)),
                cell.format or "plain",
                cell.groups,
                cell.options,
                repetition,
            ]
            + [run.get(k, "") for k in keys]
        )
    return "".join(out)


def cells_csv(rows):
    extra = (
        sorted({"storage_" + k for row in rows for k in row.get("storage", {})})
        + sorted({"bytes_" + k for row in rows for k in row.get("by_group", {})})
        + sorted({"%s_%s" % (a, k) for row in rows for a, t in row.get("analyses", {}).items() for k in t})
    )
    out = Lines()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS + extra)
    for row in rows:
        flat = dict(row, parameters=values(row["parameters"]))
        for name in ("slowdown", "cpu", "memory"):
            answer = row.get(name) or {}
            flat.update(
                {name: answer.get("mean"), name + "_low": answer.get("low"), name + "_high": answer.get("high")}
            )
        flat.update({"storage_" + k: v for k, v in row.get("storage", {}).items()})
        flat.update({"bytes_" + k: v.get("bytes") for k, v in row.get("by_group", {}).items()})
        flat.update({"%s_%s" % (a, k): v for a, t in row.get("analyses", {}).items() for k, v in t.items()})
        table.writerow([number(flat.get(c)) for c in COLUMNS + extra])
    return "".join(out)


def values(parameters):
    return " ".join("%s=%s" % p for p in sorted(parameters.items()))


def number(value):
    if value is None:
        return ""
    return "%.6g" % value if isinstance(value, float) else value


def interval(answer):
    if not answer:
        return "--"
    text = "%.2f" % answer["mean"]
    return text + (" [%.2f, %.2f]" % (answer["low"], answer["high"]) if "low" in answer else "")


def label(row):
    return " ".join(w for w in (row["program"], values(row["parameters"]), row["jvm"]) if w)


def recording(row):
    """How the runs of a row were recorded, in words: "plain" or format, groups and options."""
    return " ".join(w for w in (row["format"], row["groups"], row["options"]) if w)


def latex(experiment, rows):
    """A tabular of the recorded cells; no package is needed."""
    lines = [
        "%% %s: slowdown (wall) with its 95 %% confidence interval, events, bytes, memory (ratio)" % experiment.name,
        "\\begin{tabular}{lllrrrr}",
        "\\hline",
        "program & format & groups & slowdown & events & bytes/event & memory \\\\",
        "\\hline",
    ]
    for row in rows:
        if row["format"] == "plain":
            continue
        each = "%.3f" % row["bytes_per_event"] if row["bytes_per_event"] is not None else "--"
        memory = "%.2f" % row["memory"]["mean"] if row["memory"] else "--"
        words = [
            label(row),
            row["format"] + (" " + row["options"] if row["options"] else ""),
            row["groups"],
            interval(row["slowdown"]),
            "%d" % row["events"] if row["events"] is not None else "--",
            each,
            memory,
        ]
        lines.append(" & ".join(escape(w) for w in words) + " \\\\")
    return "\n".join(lines + ["\\hline", "\\end{tabular}", ""])


def escape(text):
    for c in "\\&%$#_{}":
        text = text.replace(c, "\\textbackslash{}" if c == "\\" else "\\" + c)
    return text


PLOTS = [  # file, title, what of a row, its interval or None
    (
        "slowdown",
        "slowdown (recorded / plain wall time)",
        lambda r: r["slowdown"] and r["slowdown"]["mean"],
        lambda r: r["slowdown"] and (r["slowdown"].get("low"), r["slowdown"].get("high")),
    ),
    ("bytes_per_event", "bytes per event", lambda r: r["bytes_per_event"], None),
    ("memory", "memory (recorded / plain)", lambda r: r["memory"] and r["memory"]["mean"], None),
]


def plots(folder, experiment, rows):
    """One SVG a figure: programs along the axis, a bar for each way of recording. Needs gnuplot; without it,
    nothing."""
    recorded = [r for r in rows if r["format"] != "plain"]
    if shutil.which("gnuplot") is None or not recorded:
        return []
    written = []
    for name, title, value, limits in PLOTS:
        if all(value(r) is None for r in recorded):
            continue
        script = gnuplot(experiment, recorded, title, value, limits)
        replace(os.path.join(folder, name + ".gp"), script)
        done = subprocess.run(
            ["gnuplot"],
            input="set output '%s'\n" % (name + ".svg.new") + script,
            text=True,
            cwd=folder,
            capture_output=True,
        )
        if done.returncode != 0:
            raise RuntimeError("gnuplot %s: %s" % (name, done.stderr.strip().splitlines()[-1]))
        os.replace(os.path.join(folder, name + ".svg.new"), os.path.join(folder, name + ".svg"))
        written += [name + ".gp", name + ".svg"]
    return written


def gnuplot(experiment, rows, title, value, limits):
    ways = list(dict.fromkeys(recording(r) for r in rows))
    labels = list(dict.fromkeys(label(r) for r in rows))
    by = {(label(r), recording(r)): r for r in rows}
    width = max(640, 60 + 18 * len(ways) * len(labels))
    lines = [
        "set terminal svg size %d,420 font 'sans,11'" % width,
        "set title \"%s: %s\" noenhanced" % (experiment.name, title),
        "set style data histogram",
        "set style histogram errorbars gap 1 lw 1",
        "set style fill solid 0.7 border -1",
        "set yrange [0:*]",
        "set grid ytics",
        "set key outside below noenhanced",
        "set xtics rotate by -30 noenhanced",
        "set datafile missing '?'",
        "$data << END",
    ]
    for name in labels:
        cells = ['"%s"' % name.replace('"', "'")]
        for way in ways:
            row = by.get((name, way))
            middle = value(row) if row else None
            low, high = (limits(row) or (None, None)) if row and limits else (None, None)
            cells += [
                "?" if v is None else "%.6g" % v
                for v in (middle, middle if low is None else low, middle if high is None else high)
            ]
        lines.append(" ".join(cells))
    lines.append("END")
    columns = [
        "$data using %d:%d:%d%s title \"%s\"" % (2 + 3 * i, 3 + 3 * i, 4 + 3 * i, ":xtic(1)" if i == 0 else "", way)
        for i, way in enumerate(ways)
    ]
    return "\n".join(lines + ["plot " + ", \\\n     ".join(columns), ""])
