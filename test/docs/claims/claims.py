"""claims.py ROOT FILE...: sentences of README.md, SECURITY.md and docs/, each tried by a script of its own.

A block of a file is the page, the sentence (lines that begin with `> `), and a script of bash (indented), which has
what lib.sh has, and ends with status 0 if the sentence is true. A sentence that is no longer in its page fails."""
import os, re, subprocess, sys, time

root, files = sys.argv[1], sys.argv[2:]
library = os.path.join(root, "test", "docs", "claims", "lib.sh")
pages = {}
count = bad = 0


def words(text):
    return " ".join(text.split())


def page(name):
    if name not in pages:
        pages[name] = words(open(os.path.join(root, name), encoding="utf-8").read())
    return pages[name]


def blocks(path):
    for block in re.split(r"\n(?=[A-Za-z])", open(path, encoding="utf-8").read()):
        lines = [line for line in block.split("\n") if not line.startswith("#")]
        if lines and lines[0].endswith(".md"):
            yield lines[0], " ".join(x[2:] for x in lines if x[:2] == "> "), "\n".join(
                x[4:] for x in lines if x[:4] == "    "
            )


for path in files:
    for name, sentence, script in blocks(path):
        count += 1
        begin = time.monotonic()
        faults = [] if words(sentence) in page(name) else ["is not in the page any more"]
        r = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", ". %s\n%s" % (library, script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
        )
        if r.returncode != 0 or not script.strip():
            faults.append("status %d: %s" % (r.returncode, r.stdout[-800:]))
        if faults:
            bad += 1
            print("%s: %s\n    %s" % (name, sentence, "; ".join(faults)))
        if os.environ.get("TIMES"):
            print("%.2f %s" % (time.monotonic() - begin, sentence[:80]))
print("claims: %d tried, %d not true" % (count, bad))
sys.exit(bad != 0 or count < 100)
