#!/usr/bin/env python3
"""kills.py COUNT [SEED]: programs that record die at random moments in every way there is; whatever they proved they
had reached is in the trace, the trace says how it ended, and is consistent. See Victim.java. How long the first command
takes then: bench/bench.sh reopen.

Ways of dying, formats, workloads, threads, groups and collectors each go round in their own random order, so that few
kills already have all of each, and many have most pairs; a short run has each way once, in a long one `kill -9` comes
more often. SEED repeats a run. Environment: as test/lib.sh sets it, and CLASSES with Victim compiled, CRASH with
libcrash.so."""
import collections, json, os, random, shutil, signal, struct, subprocess, sys, time

JAVA, AGENT, HINDSIGHT, WORK, ROOT = (os.environ[k] for k in ("JAVA", "AGENT", "HINDSIGHT", "WORK", "ROOT"))
RELEASE = int(os.environ["RELEASE"])
COUNT = int(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
rnd = random.Random(SEED)
trace, slots_file, scratch = WORK + "/trace", WORK + "/slots", WORK + "/scratch"
COPY = 64

# name: what the program does to itself, JVM options, how the trace ends
Way = collections.namedtuple("Way", "how options end")
ways = {
    "kill -9": Way("wait", [], "crashed"),
    "kill -9 at once": Way("wait", [], "crashed"),  # while the JVM starts
    "SIGTERM": Way("wait", [], "clean"),
    "halt": Way("halt", [], "clean"),
    "exit": Way("exit", [], "clean"),
    "uncaught exception": Way("throw", [], "clean"),
    "SIGSEGV sent": Way("wait", [], "crashed"),
    "SIGSEGV in native code": Way("segv", [], "crashed"),
    "abort in native code": Way("abort", [], "crashed"),
    # without memory for its own threads the JVM just returns from main
    "OutOfMemoryError": Way("memory", ["-Xmx96m"], "clean or crashed"),
    "OutOfMemoryError, exit": Way("memory", ["-Xmx96m", "-XX:+ExitOnOutOfMemoryError"], "crashed"),
    "OutOfMemoryError, crash": Way("memory", ["-Xmx96m", "-XX:+CrashOnOutOfMemoryError"], "crashed"),
    "OOM killer": Way("memory", ["-Xmx6g"], "crashed"),
}
share = {"kill -9": 6 if COUNT > 18 else 1}  # of the kills; 1 for the others


class Cgroup:
    """A memory cgroup, of either version, that kills what takes more than LIMIT bytes."""

    LIMIT = 600 << 20

    def __init__(self):
        self.path, self.why = None, "there is no memory controller"
        for base, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            if not os.path.exists(base + "/cgroup.procs"):
                continue
            path = base + "/hindsight-kill-%d" % os.getpid()
            try:
                os.mkdir(path)
                with open(path + "/" + limit, "w") as f:
                    f.write(str(self.LIMIT))
                self.path = path
                return
            except OSError as e:
                self.why = "%s: %s" % (e.filename, e.strerror)
                if os.path.isdir(path):
                    os.rmdir(path)

    def enter(self):
        with open(self.path + "/cgroup.procs", "w") as f:
            f.write(str(os.getpid()))

    def close(self):
        for _ in range(50):
            try:
                if self.path:
                    os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.1)


class Round:
    """A list in random order, again and again."""

    def __init__(self, items):
        self.items, self.left = list(items), []

    def next(self, fits=lambda item: True):
        for _ in range(2):
            for i, item in enumerate(self.left):
                if fits(item):
                    return self.left.pop(i)
            fresh = self.items[:]
            rnd.shuffle(fresh)
            self.left += fresh
        raise LookupError


ECJ, H2 = "/usr/share/java/eclipse-jdt-core.jar", "/usr/share/java/h2.jar"
cgroup = Cgroup()
if not cgroup.path or os.environ.get("HINDSIGHT_SANITIZE"):  # sanitizers take more than the limit
    print("left out: the OOM killer: %s" % cgroup.why)
    del ways["OOM killer"]
workloads = ["calls", "calls", "objects", "tasks", "classes"]
for name, needs in (("ecj", os.path.exists(ECJ)), ("sql", os.path.exists(H2)), ("virtual", RELEASE >= 21)):
    if needs:
        workloads.append(name)
