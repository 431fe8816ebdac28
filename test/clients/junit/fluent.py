"""fluent.py HINDSIGHT TRACE SOURCES CLASS...: the page of each test of the classes has what the comment above it says:
what was expected, what came, where they differ, and the line with the fault among those that the value came from."""
import re, subprocess, sys

hindsight, trace, sources, *classes = sys.argv[1:]
failures = tests = 0
PAGE = re.compile(r"// page:(?: expected (.+?))? actual (.+?)(?: differ (\S+))?(?: from (\w+))?$")
values = open(sources + "/Values.java").read().splitlines()


def fault(method):
    begin = next(i for i, line in enumerate(values) if " %s(" % method in line)
    return next(i + 1 for i in range(begin, len(values)) if values[i].endswith("// fault"))


def line_of(page, name):
    found = re.search(r"(?m)^%-10s (?:\S*#\d+ )?(.*?)(?:#\d+)?$" % name, page)
    return found and found.group(1)


for name in classes:
    lines = open("%s/%s.java" % (sources, name)).read().splitlines()
    for comment, method in zip(lines, lines[1:]):
        wanted = PAGE.search(comment)
        if not wanted:
            continue
        tests += 1
        test = "%s.%s" % (name, re.search(r"(\w+)\(", method).group(1))
        page = subprocess.run([hindsight, "failure", trace, test], capture_output=True, text=True).stdout
        expected, actual, differ, origin = wanted.groups()
        got = {"actual": line_of(page, "actual")}
        want = {"actual": actual}
        if expected or not differ:  # an array of arguments has no text
            got["expected"], want["expected"] = line_of(page, "expected"), expected
        if differ:
            got["differ"], want["differ"] = "differ at %s: " % differ in page, True
        if origin:
            place = "Values.%s:%d" % (origin, fault(origin))
            got["fault"], want["fault"] = place in page.split("comes from:")[-1], True
        if got != want:
            failures += 1
            print("FAILED: %s: %s, not %s\n%s" % (test, got, want, page))
print("%d tests" % tests)
sys.exit(failures != 0 or tests < 6 * len(classes))
