"""hostile.py HINDSIGHT TRACE QUESTIONS SECONDS MEGABYTES: each question of a hostile trace is answered, or refused in
one line, within that CPU time and memory. A line of QUESTIONS is a command, with the trace written @."""

import os
import resource
import subprocess
import sys
import tempfile

ANSWERED = (0, 3)  # 3: of a trace that is damaged


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def ask(command, out, err):
    """Exit status, seconds of CPU time, MB of the largest memory."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
    _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    hindsight, trace, questions, seconds, megabytes = sys.argv[1:]
    wrong = 0
    for line in open(questions):
        command = [hindsight] + [trace if w == "@" else w for w in line.split()]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status, used, memory = ask(command, out, err)
            err.seek(0)
            said = err.read().decode(errors="replace").splitlines()
        bad = []
        if status not in (0, 1, 2, 3):
            bad.append(f"exit status {status}")
        if status not in ANSWERED and line.split()[0] != "fsck" and len(said) != 1:
            bad.append(f"refused in {len(said)} lines: {said[:3]}")
        if used > float(seconds):
            bad.append(f"{used:.2f} s")
        if memory > float(megabytes):
            bad.append(f"{memory:.0f} MB")
        if bad:
            print(f"FAILED: {os.path.basename(trace)}: {line.strip()}: {', '.join(bad)}")
            wrong += 1
    return wrong > 0


sys.exit(main())
