"""run.py PROGRAM.java [--orders N] [--times]: asks what a newcomer would ask about a program with a bug, and checks
that the answers lead to its cause. Runs in a folder that has the classes in `classes`.

The head of the program is the session: `$` is a command line as a person types it, `>` a regular expression; in this
order, lines of the output above have them. A blank stands for any blanks, {name} for what a group (?P<name>...) took
from an answer before, {CAUSE} for the line of the program that is marked with CAUSE. After `record` there may be five
questions at most, and the last has to name the cause. A program that takes ORDERS runs with that many.

--times makes the index behind `record` and prints a JSON line for each command: milliseconds to the first line of its
answer and to the end. A question whose first line takes longer than LIMIT_MS has failed then."""
import json, os, re, subprocess, sys, time

QUESTIONS = 5
LIMIT_MS = 100


def failed(what):
    print("FAILED: %s" % what)
    sys.exit(1)


def session(source):
    """Pairs of a command line and the expressions that its output has to have."""
    steps = []
    for line in source[: source.index("*/")].splitlines():
        mark, text = line.lstrip(" *")[:2], line.lstrip(" *")[2:]
        if mark == "$ ":
            steps.append((text, []))
        elif mark == "> ":
            steps[-1][1].append(text)
    return steps


def filled(text, taken):
    for name, value in taken.items():
        text = text.replace("{%s}" % name, value)
    return text


def run(command):
    """The output with standard error, the exit status, and milliseconds to the first bytes and to the end."""
    begin = time.monotonic()
    process = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first = os.read(process.stdout.fileno(), 1 << 16)
    at_first = time.monotonic()
    output = first + process.stdout.read()
    status = process.wait()
    end = time.monotonic()
    return output.decode("utf-8", "replace"), status, (at_first - begin) * 1000, (end - begin) * 1000


def check(name, command, output, wanted, taken):
    lines = output.splitlines()
    at = 0
    for pattern in wanted:
        pattern = filled(pattern, taken).replace(" ", r"\s+")
        found = None
        while at < len(lines) and found is None:
            found = re.search(r"(?:^|\s)" + pattern, lines[at])
            at += 1
        if found is None:
            failed("%s: %s: no line, after the lines before, has\n  %s\nin\n%s" % (name, command, pattern, output))
        taken.update(found.groupdict())


path, options = sys.argv[1], sys.argv[2:]
name = os.path.splitext(os.path.basename(path))[0]
orders = options[options.index("--orders") + 1] if "--orders" in options else "1000"
times = "--times" in options
source = open(path, encoding="utf-8").read().replace("ORDERS", orders)
body = source.splitlines()
marked = [i + 1 for i, line in enumerate(body) if "// CAUSE" in line]
steps = session(source)
if len(marked) != 1 or len(steps) < 2 or len(steps) > 1 + QUESTIONS:
    failed("%s: %d lines are marked with CAUSE, %d commands" % (name, len(marked), len(steps)))
if not any("{CAUSE}" in pattern for pattern in steps[-1][1]):
    failed("%s: the last answer does not name the cause" % name)
taken = {"CAUSE": str(marked[0])}
slow = 0
for number, (text, wanted) in enumerate(steps):
    command = re.sub(r"\bT\b", name, filled(text, taken))
    output, status, first, end = run(command)
    if status != 0 and (number > 0 or status != 1):  # a recorded program may end with an exception
        failed("%s: %s: exit status %d\n%s" % (name, command, status, output))
    check(name, command, output, wanted, taken)
    if times:
        print(json.dumps({"bench": "situations", "command": command, "first_ms": round(first), "ms": round(end)}))
        slow += number > 0 and first > LIMIT_MS
    if times and number == 0:
        subprocess.run(["hindsight", "index", name], check=True, stdout=subprocess.DEVNULL)
print("%s: the cause, line %d, was found with %d questions" % (name, marked[0], len(steps) - 1))
if slow:
    failed("%s: %d answers began after more than %d ms" % (name, slow, LIMIT_MS))
