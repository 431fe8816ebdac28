"""keys.py ROOT TOOLS [--update]: docs/json.md names the keys that answers have, and no other.

Everything.java is recorded in every form: RECORDINGS, and one that is asked while it runs and killed then. Every
command that takes --json answers about them (QUESTIONS). Rows that are described by a table (reader/answers/*.def,
which answer_list prints) have the keys of that table, and the page has the table (--update writes it). Each other key
of an answer, at any depth, has a row with what it is (written by hand) and the commands that have it (--update). What
the code of the command could write, and no answer had, fails too, unless NOT_SEEN says why; so does a command that is
asked nothing. --again: in a folder that has the recordings."""
import glob, json, os, re, shlex, signal, subprocess, sys, time

HEAD = "| key | of | is |"
TABLE_HEAD = "| answer | key | type | is |"
JAVAC = "javac -J-XX:TieredStopAtLevel=1 -g --release 17"
MANY = 8  # of more commands than this a key is of "many"
NAMES = "fields stale elements parameters locals variables groups types storage".split()  # objects whose keys are names
PARTS = ["logstart=Everything#sum##METHOD_ENTRY", "logend=Everything#sum##METHOD_EXIT"]

RECORDINGS = {  # name: format, options of the agent, what the program reads (f: fill)
    "every": ("omni", [], None),
    "other": ("omni", ["maxstring=4", "derive=off", "dump=true"], None),
    "timed": ("omni", ["timestamp=true"], None),
    "said": ("omni", ["stdout=true", "maxstring=6"], None),
    "few": ("omni", ["weave=EXEC+CALL+PARAM", "e=Everything$", "skip=generated", "fold=trivial"], None),
    "parts": ("omni", ["freeze=uncaught"] + PARTS, None),
    "percall": ("omni", ["percall=5"], None),
    "redacted": ("omni", ["redact=*.text", "redact=*letters", "redact=*.shared", "redact=Nowhere.none"], None),
    "lost": ("omni", ["maxbytes=16M"], "f"),
    "oldest": ("omni", ["maxbytes=16M", "onfull=drop-oldest"], "f"),
    "rings": ("latest", ["freeze=uncaught", "freeze=IllegalStateException"], None),
    "counts": ("freq", ["logsave=snapshot"] + PARTS, None),
    "thrown": ("exceptions", ["e=Everything$"], None),
    "times": ("timing", ["logsave=partial"] + PARTS, None),
}
NEWER = {  # what another build of the program has
    "return 2 * n": "return n + Integer.sum(n, 0)",
    "new ArrayList<>()": "new LinkedList<>()",
    "deep(1100)": "deep(1101)",
    "nested(first, second, null)": "nested(second, first, null)",
}
TESTED = """
import org.junit.*;
public class Tested {
    static class Box { int count; void add(int n) { if (n > 0) count += n; } }
    int parse(String s) { try { return Integer.parseInt(s); } catch (NumberFormatException e) { return 7; } }
    @Test public void fails() {
        Box box = new Box();
        box.add(parse("x"));
        java.util.List<String> boxes = new java.util.ArrayList<>();
        boxes.add(box.count + " boxes");
        Assert.assertEquals("boxes", java.util.Arrays.asList("5 boxes", "none"), boxes);
    }
    @Test public void passes() throws Exception { Thread.sleep(60); }
    @Ignore("not yet") @Test public void ignored() {}
    public static class NoSetUp {
        @BeforeClass public static void setUp() { throw new IllegalStateException(); }
        @Test public void never() {}
    }
}
"""
SEQS = {  # %NAME in a question: the seq of the first event of these
    "throw": "METHOD_THROW --method deep",
    "inside": "METHOD_EXCEPTIONAL_EXIT --method length",
    "box": "PUT_INSTANCE_FIELD_VALUE --method contents",
    "static": "PUT_STATIC_FIELD --method contents",
    "locked": "MONITOR_ENTER_RESULT --method nested",
    "end": "METHOD_EXCEPTIONAL_EXIT --method main",
    "entry": "METHOD_ENTRY --method contents",
    "doubled": "METHOD_ENTRY --method twice",
    "threw": "METHOD_ENTRY --method deep",
    "wraps": "METHOD_NORMAL_EXIT --method wraps",
    "wrapped": "LOCAL_STORE --method wraps",
}
QUESTIONS = (  # of which recordings, what
    ("tested", "tests|failure|suspects"),
    (" ".join(RECORDINGS) + " killed", "info|threads"),
    ("every timed few parts percall lost rings counts times", "classes|freq --all|report --percentiles"),
    ("every other timed percall redacted killed", "print --limit 300|tree --limit 300|exceptions|objects --limit 500"),
    (
        "every timed",
        "timeline --limit 50|report --tree --limit 50|report --callers twice|report --callees work|activity --pauses",
    ),
    ("every", "report|report --paths|report --blocks|tree --fold once --depth 6|threads --frames 1"),
    ("thrown", "exceptions"),
    ("every", "exceptions --each|why %throw --control|why %box --control|why %box --under|why %throw --all --control"),
    (
        "every",
        "test-from %entry|test-from %doubled|test-from %threw",
    ),
    (
        "every",
        "why-not Everything.deep|why-not Everything.deep:95|why-not Everything.shared --expect 99999|"
        "why-not Everything.contents:102 --times 9|why-not Everything.parsed:224|"
        "slice %box|"
        "slice %throw --control|slice %inside|slice %box --forward|find 3|find a|overflows|overflows --each|"
        "alloc|alloc --tree|heap --since %box|heap --dominators",
    ),
    ("every", "methods|dataids|strings --limit 50|locks --order|locks --inversions|deadlocks|races|locks"),
    ("every", "print --maxname 5 --limit 5|history Everything.shared|history '%numbers[0]'|history Everything.sum:sum"),
    (
        "every",
        "last-write Everything.box|why %throw --all|why %box|why %inside|why %box --all|why %static|why %wrapped|"
        "slice %wraps",
    ),
    ("every", "locals --at %locked|locals --at %throw|fsck|index|object %numbers --limit 1|object %early"),
    ("every", "source Everything --source .|print --source . --limit 5"),
    ("every other timed percall parts killed", "last-write Everything.finished"),
    ("other", "strings --limit 50"),
    ("said", "output|output --source .|at line|slice --at line --forward|at +1ms"),
    ("every", "locals --at %box"),
    ("every", "eval '1 + 1' --at %box|eval '1 / 0' --at %box|eval 'new Object().hashCode()' --at %box"),
    ("every", "watch Everything.main '{1} {1 / 0} {new Object().hashCode()}'|watch Everything.main --maxname 3"),
    ("every", "watch Everything.main --count|calls Everything.nested|calls Everything.length|calls Everything.deep"),
    ("every timed killed", "calls Everything.twice|calls '*.<init>' --maxname 3|calls '*.*' --limit 2000"),
    ("every", "calls --open %entry|calls --open %doubled|calls --open %threw --source ."),
    ("every", "watch Everything.main '{1}' --distinct --count"),
    ("rings", "latest|latest --snapshot 1|latest --merged --limit 300|freq --snapshot 1"),
    ("times", "report --snapshot 2"),
    ("lost", "activity"),
    ("killed", "features|features --affinity|features --similarity|features --instances|features --signal"),
    ("killed", "report --mark one|object %kept|compact|pack -o killed.hst"),
    ("redacted", "redact --out gone --secret wrapped|history Everything.shared"),
    ("every", "recover|export --to jsonl -o every.jsonl --limit 9|export --to csv --table all -o every.csv"),
    ("", "weave classes|weave ended|completion bash|setup maven"),
    ("parts", "expand -o expanded|fleet push --to fleet"),
    ("", "events|diff every newer --limit 400|diff every other --first|fleet query --from fleet 'SELECT 1 AS count'"),
    ("", "fleet open %run --from fleet -o opened|fleet repair %run --from fleet"),
    ("", "fleet prune --from fleet --max-bytes 1|fsck faulty --all"),
)
FAIL = ("fsck faulty --all", "weave ended")
NO_ANSWER = {  # commands that take --json and are asked nothing
    "attach": "as start", "lab": "takes minutes: test/lab", "dap": "a server", "jdwp": "a server", "view": "a server",
    "mcp": "a server", "sql": "columns()",
}  # fmt: skip
NOT_SEEN = {  # keys of the code that these recordings do not have: the command that has it, and why
    "more": ("object", "needs an array of which only a part is known: test/ask"),
    "dropped": ("info", "needs more than 16 MB of events: test/bounds"),
    "uncounted": ("info", "needs a long trace without an index: test/cli/screens.sh"),
    "dropped_tests": ("info", "needs JUnit: test/clients/keep"),
    "dropped_events": ("info", "as dropped_tests"),
    "counted_methods": ("info", "needs millions of calls: test/cli/timing-cost.sh"),
    "counted_calls": ("info", "as counted_methods"),
    "counted_ns": ("info", "as counted_methods"),
    "counted_error_ns": ("info", "as counted_methods"),
    "limited": ("info", "needs rings of more than 1 GiB"),
    "address": ("view", "a server: test/cli/json.sh"),
    "note": ("weave", "needs a signed jar: test/cli/jars.sh"),
    "again": ("failure", "needs a loop: test/bugs"),
    "before_read": ("failure", "needs a method that ran before a field was read: test/bugs"),
    "called_back": ("failure", "needs a comparator: test/bugs"),
    "of": ("failure", "needs a constant under a branch: test/bugs"),
    "there": ("failure", "needs a test that passed, too: test/clients/junit/page.sh"),
    "here": ("failure", "as there"),
    "saved_refusal": ("info", "needs a broken file of weavecache=: test/agent/weavecache.sh"),
    "saved_used": ("info", "needs weavecache=: test/agent/weavecache.sh"),
    "saved_made": ("info", "as saved_used"),
    "saved_refused": ("info", "as saved_used"),
}  # keys of the code
SHARED = {  # keys that the rows of reader/answers/rows.h give to many answers: one that has it is enough
    "cut": "needs --maxname", "source": "needs --source", "file": "needs a SourceDebugExtension: test/cli/source-map.sh"
}  # fmt: skip
NOT_SEEN_IN_TABLE = {  # the same of keys of tables: answer, key
    (answer, key): why
    for why, rows in {
        "an event has it: events": "causes time|slice time|found time|kept time|written thrown_at|found thrown_at",
        "needs threads whose object is known: test/ask": "threads object",
        "needs a value that comes from more than 40 lines: test/clients/junit": "failure more_steps",
        "needs 24 frames that are no recursion: test/clients/junit/page.sh": "failure more_frames",
        "needs an initializer of a class that throws: test/clients/junit/page.sh": "failure cause",
        "needs more than 50 million events": "failure races_left_out",
        "needs more than eight differences, threads, an exception that was not thrown, a test that passed, too: "
        "test/clients/junit/page.sh": "failure more_differences|failure not_thrown|failure threads|failure races|"
        "failure passed_run",
        "needs the JUnit Platform: test/clients/junit": "tests reason",
        "needs a journal of which a part cannot be read": "recoveries lost_reason",
        "needs a moment of a call with missing events: test/percall": "frames left_out|object left_out",
        "needs arrays of several threads: test/ask": "races index",
        "needs other objects of one type, a branch, calls of one run alone: test/ask/diff": "diff a_was|diff b_was|"
        "diff a_decision|diff b_decision|diff times|diff calls",
        "needs a write before a call of other code: test/ask": "written handed",
        "needs --all of a value with several causes": "causes repeated",
        "needs a string that was cut: test/cli/strings.sh": "object cut",
        "needs --until-fail: test/cli/record.sh": "recordings runs",
        "needs --never and a passing run that did more: test/ask/suspects": "suspects never",
        "needs a tool whose libraries are named so: test/cli/setup.sh": "setups version",
        "needs a stack of more than 64 frames: test/agent/thrown.sh": "exceptions frames_left_out",
        "needs a call of which there is no test, or one of the clock: test/clients/test_from": "test_sources why|"
        "test_sources doubts",
        "needs a method that is too long": "methods reason|weavings class|weavings method|weavings desc|"
        "weavings groups",
    }.items()
    for answer, key in (row.split() for row in rows.split("|"))
}


