"""expected.py COMMAND TRACE SOURCE JAVAC JAVA WORK: each constant that why-not --expect says would have to be another
one is changed in the source, in a copy of the program each: it must then come to the expected value."""
import os, re, subprocess, sys

from asked import ask

trace, source, javac, java, work = sys.argv[2:7]
lines = open(source).read().splitlines()
wrong, changes = [], []  # changes: question, expected, line, text of the line


def run(*words):
    r = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if r.returncode != 0:
        sys.exit("FAILED: %s: %s" % (" ".join(words), r.stderr[:2000]))
    return r.stdout


questions = [m.groups() for m in (re.match(r"\s*// ask (\w+) (\S+):(.*)$", line) for line in lines) if m]
for field, expected, conditions in questions:
    rows = ask("why-not", "Expected." + field, trace, "--expect=" + expected)
    if [r["situation"] for r in rows].count("value") != 1:
        wrong.append("%s: %s" % (field, rows))
    for r in rows:
        if r["situation"] != "constant" or "expected" not in r:
            continue
        value, better = r["value"], r["expected"]
        n, text = r["line"], lines[r["line"] - 1]
        literal = r"(?<![\w.])%s(L|\.0)?(?![\w.])" % re.escape(re.sub(r"\.0$", "", str(value)))
        if len(re.findall(literal, text)) != 1:
            continue  # it does not stand there alone
        changed = re.sub(literal, lambda m: str(better) + ("L" if m.group(1) == "L" else ""), text)
        changes.append((field, expected, n, changed))
    needs = {r["needs"] for r in rows if r["situation"] == "under" and "needs" in r}
    if re.search(r"[<>]", conditions) and conditions.strip() not in needs:
        wrong.append("%s: it needs %s, not %s" % (field, conditions, needs))
for i, (_, _, n, text) in enumerate(changes):
    os.makedirs("%s/v%d" % (work, i))
    with open("%s/v%d/Expected.java" % (work, i), "w") as f:
        f.write("package v%d;\n%s\n" % (i, "\n".join(lines[: n - 1] + [text] + lines[n:])))
run(javac, "-nowarn", "-d", work, *("%s/v%d/Expected.java" % (work, i) for i in range(len(changes))))
for i, (field, expected, n, text) in enumerate(changes):
    said = dict(line.split("\t") for line in run(java, "-cp", work, "v%d.Expected" % i).splitlines())
    if said[field] != expected:
        wrong.append("%s is %s, not %s, with line %d: %s" % (field, said[field], expected, n, text.strip()))
changed = {c[0] for c in changes}
missing = {q[0] for q in questions} - changed - {"large", "masked"}  # no constant is named, or it does not stand there
if missing:
    wrong.append("no constant was changed for %s" % sorted(missing))
print("\n".join("FAILED: " + w for w in wrong))
print("%d values, %d constants changed, %d wrong" % (len(questions), len(changes), len(wrong)))
sys.exit(len(wrong) > 0 or len(questions) < 10)