rounds = {
    "way": Round([w for w in ways for _ in range(share.get(w, 1))]),
    "workload": Round(workloads),
    "format": Round(["omni", "omni", "omni", "latest", "latest", "freq", "timing", "discard"]),
    "weave": Round(["EXEC+CALL+PARAM", "ALL", "EXEC+PARAM+FIELD+ARRAY+SYNC"]),
    "derive": Round(["on", "on", "off"]),  # of omni
    "threads": Round([1, 3, 3]),
    "collector": Round(["-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC"]),
}
failures, lost, tally = 0, 0, collections.Counter()


def fail(what, text):
    global failures
    failures += 1
    print("FAILED: %s: %s" % (what, text), flush=True)
    if os.environ.get("KEEP"):
        shutil.copytree(trace, "%s/failed-%d" % (WORK, failures), dirs_exist_ok=True)


def slots(n, at=0):
    with open(slots_file, "rb") as f:
        f.seek(8 * at)
        return list(struct.unpack("<%dq" % n, f.read(8 * n)))


def hindsight(*words):
    p = subprocess.run([HINDSIGHT, *words], capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def live(case, delay):
    """Starts the program and has it die. Returns (lower bound of what it reached by thread, or None if it had not
    begun; exit status)."""
    way, threads = ways[case["way"]], case["threads"]
    shutil.rmtree(trace, ignore_errors=True)
    shutil.rmtree(scratch, ignore_errors=True)
    os.mkdir(scratch)
    shutil.copy(os.environ["CRASH"], scratch)
    shutil.copy(ROOT + "/test/faults/kill/Victim.java", scratch + "/Source.java")
    with open(slots_file, "wb") as f:
        f.write(bytes(4096))
    options = "output=%s,format=%s,weave=%s,e=Victim$Plain" % (
        trace,
        case["format"],
        case["weave"] if case["format"] != "timing" else "EXEC",
    )
    if case["format"] == "omni":
        options += ",derive=" + case["derive"]
    command = [
        JAVA,
        "-agentpath:%s=%s" % (AGENT, options),
        "-Xmx256m",
        case["collector"],
        "-XX:-CreateCoredumpOnCrash",
        "-XX:ErrorFile=/dev/null",
        *way.options,
        # two carriers starve a third
        *(
            ["-Djdk.virtualThreadScheduler.parallelism=4", "-Djdk.virtualThreadScheduler.maxPoolSize=4"]
            if case["workload"] == "virtual"
            else []
        ),
        "-cp",
        ":".join((os.environ["CLASSES"], ECJ, H2)),
        "Victim",
        slots_file,
        str(threads),
        case["workload"],
        way.how,
        str(int(delay * 1000)),
        scratch,
    ]
    with open(WORK + "/stderr", "w") as err:
        p = subprocess.Popen(
            command,
            stdout=err,
            stderr=err,
            cwd=scratch,
            preexec_fn=cgroup.enter if case["way"] == "OOM killer" else None,
        )
    sure = None
    if case["way"] == "kill -9 at once":
        time.sleep(delay / 3)
        p.kill()
    elif way.how == "wait":
        for _ in range(1200):
            if 0 not in slots(threads) or p.poll() is not None:
                break
            time.sleep(0.05)
        time.sleep(delay)
        sure = slots(threads)
        p.send_signal({"SIGTERM": signal.SIGTERM, "SIGSEGV sent": signal.SIGSEGV}.get(case["way"], signal.SIGKILL))
    try:
        p.wait(120)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        fail(case["text"], "it does not die")
    if way.how != "wait":
        sure = slots(threads, COPY)
    return sure, p.returncode


def found(case, threads):
    """Of every thread the last round that the trace has, or for formats without a stream the sum over them."""
    if case["format"] == "omni":
        last = [0] * threads
        status, out, err = hindsight(
            "print", trace, "--json", "--class", "Victim", "--method", "work", "--event", "METHOD_PARAM"
        )
        for line in out.splitlines():
            v = json.loads(line)["value"]
            t, i = v >> 40, v & (1 << 40) - 1
            if i != last[t] + 1:
                fail(case["text"], "thread %d: work(%d) follows work(%d)" % (t, i, last[t]))
                return last
            last[t] = i
        return last
    count, last = 0, {}
    status, out, err = hindsight("latest" if case["format"] == "latest" else "freq", trace, "--json")
    for d in map(json.loads, out.splitlines()):
        if d["class"] != "Victim" or d["method"] != "work":
            continue
        if d["event"] == "METHOD_ENTRY":
            count = d["count"]
        for v in d.get("values", []) if d["event"] == "METHOD_PARAM" else []:
            t, i = v["value"] >> 40, v["value"] & (1 << 40) - 1
            if t in last and i != last[t] + 1:
                fail(case["text"], "latest: thread %d: work(%d) follows work(%d)" % (t, i, last[t]))
            last[t] = i
    case["last"] = last
    return [count]


def check(case, sure, status):
    global lost
    threads, way = case["threads"], ways[case["way"]]
    final = slots(threads)
    begun = sure is not None and 0 not in final
    if case["way"] != "kill -9 at once" and not begun:
        return fail(
            case["text"],
            "the program did not begin: exit status %s: %s" % (status, open(WORK + "/stderr").read()[-300:]),
        )
    if not os.path.exists(trace + "/data.mdb"):
        if max(final) > 0:
            fail(case["text"], "there is no trace")
        return "no trace yet"
    code, _, err = (
        hindsight("print", trace, "--num", "1", "--json")
        if case["format"] == "omni"
        else hindsight("dataids", trace, "--limit", "1", "--json")
    )
    if code not in (0, 3):
        return fail(case["text"], "the first command exits with %d: %s" % (code, err[:200]))
    code, out, err = hindsight("info", trace, "--json")
    if code not in (0, 3):
        return fail(case["text"], "info exits with %d: %s" % (code, err[:200]))
    info = json.loads(out)
    if info["end"] == "crashed" and begun:
        sure = final
    if info["end"] not in way.end.split(" or "):
        fail(
            case["text"],
            "info says %s, not %s; exit status %d: %s"
            % (info["end"], way.end, status, open(WORK + "/stderr").read()[-1500:]),
        )
    if info["lost"] != 0:
        fail(case["text"], "info says that %d events are lost" % info["lost"])
    code, out, err = hindsight("fsck", trace, "--limit", "5", "--json")
    if code not in (0, 3):
        fail(case["text"], "fsck: %s" % (out + err)[:600])
    told = "%d events" % info["events"]
    if case["format"] != "discard":
        have = found(case, threads)
        low, high = (sure or [0] * threads), [n + 1 for n in final]
        if case["format"] != "omni":
            low, high = [sum(low)], [sum(high)]
        for a, n, b in zip(low, have, high):
            if n < a:
                lost += a - n
                fail(case["text"], "the program came to %s, the trace to %s" % (low, have))
            if n > b:
                fail(case["text"], "the trace goes to %s, the program only to %s" % (have, high))
        if case["format"] == "latest" and info["end"] == "crashed" and begun:
            for t, i in case["last"].items():
                if not final[t] <= i <= final[t] + 1:
                    fail(case["text"], "thread %d: the program came to work(%d), latest to work(%d)" % (t, final[t], i))
            if not case["last"]:
                fail(case["text"], "latest has no values")
        told += ", proved %s, in the trace %s" % (low, have)
    return told


print("seed %d, JDK %d" % (SEED, RELEASE), flush=True)
for k in range(COUNT):
    case = {}
    case["way"] = rounds["way"].next()
    case["workload"] = rounds["workload"].next()
    for part in ("format", "weave", "derive", "threads", "collector"):
        case[part] = rounds[part].next()
    delay = rnd.uniform(0, 2.5)
    case["text"] = "%d %s, %s with %d threads, %s" % (
        k + 1,
        case["way"],
        case["workload"],
        case["threads"],
        case["format"] if case["format"] == "timing" else case["format"] + " " + case["weave"],
    )
    if case["format"] == "omni":
        case["text"] += ", derive=" + case["derive"]
    sure, status = live(case, delay)
    for part in ("way", "format", "workload"):
        tally[case[part]] += 1
    said = check(case, sure, status)
    if said:
        print("%s: %s" % (case["text"], said), flush=True)
cgroup.close()
print(", ".join("%d %s" % (n, w) for w, n in tally.items()))
print("%d kills, lost %d, %d failures" % (COUNT, lost, failures))
print("figure: kills: %d\nfigure: events lost by kills: %d" % (COUNT, lost))
sys.exit(1 if failures else 0)
