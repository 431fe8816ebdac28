"""commands.py ROOT AGENT: runs the commands of README.md and docs/*.md that stand in other blocks than `console` (those
runs pages.py), page by page in their order, in the folder where pages.py has recorded.

Each page begins with app.jar (Acme.java) and with its recording `trace`; `record` makes it anew. 4711 is the id of
app.jar while it runs. A command has to end with status 0 or 3 and to answer something, or to make a file or directory.
What is not run is in NOT_RUN, with the test that runs it or the reason."""
import glob, json, os, re, shutil, signal, subprocess, sys, time

root, agent = sys.argv[1:3]
NOT_RUN = (  # page, beginning of a block or line, why
    ("README.md", "./demo", "./demo installs packages and records for a minute, ./check runs this test: CI runs both"),
    ("docs/c-and-python.md", "export PKG_CONFIG_PATH", "needs an installation: test/cli/install.sh"),
    (
        "docs/commands.md",
        "$ hindsight record -o trace --format omni --weave EXEC+CALL+PARAM -- java -cp eclipse",
        "./demo",
    ),
    ("docs/clickhouse.md", "export CLICKHOUSE_USER", "needs ClickHouse: test/clients/export/clickhouse.sh"),
    ("docs/clickhouse.md", "SELECT", "the same"),
    ("docs/export.md", "SELECT", "needs DuckDB: test/clients/export/tables.sh"),
    ("docs/export.md", "-- the methods", "test/clients/export/tables.sh"),
    ("docs/fleet.md", "fleet/runs/ID", "a list of files"),
    ("docs/fleet.md", "export AWS_ACCESS_KEY_ID", "needs a bucket: test/fleet/s3.sh with a server of its own"),
    ("docs/fleet.md", "-- which JVMs", "test/fleet/run.sh"),
    ("docs/fleet.md", "hindsight fleet query --from fleet --server", "needs ClickHouse: test/fleet/clickhouse.sh"),
    ("docs/fleet.md", "SET VARIABLE calls", "needs DuckDB: test/fleet/actions.sh"),
    ("docs/how-it-works.md", ".class bytes", "a picture"),
    ("docs/install.md", "sh install.sh", "needs packages: test/packages/run.sh"),
    ("docs/install.md", "dpkg -i", "the same"),
    ("docs/install.md", "java -agentpath:$(java -jar", "the same"),
    ("docs/install.md", "<argLine>", "a configuration; it needs Maven"),
    ("docs/install.md", "cmake --preset", "test/packages/run.sh"),
    ("docs/jdwp.md", "main[1]", "test/clients/jdwp/session.sh"),
    ("docs/lab.md", "name = ", "an experiment: test/lab/run.sh"),
    ("docs/mcp.md", "{", "a configuration: test/clients/mcp"),
    ("docs/tests.md", "$ hindsight record --tests", "needs a project with tests: test/clients/junit/run.sh"),
    ("docs/tests.md", "$ hindsight failure", "the same"),
    ("docs/vscode.md", "cd editors", "needs VS Code: test/clients/vscode/run.sh packs the extension and runs it"),
    ("docs/vscode.md", "{", "a configuration: test/clients/vscode/run.sh"),
    ("docs/agent-options.md", "hindsight record -o trace --tests", "needs a project with tests: test/clients/keep"),
    ("docs/with-other-tools.md", "<!-- pom", "configurations; they need Maven or Gradle, and the network"),
    ("docs/with-other-tools.md", "# bin/setenv.sh", "a configuration: test/soak records Tomcat"),
    ("docs/with-other-tools.md", "docker", "needs a container"),
)
SILENT = "hindsight fleet prune", "0 3 * * * hindsight fleet prune"  # nothing is as old as that
ran = failed = 0
left = set(NOT_RUN)


def complain(page, line, what):
    global failed
    failed += 1
    print("%s: %s: %s" % (page, line, what))


def blocks(page):
    """Those of a page that are no `console` block, as lists of lines."""
    block, fence = [], None
    for line in open(os.path.join(root, page), encoding="utf-8").read().split("\n") + ["end"]:
        if line.startswith("```") and fence is None:
            fence, block = line[3:], []
        elif line.startswith("```"):
            if fence != "console":
                yield block
            fence, block = None, []
        elif fence is not None:
            block.append(line)
        elif line.startswith("    ") or (block and line == ""):
            block.append(line[4:])
        elif block:
            yield block
            block = []