class Table:
    """An answer that is described by a table."""

    def __init__(self):
        self.rows, self.questions, self.seen = [], [], set()

    def keys(self, *places):
        return [row[0] for row in self.rows if row[2] in places]


def tables():
    found = {}
    for line in subprocess.check_output([tools + "/answer_list"], text=True).splitlines():
        answer, question, *row = line.split("\t")
        table = found.setdefault(answer, Table())
        table.rows.append(row)
        table.questions = [q.split() for q in question.split("|") if q != "-"]
    return found


def table_of(line):
    """The one whose question has the most words of this one, or None."""
    words, best = shlex.split(line), (0, None)
    for table in answers.values():
        for q in table.questions:
            if q[0] == words[0] and set(q) <= set(words):
                best = max(best, (len(q), table), key=lambda b: b[0])
    return best[1]


class Keys:
    """Which commands have a key, and where it came up first."""

    def __init__(self):
        self.commands, self.first, self.attributes = {}, {}, set()

    def rows(self, line, rows):
        """Keys of a row stand in its table, if it has one; those below are walked."""
        table = table_of(line)
        if table is None:
            self.walk(line, rows)
            return
        known = table.keys("row", "both")
        for row in rows:
            table.seen.update(row)
            for key in row:
                if key not in known:
                    complain("hindsight %s --json: reader/answers has no key %s" % (line, key))
            below = {k: v for k, v in row.items() if isinstance(v, (dict, list))}
            for key, v in below.items():
                if key == "attr":
                    self.attributes.update(v)
                else:
                    self.walk(line, list(v.values()) if key in NAMES and isinstance(v, dict) else v)

    def walk(self, line, value):
        if isinstance(value, list):
            for v in value:
                self.walk(line, v)
        elif isinstance(value, dict):
            for key, v in value.items():
                self.commands.setdefault(key, set()).add(line.split()[0])
                self.first.setdefault(key, "hindsight %s --json: %s" % (line, json.dumps(value)[:200]))
                if key == "attr":
                    self.attributes.update(v)
                else:
                    self.walk(line, list(v.values()) if key in NAMES and isinstance(v, dict) else v)


