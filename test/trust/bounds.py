"""bounds.py [ROOT] [--list]: every constant below reader/ and formats/ that bounds what is looked at, kept or shown is
in one of two tables: that of docs/limits.md, if an answer can have less because of it, which says what one sees then;
else that of test/bounds.md, with the reason why no answer changes. So none is silent.

A bound is a constant of an enum or a macro whose name has one of WORDS as a part; a loop that ends at a number of three
digits, or an array of so many elements, needs a name. A row of docs/limits.md has the numbers, as `1,000` or `16 MB`.
--list prints what there is."""

import collections
import os
import re
import sys

from places import code_of, sources

FOLDERS = ("reader", "formats")
WORDS = "MAX|MOST|LIMIT|SHOWN|SEEN|DEPTH|TRIES|LEVELS|LOOK_BACK|WITHIN|FURTHEST"
BOUND = re.compile(r"(?:^|_)(?:%s)(?:_|$)" % WORDS)
# (a loop over the values of a byte has 256 rounds; arrays of characters are texts)
NAMELESS = re.compile(r"\bfor \([^{}]*?<=? (?!256\b)\d{3,}\b[^{}]*?\)|\b(?!char|uint8_t)\w+ \**\w+\[(?!256\b)\d{3,}\];")
PAGES = {"docs/limits.md": "## Bounds", "test/bounds.md": "# Bounds"}


def value_of(text):
    """The number that an expression of numbers is; None: it has names in it."""
    text = re.sub(r"\b(?:UINT32_C|\(size_t\))|(?<=\d)[uUlL]+\b", "", text).strip()
    return eval(text) if re.fullmatch(r"[\d\s()+*<-]+", text) else None


def bounds(root):
    """{(file, name): value}, and the loops that end at a number."""
    found, nameless = {}, []
    for path in sources(root, FOLDERS):
        code = code_of(os.path.join(root, path))
        rows = []
        for body in re.findall(r"\benum\s*(?:\w+\s*)?\{([^}]*)\}", code):
            rows += re.findall(r"\b([A-Z][A-Z0-9_]*)\s*=\s*([^,}]+)", body)
        rows += re.findall(r"#\s*define\s+([A-Z][A-Z0-9_]*)[ \t]+([^\n]+)", code)
        found.update({(path, name): value_of(value) for name, value in rows if BOUND.search(name)})
        nameless += [(path, m.group()) for m in NAMELESS.finditer(code)]
    return found, nameless


def table(root, page, heading):
    """[(first cell, file, name)] of the rows below the heading; a cell names files, each with constants behind it."""
    rows, inside = [], False
    with open(os.path.join(root, page), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                inside = line.startswith(heading)
            cells = line.strip().strip("|").split(" | ") if inside and line.startswith("|") else []
            path = None
            for word in re.findall(r"`([\w./-]+)`", " ".join(cells)):
                path = word if "/" in word else path
                if BOUND.search(word) and path is not None:
                    rows.append((cells[0], path, word))
    return rows


def main():
    root = next((a for a in sys.argv[1:] if not a.startswith("--")), ".")
    found, nameless = bounds(root)
    bad = 0
    if "--list" in sys.argv:
        for (path, name), value in sorted(found.items()):
            print(path, name, value)
        return 0

    def complain(text):
        nonlocal bad
        bad += 1
        print(text)

    told = collections.Counter()
    for page, heading in PAGES.items():
        for cell, path, name in table(root, page, heading):
            told[path, name] += 1
            if (path, name) not in found:
                complain(f"{page}: {path} has no bound {name}")
                continue
            value = found[path, name]
            forms = [f"{value:,}"] if value is not None else []
            forms += [f"{value >> b} {unit}" for b, unit in ((20, "MB"), (10, "KB")) if value and value % (1 << b) == 0]
            if page.startswith("docs") and not any(re.search(r"(?<![\d,])%s(?!,?\d)" % f, cell) for f in forms):
                complain(f"{page}: the row of {name} of {path} does not say {' or '.join(forms)}: {cell}")
    for path, name in sorted(found):
        if told[path, name] != 1:
            complain(f"{path}: {name} is in {told[path, name]} rows of {' and '.join(PAGES)}, not in one")
    for path, text in nameless:
        complain(f"{path}: a bound without a name: {' '.join(text.split())}")
    if len(found) < 200:
        complain(f"only {len(found)} bounds are found")
    print(f"bounds: {len(found)}, {bad} faults")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
