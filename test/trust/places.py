"""places.py [ROOT] [--list]: every place that takes memory by a number, opens or makes a file, or starts a program is
in test/security.md, which says where the number or the name comes from and what bounds it.

A place is a call in C below formats/, weaver/, logging/, reader/. Memory of a fixed size (constants and sizeof) is
none. The tables have a row for each file and kind of call, with the number of calls. --list prints what there is."""

import collections
import os
import re
import sys

FOLDERS = ("formats", "weaver", "logging", "reader")
APART = ("reader/examples/", "reader/man/", "logging/hook/generate.c")  # programs of the build, and examples
KINDS = {
    "memory": r"malloc|calloc|realloc|reallocarray|alloca|aligned_alloc|posix_memalign|mmap|mremap|strndup"
    r"|vec_reserve|vec_extend|writer_reserve|arena_get|arena_array|arena_chars",
    "files": r"open|openat|open64|creat|fopen|fdopen|freopen|opendir|mkdir|mkdirat|mkstemp|mkostemps?|mkdtemp|rename"
    r"|renameat|renameat2|unlink|unlinkat|remove|rmdir|symlink|link|linkat|truncate|chmod|chown|bind|mdb_env_open"
    r"|mdb_env_copy2?|file_make|file_touch|file_make_below|dir_make|sqlite3_open_v2|zip_open|nftw",
    "programs": r"system|popen|exec[lv]p?e?|execvpe|fork|vfork|posix_spawnp?|dlopen|wordexp",
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.S)
# what a fixed size is made of: numbers, constants, sizeof of something, sums and products of them
SIZEOF = re.compile(r"sizeof\s*(\((?:[^()]|\([^()]*\))*\)(->\w+)?|[*&]*[\w.>\[\]-]+)")
FIXED = re.compile(r"(?:[A-Z][A-Z0-9_]+|\d+[uUlL]*|[\s()+*/,<])*")
# a variable or field that is an array
ARRAY = re.compile(
    r"^\s+(?!return|else)(?:(?:const|static|struct|enum|unsigned) )*[a-z]\w* [*\w ]*?\w+((?:\[[^\]]*\])+)\s*[=;,]", re.M
)


def arguments(text, at):
    """What stands between the parenthesis at `at` and its end, cut at commas of the same depth."""
    depth, parts, begin = 0, [], at + 1
    for i in range(at, len(text)):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return parts + [text[begin:i].strip()]
        elif c == "," and depth == 1:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts


SIZES = {"malloc": [0], "calloc": [0, 1], "alloca": [0], "mmap": [1], "strndup": [1], "arena_get": [1]}
SIZES.update(arena_array=[1, 2], arena_chars=[1], vec_reserve=[1], vec_extend=[1], writer_reserve=[1], realloc=[1])


def fixed(name, args):
    sizes = [args[i] for i in SIZES.get(name, range(1, len(args))) if i < len(args)]
    return all(FIXED.fullmatch(SIZEOF.sub(" ", s)) for s in sizes)


def blank(m):
    """Blanks for a comment; a string or character becomes a number, which is constant, too."""
    return ("0" if m.group()[0] in "\"'" else " ") + re.sub(r"[^\n]", " ", m.group()[1:])


def code_of(path):
    """The text of a file without comments and strings."""
    with open(path, encoding="utf-8") as f:
        return COMMENT.sub(blank, f.read())


def places(path):
    """(kind, line number, call) of a file."""
    text = code_of(path)
    for kind, names in KINDS.items():
        for m in re.finditer(r"(?<![\w.>])(" + names + r")\s*\(", text):
            line = text.count("\n", 0, m.start()) + 1
            before = text[text.rfind("\n", 0, m.start()) + 1 : m.start()]
            if re.match(r"\s*#\s*define", before) or re.match(r"(static |inline |[a-z_0-9]+ |\*)+\*?$", before):
                continue  # it is defined or declared here
            args = arguments(text, m.end() - 1)
            if kind == "memory" and fixed(m.group(1), args):
                continue
            yield kind, line, m.group(1) + "(" + " ".join(", ".join(args).split()) + ")"


def arrays(path):
    """Arrays whose length is not constant, as places() gives calls."""
    text = code_of(path)
    for m in ARRAY.finditer(text):
        if re.search(r"\b[a-z]\w*", SIZEOF.sub(" ", m.group(1))):
            yield text.count("\n", 0, m.end()) + 1, m.group().strip()


def sources(root, folders=FOLDERS):
    for folder in folders:
        for directory, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(directory, name), root)
                if name.endswith((".c", ".h")) and not path.startswith(APART):
                    yield path


def told(page):
    """{(kind, file): number of calls} of the tables of the page; a heading names the kind."""
    rows, kind = {}, None
    with open(page, encoding="utf-8") as f:
        for line in f:
            if line.startswith("## "):
                kind = line[3:].split()[0].lower()
            m = re.match(r"\| `([\w./-]+\.[ch])` \| (\d+) \| (.+) \| (.+) \|$", line)
            if m and kind in KINDS:
                rows[kind, m.group(1)] = int(m.group(2))
    return rows


def main():
    root = next((a for a in sys.argv[1:] if not a.startswith("--")), ".")
    found = collections.defaultdict(list)
    bad = 0
    for path in sources(root):
        for line, array in arrays(os.path.join(root, path)):
            bad += 1
            print(f"{path}:{line}: an array of variable length: {array}")
        for kind, line, call in places(os.path.join(root, path)):
            found[kind, path].append((line, call))
    if "--list" in sys.argv:
        for (kind, path), calls in sorted(found.items()):
            for line, call in calls:
                print(f"{kind} {path}:{line}: {call}")
        return 0
    page = "test/security.md"
    rows = told(os.path.join(root, page))
    for kind, path in sorted(rows.keys() | found.keys()):
        calls, number = found.get((kind, path), []), rows.get((kind, path), 0)
        if len(calls) != number:
            bad += 1
            print(f"{path}: {len(calls)} calls that concern {kind}, {page} has {number}:")
            for line, call in calls:
                print(f"    {path}:{line}: {call[:100]}")
    if any(len(found.get(k, [])) != rows.get(k, 0) for k in rows.keys() | found.keys()):
        print(f"say in {page} where the number or the name of a new place comes from, and what bounds it")
    calls = sum(map(len, found.values()))
    if calls < 300:
        bad += 1
        print(f"only {calls} places are found")
    print(f"places: {calls} in {len(found)} rows")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
