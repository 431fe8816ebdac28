"""measure.py [options] [PROGRAM...]: how often the page of a failed test names the line that repairs the program.

Each folder beside this file is a small program with a fault, and tests of which one fails because of it. Above the line
that has the fault stands

    // repair KIND: the line as it would be right
    // repair KIND +3: ...                          the three lines behind it belong to the fault, too

Each program is recorded by `hindsight record --tests`. Then it is asked as one would who knows nothing of it:
`failure`, then the commands that the page gives to go on with, in their order, six answers at most. Counted are the
answers, and the bytes of their text, until one of them names the line.

    --classes DIR   compiled already, by javac -g; else they are compiled
    --prove         in a copy put the line that is right in its place: now every test must pass
    --markdown      the table as in docs/bugs.md
    --least P,Q     fail unless P % have the line on the page, and Q % within six answers
    --keep DIR      leave traces and pages there

HINDSIGHT and JAVA_HOME name the command and the JDK."""
import argparse, glob, json, os, re, resource, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
HINDSIGHT = os.environ.get("HINDSIGHT", "hindsight")
BIN = os.path.join(os.environ["JAVA_HOME"], "bin", "") if os.environ.get("JAVA_HOME") else ""
JARS = """junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons junit-platform-console
    junit-platform-engine junit-platform-launcher junit-platform-reporting junit-vintage-engine opentest4j
    opentest4j-reporting-events opentest4j-reporting-schema apiguardian-api junit4 hamcrest-all picocli
    univocity-parsers""".split()
REPAIR = re.compile(r"^\s*// repair ([\w-]+)(?: \+(\d+))?: (.*)$")
ANSWERS = 6
TIMEOUT = 120


class Program:
    def __init__(self, folder):
        self.folder = folder.rstrip("/")
        self.name = os.path.basename(self.folder)
        self.lines = set()  # (file, line) that have the fault
        self.repairs = []  # (file, line, what it should be)
        self.kind = None
        self.file_of = {}  # class -> file
        for path in sorted(glob.glob(self.folder + "/*.java")):
            text = open(path, encoding="utf-8").read()
            file = os.path.basename(path)
            for name in re.findall(r"^(?:\w+ )*(?:class|interface|enum|record) (\w+)", text, re.MULTILINE):
                self.file_of[name] = file
            for number, line in enumerate(text.splitlines(), 1):
                found = REPAIR.match(line)
                if found:
                    self.kind = found.group(1)
                    self.repairs.append((file, number + 1, found.group(3)))
                    self.lines |= {(file, number + 1 + i) for i in range(int(found.group(2) or 0) + 1)}
            if file.endswith("Test.java"):
                self.test, self.jupiter = self.name + "." + file[:-5], "org.junit.jupiter" in text
        if not self.repairs:
            sys.exit("%s: no line `// repair KIND: ...`" % self.name)

    def command(self, classes):
        java = [BIN + "java", "-XX:TieredStopAtLevel=1", "-cp", classes + ":" + jars()]
        if self.jupiter:
            console = "org.junit.platform.console.ConsoleLauncher --disable-banner --details=none -c"
            return java + console.split() + [self.test]
        return java + ["org.junit.runner.JUnitCore", self.test]

    def repaired(self, to):
        """A copy of the sources in which the fault is repaired."""
        shutil.copytree(self.folder, to)
        for file, number, right in self.repairs:
            path = os.path.join(to, file)
            lines = open(path, encoding="utf-8").read().splitlines()
            lines[number - 1] = right
            open(path, "w", encoding="utf-8").write("\n".join(lines) + "\n")


def jars():
    found = ["/usr/share/java/%s.jar" % name for name in JARS]
    return ":".join(path for path in found if os.path.exists(path))


