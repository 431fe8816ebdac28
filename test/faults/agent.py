"""agent.py JAVA AGENT HINDSIGHT FAIL_LIBRARY CLASSES CASES: one allocation, or one call of a file, fails in the agent
or in LMDB, each time another one; and from some call of a file on all fail, as on a disk that is full.

The program either does what it does without agent, or is stopped before it begins with status 1 and one line. What was
recorded then is all, or the closing line or the trace says what is missing. Never a signal, never longer than
SECONDS."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

java, agent, hindsight, library, classes, cases = sys.argv[1:6] + [int(sys.argv[6])]
SECONDS = 120
work = tempfile.mkdtemp(prefix="hindsight-faults.")
trace, log = os.path.join(work, "trace"), os.path.join(work, "log")
bad = total = whole = told = stopped = 0


def run(what, at, every=False, with_agent=True):
    shutil.rmtree(trace, ignore_errors=True)
    if os.path.exists(log):
        os.unlink(log)
    env = dict(os.environ, LD_PRELOAD=library, FAIL_WHAT=what, FAIL_AT=str(at), FAIL_LOG=log)
    env.update(FAIL_FOR="libhindsight:liblmdb", FAIL_ALL="1" if every else "")
    words = [java, "-Xshare:auto", "-XX:-CreateCoredumpOnCrash"]
    if with_agent:
        words.append("-agentpath:%s=output=%s,format=omni,control=off" % (agent, trace))
    try:
        r = subprocess.run(
            words + ["-cp", classes, "Damaged"], env=env, capture_output=True, timeout=SECONDS, text=True
        )
    except subprocess.TimeoutExpired:
        return "hangs", "", "", 0, "?"
    calls, failed = open(log).read().split()[:2] if os.path.exists(log) else (0, "?")
    return r.returncode, r.stdout, r.stderr, int(calls), failed


def info():
    """The trace's own words: the exit status of info and its answer; None: there is no trace."""
    if not os.path.exists(os.path.join(trace, "data.mdb")):
        return None
    r = subprocess.run([hindsight, "info", trace, "--json"], capture_output=True, text=True, timeout=SECONDS)
    return r.returncode, json.loads(r.stdout) if r.stdout else None, r.stderr


def judge(name, got, plain, events):
    """How the fault ended; a text that begins with WRONG if not as it should."""
    status, out, err, _, failed = got
    lines = [line for line in err.splitlines() if line.startswith("hindsight")]
    if status == 1 and out == "" and len(lines) == 1:
        return "stopped"
    if (status, out) != plain:
        return "WRONG: %s (%s): the program does something else: status %s: %s" % (name, failed, status, err[-300:])
    answer = info()
    if answer is None:
        return "told" if lines else "WRONG: %s (%s): no trace, and no line" % (name, failed)
    status, d, why = answer
    if status < 0 or status > 3 or (status != 0 and "hindsight" not in why):
        return "WRONG: %s (%s): info ends with %s: %s" % (name, failed, status, why[-200:])
    if status == 0 and d["events"] == events:
        return "whole"
    if status != 0 or d["lost"] > 0 or d["end"] != "clean" or d.get("not_woven"):
        return "told" if len(lines) == 1 else "WRONG: %s (%s): %d lines: %s" % (name, failed, len(lines), err[-300:])
    return "WRONG: %s (%s): %d events, not %d, and nothing is said" % (name, failed, d["events"], events)


plain = run("none", 0, with_agent=False)[:2]
for what, every in (("memory", False), ("files", False), ("files", True)):
    good = run(what, 0)
    events = info()[1]["events"] if good[0] == 0 else 0
    last = good[3]
    if good[:2] != plain or events == 0 or last < 20:
        print("WRONG: without a fault: %s, %d events, %d calls" % (good[:3], events, last))
        bad += 1
        continue
    for k in range(cases):  # half of them while the agent starts, half over the whole run
        at = 1 + (k * last // 12 // cases if k % 2 == 0 else k * last // cases)
        verdict = judge(
            "%s%s %d of %d" % (what, " from" if every else "", at, last), run(what, at, every), plain, events
        )
        total += 1
        whole, told = whole + (verdict == "whole"), told + (verdict == "told")
        stopped += verdict == "stopped"
        if verdict.startswith("WRONG"):
            bad += 1
            print(verdict)
shutil.rmtree(work)
print(
    "%d faults: %d lose nothing, %d told, %d stopped before the program, %d wrong" % (total, whole, told, stopped, bad)
)
print("figure: faults injected: %d\nfigure: faults not survived: %d" % (total, bad))
sys.exit(bad > 0)
