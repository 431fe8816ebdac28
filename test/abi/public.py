# public.py SOURCE - trace.h, with the headers in api/, against the rest of the tree: their closed lists are those of
# formats/, each function is exported, and is used by an example or by test/model/answers.c; each header can be included
# by itself, in C and C++, and trace.h includes all.
import glob, os, re, subprocess, sys

root = sys.argv[1]
bad = []


def read(path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def same(what, here, there):
    for x in sorted(set(here) - set(there)):
        bad.append("%s: %s is only in trace.h" % (what, x))
    for x in sorted(set(there) - set(here)):
        bad.append("%s: %s is missing in trace.h" % (what, x))


subjects = sorted(os.path.relpath(p, root) for p in glob.glob(root + "/reader/api/*.h"))
header = re.sub(r"/\*.*?\*/", "", "".join(read(path) for path in subjects), flags=re.S)


def numbers(prefix, name):
    body = re.search(r"enum %s \{(.*?)\}" % name, header, re.S).group(1)
    return ["%s %s" % x for x in re.findall(prefix + r"(\w+) = ('.'|\d+)", body)]


def rows(path, pattern, order):
    return ["%s %s" % tuple(x[i] for i in order) for x in re.findall(pattern, read(path), re.M)]


same("events", numbers("HS_EVENT_", "hs_event_type"), rows("formats/events.def", r"^EVENT\(\s*(\d+),\s*(\w+)", (1, 0)))
same("groups", numbers("HS_GROUP_", "hs_group"), rows("formats/groups.def", r"^GROUP\((\d+), (\w+)", (1, 0)))
same("kinds", numbers("HS_KIND_", "hs_kind"), rows("formats/kinds.def", r"^KIND\(('.'), (\w+)", (1, 0)))
status = re.findall(r"^STATUS\((\w+)", read("formats/status.def"), re.M)
same(
    "status",
    numbers("HS_", "hs_status"),
    ["%s %d" % ("CANCELLED" if x == "ERR_CANCELLED" else x, i) for i, x in enumerate(status)],
)

functions = re.findall(r"^HS_API[^;(]*?\b(hs_\w+)\(", header, re.M)
same("functions", functions, re.findall(r"^    (hs_\w+);", read("reader/libhindsight-reader.map"), re.M))
same(
    "structs",
    re.findall(r"^struct (hs_\w+) \{", header, re.M),
    re.findall(r"^PUBLIC_STRUCT\((\w+)\)", read("reader/trace/public_structs.def"), re.M),
)

users = "".join(read(os.path.relpath(p, root)) for p in glob.glob(root + "/reader/examples/*.[ch]")) + read(
    "test/model/answers.c"
)
for f in functions:
    if not re.search(r"\b%s\(" % f, users):
        bad.append("%s: no example uses it, nor does test/model/answers.c" % f)

for language, compiler in (("c", "cc"), ("c++", "c++")):
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-x", language]
    for path in ["reader/trace.h"] + subjects:
        made = subprocess.run(
            [compiler] + flags + ["-"], input='#include "%s/%s"\n' % (root, path), text=True, capture_output=True
        )
        if made.returncode != 0:
            bad.append("%s alone, as %s: %s" % (path, language, made.stderr.strip()))
same(
    "headers",
    re.findall(r'^#include "(api/\w+\.h)"', read("reader/trace.h"), re.M),
    [os.path.relpath(path, "reader") for path in subjects],
)

print("\n".join(bad) if bad else "%d functions" % len(functions))
sys.exit(1 if bad else 0)
