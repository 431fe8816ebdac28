"""same_answers.py - asks two hindsight commands the same questions about the same traces, and compares what they
answer byte for byte.

Each command has its own copy of the trace, in a folder of its own and under the same relative name, so that neither
sees the index of the other and a path in an answer is no difference. Questions stand in questions.txt, their
arguments are drawn by draw.py with the old command. First pass: those that the table marks, once and as JSON, and
each finds a trace without an index (which the command then builds, if it wants one); second pass: all of them, with
the index that `hindsight index` built. Outputs are compared as they come, so that their size does not matter."""
import argparse, collections, os, random, re, shutil, signal, subprocess, sys, tempfile, threading, time
from draw import Sample

HERE = os.path.dirname(os.path.abspath(__file__))
OF_SIZES = ("info", "index", "fsck")  # they tell how large a trace is, or count stored rows
OF_TIMES = ("report", "threads", "features")  # two recordings have no equal times
ADDRESS = re.compile(rb"0x[0-9a-f]{8,}")  # in the names of hidden classes
PIECE, LINE_SHOWN, DIFFERENCES_SHOWN = 1 << 20, 400, 20
Row = collections.namedtuple("Row", "times without most wrong words both number")


def read_table(path):
    rows = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            both = words[-1] == "[--json]"
            wrong = words[0] == "!"
            most = float("inf") if words[2] == "-" else float(words[2]) * 1e6
            rows.append(
                Row(
                    1 if wrong else int(words[0]),
                    words[1] == "w",
                    most,
                    wrong,
                    words[3:-1] if both else words[3:],
                    both,
                    number,
                )
            )
    return rows


def arguments(words, sample, rng, trace):
    """the words of a question with what is drawn; {seq+N}: N behind the moment that was drawn last"""
    last = 0

    def one(m):
        nonlocal last
        if m.group(2) is not None:
            return str(last + int(m.group(2)))
        argument, seq = sample.draw(m.group(1), rng)
        last = seq if seq is not None else last
        return argument

    return [trace if w == "T" else re.sub(r"\{(\w+)(?:\+(\d+))?\}", one, w) for w in words]


class Side:
    """one of the two commands at work on one question"""

    def __init__(self, command, folder, words, environment, addresses=True):
        self.addresses, self.begun = addresses, b""  # without them: the beginning of a line that has not ended
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [command, *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            bufsize=0,
        )
        self.handle = os.pidfd_open(self.process.pid)  # still the right process when it has ended meanwhile
        self.left, self.ended = b"", False

    def kill(self):
        try:
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def fill(self):
        """at least one byte in `left`, unless the output has ended"""
        while not self.left and not self.ended:
            self.read()
        return self.left

    def read(self):
        more = os.read(self.process.stdout.fileno(), PIECE)
        self.ended = not more
        if not self.addresses:
            lines, newline, self.begun = (self.begun + more).rpartition(b"\n")
            if self.ended:
                lines, self.begun = lines + newline + self.begun, b""
            more = ADDRESS.sub(b"0x", lines + newline)
        self.left += more

    def rest_of_line(self):
        while b"\n" not in self.left and len(self.left) < LINE_SHOWN and not self.ended:
            self.read()
        return self.left.split(b"\n")[0] if self.left else b"(end of output)"

    def end(self, kill=False):
        if kill:
            self.kill()
        self.process.stdout.close()
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = status = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.errors.seek(0)
        errors = self.errors.read()
        self.errors.close()
        return ("signal %s" % signal.Signals(-status).name if status < 0 else status), errors

    def close(self):
        os.close(self.handle)


