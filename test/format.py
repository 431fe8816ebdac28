"""format.py [ROOT]: C as clang-format has it (.clang-format), Python as black has it (pyproject.toml), and no line of
our text files above 120 columns; no file with the marks of a merge.

Exempt: rows of Markdown tables and preformatted blocks of Markdown; directions of test/jvm (// expect: and so on), each
of which is one line; test/workloads and test/oracle, which are copies."""
import os, re, shutil, subprocess, sys

COLUMNS = 120
COPIES = ("test/workloads/", "test/oracle/")
# endings, command that checks files, what it prints about a file that it would change, fewest files there are
FORMATTERS = [
    ((".c", ".h"), ["clang-format", "--dry-run", "-Werror"], r"^(.*?):\d+:\d+: error:", 100),
    (
        (".py",),
        ["black", "--check", "--config", "pyproject.toml"],
        r"^(?:would reformat |error: cannot format )(.*)",
        50,
    ),
]
# files without a formatter
NARROW = (".def", ".sh", ".cmake", "CMakeLists.txt", ".java", ".java.in", ".md")
WIDE = ("README.md", "docs/")  # not wrapped yet
DIRECTION = re.compile(r"// (expect|next|never|count|print|stderr|info|end): ")


def files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
    else:  # an exported tree
        names = [os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(root) for f in fs]
    return sorted(
        n for n in names if n and not n.startswith(COPIES + ("build/",)) and os.path.exists(os.path.join(root, n))
    )


def unformatted(root, command, pattern, names):
    """Complaints of the formatter about these files."""
    bad = []
    for i in range(0, len(names), 50):
        run = subprocess.run(command + names[i : i + 50], cwd=root, capture_output=True, text=True, check=False)
        found = sorted(set(re.findall(pattern, run.stderr, re.MULTILINE)))
        bad += ["%s: not as %s has it" % (os.path.relpath(os.path.join(root, f), root), command[0]) for f in found]
        if run.returncode != 0 and not found:
            bad.append(run.stderr.strip())
    return bad


def long_lines(root, name):
    """Numbers of the lines that are too long and not exempt."""
    bad, preformatted = [], False
    with open(os.path.join(root, name), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if name.endswith(".md"):
                if line.lstrip().startswith("```"):
                    preformatted = not preformatted
                exempt = preformatted or line.startswith("    ") or line.lstrip().startswith("|")
            else:
                exempt = name.endswith(".java") and DIRECTION.match(line)
            if len(line.rstrip("\n")) > COLUMNS and not exempt:
                bad.append(number)
    return bad


def unresolved(root, name):
    """Does it have the marks of a merge that was not resolved?"""
    with open(os.path.join(root, name), "rb") as f:
        return re.search(rb"^(<{7}|>{7}) ", f.read(), re.MULTILINE) is not None


def main(root):
    names = files(root)
    bad, narrow = [], [n for n in names if n.endswith(NARROW) and not n.startswith(WIDE)]
    for ending in NARROW:
        if not any(n.endswith(ending) for n in narrow):
            bad.append("format: no file *%s found in %s" % (ending, root))
    for endings, command, pattern, fewest in FORMATTERS:
        mine = [n for n in names if n.endswith(endings)]
        narrow += mine
        if shutil.which(command[0]) is None:
            bad.append("format: %s is not installed" % command[0])
        elif len(mine) < fewest:
            bad.append("format: only %d files %s found in %s" % (len(mine), " ".join(endings), root))
        else:
            bad += unformatted(root, command, pattern, mine)
    for name in narrow:
        bad += ["%s:%d: more than %d columns" % (name, line, COLUMNS) for line in long_lines(root, name)]
    bad += ["%s: a merge that is not resolved" % name for name in names if unresolved(root, name)]
    print("\n".join(bad) if bad else "format: %d files" % len(narrow))
    return 1 if bad else 0


sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
