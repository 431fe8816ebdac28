"""commands.py HINDSIGHT FAIL_LIBRARY TRACE CASES: one allocation, or one call of a file, fails in a command, each time
another one: the first FIRST, or half of CASES, and others up to the last one; CASES for each command and kind.

Without a fault a command has an answer. With one it ends with the same, or with exit status 1 or 3 and a line on
standard error that begins with its name. Never a signal, never longer than SECONDS, never another answer with status 0:
a failed allocation is not taken for something that the trace does not have."""

import os
import shutil
import subprocess
import sys
import tempfile

hindsight, library, trace, cases = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
FIRST, SECONDS = 12, 30
COMMANDS = [
    "info @ --json",
    "print @ --json --limit 400",
    "tree @ --json",
    "why @ 900 --json",
    "locals @ 400 --json",
    "history @ Damaged.total --json",
    "report @ --json",
    "exceptions @ --json",
    "objects @ --json",
    "fsck @ --json",
    "export @ --to perfetto -o OUT",
    "export @ --to sqlite -o OUT",
    "export @ --to parquet --table events -o OUT",
    "sql @ select/**/count(*)/**/from/**/events",
    "index @",
    "compact @",
    "diff @ @ --json",
]
work = tempfile.mkdtemp(prefix="hindsight-faults.")
bad = total = same = told = 0


def size(path):
    if not os.path.exists(path):
        return None
    return sorted(os.listdir(path)) if os.path.isdir(path) else os.path.getsize(path)


def run(command, what, at):
    """The exit status, output and errors; the calls that there were and which one failed."""
    copy, out, log = (os.path.join(work, name) for name in ("trace", "out", "log"))
    for path in (copy, out, log):
        shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)
    shutil.copytree(trace, copy)
    words = [{"@": copy, "OUT": out}.get(w, w) for w in command.split()]
    env = dict(os.environ, LD_PRELOAD=library, FAIL_WHAT=what, FAIL_AT=str(at), FAIL_LOG=log)
    try:
        r = subprocess.run([hindsight] + words, env=env, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "hangs", b"", b"", 0, "?", None
    calls, failed = open(log).read().split()[:2] if os.path.exists(log) else (0, "?")
    return r.returncode, r.stdout, r.stderr, int(calls), failed, size(out)


def wrong(command, what, at, failed, why):
    global bad
    bad += 1
    print("WRONG: %s: %s %d (%s): %s" % (command, what, at, failed, why))


for command in COMMANDS:
    for what in ("memory", "files"):
        good = run(command, what, 0)
        if good[0] not in (0, 1) or good[3] < 3:
            wrong(command, what, 0, "-", "without a fault: exit status %s, %d calls" % (good[0], good[3]))
            continue
        last = good[3]
        chosen = set(range(1, min(FIRST, (cases + 1) // 2, last) + 1))
        while len(chosen) < min(cases, last):
            step = (len(chosen) * 2654435761) % (1 << 32) / (1 << 32)
            chosen.add(
                1 + int(last * step) if 1 + int(last * step) not in chosen else max(set(range(1, last + 1)) - chosen)
            )
        for at in sorted(chosen):
            status, out, err, _, failed, made = run(command, what, at)
            total += 1
            name = b"hindsight"
            if status == "hangs" or status < 0 or status > 3:
                wrong(command, what, at, failed, "exit status %s: %s" % (status, err[-300:]))
            elif (status, out, made) == (good[0], good[1], good[5]):
                same += 1
            elif status == 0 and "index" not in command:
                wrong(command, what, at, failed, "another answer with exit status 0")
            elif status in (1, 2, 3) and not any(line.startswith(name) for line in err.splitlines()):
                wrong(command, what, at, failed, "exit status %d without a line: %s" % (status, err[-200:]))
            elif status == 2:
                wrong(command, what, at, failed, "is no wrong usage: %s" % err[-200:])
            elif status == 1 and "-o" in command and made is not None and made != good[5]:
                wrong(command, what, at, failed, "something half is left in its output")
            else:
                told += 1
shutil.rmtree(work)
print("%d faults in %d commands: %d change nothing, %d told, %d wrong" % (total, len(COMMANDS), same, told, bad))
sys.exit(bad > 0)
