"""format.py [ROOT]: C as clang-format has it (.clang-format), and no line of our text files above 120 columns.

Exempt: rows of Markdown tables and preformatted blocks of Markdown; test/workloads and test/oracle, which are copies."""
import os, shutil, subprocess, sys

COLUMNS = 120
COPIES = ("test/workloads/", "test/oracle/")
NARROW = (".def", ".cmake")  # besides C, which clang-format breaks where it can


def files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
    else:  # an exported tree
        names = [os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(root) for f in fs]
    return sorted(n for n in names if n and not n.startswith(COPIES + ("build/",)) and os.path.exists(os.path.join(root, n)))


def long_lines(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as f:
        return [n for n, line in enumerate(f, 1) if len(line.rstrip("\n")) > COLUMNS]


def main(root):
    if shutil.which("clang-format") is None:
        print("format: clang-format is not installed")
        return 1
    names = files(root)
    sources = [n for n in names if n.endswith((".c", ".h"))]
    narrow = [n for n in names if n.endswith(NARROW)]
    if len(sources) < 100 or len(narrow) < 10:
        print("format: only %d C files and %d others found in %s" % (len(sources), len(narrow), root))
        return 2
    bad = 0
    for i in range(0, len(sources), 50):
        run = subprocess.run(["clang-format", "--dry-run", "-Werror"] + sources[i:i + 50], cwd=root, capture_output=True,
                             text=True, check=False)
        told = sorted({line.split(":")[0] for line in run.stderr.splitlines() if ": error:" in line})
        for name in told:
            print("%s: not as clang-format has it" % name)
        bad += len(told) if told or run.returncode == 0 else 1
        if run.returncode != 0 and not told:
            print(run.stderr.strip())
    for name in sources + narrow:
        for line in long_lines(root, name):
            print("%s:%d: more than %d columns" % (name, line, COLUMNS))
            bad += 1
    if bad == 0:
        print("format: %d C files and %d others" % (len(sources), len(narrow)))
    return 1 if bad else 0


sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