class Page:
    """What the commands of a page share: the program 4711, servers, and variables of the shell."""

    def __init__(self, name):
        self.name, self.program, self.servers, self.env = name, None, [], dict(os.environ)
        shutil.rmtree("trace", ignore_errors=True)
        shutil.copytree("acme", "trace")

    def end(self):
        for server in self.servers:
            server.send_signal(signal.SIGINT)
            server.wait(60)
        if self.program is not None:
            self.program.stdin.close()
            self.program.wait(60)

    def pid(self):
        if self.program is None:
            self.program = subprocess.Popen(
                ["java", "-Dwait=true", "-jar", "app.jar"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            self.program.stdout.readline()
        self.program.stdin.write(b"x")
        return str(self.program.pid)

    def serve(self, command):
        """A server: until it says where it listens."""
        server = subprocess.Popen("exec " + command, shell=True, stdout=subprocess.PIPE, text=True, env=self.env)
        self.servers.append(server)
        answer = server.stdout.readline()
        address = re.search(r"(?:127\.0\.0\.1:|address: )(\d+)(?:.*token=(\w+))?", answer)
        if address:
            self.env["PORT"], self.env["TOKEN"] = address.group(1), address.group(2) or ""
        return 0 if address else 1, answer, answer

    def run(self, command):
        """Status, standard output, and all that it says."""
        command = command.replace("/path/libhindsight.so", agent).replace("--port 4712", "--port 0")
        command = re.sub(r"^0 3 \* \* \* ", "", command).replace(" TRACE", " trace")
        command = command.replace("bindings/python", os.path.join(root, "bindings", "python"))
        command = re.sub(r"\b4711\b", lambda m: self.pid(), command)
        runs = glob.glob("fleet/runs/*")
        if runs:
            command = command.replace("5d730ace", os.path.basename(runs[0])[:8])
        made = re.search(r"(?: -o |output=|^mkdir )([\w-]+)(?![\w/-])", command)  # anew, as a reader's would be
        if made and not made.group(1).startswith("fleet"):
            shutil.rmtree(made.group(1), ignore_errors=True)
        if re.match(r"hindsight (view|jdwp) ", command):
            return self.serve(command)
        r = subprocess.run(
            ["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.env, timeout=120
        )
        return r.returncode, r.stdout or ("made" if made and os.path.exists(made.group(1)) else ""), r.stderr


def python(page, lines):
    text = "\n".join(lines).replace("hindsight-20261120-2031-4711", "trace").replace("a.b.C.field", "Acme.count")
    env = dict(os.environ, PYTHONPATH=os.path.join(root, "bindings", "python"))
    r = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=env)
    return r.returncode, r.stdout, r.stderr


def check(page, line, answer):
    global ran
    status, out, err = answer
    ran += 1
    if status not in (0, 3) or not (out.strip() or line.startswith(SILENT)):
        complain(page.name, line, "status %d: %s" % (status, err or "no answer"))


def run_page(name):
    page = None
    for block in blocks(name):
        rows = [row for row in NOT_RUN if row[0] == name and block[0].lstrip().startswith(row[1])]
        if rows:
            left.difference_update(rows)
            print("not run: %s: %s: %s" % (name, block[0], rows[0][2]))
            continue
        page = page or Page(name)
        lines = [re.sub(r"  +# .*", "", line) for line in "\n".join(block).replace("\\\n", "").split("\n") if line]
        while lines:
            line = lines.pop(0)
            if line.startswith("import "):
                check(page, line, python(page, [line] + lines))
                break
            check(page, line, page.run(line))
    if page is not None:
        page.end()


os.environ.update(HINDSIGHT_FLEET="")
for name in ["README.md", "SECURITY.md"] + sorted(os.path.relpath(p, root) for p in glob.glob(root + "/docs/*.md")):
    run_page(name)
for page, begin, _ in left:
    complain(page, begin, "is in NOT_RUN, and not in the page")
print("commands: %d, %d failed" % (ran, failed))
sys.exit(failed != 0 or ran < 20)
