# The questions in the comments of the programs (directions.py).
import glob, shlex

from ask import *
from directions import filled, marks, questions, wrong

for path in sorted(glob.glob(sys.path[0] + "/*.java")):
    program = path.split("/")[-1][:-5]
    source = open(path, encoding="utf-8").read()
    taken = marks(source) if "// ask:" in source else {}
    for number, text, directions in questions(source):
        name, *words = [w for w in shlex.split(filled(text, taken)) if w != "T"]
        if name == "hindsight":
            ask(words[0], program, *[w for w in words[1:] if w != "--json"])  # the examples have to answer the same
            words = [command, words[0], "%s/%s" % (work, program), *words[1:]]
        else:
            words = ["%s/%s" % (examples, name), "%s/%s" % (work, program), *words]
        r = subprocess.run(words, capture_output=True, text=True, timeout=120)
        lines = r.stdout.splitlines() + r.stderr.splitlines()
        bad = list(wrong(directions, lines, taken))
        for line, what in bad:
            print("%s.java:%d: %s\n%s" % (program, line or number, what, "\n".join(lines[:60])))
        same("%s.java:%d: %s" % (program, number, text), (r.returncode, len(bad)), (0, 0))
end()
