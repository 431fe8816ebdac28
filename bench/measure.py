"""measure.py FILE COMMAND...: runs COMMAND, appends a JSON object to FILE, exits with the command's status.

wall_s, cpu_s and peak_mb are of the whole process. c1_s, c2_s, drain_s and pack_s are CPU seconds of threads of these
names, as /proc tells them every 50 ms: what such a thread does after the last look before its end is not in them."""
import json
import os
import select
import subprocess
import sys
import time

NAMES = {"C1": "c1_s", "C2": "c2_s", "hindsight-drain": "drain_s", "hindsight-pack": "pack_s"}
LOOK_S = 0.05


def look(pid, columns, used):
    """Reads the CPU time of all threads of interest; a thread has its creator's name until it sets its own."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for task in tasks:
        if columns.get(task) == "":
            continue
        path = f"/proc/{pid}/task/{task}/"
        try:
            if task not in columns:
                with open(path + "comm") as f:
                    name = f.read().rstrip("\n")
                if name != "java":
                    columns[task] = NAMES.get(name, NAMES.get(name.split(" ")[0], ""))
            if columns.get(task):
                with open(path + "schedstat") as f:
                    used[task] = int(f.read().split()[0])
        except (OSError, IndexError):  # it has ended
            continue


def main():
    start = time.monotonic()
    child = subprocess.Popen(sys.argv[2:])
    ended = os.pidfd_open(child.pid)
    columns, used = {}, {}
    while not select.select([ended], [], [], LOOK_S)[0]:
        look(child.pid, columns, used)
    wall = time.monotonic() - start
    _, status, usage = os.wait4(child.pid, 0)
    row = {"wall_s": wall, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}
    for column in NAMES.values():
        row[column] = sum(ns for task, ns in used.items() if columns[task] == column) / 1e9
    with open(sys.argv[1], "a") as f:
        f.write(json.dumps(row) + "\n")
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)


main()