def shown(head, tail):
    """a line from a little before the place where it differs"""
    text = (head[-LINE_SHOWN // 2 :] + tail[:LINE_SHOWN]).decode("utf-8", "replace")
    return ("..." if len(head) > LINE_SHOWN // 2 else "") + text[:LINE_SHOWN]


def different(what, old, new):
    return "%s\n      old: %s\n      new: %s" % (what, old, new)


def first_difference(old, new, counts):
    """None, or a text: the outputs are read side by side"""
    line, head = 1, b""  # the number of the line, and what both have of it
    while True:
        a, b = old.fill(), new.fill()
        n = min(len(a), len(b))
        if n == 0 and not a and not b:
            return None
        if n == 0 or a[:n] != b[:n]:
            k = next((i for i in range(n) if a[i] != b[i]), n) if n <= 4096 else bisect_difference(a, b, n)
            common = a[:k]
            line += common.count(b"\n")
            head = (b"" if b"\n" in common else head) + common.rpartition(b"\n")[2]
            old.left, new.left = a[k:], b[k:]
            return different(
                "line %d of standard output" % line, shown(head, old.rest_of_line()), shown(head, new.rest_of_line())
            )
        common = a[:n]
        counts["bytes"] += n
        line += common.count(b"\n")
        head = ((b"" if b"\n" in common else head) + common.rpartition(b"\n")[2])[-LINE_SHOWN:]
        old.left, new.left = a[n:], b[n:]


def bisect_difference(a, b, n):
    low, high = 0, n  # equal before low, different somewhere before high
    while low < high:
        middle = (low + high) // 2
        if a[low : middle + 1] == b[low : middle + 1]:
            low = middle + 1
        else:
            high = middle
    return low


class Comparison:
    def __init__(self, options):
        self.o = options
        self.table = [
            r
            for r in read_table(os.path.join(HERE, "questions.txt"))
            if (not options.only or r.words[0] in options.only)
            and not ((options.rewritten or options.other) and r.words[0] in OF_SIZES)
            and not (options.other and r.words[0] in OF_TIMES)
        ]
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100"}
        self.questions = self.differences = 0
        self.slowest = []

    def ask(self, words, wrong, counts, phase):
        """one question to both; says what differs"""
        commands = zip((self.o.old, self.o.new), self.folders)
        old, new = [Side(c, f, words, self.environment, not self.o.other) for c, f in commands]
        too_long = threading.Event()

        def stop():
            too_long.set()
            old.kill()
            new.kill()

        timer = threading.Timer(self.o.seconds, stop)
        timer.start()
        before = counts["bytes"]
        differs = first_difference(old, new, counts)
        (status, errors), (new_status, new_errors) = old.end(differs is not None), new.end(differs is not None)
        timer.cancel()
        timer.join()
        old.close()
        new.close()
        if too_long.is_set():
            differs = "no answer within %d seconds" % self.o.seconds
        elif differs is None and status != new_status:
            differs = different(
                "exit status",
                "%s %s" % (status, errors[-200:].decode("utf-8", "replace").strip()),
                "%s %s" % (new_status, new_errors[-200:].decode("utf-8", "replace").strip()),
            )
        elif differs is None and errors != new_errors:
            if wrong and self.o.ignore_messages:
                counts["messages that differ"] += 1
            else:
                lines = [e.decode("utf-8", "backslashreplace").split("\n") + ["(end)"] for e in (errors, new_errors)]
                a, b = next((a, b) for a, b in zip(*lines) if a != b)
                differs = different("standard error", a[:LINE_SHOWN], b[:LINE_SHOWN])
        self.questions += 1
        counts["questions"] += 1
        counts["refused" if status not in (0, 3) else "answered" if counts["bytes"] > before else "empty"] += 1
        self.slowest.append((old.seconds, new.seconds, self.name, phase, " ".join(words)))
        if differs is not None:
            self.differences += 1
            if self.differences <= DIFFERENCES_SHOWN:
                question = "%s (%s): hindsight %s" % (self.name, phase, " ".join(words))
                print("DIFFERENT: %s\n    %s" % (question, differs), flush=True)
            elif self.differences == DIFFERENCES_SHOWN + 1:
                print("(further differences are counted only)", flush=True)
        return status

    @staticmethod
    def copy(trace, to):
        """what the recorder stored: no index, no lock, no socket"""
        shutil.copytree(trace, to, ignore=lambda _, names: {"index", "lock.mdb", "control"} & set(names))

    def copies(self, trace, local):
        for f, t in zip(self.folders, (trace, self.o.other and os.path.join(self.o.other, self.name) or trace)):
            shutil.rmtree(os.path.join(f, local), ignore_errors=True)
            self.copy(t, os.path.join(f, local))
        if self.o.rewritten is None:
            return
        words = [self.o.rewritten, local] + (["-o", local + ".whole"] if self.o.rewritten == "expand" else [])
        done = subprocess.run([self.o.new] + words, cwd=self.folders[1], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit("%s: %s" % (" ".join(words), done.stderr))
        if self.o.rewritten == "expand":
            shutil.rmtree(os.path.join(self.folders[1], local))
            os.rename(os.path.join(self.folders[1], local + ".whole"), os.path.join(self.folders[1], local))

    def build_index(self, local, counts, phase):
        if self.o.rewritten is None and self.o.other is None:
            self.ask(["index", local], False, counts, phase)
            return
        for command, folder in zip((self.o.old, self.o.new), self.folders):  # their sizes differ
            subprocess.run([command, "index", local], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def without_index(self, local):
        for f in self.folders:
            if os.path.exists(os.path.join(f, local, "index")):
                os.unlink(os.path.join(f, local, "index"))

    def compare(self, trace, scratch):
        """one trace"""
        began, counts = time.monotonic(), collections.Counter()
        trace = os.path.normpath(trace)
        self.name = "/".join(trace.split("/")[-2:])
        local = "hindsight-" + os.path.basename(trace)
        self.folders = [os.path.join(scratch, x) for x in ("old", "new")]
        drawn = os.path.join(scratch, "drawn")
        self.copy(trace, os.path.join(drawn, local))
        sample = Sample(self.o.old, drawn, local, "%s %s" % (self.o.seed, self.name))
        shutil.rmtree(drawn)
        for phase in ("without index", "with index"):
            indexed = phase == "with index"
            if indexed and self.o.no_index or not indexed and self.o.index:
                continue
            self.copies(trace, local)
            if indexed:
                self.build_index(local, counts, phase)
            for row in self.table:
                if sample.count > row.most or not indexed and not row.without:
                    continue
                if self.o.quick and row.most < float("inf"):
                    continue
                for k in range(row.times if indexed and not self.o.quick else 1):
                    rng = random.Random("%s %s %d %s %d" % (self.o.seed, self.name, row.number, phase, k))
                    words = arguments(row.words, sample, rng, local)
                    if self.o.other and any(ADDRESS.search(w.encode()) for w in words):
                        continue
                    forms = [[]] if not row.both else [[], ["--json"]] if indexed and not self.o.quick else [["--json"]]
                    for form in forms:
                        if not indexed:
                            self.without_index(local)
                        self.ask(words + form, row.wrong, counts, phase)
        for f in self.folders:
            shutil.rmtree(f)
        told = ", ".join("%d %s" % (counts[k], k) for k in sorted(counts))
        print("%s: %s in %d s" % (self.name, told, time.monotonic() - began), flush=True)


def main():
    p = argparse.ArgumentParser(prog="run.sh", description="Compares the answers of two hindsight commands.")
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("traces", nargs="+", metavar="trace")
    p.add_argument("--seed", default="1", help="what is asked about is drawn with it (default 1)")
    p.add_argument("--only", action="append", metavar="COMMAND", help="only the questions of this command, repeatable")
    p.add_argument("--quick", action="store_true", help="each question once, JSON rather than text, no whole streams")
    passes = p.add_mutually_exclusive_group()
    passes.add_argument("--index", action="store_true", help="only with the index")
    passes.add_argument("--no-index", action="store_true", help="only without the index")
    rewritten = p.add_mutually_exclusive_group()
    for command in ("compact", "expand"):
        rewritten.add_argument(
            "--" + command,
            dest="rewritten",
            action="store_const",
            const=command,
            help="the new command asks a copy of the trace that %s has written" % command,
        )
    rewritten.add_argument(
        "--other",
        metavar="DIR",
        help="the new command asks DIR/RELEASE/NAME, the same program recorded by its own agent (agents.sh); "
        "what tells times is not asked, addresses may differ",
    )
    p.add_argument("--ignore-messages", action="store_true", help="wrong questions: standard error may differ")
    p.add_argument("--seconds", type=float, default=1800, help="for one question (default 1800)")
    p.add_argument("--slowest", type=int, default=0, metavar="N", help="show the N questions that took most CPU time")
    o = p.parse_args()
    o.old, o.new = os.path.realpath(o.old), os.path.realpath(o.new)
    for c in (o.old, o.new):
        if not os.access(c, os.X_OK):
            p.error("%s: not a program" % c)
    for t in o.traces:
        if not os.path.isfile(os.path.join(t, "data.mdb")):
            p.error("%s: not a trace" % t)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the copies go all the same
    comparison = Comparison(o)
    if not comparison.table:
        p.error("no question of this command")
    for trace in o.traces:
        with tempfile.TemporaryDirectory(prefix="same-answers.") as scratch:
            comparison.compare(trace, scratch)
    for row in sorted(comparison.slowest, reverse=True)[: o.slowest]:
        print("%7.1f s, new %7.1f s  %s (%s): %s" % row)
    if o.slowest:
        totals = [sum(row[k] for row in comparison.slowest) for k in (0, 1)]
        print("CPU seconds of all questions: %.1f, new %.1f" % tuple(totals))
    print(
        "same-answers: %d questions about %d traces, %d answers differ"
        % (comparison.questions, len(o.traces), comparison.differences)
    )
    return 1 if comparison.differences else 0


sys.exit(main())
