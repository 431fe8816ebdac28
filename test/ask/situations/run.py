"""run.py PROGRAM.java [--orders N] [--times]: asks what a newcomer would ask about a program with a bug, and checks
that the answers lead to its cause. Runs in a folder that has the classes in `classes`.

The head of the program is the session (test/ask/directions.py), command lines as a person types them. After `record`
there may be five questions at most, and the last has to name the cause, the line that is marked with CAUSE. A program
that takes ORDERS runs with that many.

--times makes the index behind `record` and prints a JSON line for each command: milliseconds to the first line of its
answer and to the end. A question whose first line takes longer than LIMIT_MS has failed then."""
import json, os, re, subprocess, sys, time

from directions import filled, marks, questions, wrong

QUESTIONS = 5
LIMIT_MS = 100


def failed(what):
    print("FAILED: %s" % what)
    sys.exit(1)


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


path, options = sys.argv[1], sys.argv[2:]
name = os.path.splitext(os.path.basename(path))[0]
orders = options[options.index("--orders") + 1] if "--orders" in options else "1000"
times = "--times" in options
source = open(path, encoding="utf-8").read().replace("ORDERS", orders)
steps = questions(source)
taken = marks(source)
if "CAUSE" not in taken or len(steps) < 2 or len(steps) > 1 + QUESTIONS:
    failed("%s: no line is marked with CAUSE, or %d commands" % (name, len(steps)))
if not any("{CAUSE}" in text for _, _, text in steps[-1][2]):
    failed("%s: the last answer does not name the cause" % name)
slow = 0
for number, (_, text, wanted) in enumerate(steps):
    command = re.sub(r"\bT\b", name, filled(text, taken))
    output, status, first, end = run(command)
    if status != 0 and (number > 0 or status != 1):  # a recorded program may end with an exception
        failed("%s: %s: exit status %d\n%s" % (name, command, status, output))
    for line, what in wrong(wanted, output.splitlines(), taken):
        failed("%s:%d: %s: %s\n%s" % (name, line, command, what, output))
    if times:
        print(json.dumps({"bench": "situations", "command": command, "first_ms": round(first), "ms": round(end)}))
        slow += number > 0 and first > LIMIT_MS
    if times and number == 0:
        subprocess.run(["hindsight", "index", name], check=True, stdout=subprocess.DEVNULL)
print("%s: the cause, line %s, was found with %d questions" % (name, taken["CAUSE"], len(steps) - 1))
if slow:
    failed("%s: %d answers began after more than %d ms" % (name, slow, LIMIT_MS))
