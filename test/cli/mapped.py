"""mapped.py - class files with a SourceDebugExtension (JSR-45), and what answers about them have to say.

    mapped.py give CLASSFILE SOURCE OUT       CLASSFILE with the attribute that the comments of SOURCE ask for
    mapped.py same SOURCE PLAIN MAPPED        rows of a command (--json) about the trace of the first, and of the other

Each line of the source with "// FILE:LINE" is that line of the file; others are lines of the source file itself."""

import json
import os
import re
import struct
import sys

# of one run: hashes, sizes, and what the clock said
OF_A_RUN = ("hash", "bytes", "start", "end", "time", "hold_ns", "wait_ns")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))
from classfiles import Class


def lines_of(source):
    """{line of the source: (file below the roots, line)}"""
    found = {}
    for number, text in enumerate(open(source, encoding="utf-8"), 1):
        said = re.search(r"// (\S+):(\d+)$", text.rstrip())
        if said:
            found[number] = said[1] if said[1].endswith(".jsp") else "mapped/" + said[1], int(said[2])
    return found


def source_map(source):
    """As Kotlin and Jasper write it: a class as the path of a file; rows that do not say their file; a row for
    two lines of the source; strata that are not the default one."""
    lines = lines_of(source)
    files = {file: number for number, file in enumerate(dict.fromkeys(file for file, _ in lines.values()), 1)}
    rows, last, skipped = [], None, set()
    for number, (file, line) in lines.items():
        if number in skipped:
            continue
        twice = lines.get(number + 1) == (file, line)
        skipped |= {number + 1} if twice else set()
        of = "" if file == last else "#%d" % files[file]
        rows.append("%d%s,1:%d%s" % (line, of, number, ",2" if twice else ""))
        last = file
    named = "".join(
        "+ %d %s\n%s\n" % (n, file.split("/")[-1], file[:-3] + "Kt" if file.endswith(".kt") else file)
        for file, n in files.items()
    )
    debug = "*S KotlinDebug\n*F\n+ 1 Wrong.kt\nWrong\n*L\n1#1,60:1\n"
    return "SMAP\nMapped.java\nKotlin\n%s*S Kotlin\n*F\n%s*L\n%s\n*E\n" % (debug, named, "\n".join(rows))


class Ends(Class):
    """Where the constant pool ends; `at` is then where the attributes of the class begin."""

    def read_pool(self):
        pool = super().read_pool()
        self.pool_end = self.at
        return pool


def give(path, source, out):
    data = open(path, "rb").read()
    c = Ends(data)
    count = struct.unpack_from(">H", data, 8)[0]
    attributes = struct.unpack_from(">H", data, c.at)[0]
    name, text = b"SourceDebugExtension", source_map(source).encode()
    with open(out, "wb") as f:
        f.write(data[:8] + struct.pack(">H", count + 1) + data[10 : c.pool_end])
        f.write(struct.pack(">BH", 1, len(name)) + name)
        f.write(data[c.pool_end : c.at] + struct.pack(">H", attributes + 1) + data[c.at + 2 :])
        f.write(struct.pack(">HI", count, len(text)) + text)


def expected(row, lines, inside):
    """A row about the class without the attribute, as it has to be with it."""
    if isinstance(row, list):
        return [expected(v, lines, inside) for v in row]
    if not isinstance(row, dict):
        return row
    inside = row.get("class", "mapped.Mapped" if inside else None) == "mapped.Mapped"
    made = {k: expected(v, lines, inside) for k, v in row.items() if k not in OF_A_RUN}
    if inside and row.get("line") in lines:
        file, made["line"] = lines[row["line"]]
        # the stack of an exception has names as the JVM has them
        made["file"] = file.split("/")[-1] if "file" in row else file
    return made


def same(source, plain, mapped):
    lines = lines_of(source)
    # threads of the JVM that record nothing start in any order
    plain, mapped = ([row for row in map(json.loads, open(f)) if row.get("events") != 0] for f in (plain, mapped))
    wanted = [expected(row, lines, False) for row in plain]
    got = [expected(row, {}, False) for row in mapped]
    assert plain and got == wanted, [(g, w) for g, w in zip(got, wanted) if g != w][:1] or (len(got), len(wanted))


if __name__ == "__main__":
    {"give": give, "same": same}[sys.argv[1]](*sys.argv[2:])
