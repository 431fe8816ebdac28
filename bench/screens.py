"""screens.py HINDSIGHT TRACE LATEST [REPEATS]: how long until the first screen of every command is there?

Each command runs as a person runs it, in a process of its own whose output is a pipe; the time is that until ROWS lines
have come, or the end if there are fewer, and the CPU time that the process has taken by then. Then the pipe is closed,
and the process has to end: `end_ms`. Warm runs find the files in the page cache, before cold ones they are taken out of
it. Medians of REPEATS (5). LATEST is a trace of format=latest. One JSON line per command; what is asked about lies in
the middle of the trace."""
import json, os, signal, statistics, subprocess, sys, time

ROWS, TARGET_MS, GIVE_UP_S = 50, 100, 60
hindsight, trace, latest = sys.argv[1:4]
repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 5


def one(*args):
    """The first line of a command's answer as JSON."""
    out = subprocess.run([hindsight, *args, "--json", "--limit", "1"], capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[0])


events = one("info", trace)["events"]
middle = str(events // 2)
read = one("print", trace, "--from", middle, "--event", "GET_INSTANCE_FIELD")
seq, thread = str(read["seq"]), str(read["thread"])
field = f'{read["attr"]["owner"]}.{read["attr"]["name"]}'
event = one("print", trace, "--from", seq, "--event", "GET_INSTANCE_FIELD_RESULT")

COMMANDS = [
    ["print"],
    ["print", "--from", middle],
    ["print", "--thread", thread],
    ["print", "--class", read["class"]],
    ["print", "--method", read["method"]],
    ["print", "--event", "METHOD_THROW"],
    ["print", "--object", str(read["value"]["id"])],
    ["print", "--text", "java"],
    ["print", "--value", "4711"],
    ["tree"],
    ["tree", "--json"],
    ["tree", "--thread", thread],
    ["tree", "--depth", "4"],
    ["tree", "--fold", "once"],
    ["tree", "--fold", "none"],
    ["tree", "--from", middle],
    ["tree", "--around", middle],
    ["object", str(read["value"]["id"])],
    ["object", str(read["value"]["id"]), "--at", seq],
    ["locals", "--at", seq],
    ["history", field],
    ["history", f'{read["value"]["id"]}.{read["attr"]["name"]}'],
    ["why", str(event["seq"])],
    ["report"],
    ["report", "--sort", "calls"],
    ["report", "--paths"],
    ["report", "--blocks"],
    ["freq"],
    ["latest"],
    ["latest", "--event", "CATCH"],
    ["exceptions"],
    ["exceptions", "--json"],
    ["exceptions", "--swallowed"],
    ["strings"],
    ["objects"],
    ["objects", "--type", "*[]"],
    ["threads"],
    ["classes"],
    ["methods"],
    ["dataids"],
    ["features"],
    ["info"],
]
OF_LATEST = [["latest"], ["latest", "--json"], ["freq"], ["info"]]


def out_of_cache(where):
    for name in ("data.mdb", "index"):
        try:
            fd = os.open(os.path.join(where, name), os.O_RDONLY)
        except FileNotFoundError:
            continue
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def cpu_ms(pid):
    with open(f"/proc/{pid}/schedstat") as f:
        return int(f.read().split()[0]) / 1e6


def ask(words, where, cold):
    if cold:
        out_of_cache(where)
    begin = time.monotonic()
    process = subprocess.Popen([hindsight, *words, where], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    fd, rows = process.stdout.fileno(), 0
    while rows < ROWS:
        got = os.read(fd, 65536)
        if not got:
            break
        rows += got.count(b"\n")
    there = time.monotonic()
    cpu = cpu_ms(process.pid)  # of a process that has ended, too: nobody has waited for it
    process.stdout.close()
    try:
        process.wait(timeout=GIVE_UP_S)
    except subprocess.TimeoutExpired:
        process.kill()
    end = time.monotonic()
    if process.wait() not in (0, 3, -signal.SIGPIPE):
        sys.exit(f"screens.py: {' '.join(words)}: exit status {process.returncode}")
    return (there - begin) * 1e3, cpu, (end - there) * 1e3, rows


for words, where, format in [(w, trace, "omni") for w in COMMANDS] + [(w, latest, "latest") for w in OF_LATEST]:
    ask(words, where, False)
    warm = [ask(words, where, False) for _ in range(repeats)]
    cold = [ask(words, where, True) for _ in range(repeats)]
    ms, cpu, end, rows = (statistics.median(column) for column in zip(*warm))
    cold_ms, cold_cpu, _, _ = (statistics.median(column) for column in zip(*cold))
    print(
        json.dumps(
            {
                "bench": "screens",
                "format": format,
                "command": " ".join(words),
                "target_ms": TARGET_MS,
                "warm_ms": round(ms, 1),
                "warm_cpu_ms": round(cpu, 1),
                "cold_ms": round(cold_ms, 1),
                "cold_cpu_ms": round(cold_cpu, 1),
                "end_ms": round(end, 1),
                "rows": int(rows),
                "repeats": repeats,
            }
        ),
        flush=True,
    )
