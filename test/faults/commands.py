"""commands.py HINDSIGHT FAIL_LIBRARY TRACE KILLED CASES: one allocation, or one call of a file, fails in a command,
each time another one. Half of the CASES, for each command and kind, are the first calls from some place of the code,
the others lie between the first call and the last one. CASES `each`: the first call from each place.

Without a fault a command has an answer. With one it ends with the same, or with exit status 1 or 3 and a line on
standard error that begins with its name. Never a signal, never longer than SECONDS, never another answer with status 0:
a failed allocation is not taken for something that the trace does not have."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

hindsight, library, trace, killed, cases = sys.argv[1:6]
SECONDS = 120
# @: a copy of the trace; KILLED: of one whose JVM was killed; ID, SEQ: an object, and an event that gets its field;
# OUT: a new file
COMMANDS = [
    "info @ --json",
    "info @",
    "print @ --json --limit 400",
    "print @ --limit 400",
    "print @ --object ID --class Damaged* --thread 0",
    "print @ --where amount>3 --limit 20",
    "tree @ --json",
    "tree @",
    "tree @ --around 400 --depth 3",
    "object @ ID --at 700 --json",
    "object @ ID",
    "why @ SEQ --json",
    "why @ SEQ",
    "locals @ 400 --json",
    "locals @ 400",
    "history @ Damaged.total --json",
    "history @ ID.state --json",
    "history @ Damaged.step:i --json",
    "last-write @ Damaged.total --before 900 --json",
    "report @ --json",
    "report @ --callers * --json",
    "features @ --affinity --json",
    "features @ --signal",
    "freq @ --json",
    "exceptions @ --json",
    "exceptions @",
    "objects @ --json",
    "threads @ --json",
    "threads @",
    "deadlocks @ --json",
    "races @ --json",
    "locks @ --json",
    "locks @ --inversions --json",
    "classes @ --json",
    "methods @ --json",
    "dataids @ --json",
    "strings @ --json",
    "timeline @ --json",
    "activity @ --json",
    "activity @ --pauses",
    "fsck @ --json",
    "fsck KILLED --json",
    "print KILLED --json --limit 400",
    "recover KILLED",
    "expand @ -o OUT",
    "index @",
    "compact @",
    "diff @ KILLED --json",
    "sql @ select/**/count(*)/**/from/**/events",
    "sql @ select/**/*/**/from/**/calls/**/limit/**/3 --json",
    "fleet push @ --to OUT",
    "export @ --to csv --table calls -o OUT",
    "export @ --to jsonl --table objects -o OUT",
    "export @ --to chrome -o OUT",
    "export @ --to perfetto -o OUT",
    "export @ --to selogger -o OUT",
    "export @ --to parquet -o OUT",
    "export @ --to sqlite -o OUT",
    "export @ --to jfr -o OUT",
    "export @ --to nod4j -o OUT",
    "export @ --to ctf -o OUT",
    "export @ --to collapsed -o OUT",
    "export @ --to speedscope -o OUT",
    "export @ --to pprof -o OUT",
    "export @ --to callgrind -o OUT",
    "export @ --to appmap -o OUT",
    "export @ --to mermaid -o OUT",
    "export @ --to plantuml --diagram objects --at 700 -o OUT",
    "export @ --to dot --diagram calls -o OUT",
    "export @ --to jmtrace -o OUT",
    "export @ --to timers -o OUT",
    "export @ --to mse -o OUT",
    "export @ --to xml -o OUT",
    "export @ --to hprof --at 700 -o OUT",
]
work = tempfile.mkdtemp(prefix="hindsight-faults.")
bad = total = same = told = 0


def size(path):
    if not os.path.exists(path):
        return None
    return sorted(os.listdir(path)) if os.path.isdir(path) else os.path.getsize(path)


def told_by(*words):
    """The first object that the command prints."""
    out = subprocess.run([hindsight] + list(words) + ["--json"], capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[0])


got = told_by("print", trace, "--event", "GET_INSTANCE_FIELD", "--class", "Damaged$Account", "--from", "600")
places = {
    "ID": str(got["value"]["id"]),
    "SEQ": str(told_by("print", trace, "--from", str(got["seq"] + 1), "--thread", str(got["thread"]))["seq"]),
}


def run(command, what, at):
    """The exit status, output and errors; the calls that there were and which one failed; `at` 0: none, and behind it
    the first calls from each place."""
    copy, out, log = (os.path.join(work, name) for name in ("trace", "out", "log"))
    for path in (copy, out, log):
        shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)
    shutil.copytree(trace, copy)
    if "KILLED" in command:
        shutil.rmtree(copy + "2", ignore_errors=True)
        shutil.copytree(killed, copy + "2")
    places.update({"@": copy, "KILLED": copy + "2", "OUT": out})
    words = [places.get(w, w.replace("ID.", places["ID"] + ".")) for w in command.split()]
    env = dict(os.environ, LD_PRELOAD=library, FAIL_WHAT=what, FAIL_AT=str(at), FAIL_LOG=log)
    env["FAIL_PLACES"] = "" if at else "yes"
    try:
        r = subprocess.run([hindsight] + words, env=env, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "hangs", b"", b"", 0, "?", None, []
    said = open(log).read().split() if os.path.exists(log) else ["0", "?", "?"]
    return r.returncode, r.stdout, r.stderr, int(said[0]), said[1], size(out), [int(n) for n in said[3:]]


def choose(places, last):
    """Of the calls 1 to `last` those that are to fail."""
    if cases == "each":
        return places
    half = (int(cases) + 1) // 2
    chosen = {places[(2 * i + 1) * len(places) // (2 * half)] for i in range(half)}
    for k in range(1, int(cases) - half + 1):  # spread by the golden ratio
        chosen.add(1 + int(last * ((k * 2654435761) % (1 << 32) / (1 << 32))))
    return sorted(chosen)


def wrong(command, what, at, failed, why):
    global bad
    bad += 1
    print("WRONG: %s: %s %d (%s): %s" % (command, what, at, failed, why))


for command in COMMANDS:
    for what in ("memory", "files"):
        good = run(command, what, 0)
        if good[0] not in (0, 1, 3) or good[3] < 3:
            wrong(command, what, 0, "-", "without a fault: exit status %s, %d calls" % (good[0], good[3]))
            continue
        for at in choose(good[6], good[3]):
            status, out, err, _, failed, made, _ = run(command, what, at)
            total += 1
            name = b"hindsight"
            if status == "hangs" or status < 0 or status > 3:
                wrong(command, what, at, failed, "exit status %s: %s" % (status, err[-300:]))
            elif (status, out, made) == (good[0], good[1], good[5]):
                same += 1
            elif status == 0 and "index" not in command:
                wrong(command, what, at, failed, "another answer with exit status 0")
            elif status in (1, 2, 3) and not any(
                line.startswith(name) for line in err.splitlines() if line not in good[2].splitlines()
            ):
                wrong(command, what, at, failed, "exit status %d without a line: %s" % (status, err[-200:]))
            elif status == 2:
                wrong(command, what, at, failed, "is no wrong usage: %s" % err[-200:])
            elif status == 1 and "-o" in command and made is not None and made != good[5]:
                wrong(command, what, at, failed, "something half is left in its output")
            else:
                told += 1
shutil.rmtree(work)
print("%d faults in %d commands: %d change nothing, %d told, %d wrong" % (total, len(COMMANDS), same, told, bad))
print("figure: faults injected: %d\nfigure: faults not survived: %d" % (total, bad))
sys.exit(bad > 0)