def compile_all(sources, to):
    files = sorted(f for s in sources for f in glob.glob(s + "/*.java"))
    javac = [BIN + "javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-proc:none", "-XDsuppressNotes"]
    made = subprocess.run(javac + ["-cp", jars(), "-d", to] + files, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        sys.exit("they do not compile: " + made.stderr[:2000])


def run(words, **more):
    """Its status, output and seconds of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout.decode("utf-8", "replace"), cpu


def spots(value):
    """(class, line) of every part of a JSON answer that has both."""
    if isinstance(value, list):
        for part in value:
            yield from spots(part)
    if isinstance(value, dict):
        if isinstance(value.get("line"), int) and isinstance(value.get("class"), str):
            yield value["class"], value["line"]
        for part in value.values():
            yield from spots(part)


def ask(program, words):
    """Bytes of the answer as text, and whether it names the line (its JSON has what the text has)."""
    source = [] if words[0] == "threads" else ["--source", program.folder]
    status, text, _ = run([HINDSIGHT, *words, *source])
    if status not in (0, 3):
        sys.exit("%s: hindsight %s: %s" % (program.name, " ".join(words), text[:500]))
    _, answer, _ = run([HINDSIGHT, *words, "--json"])
    named = set()
    for line in answer.splitlines():
        if line.startswith("{"):
            for name, number in spots(json.loads(line)):
                named.add((program.file_of.get(name.rsplit(".", 1)[-1].split("$")[0]), number))
    return text, bool(named & program.lines)


def measure(program, classes, work):
    trace = os.path.join(work, program.name + ".trace")
    status, out, plain = run(program.command(classes))
    if status == 0:
        sys.exit("%s: no test fails" % program.name)
    status, out, cpu = run([HINDSIGHT, "record", "--tests", "-o", trace, "--"] + program.command(classes))
    if not os.path.isdir(trace):
        sys.exit("%s: it was not recorded: %s" % (program.name, out[-2000:]))
    _, info, _ = run([HINDSIGHT, "info", trace, "--json"])
    info = json.loads(info.splitlines()[0])
    row = {
        "name": program.name,
        "kind": program.kind,
        "answers": None,
        "events": info["events"],
        "kb": sum(e.stat().st_blocks * 512 for e in os.scandir(trace)) // 1024,
        "slowdown": cpu / max(plain, 0.01),
    }
    _, page, _ = run([HINDSIGHT, "failure", trace, "--json"])
    page = json.loads(page.splitlines()[0])
    questions = [["failure", trace]] + [c.split()[1:] for c in page["next"]]
    row["bytes"] = 0
    with open(os.path.join(work, program.name + ".txt"), "w", encoding="utf-8") as said:
        for number, words in enumerate(questions[:ANSWERS], 1):
            text, named = ask(program, words)
            said.write("$ hindsight %s\n%s\n" % (" ".join(words), text))
            row["bytes"] += len(text.encode())
            if number == 1:
                row["page"] = row["bytes"]
            if named:
                row["answers"] = number
                break
    return row


def prove(programs, work):
    copies = [os.path.join(work, "repaired", p.name) for p in programs]
    for p, copy in zip(programs, copies):
        p.repaired(copy)
    classes = os.path.join(work, "repaired.classes")
    compile_all(copies, classes)
    bad = []
    for p in programs:
        status, out, _ = run(p.command(classes))
        if status != 0:
            bad.append("%s: a test fails although the line is repaired: %s" % (p.name, out[:1500]))
    return bad


def median(numbers):
    numbers = sorted(numbers)
    return numbers[len(numbers) // 2] if numbers else 0


def table(rows, markdown):
    names = ["program", "kind of fault", "answers", "bytes", "page", "events", "KB", "slowdown"]
    cells = [
        [
            r["name"],
            r["kind"],
            str(r["answers"] or "-"),
            str(r["bytes"]),
            str(r["page"]),
            str(r["events"]),
            str(r["kb"]),
            "%.1f" % r["slowdown"],
        ]
        for r in rows
    ]
    if markdown:
        lines = ["| %s |" % " | ".join(c) for c in [names, ["---"] * len(names)] + cells]
    else:
        wide = [max(len(c[i]) for c in [names] + cells) for i in range(len(names))]
        lines = ["  ".join(c[i].ljust(wide[i]) for i in range(len(names))).rstrip() for c in [names] + cells]
    n = len(rows)
    page, within = (sum(1 for r in rows if r["answers"] and r["answers"] <= most) for most in (1, ANSWERS))
    lines += [
        "",
        "%d programs: the line is on the page of %d (%d %%), within %d answers of %d (%d %%)."
        % (n, page, 100 * page // n, ANSWERS, within, 100 * within // n),
        "Medians: page %d bytes, to the line %d bytes, %d events, %d KB, %.1f times the CPU."
        % (
            median([r["page"] for r in rows]),
            median([r["bytes"] for r in rows if r["answers"]]),
            median([r["events"] for r in rows]),
            median([r["kb"] for r in rows]),
            median([r["slowdown"] for r in rows]),
        ),
    ]
    return "\n".join(lines), 100 * page // n, 100 * within // n


def main():
    a = argparse.ArgumentParser()
    for option in ("--classes", "--keep", "--least"):
        a.add_argument(option)
    for option in ("--prove", "--markdown"):
        a.add_argument(option, action="store_true")
    a.add_argument("--from", dest="sources", default=HERE)
    a.add_argument("programs", nargs="*")
    o = a.parse_args()
    found = sorted(p for p in glob.glob(o.sources + "/*/") if glob.glob(p + "*Test.java"))
    programs = [Program(p) for p in found if not o.programs or os.path.basename(p.rstrip("/")) in o.programs]
    if not programs or (o.programs and len(programs) != len(set(o.programs))):
        sys.exit("which of them? %s" % " ".join(os.path.basename(p.rstrip("/")) for p in found))
    work = o.keep or tempfile.mkdtemp(prefix="hindsight-bugs.")
    os.makedirs(work, exist_ok=True)
    try:
        if o.prove:
            bad = prove(programs, work)
            print("\n".join(bad) or "%d programs are repaired by the line that they name" % len(programs))
            sys.exit(bool(bad))
        classes = o.classes or os.path.join(work, "classes")
        if not o.classes:
            compile_all([p.folder for p in programs], classes)
        text, page, within = table([measure(p, classes, work) for p in programs], o.markdown)
        print(text)
        least = [int(n) for n in (o.least or "0,0").split(",")]
        sys.exit(page < least[0] or within < least[1])
    finally:
        if not o.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