keys, bad = Keys(), 0


def complain(text):
    global bad
    bad += 1
    print(text)


def ask(line, statuses=None):
    r = subprocess.run(
        ["hindsight"] + shlex.split(line) + ["--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if r.returncode not in (statuses or ((1,) if line in FAIL else (0, 3))):
        complain("hindsight %s: status %d: %s" % (line, r.returncode, r.stderr))
        return []
    rows = [json.loads(row) for row in r.stdout.splitlines()]
    keys.rows(line, rows)
    return rows


def record(name, form, options, classes="classes", **streams):
    command = ["hindsight", "record", "-o", name, "--format", form]
    for option in ["quiet=true"] + options:
        command += ["--option", option]
    command += ["--", "java", "-cp", classes, "Everything"] + ([] if streams.get("stdin") is None else ["x"])
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **streams)


def told(command, text=None):
    """What `record --json` says of it, on standard error."""
    r = subprocess.run(["hindsight", "record", "--json"] + command, input=text, capture_output=True, text=True)
    keys.rows("record", [json.loads(r.stderr.splitlines()[-1])])


def recordings():
    for name, (form, options, reads) in RECORDINGS.items():
        p = record(name, form, options, stdin=subprocess.PIPE if reads else None)
        out = p.communicate(reads)[0]
        if p.returncode != 1 or "the end" not in out:
            sys.exit("%s: status %d: %s" % (name, p.returncode, out))
    source = open("Everything.java").read()
    os.makedirs("newer-source")
    for old, new in NEWER.items():
        assert old in source, old
        source = source.replace(old, new)
    open("newer-source/Everything.java", "w").write(source)
    subprocess.run(JAVAC + " -d newer-classes newer-source/Everything.java", shell=True, check=True)
    record("newer", "omni", [], "newer-classes").communicate()
    tested()


def tested():
    """A run of JUnit 4: a class of tests whose set-up or whose method fails, and others."""
    jars = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-all.jar"
    open("Tested.java", "w").write(TESTED)
    subprocess.run(JAVAC + " -cp %s -d tested-classes Tested.java" % jars, shell=True, check=True)
    command = ["hindsight", "record", "--tests", "--option", "keep=all", "-o", "tested", "--"]
    command += ["java", "-cp", "tested-classes:" + jars]
    subprocess.run(command + ["org.junit.runner.JUnitCore", "Tested", "Tested$NoSetUp"], capture_output=True)


def running():
    """A recording that is started late, told everything, loses events, and is killed."""
    p = record("killed", "omni", ["maxbytes=16M", "start=off"], stdin=subprocess.PIPE, bufsize=0)
    lines = 2

    def tell(line):
        """A command, or letters that the program reads: until it has done them."""
        nonlocal lines
        if len(line.split()) > 1:
            ask(line)
            return
        p.stdin.write(line)
        for _ in range(lines + line.count("w") * 2 + line.count("k")):
            p.stdout.readline()
        lines = 0

    def until(test):
        for _ in range(600):
            status = ask("status killed", (0, 1, 3))
            if status and test(status[0]):
                return status[0]
            time.sleep(0.1)
        sys.exit("a recording that runs does not come to a state: %s" % status)

    while not os.path.exists("killed/control"):
        time.sleep(0.05)
    pid = until(lambda s: True)["pid"]
    for line in ("start killed weave=ALL", "mark killed one", "w", "unmark killed one", "mark killed two", "k", "w"):
        tell(line)
    for line in ("unmark killed two", "snapshot killed", "stop killed", "info killed", "start killed weave=ALL", "k"):
        tell(line)
    p.stdin.write("f")
    until(lambda s: "ended_early" in s)
    tell("wwww")
    os.kill(pid, signal.SIGKILL)
    p.wait()


def questions():
    program = ["java", "-cp", "classes", "Everything"]
    told(["-o", "told"] + program)
    told(["-o", "full", "--option", "maxbytes=16M"] + program + ["x"], "f")
    told(["-o", "ended", "sh", "-c", "kill -9 $$"])
    open("ended", "w").close()
    ids = {"numbers": str(next(o["id"] for o in ask("objects every --type 'int[]'")))}
    ids["kept"] = str(ask("print killed --event METHOD_ENTRY --method sum")[5]["value"]["id"])
    early = ask("print every --event METHOD_ENTRY --method sum --limit 1")[0]
    ids["early"] = "%d --at %d" % (early["value"]["id"], early["seq"])
    subprocess.run([tools + "/mutate", "other", "faulty", "drop_event", "1"], check=True, capture_output=True)
    for name, events in SEQS.items():
        ids[name] = str(ask("print every --limit 1 --event " + events)[0]["seq"])
    for traces, lines in QUESTIONS:
        for trace in traces.split() or [""]:
            for line in lines.split("|"):
                words = re.sub(r"%(\w+)", lambda m: ids[m.group(1)], line).split(" ", 1)
                rows = ask(" ".join([words[0]] + words[1:] + [trace]).strip()) if trace else ask(" ".join(words))
                if line.startswith("fleet push"):
                    ids["run"] = rows[0]["run"]
    for name, answer in answers.items():
        if answer.keys("column", "both"):
            columns(name)
    for o in {o["type"]: o for o in ask("objects every")}.values():
        ask("object %d every" % o["id"])


def columns(name):
    """Those of a table of `sql` are those of its answer."""
    r = subprocess.run(["hindsight", "sql", "SELECT * FROM %s LIMIT 1" % name, "every", "--json"], capture_output=True)
    if list(json.loads(r.stdout or b'{"nothing":0}')) != answers[name].keys("column", "both"):
        complain("the columns of %s are not those of reader/answers" % name)


def code():
    """The keys that the code of the command writes as words, with a file that does."""
    found = {}
    for path in glob.glob(os.path.join(root, "reader", "cli", "**", "*.c"), recursive=True):
        folder = os.path.basename(os.path.dirname(path))
        if folder not in ("mcp", "serve", "export"):  # their documents are of other programs
            for key in re.findall(r'\b\w*(?:json|member|info_number)\w*\([^;"]*?"([a-z_]+)"', open(path).read()):
                found.setdefault(key, os.path.relpath(path, root))
    if len(found) + sum(len(a.rows) for a in answers.values()) < 350:
        sys.exit("only %d keys found in the code" % len(found))
    return found


def table(lines, head):
    """First line, last line and rows of the table below `head`: cells of each."""
    first = lines.index(head) + 2
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    return first, last, [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in lines[first:last]]


def answer_rows():
    """The table of tables: those that a command or `sql` gives."""
    for name, table in answers.items():
        if not table.questions and not table.keys("column", "both"):
            continue
        first = ", ".join("`%s`" % " ".join(q) for q in table.questions) or "`sql`: `%s`" % name
        shown = set()
        for key, kind, place, meaning in table.rows:
            if key not in shown:
                kind += ", in tables alone" if place == "column" and table.questions else ""
                yield "| %s | `%s` | %s | %s |" % (first, key, kind, meaning)
            shown.add(key)
            first = ""
        for key in table.keys("row", "both") if table.questions else []:
            if key not in table.seen | SHARED.keys() and key not in NOT_SEEN and (name, key) not in NOT_SEEN_IN_TABLE:
                complain(
                    "no answer has the key %s of %s: add a question that gives it to QUESTIONS of test/docs/keys.py, "
                    "or the reason why none does to NOT_SEEN_IN_TABLE" % (key, name)
                )
    for key in SHARED.keys() - {"file"}:
        if not any(key in t.seen for t in answers.values()):
            complain("no answer at all has the key %s" % key)


def pages():
    path = os.path.join(root, "docs", "json.md")
    lines = open(path, encoding="utf-8").read().split("\n")
    first, last, _ = table(lines, TABLE_HEAD)
    made = list(answer_rows())
    for line in [] if update else sorted(set(made) ^ set(lines[first:last])):
        complain("docs/json.md, which --update makes: %s %s" % ("+" if line in made else "-", line))
    lines[first:last] = made
    first, last, rows = table(lines, HEAD)
    meanings = {row[0].strip("`"): row[-1] for row in rows if len(row) == 3}
    made = []
    for key, (command, _) in NOT_SEEN.items():
        if any(key in a.keys("row", "both") for a in answers.values()):
            continue
        if key in keys.commands:
            complain("an answer has the key %s, which is in NOT_SEEN" % key)
        keys.commands[key] = {command}
    for key in sorted(keys.commands):
        of = sorted(keys.commands[key])
        told = "many" if len(of) > MANY else " ".join("`%s`" % c for c in of)
        made.append("| `%s` | %s | %s |" % (key, told, meanings.get(key, "?")))
        if not re.search(r"\w", meanings.get(key, "")):
            complain("docs/json.md does not say what %s is: %s" % (key, keys.first.get(key)))
    for key in sorted(set(meanings) - set(keys.commands)):
        complain("docs/json.md has the key %s, no answer has" % key)
    for line in [] if update else sorted(set(made) ^ set(lines[first:last])):
        complain("docs/json.md, which --update makes: %s %s" % ("+" if line in made else "-", line))
    lines[first:last] = made
    rows = re.findall(r'^ATTR\( *\d+, (\w+), +\w+, +"(.*)"\)', open(root + "/formats/attrs.def").read(), re.M)
    first, last, _ = table(lines, "| attribute | is |")
    attributes = ["| `%s` | %s |" % row for row in rows]
    if update:
        lines[first:last] = attributes
        open(path, "w", encoding="utf-8").write("\n".join(lines))
    elif lines[first:last] != attributes:
        complain("docs/json.md: the attributes are not those of formats/attrs.def, which --update writes")
    unknown = keys.attributes - {name for name, _ in rows} - {"cut"}
    if unknown or len(keys.attributes) < 20:
        complain("attributes that no page names: %s; of %d" % (sorted(unknown), len(keys.attributes)))


root, tools, update = sys.argv[1], sys.argv[2], "--update" in sys.argv[3:]
answers = tables()
if "--again" not in sys.argv:
    recordings()
    running()
questions()
pages()
for key, path in sorted(code().items()):
    if key not in keys.commands and not any(key in a.keys("row", "both") for a in answers.values()):
        complain("no answer has the key %s of %s" % (key, path))
options = [row.split() for row in subprocess.check_output([tools + "/option_list"], text=True).splitlines()]
asked = set().union(*keys.commands.values(), (q[0] for a in answers.values() if a.seen for q in a.questions))
for command in sorted({row[0] for row in options if row[1] == "json"} - set(NO_ANSWER) - asked):
    complain("%s --json is not asked" % command)
print("keys: %d of %d commands, %d faults" % (len(keys.commands), len(asked), bad))
sys.exit(bad != 0)
