#!/usr/bin/env python3
"""exports.py HINDSIGHT TRACE [EVENTS [FORMAT...]]: what exports of tables cost, one JSON object a line: events per
second of CPU, elapsed time, peak memory, bytes per event of what is a file. Targets: jsonl 5 million events a second,
parquet 10 million, 256 MB at 100 million events. Of sqlite the first twentieth is written, with all tables."""
import json
import os
import subprocess
import sys
import tempfile
import time

FORMATS = {"jsonl": ["--table", "events"], "csv": [], "parquet": ["--table", "events"], "sqlite": []}
SQLITE_SHARE = 20


def run(command, output):
    """To a file that has to be one, else to /dev/null: what the kernel takes for the copy is not ours."""
    start = time.monotonic()
    with open("/dev/null", "w") as null:
        process = subprocess.Popen([*command, *(["-o", output] if output else [])], stdout=null)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"exports.py: {' '.join(command)}: status {status}")
    return usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - start


def main(hindsight, trace, events=None, *formats):
    info = subprocess.run([hindsight, "info", trace, "--json"], check=True, capture_output=True).stdout
    total = min(int(events or 100_000_000), json.loads(info)["events"])
    with tempfile.TemporaryDirectory(prefix="hindsight-exports.") as folder:
        for name in formats or FORMATS:
            count = total // SQLITE_SHARE if name == "sqlite" else total
            command = [hindsight, "export", trace, "--to", name, "--until", str(count - 1), *FORMATS[name]]
            output = os.path.join(folder, "out") if name in ("sqlite", "parquet") else None
            user, system, peak, elapsed = run(command, output)
            row = {
                "bench": "exports",
                "format": name,
                "events": count,
                "events_per_cpu_s": round(count / (user + system)),
                "user_s": round(user, 2),
                "system_s": round(system, 2),
                "elapsed_s": round(elapsed, 1),
                "peak_mb": round(peak),
            }
            if output:
                row["bytes_per_event"] = round(os.path.getsize(output) / count, 2)
                os.unlink(output)
            print(json.dumps(row), flush=True)


main(*sys.argv[1:])
