"""same.py HINDSIGHT A B [only]: have two traces the same events and values, thread by thread?

Threads go by their names; objects, classes of lambdas and data IDs have other numbers in each run, so that object n of
A is one object of B. only: of A those event types alone that B has. Times are not compared."""
import collections
import json
import re
import subprocess
import sys

hindsight, *traces = sys.argv[1:4]
mode = sys.argv[4] if len(sys.argv) > 4 else ""
pairs = {}, {}


HEAD = re.compile(r'\{"seq":\d+,"thread":(\d+),("dataid":\d+,)?')
TIME = re.compile(r',"time":\d+(?=\}$|,"thrown_at":)')
ID = re.compile(r'"id":(\d+)')  # of an object: in a string the quotes would have backslashes


def ask(*words):
    done = subprocess.run([hindsight, *words, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{words}: {done.stderr}")
    return done.stdout.splitlines()


def by_thread(trace):
    """Of each thread its events: lines of JSON without what is not compared."""
    names = {str(t["thread"]): t["name"] for t in map(json.loads, ask("threads", trace))}
    threads = collections.defaultdict(list)
    for line in ask("print", trace):
        head = HEAD.match(line)
        line = "{" + line[head.end() :]
        threads[names[head[1]]].append(TIME.sub("", line) if '"time":' in line else line)
    return threads


def paired(x, y):
    return pairs[0].setdefault(x, y) == y and pairs[1].setdefault(y, x) == x


def same_lines(x, y):
    """As most are: the same text around the numbers of objects. What is not is looked at as JSON."""
    p, q = ID.split(x), ID.split(y)
    if p[::2] == q[::2]:
        return all(map(paired, map(int, p[1::2]), map(int, q[1::2])))
    return same(json.loads(x), json.loads(y))


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return False
        if isinstance(a.get("id"), int) and isinstance(b.get("id"), int):
            if not paired(a["id"], b["id"]):
                return False
        return all(same(a[key], b[key]) for key in a if key != "id")
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str) and isinstance(b, str):
        return re.sub(r"(Lambda[^0-9]*)[0-9a-fx/]+", r"\1", a) == re.sub(r"(Lambda[^0-9]*)[0-9a-fx/]+", r"\1", b)
    return a == b


a, b = map(by_thread, traces)
if mode == "only":
    event = lambda line: line[: line.index(",")]  # the first member of what is left
    types = {event(e) for events in b.values() for e in events}
    assert all(t.startswith('{"event":"') for t in types), types
    a = {name: [e for e in events if event(e) in types] for name, events in a.items()}
if a.keys() != b.keys():
    sys.exit(f"threads {sorted(a)}, {sorted(b)}")
for name, events in a.items():
    for i, (x, y) in enumerate(zip(events, b[name])):
        if not same_lines(x, y):
            sys.exit(f"{name}, event {i}: {x}\n{y}")
    if len(events) != len(b[name]):
        sys.exit(f"{name}: {len(events)} events, {len(b[name])}")
print(sum(map(len, b.values())))
