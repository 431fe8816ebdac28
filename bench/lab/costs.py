#!/usr/bin/env python3
"""costs.py DIR PAGE: writes the results of the experiments in DIR into the tables of a page (docs/costs.md).

DIR has what `hindsight lab` wrote, NAME.lab for each experiment of experiments/costs. In the page, what stands between
the lines `<!-- lab NAME -->` and `<!-- end -->` is replaced by the table of that name; a table whose experiment is not
in DIR stays as it is."""
import json
import os
import re
import statistics
import sys


def million(number):
    return "%.1f M" % (number / 1e6) if number >= 1e6 else "{:,}".format(round(number))


def megabytes(number):
    return "%.1f MB" % (number / 1e6)


def ratio(answer):
    """1.7x (1.6 to 1.9), or 12x"""
    if not answer:
        return "-"
    text = "%.2gx" % answer["mean"] if answer["mean"] >= 10 else "%.1fx" % answer["mean"]
    return text + (" (%.1f to %.1f)" % (answer["low"], answer["high"]) if "low" in answer else "")


def each_unique(cells, key):
    return list(dict.fromkeys(key(c) for c in cells))


def table(head, rows):
    return ["| " + " | ".join(r) + " |" for r in [head, ["---"] * len(head)] + rows]


def plain_of(cells, cell):
    block = (cell["program"], cell["jvm"], cell["parameters"])
    return next(c for c in cells if c["format"] == "plain" and (c["program"], c["jvm"], c["parameters"]) == block)


def recorded(cells):
    return [c for c in cells if c["format"] != "plain" and c["runs"] > 0]


def find(cells, **want):
    return next((c for c in cells if all(c[k] == v for k, v in want.items())), None)


def formats(cells):
    """A row for each program and choice of groups: slowdown and size by format."""
    own = recorded(cells)
    names = each_unique(own, lambda c: c["format"])
    rows = []
    for program, groups in each_unique(own, lambda c: (c["program"], c["groups"])):
        of = {n: find(own, program=program, groups=groups, format=n) for n in names}
        whole = next(c for c in of.values() if c is not None)
        rows.append(
            [program, "`%s`" % groups, million(whole["events"]), "%.1f s" % plain_of(cells, whole)["wall_s"]]
            + [ratio(of[n]["slowdown"]) + ", " + megabytes(of[n]["bytes"]) if of[n] else "-" for n in names]
        )
    return table(["program", "groups", "events", "plain"] + ["`%s`" % n for n in names], rows)


def groups(cells):
    """A row for each group, recorded alone: its events, and bytes an event."""
    own = recorded(cells)
    programs = each_unique(own, lambda c: c["program"])
    rows = []
    for name in each_unique(own, lambda c: c["groups"]):
        row = ["`%s`" % name]
        for program in programs:
            cell = find(own, program=program, groups=name)
            if cell is None:
                row += ["-"] * 3
                continue
            events = cell["storage"]["events"] / max(cell["events"], 1)
            row += [million(cell["events"]), "%.2f" % events, megabytes(cell["bytes"])]
        rows.append(row)
    heads = [[p + ": events", "bytes an event", "trace"] for p in programs]
    return table(["groups"] + sum(heads, []), rows)


def startup(cells):
    own = recorded(cells)
    rows = []
    for cell in own:
        later = (cell["wall_s"] - plain_of(cells, cell)["wall_s"]) * 1000
        rows.append(["`%s`" % cell["format"], "%.0f ms" % later, ratio(cell["slowdown"])])
    return table(["format", "later by", "slowdown"], rows)


def threads(cells):
    own = recorded(cells)
    names = each_unique(own, lambda c: c["format"])
    rows = []
    for parameters in each_unique(own, lambda c: c["parameters"]["threads"]):
        of = {n: find(own, parameters={"threads": parameters}, format=n) for n in names}
        first = next(c for c in of.values() if c is not None)
        plain = plain_of(cells, first)
        rows.append(
            [str(parameters), million(first["events"]), "%.2f s" % plain["wall_s"]]
            + [ratio(of[n]["slowdown"]) if of[n] else "-" for n in names]
        )
    return table(["threads", "events", "plain"] + ["`%s`" % n for n in names], rows)


def rings(cells):
    """A row for each size of ring: what it keeps, and what follows from it."""
    kept = recorded(cells)[0]["analyses"]["rings"]
    sizes = sorted(int(k.split("_")[1]) for k in kept if k.startswith("kept_"))
    rows = [
        [str(n)] + ["%.1f %%" % (100 * kept["%s_%d" % (k, n)]) for k in ("kept", "whole", "precision", "recall")]
        for n in sizes
        if "recall_%d" % n in kept
    ]
    return table(["`size=`", "events kept", "data IDs complete", "precision", "recall"], rows)


def rows(cells):
    cell = recorded(cells)[0]
    answer = cell["analyses"]["rows"]
    kinds = [("rows of 16 bytes", answer["plain"])]
    kinds += [("the same through `zstd -%s`" % k[5:], v) for k, v in answer.items() if k.startswith("zstd_")]
    kinds.append(("the events of the trace", cell["storage"]["events"] / cell["events"]))
    return table(["kept as", "bytes an event"], [[name, "%.2f" % size] for name, size in kinds])


# table: the experiment that its cells come from, and the function that makes its lines
TABLES = {
    "formats": ("formats", formats),
    "groups": ("groups", groups),
    "startup": ("startup", startup),
    "threads": ("threads", threads),
    "rings": ("rings", rings),
    "rows": ("rings", rows),
}


def from_where(folder, results):
    """The machine and what else it did, in one line."""
    machine = results["provenance"]["machine"]
    runs = max(c["runs"] for c in results["cells"])
    with open(os.path.join(folder, "runs.jsonl")) as file:
        loads = [json.loads(line)["result"]["load"] for line in file]
    return "%s, %d cores, %.0f GB of memory, load %.0f, %s; %s." % (
        machine["processor"],
        machine["cores"],
        machine["memory_kb"] / 1e6,
        statistics.median(loads),
        results["provenance"]["begun"][:10],
        "%d runs of each" % runs if runs > 1 else "one run of each",
    )


def render(folder, text):
    def replaced(match):
        name = match.group(1)
        if name not in TABLES:
            sys.exit("costs.py: no table is called '%s' (there are: %s)" % (name, ", ".join(TABLES)))
        experiment, make = TABLES[name]
        lab = os.path.join(folder, experiment + ".lab")
        if not os.path.exists(os.path.join(lab, "cells.json")):
            return match.group(0)
        with open(os.path.join(lab, "cells.json")) as file:
            results = json.load(file)
        lines = make(results["cells"]) + ["", from_where(lab, results)]
        return "<!-- lab %s -->\n\n%s\n\n<!-- end -->" % (name, "\n".join(lines))

    return re.sub(r"<!-- lab (\w+) -->.*?<!-- end -->", replaced, text, flags=re.S)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    folder, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(page, "w", encoding="utf-8") as file:
        file.write(render(folder, text))


main()
