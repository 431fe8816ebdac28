#!/usr/bin/env python3
"""lab.py - `hindsight lab FILE`: runs an experiment on recordings and writes its results.

experiment.py reads the file, run.py runs one cell, statistics_of.py makes figures of the runs, report.py writes them.
Every run is a line of DIR/runs.jsonl as soon as it is done; an experiment that was interrupted goes on where it was."""
import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import analyses
import experiment as files
import report
import statistics_of
from run import Tools, Workshop


def arguments():
    parser = argparse.ArgumentParser(
        prog="hindsight lab",
        description="Runs an experiment on recordings: every program, JVM, "
        "format and group of FILE in random order, the plain program beside.",
    )
    parser.add_argument("file", metavar="FILE", help="the experiment (TOML; docs/lab.md)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="results (default: NAME.lab in the current directory); " "runs that are there are not repeated",
    )
    parser.add_argument("--agent", default=os.environ.get("HINDSIGHT_AGENT"), help="libhindsight.so")
    parser.add_argument("--hindsight", default=os.environ.get("HINDSIGHT"), help="the command that reads the traces")
    parser.add_argument(
        "--scratch", metavar="DIR", help="where programs run and traces stand meanwhile (default: TMPDIR)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the folders of the runs, with their traces")
    parser.add_argument(
        "--report", action="store_true", help="run nothing: write the results of the runs that are there"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a cell at the end")
    return parser.parse_args()


def provenance(experiment, tools):
    with open(experiment.path, "rb") as file:
        text = file.read()
    answer = {
        "experiment_sha256": hashlib.sha256(text).hexdigest(),
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {
            "processor": processor(),
            "cores": os.cpu_count(),
            "memory_kb": memory_kb(),
            "system": platform.platform(),
        },
        "hindsight": words([tools.command, "--version"]),
        "agent": tools.agent,
        "agent_sha256": sha256(tools.agent),
        "commit": words(
            ["git", "-C", os.path.dirname(os.path.realpath(tools.agent)), "describe", "--always", "--dirty"]
        ),
        "jvms": {
            jvm or "java": words([os.path.join(files.java_home(jvm), "bin", "java"), "-version"])
            for jvm in experiment.jvms
        },
    }
    return answer


def words(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return None
    return (done.stdout + done.stderr).strip() if done.returncode == 0 else None


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def processor():
    with open("/proc/cpuinfo") as file:
        return next((l.split(":", 1)[1].strip() for l in file if l.startswith("model name")), platform.machine())


def memory_kb():
    with open("/proc/meminfo") as file:
        return int(file.readline().split()[1])


def cell_key(cell):
    return [cell.program, cell.jvm, [list(p) for p in cell.parameters], cell.format, cell.groups, cell.options]


def read_runs(path, plan):
    """{(repetition, cell): result} of the runs that are there. A line that was cut off by a crash is left out, and run
    again."""
    known = {json.dumps([r, cell_key(c)]): (r, c) for r, c in plan}
    runs = {}
    try:
        with open(path) as file:
            lines = file.read().split("\n")
    except FileNotFoundError:
        return runs
    for line in lines[:-1]:
        entry = json.loads(line)
        key = known.get(json.dumps([entry["repetition"], entry["cell"]]))
        if key is not None:
            runs[key] = entry["result"]
    if lines[-1]:
        with open(path, "w") as file:
            file.write("".join(l + "\n" for l in lines[:-1]))
    return runs


def begin(folder, experiment, tools):
    """Makes DIR, or checks that its runs are of this experiment. The provenance of the first begin."""
    path = os.path.join(folder, "provenance.json")
    now = provenance(experiment, tools)
    try:
        with open(path) as file:
            before = json.load(file)
    except FileNotFoundError:
        os.makedirs(folder, exist_ok=True)
        report.replace(path, json.dumps(now, indent=1) + "\n")
        return now
    for key, what in (("experiment_sha256", "the experiment file"), ("agent_sha256", "the agent")):
        if before[key] != now[key]:
            raise files.Mistake(
                "%s: %s has changed since these runs; give another --output, or delete it" % (folder, what)
            )
    return before


def progress(done, total, begun, cell):
    if not sys.stderr.isatty() and done % 10:
        return
    left = ""  # not known before the first run has ended
    if done > begun[1]:
        left = ", %d:%02d left" % divmod((time.monotonic() - begun[0]) / (done - begun[1]) * (total - done), 60)
    end = "\r" if sys.stderr.isatty() else "\n"
    text = "%d of %d%s: %s" % (done, total, left, cell.words())
    print("%-100.100s" % text if end == "\r" else text, end=end, file=sys.stderr, flush=True)


def run_all(args, experiment, tools, folder, plan, runs):
    path = os.path.join(folder, "runs.jsonl")
    begun = (time.monotonic(), len(runs))
    scratch_folder = tempfile.TemporaryDirectory(prefix="hindsight-lab-", dir=args.scratch)
    with scratch_folder as scratch, open(path, "a") as log:
        runs_folder = os.path.join(folder, "kept") if args.keep else scratch
        os.makedirs(runs_folder, exist_ok=True)
        shop = Workshop(experiment, tools, os.path.abspath(runs_folder), args.keep)
        for repetition, cell in plan:
            if (repetition, cell) in runs:
                continue
            progress(len(runs), len(plan), begun, cell)
            result = shop.run(cell)
            runs[repetition, cell] = result
            log.write(json.dumps({"repetition": repetition, "cell": cell_key(cell), "result": result}) + "\n")
            log.flush()
            if "failed" in result:
                print("hindsight lab: %s: %s" % (cell.words(), result["failed"]), file=sys.stderr)


def print_table(rows):
    print(
        "%-30s %-28s %5s %22s %12s %9s %7s"
        % ("program", "recorded", "runs", "slowdown [95 %]", "events", "B/event", "memory")
    )
    for row in rows:
        plain = row["format"] == "plain"
        print(
            "%-30s %-28s %5d %22s %12s %9s %7s"
            % (
                report.label(row),
                report.recording(row),
                row["runs"],
                "%.3f s" % row["wall_s"] if plain and row["wall_s"] else report.interval(row.get("slowdown")),
                "" if plain or row["events"] is None else "%d" % row["events"],
                "%.3f" % row["bytes_per_event"] if row.get("bytes_per_event") is not None else "",
                "%.2f" % row["memory"]["mean"] if row.get("memory") else "",
            )
        )


def main():
    args = arguments()
    if not args.agent or not args.hindsight:
        raise files.Mistake("say where libhindsight.so and the command are: --agent FILE --hindsight FILE")
    experiment = files.load(args.file)
    for name in experiment.analyses:
        if name not in analyses.TABLE:
            raise files.Mistake(
                "%s: there is no analysis '%s' (there are: %s)" % (args.file, name, ", ".join(analyses.TABLE))
            )
    tools = Tools(os.path.abspath(args.agent), args.hindsight)
    folder = args.output or experiment.name + ".lab"
    origin = begin(folder, experiment, tools)
    plan = experiment.schedule()
    runs = read_runs(os.path.join(folder, "runs.jsonl"), plan)
    if not args.report:
        run_all(args, experiment, tools, folder, plan, runs)
    rows = statistics_of.summarize(experiment, runs)
    written = report.write_all(folder, experiment, runs, rows, origin)
    if args.json:
        for row in rows:
            print(json.dumps(row))
    else:
        print_table(rows)
        print("in %s: %s" % (folder, ", ".join(sorted(written))))
    return 3 if len(runs) < len(plan) or any("failed" in r for r in runs.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except files.Mistake as mistake:
        print("hindsight lab: %s" % mistake, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nhindsight lab: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
    except (OSError, RuntimeError) as error:
        print("hindsight lab: %s" % error, file=sys.stderr)
        sys.exit(1)
