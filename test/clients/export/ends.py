"""ends.py HINDSIGHT SMALL BIG FREQ - however an export of any format ends, there is one line that says why, the right
exit status, and either a whole file or what was there before: stopped by signals, a limit on the size of files, a full
disk (in the folder `disk`, if it is there), a closed pipe, wrong arguments. SMALL, BIG, FREQ: traces."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time

HINDSIGHT, SMALL, BIG, FREQ = sys.argv[1:5]
FORMATS = subprocess.run([HINDSIGHT, "export", SMALL, "--to", "?"], capture_output=True, text=True).stderr
FORMATS = [name.strip() for name in FORMATS.split("there are ")[1].split("|")]
FORMATS.remove("clickhouse")  # it writes no file: clickhouse.sh
failures = []
TMPDIR = os.path.join(os.getcwd(), "temporary")
ENVIRONMENT = dict(os.environ, TMPDIR=TMPDIR)
os.mkdir(TMPDIR)


def check(true, *what):
    if not true:
        failures.append(what)
        print("FAILED:", *what)


def options(to):
    return {"timers": ["--min", "0"]}.get(to, [])


def start(to, trace, *more, **how):
    command = [HINDSIGHT, "export", trace, "--to", to, *options(to), *more]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, **how)


def files(path):
    """What is at the path: the names and contents of files."""
    if os.path.isdir(path):
        return {name: open(os.path.join(path, name), "rb").read() for name in sorted(os.listdir(path))}
    return open(path, "rb").read()


def ended(what, process, folder, status, text):
    """One line with the text, the status, and nothing left in the folder but the old file."""
    said = process.communicate()[1]
    left = sorted(os.listdir(folder))
    check(process.returncode == status, what, "exit status", process.returncode, "not", status, said)
    check(said.count("\n") == 1 and text in said, what, "says", repr(said), "without", text)
    check([n for n in left if n != "old"] == [] and os.listdir(TMPDIR) == [], what, "left", left, os.listdir(TMPDIR))
    for name in left:
        path = os.path.join(folder, name)
        (shutil.rmtree if os.path.isdir(path) else os.unlink)(path)
        if name == "old":
            open(path, "w").close()
    for name in os.listdir(TMPDIR):
        os.unlink(os.path.join(TMPDIR, name))


def limited(bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, bytes))


os.mkdir("whole")
whole = {}
for to in FORMATS:
    assert start(to, SMALL, "-o", "whole/" + to).wait() == 0, to
    whole[to] = files("whole/" + to)
directories = {to for to in FORMATS if os.path.isdir("whole/" + to)}

# signals, once there is the hidden file that becomes the export: one that ends before the signal comes leaves a whole
# file, and is begun again. A format that needs no pass over the events may always be faster.
os.mkdir("stopped")
stopped, TRIES = 0, 20


def interrupted(to, sent, delay):
    """False: it was faster."""
    if to not in directories:
        open("stopped/x", "w").write("old")
    process = start(to, BIG, "-o", "stopped/x", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while process.poll() is None and not any(n.startswith(".") for n in os.listdir("stopped")):
        time.sleep(0.001)
    time.sleep(delay)
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    process.send_signal(sent)
    process.send_signal(signal.SIGCONT)
    if process.wait() == 0:
        process.stderr.close()
        check(os.listdir("stopped") == ["x"] and files("stopped/x") not in (b"", b"old"), to, "ended, and left no file")
        (shutil.rmtree if to in directories else os.unlink)("stopped/x")
        return False
    check(to in directories or files("stopped/x") == b"old", to, sent, "the old file is gone")
    if to not in directories:
        os.unlink("stopped/x")
    ended((to, sent), process, "stopped", 128 + sent, "interrupted")
    return True


for number, to in enumerate(FORMATS):
    sent = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[number % 3]
    stopped += any(interrupted(to, sent, 0 if attempt else 0.02) for attempt in range(TRIES))
check(stopped >= len(FORMATS) // 2, "only", stopped, "formats were stopped")
print("    %d of %d formats stopped in the middle" % (stopped, len(FORMATS)))

# a limit on the size of files, and a full disk
os.mkdir("limit")
refused = 0
for to in FORMATS:
    process = start(to, SMALL, "-o", "limit/x", preexec_fn=limited(20))
    ended((to, "limit"), process, "limit", 1, "File too large")
    if os.path.isdir("disk"):
        process = start(to, SMALL, "-o", "disk/x")
        if process.wait() == 0:
            check(files("disk/x") == whole[to] or to in ("sqlite", "pprof"), to, "is not whole on a full disk")
            (shutil.rmtree if to in directories else os.unlink)("disk/x")
            process.stderr.close()
        else:
            refused += 1
            ended((to, "disk"), process, "disk", 1, "No space left")
check(not os.path.isdir("disk") or refused >= len(FORMATS) // 2, "the disk was full for only", refused)

# the reader of standard output is gone: of no matter for a file, and else no error
os.mkdir("pipe")
note = "hindsight export: weights are calls; --weight calls, time or events chooses\n"
for to in FORMATS:
    reads, writes = os.pipe()
    os.close(reads)
    process = start(to, SMALL, "-o", "pipe/" + to, stdout=writes)
    said = process.communicate()[1]
    said = said if to != "collapsed" else said.replace(note, "")
    check(process.returncode == 0 and said == "", to, "-o into a closed pipe:", process.returncode, said)
    check(to in os.listdir("pipe"), to, "-o into a closed pipe: no file")
    if to not in directories:
        process = start(to, SMALL, stdout=writes)
        said = process.communicate()[1]
        quiet = process.returncode in (0, -signal.SIGPIPE) and said == ""
        check(quiet, to, "into a closed pipe:", process.returncode, said)
        check(os.listdir(TMPDIR) == [], to, "into a closed pipe: left", os.listdir(TMPDIR))
    os.close(writes)

# wrong arguments
os.mkdir("wrong")
os.mkdir("full")
open("full/file", "w").close()
for to in FORMATS:
    wrong = [
        (1, "does not exist", ["-o", "wrong/none/x"]),
        (2, "NOTHING", ["-e", "NOTHING", "-o", "wrong/x"]),
        (1, "no class", ["-c", "NoClass", "-o", "wrong/x"]),
        (2, "diagram", ["--diagram", "none", "-o", "wrong/x"]),
        (1, "what the program wrote was not recorded", ["--from", "x", "-o", "wrong/x"]),
        (1, "the directory is not empty" if to in directories else "not a file", ["-o", "full"]),
    ]
    if to in directories:
        wrong.append((2, "several files", []))
    for status, text, arguments in wrong:
        ended((to, arguments), start(to, SMALL, *arguments), "wrong", status, text)
    process = start(to, FREQ, "-o", "wrong/x")
    if process.wait() != 0:
        ended((to, "format=freq"), process, "wrong", 1, "keeps no")
    else:
        process.stderr.close()
        (shutil.rmtree if to in directories else os.unlink)("wrong/x")
sys.exit(bool(failures))
