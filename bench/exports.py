#!/usr/bin/env python3
"""exports.py HINDSIGHT TRACE [EVENTS [FORMAT...]]: what each format of `export` costs, one JSON object a line: events
per second of CPU, elapsed time, peak memory (all resident pages, and of these the anonymous ones; the others are the
trace, as it is mapped), bytes per event of what is a file. Other formats go to /dev/null: what the kernel takes for the
copy is not ours. Targets: jsonl 5 million events a second, parquet 10 million, 256 MB at 100 million events. Of sqlite,
ctf and selogger, which take very much room, a part is written.

jsonl, csv and parquet write the events here; sqlite all tables. nod4j and hprof read no range of events: they are the
last values and the heap at event EVENTS."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

OPTIONS = {
    "jsonl": ["--table", "events"],
    "csv": [],
    "parquet": ["--table", "events"],
    "hprof": ["--at"],
    "nod4j": [],
}
FILES = {"sqlite", "parquet", "ctf", "selogger", "nod4j", "appmap"}
SHARES = {"sqlite": 20, "ctf": 10, "selogger": 10}


def formats(hindsight, trace):
    """As the message about a wrong format lists them."""
    said = subprocess.run([hindsight, "export", trace, "--to", "?"], capture_output=True, text=True).stderr
    return said.split("there are ")[1].split("|")


def watch(process, peak):
    """Keeps the most anonymous memory, in KB. It is not among what the kernel says of a process that has ended."""
    while process.returncode is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak.append(max(int(line.split()[1]) for line in status if line.startswith("RssAnon")))
        except (OSError, ValueError):
            return
        peak[:] = [max(peak)]
        time.sleep(0.02)


def size(path):
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))


def run(command):
    anonymous = [0]
    start = time.monotonic()
    with open("/dev/null", "w") as null:
        process = subprocess.Popen(command, stdout=null)
    watcher = threading.Thread(target=watch, args=(process, anonymous))
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    watcher.join()
    if status != 0:
        sys.exit(f"exports.py: {' '.join(command)}: status {status}")
    return usage, anonymous[0], time.monotonic() - start


def main(hindsight, trace, events=None, *chosen):
    info = subprocess.run([hindsight, "info", trace, "--json"], check=True, capture_output=True).stdout
    total = min(int(events or 100_000_000), json.loads(info)["events"])
    with tempfile.TemporaryDirectory(prefix="hindsight-exports.") as folder:
        output = os.path.join(folder, "out")
        for name in chosen or formats(hindsight, trace):
            name = name.strip()
            count = total // SHARES.get(name, 1)
            options = list(OPTIONS.get(name, []))
            if options == ["--at"]:
                options.append(str(count - 1))
            elif name != "nod4j":
                options += ["--until", str(count - 1)]
            usage, anonymous, elapsed = run(
                [hindsight, "export", trace, "--to", name, *options, *(["-o", output] if name in FILES else [])]
            )
            row = {
                "bench": "exports",
                "format": name,
                "events": count,
                "events_per_cpu_s": round(count / (usage.ru_utime + usage.ru_stime)),
                "user_s": round(usage.ru_utime, 2),
                "system_s": round(usage.ru_stime, 2),
                "elapsed_s": round(elapsed, 1),
                "peak_mb": round(usage.ru_maxrss / 1024),
                "anonymous_mb": round(anonymous / 1024),
            }
            if name in FILES:
                row["bytes_per_event"] = round(size(output) / count, 2)
                (shutil.rmtree if os.path.isdir(output) else os.unlink)(output)
            print(json.dumps(row), flush=True)


main(*sys.argv[1:])
