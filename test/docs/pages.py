"""pages.py ROOT [--update | --show PAGE]: runs the console blocks of README.md and docs/*.md in the current folder,
page by page, and compares what comes out. --show PAGE runs and prints those of one page, with the time of each command.

A line `$ COMMAND` is run by bash; the lines behind it are its output, standard error included. A recording that one
page makes is there for the pages behind it. Numbers and widths differ from run to run: they are compared as if all
numbers were equal and all blanks one; a duration within which no time was recorded is shown as -, also a number.
A line `...` stands for any lines, or none. A number that is shown is replaced in later commands of the page by the one
of this run, since threads are not numbered or timed alike twice. Behind what is shown of `record` hints may come."""
import glob, os, re, subprocess, sys, time

FIRST = ["README.md", "docs/tutorial.md", "docs/how-to.md"]
NO_DURATION = r"(?<=\d)\s+-(?=\s)"
NUMBER = r"(?<!\w:)\b\d[\d,]*(?:\.\d+)?"  # a line of a source, as in Stock.order:37, is the same in every run


def normal(line):
    line = re.sub(NO_DURATION, " 0", re.sub(r"\$\$Lambda[$/\w]*", "$$Lambda", line))
    return re.sub(r"\s+", " ", re.sub(r"<?" + NUMBER, "N", line)).strip()


def matches(want, got):
    """Pairs of equal lines; None if the output is another one."""
    if not want:
        return [] if not got else None
    if want[0].strip() == "...":
        for skipped in range(len(got) + 1):
            rest = matches(want[1:], got[skipped:])
            if rest is not None:
                return rest
        return None
    if not got or normal(want[0]) != normal(got[0]):
        return None
    rest = matches(want[1:], got[1:])
    return None if rest is None else [(want[0], got[0])] + rest


def cut(got, want):
    """What an updated page shows: as much before and behind `...` as it did."""
    dots = [i for i, line in enumerate(want) if line.strip() == "..."]
    if not dots:
        return got
    behind = len(want) - dots[-1] - 1
    if len(got) <= dots[0] + behind:
        return got if behind else got + ["..."]
    return got[: dots[0]] + ["..."] + (got[len(got) - behind :] if behind else [])


def run(command):
    """Exit status, lines, and milliseconds."""
    begin = time.monotonic()
    r = subprocess.run(
        ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120
    )
    took = (time.monotonic() - begin) * 1000
    text = r.stdout.decode("utf-8", "replace").replace(os.getcwd() + "/", "")
    return r.returncode, [line.rstrip() for line in text.splitlines()], took


def page(root, name, update=False, show=False):
    lines = open(os.path.join(root, name), encoding="utf-8").read().split("\n")
    out, numbers, commands, bad, same = [], {}, 0, 0, True
    i = 0
    while i < len(lines):
        out.append(lines[i])
        i += 1
        if out[-1] != "```console":
            continue
        while lines[i] != "```":
            command = lines[i]
            i += 1
            want = []
            while lines[i] != "```" and not lines[i].startswith("$ "):
                want.append(lines[i])
                i += 1
            if not command.startswith("$ "):
                print("%s: a console block begins with %s, not with $" % (name, command))
                return commands, bad + 1
            commands += 1
            actual = re.sub(r"(?<![\w.])\d{2,}(?![\w.])", lambda m: numbers.get(m.group(), m.group()), command[2:])
            status, got, took = run(actual)
            if show:
                print("\n".join(["$ " + actual] + got + ["(%.0f ms)\n" % took]), flush=True)
            hints = ["..."] if actual.startswith("hindsight record ") and want else []
            pairs = matches(want + hints, got)
            refused = any(line.startswith("hindsight: option ") for line in got)
            if refused or status in (2, 126, 127) or status > 128 or (pairs is None and not update):
                bad += 1
                print(
                    "%s: %s: status %d\n  shown:\n    %s\n  now:\n    %s"
                    % (name, actual, status, "\n    ".join(want), "\n    ".join(got[:40]))
                )
            same = same and pairs is not None
            for shown, now in pairs or []:
                numbers.update(zip(re.findall(r"\d+", shown), re.findall(r"\d+", now)))
            out += ["$ " + actual if update else command] + (cut(got, want) if update else want)
    if update and not same:  # else only numbers differ, as they do from run to run
        open(os.path.join(root, name), "w", encoding="utf-8").write("\n".join(out))
    return commands, bad


root, update = sys.argv[1], "--update" in sys.argv[2:]
if "--show" in sys.argv[2:]:
    sys.exit(page(root, sys.argv[sys.argv.index("--show") + 1], show=True)[1] != 0)
rest = sorted(os.path.relpath(p, root) for p in glob.glob(os.path.join(root, "docs", "*.md")))
pages = FIRST + [p for p in rest if p not in FIRST]
total = failed = 0
for name in pages:
    commands, bad = page(root, name, update)
    total += commands
    failed += bad
if total < 20:
    print("only %d commands found" % total)
    failed += 1
print("pages: %d commands of %d pages, %d with another output" % (total, len(pages), failed))
sys.exit(failed != 0)
