"""agents.py - are the recordings that the agents of two builds made of the same programs equal, each as its own command
tells it? `agents.py OLD_HINDSIGHT NEW_HINDSIGHT DIR NAME...` compares DIR/old/RELEASE/NAME with DIR/new/RELEASE/NAME.

Events are compared thread by thread, in order, with every key of their JSON; tables row by row. Threads are paired by
name and content, rows of tables by what they are about. A data ID of the one must stand for one of the other wherever
it appears (their order is that in which classes were loaded). Where only one thread has events, sequence numbers and
object IDs must be equal, too; otherwise object IDs are compared as data IDs are, and the order of events of several
threads is free. Left out: clock values, paths, sizes, addresses in names of hidden classes. A key that only
the new command prints is counted apart: answers may have more keys, but lose none."""
import collections, functools, hashlib, itertools, json, os, re, subprocess, sys

HIDDEN = re.compile(r"(/|\+|\$\$Lambda/)0x[0-9a-f]+")
LEFT_OUT = re.compile(r".*_ns|.*_percent|histogram|time|bytes|start|end|first_dataid|method_id|mostly_recorder")
EVENTS = os.environ.get("EVENTS")
LOOK = 200  # rows that are searched for the next pair where one side has more
ANSWERS = {  # of each format: the events, and what else it keeps
    "omni": ("print", "freq", "latest", "report", "objects", "strings", "exceptions"),
    "plain": ("print", "freq", "latest", "report", "objects", "strings", "exceptions"),
    "latest": ("latest", "freq", "report", "objects", "strings"),
    "freq": ("freq", "report"),
    "timing": ("report",),
}
IN_ORDER = ("print", "objects", "strings", "exceptions")
TABLES = ("dataids", "methods", "classes", "threads")
FREE = re.compile(r'"(id|seq|thread)": \d+|"value": (?=\{)')
NUMBERS = ("seq", "thread", "first", "last", "thrown", "caught")  # free where threads are


def lines(command, trace, answer):
    words = [command, answer, trace, "--json"] + (["--num", EVENTS] if EVENTS and answer == "print" else [])
    p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield from p.stdout
    errors = p.stderr.read()
    if p.wait() not in (0, 3) and ": empty: " not in errors:
        sys.exit("%s %s %s: exit status %d: %s" % (command, answer, trace, p.returncode, errors))


def parse(line):
    return json.loads(HIDDEN.sub(r"\1", line) if "0x" in line else line)


def rows(command, trace, answer):
    return map(parse, lines(command, trace, answer))


def place(row):
    """what a row of a table is about"""
    keys = ("class", "method", "desc", "pc", "event", "name", "string", "type", "id")
    return [str(row.get(k)) for k in keys] + [json.dumps(row.get("attr"))]


class Pair:
    """the two recordings of one program"""

    def __init__(self):
        self.there, self.back = {}, {}
        self.kinds, self.example = collections.Counter(), {}
        self.rows, self.free = 0, False

    def note(self, kind, old, new):
        self.kinds[kind] += 1
        self.example.setdefault(kind, (old, new))

    def compare(self, old, new, answer):
        self.rows += 1
        self.ids = answer == "print"  # tables of several threads: which object has which ID is free
        for row in (old, new) if self.free and "values" in old else ():
            row["values"] = sorted(row["values"], key=self.free_text)
        for kind in sorted(set(self.differences(old, new, ""))):
            self.note("%s: %s" % (answer, kind), old, new)

    @staticmethod
    def free_text(value):
        """of a value without what depends on the order of threads"""
        return FREE.sub("", json.dumps(value, sort_keys=True))

    def differences(self, old, new, path):
        if isinstance(old, dict) and isinstance(new, dict):
            for key in old.keys() | new.keys():
                at = path + "." + key if path else key
                if LEFT_OUT.fullmatch(key) or key in NUMBERS and (self.free or old.get("events") == 0):
                    continue  # the JVM's own threads come in any order
                if key not in new:
                    yield "only old " + at
                elif key not in old:
                    yield "only new " + at
                elif key == "id" and self.free and not self.ids:
                    continue
                elif key == "dataid" or key == "id" and self.free:
                    a, b = (key, old[key]), (key, new[key])
                    if self.there.setdefault(a, b) != b or self.back.setdefault(b, a) != a:
                        yield "stands for another " + at
                else:
                    yield from self.differences(old[key], new[key], at)
        elif isinstance(old, list) and isinstance(new, list):
            if len(old) != len(new):
                yield "length of " + path
            for a, b in zip(old, new):
                yield from self.differences(a, b, path + "[]")
        elif old != new:
            yield "differs " + path

    def streams(self, old, new, answer, key):
        """lines in order, of two iterators; what only one side has is passed over"""
        sides = [Ahead(old, key), Ahead(new, key)]
        old, new = sides
        while all([s.fill() for s in sides]):
            if old.left == new.left and not self.free:  # most of them
                self.rows += len(old.left)
                old.left.clear()
                new.left.clear()
                continue
            a, b = old.left.popleft(), new.left.popleft()
            if a == b and not self.free:
                self.rows += 1
                continue
            a, b = parse(a), parse(b)
            if key(a) == key(b):
                self.compare(a, b, answer)
                continue
            keys = [[key(row), *s.keys()] for row, s in zip((a, b), sides)]
            found = {str(k): j for j, k in reversed(list(enumerate(keys[1])))}
            pairs = [(i + found[str(k)], i, found[str(k)]) for i, k in enumerate(keys[0]) if str(k) in found]
            skips = min(pairs)[1:] if pairs else (LOOK, LOOK)
            for s, row, skip, side in zip(sides, (a, b), skips, ("old", "new")):
                if skip == 0:
                    s.left.appendleft(json.dumps(row))
                else:
                    self.one_side(side, row, answer)
                for _ in range(min(skip - 1, len(s.left))):
                    self.one_side(side, parse(s.left.popleft()), answer)
        for s, side in zip(sides, ("old", "new")):
            while s.fill():
                self.one_side(side, parse(s.left.popleft()), answer)

    def tables(self, old, new, answer):
        """lines whose order is free"""
        if old == new:
            self.rows += len(old)
            return
        known = collections.Counter(old) & collections.Counter(new)  # these need no look at what they are about
        self.rows += sum(known.values())
        sides = []
        for table in (old, new):
            left, rest = known.copy(), []
            for line in table:
                left[line] -= 1
                if left[line] < 0:
                    rest.append(line)
            sides.append(sorted(rest, key=lambda line: place(parse(line))))
        self.streams(*sides, answer, place)

    def one_side(self, side, row, answer):
        what = "%s: only %s has a row %s" % (answer, side, row.get("event", ""))
        self.note(what, *((row, None) if side == "old" else (None, row)))


class Ahead:
    """lines of an iterator, some of them read before they are needed"""

    def __init__(self, iterator, key):
        self.iterator, self.left = iter(iterator), collections.deque()
        self.key_of = functools.lru_cache(2 * LOOK)(lambda line: key(parse(line)))

    def fill(self):
        if len(self.left) < LOOK:
            self.left.extend(itertools.islice(self.iterator, LOOK * 20))
        return len(self.left) > 0

    def keys(self):
        """of the next lines"""
        self.fill()
        return [self.key_of(line) for line in itertools.islice(self.left, LOOK)]


def threads(command, trace):
    """the events of each thread, threads in an order that both sides have"""
    names = {t["thread"]: t["name"] for t in rows(command, trace, "threads")}
    of, content = collections.defaultdict(list), collections.defaultdict(hashlib.sha1)
    for line in lines(command, trace, "print"):
        row = parse(line)
        of[row["thread"]].append(line)
        content[row["thread"]].update(str(place(row)).encode())
    return [of[t] for t in sorted(of, key=lambda t: (names.get(t, ""), content[t].hexdigest(), t))]


def single(commands, traces):
    return all(sum(t["events"] > 0 for t in rows(c, d, "threads")) <= 1 for c, d in zip(commands, traces))


def event_place(row):
    return [row[k] for k in ("event", "class", "method", "desc", "pc")] + [row.get("attr", {}).get("index")]


def compare(commands, traces, format):
    pair = Pair()
    pair.free = not single(commands, traces)
    sides = list(zip(commands, traces))
    for answer in ANSWERS[format] + TABLES:
        if answer == "print" and pair.free:
            for old, new in itertools.zip_longest(*(threads(*s) for s in sides), fillvalue=[]):
                pair.streams(old, new, answer, event_place)
        elif answer in IN_ORDER and not pair.free:
            pair.streams(*(lines(*s, answer) for s in sides), answer, event_place if answer == "print" else place)
        else:
            pair.tables(*(list(lines(*s, answer)) for s in sides), answer)
    return pair


def main():
    old, new, folder = sys.argv[1:4]
    faults = 0
    for name in sys.argv[4:]:
        for release in sorted(os.listdir(os.path.join(folder, "new"))):
            traces = [os.path.join(folder, side, release, name) for side in ("old", "new")]
            pair = compare((old, new), traces, name.rpartition("-")[2])
            verdict = "differences:" if pair.kinds else "equal"
            print("%s %s: %d rows, %s" % (name, release, pair.rows, verdict), flush=True)
            for kind, count in sorted(pair.kinds.items()):
                print("    %6d %s" % (count, kind))
                if not re.search(r": only new \S+$", kind):
                    faults += 1
                    print("           old: %.300s\n           new: %.300s" % pair.example[kind])
    print("agents: %d kinds of differences" % faults)
    return 1 if faults else 0


sys.exit(main())
