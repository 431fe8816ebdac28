#!/usr/bin/env python3
"""layering.py [ROOT] [--build DIR]: the direction of folders and rooms (CONTRIBUTING.md, "Folders").

Reads every #include line of formats/, weaver/, logging/ and reader/ and, of a build (--build or HINDSIGHT_BUILD), which
object file uses which symbols of which other one. Reported, one line each, with exit status 1:

    upward      a file includes or calls what stands above it, or beside it in another tree
    private     a file includes a header of another room that is not one of its doors
    outside     a file includes a header of the system or of a library that its room may not know
    circle      files that include each other, or call each other

A room is a folder; its files may use those of all rooms before it in its tree. `--self-test` makes a small tree with
one fault of each kind and checks that each is reported. test/ and bench/ may include everything. """
import os
import re
import subprocess
import sys
import tempfile

# The rooms of each tree, lowest first: folder, and the headers that other rooms may include (None: all of them).
TREES = {
    "formats": [("formats", None)],
    "weaver": [
        (
            "weaver",
            ["weaver/weave.h", "weaver/filter.h", "weaver/saved.h", "weaver/redact.h", "weaver/verify/verify.h"],
        ),
        ("weaver/tool", ["weaver/tool/offline.h"]),
    ],
    "logging": [
        ("logging/hook", None),
        ("logging/journal", None),
        ("logging/store", None),
        ("logging/aggregate", None),
        ("logging/capture", None),
        ("logging/sinks", None),
        ("logging/drain", None),
        ("logging/control", None),
        ("logging/recording", None),
        ("logging/agent", []),
    ],
    "reader": [
        ("reader/api", []),
        ("reader", ["reader/trace.h"]),
        ("reader/expression", ["reader/expression/expression.h"]),
        ("reader/trace", ["reader/trace/open_trace.h"]),
        ("reader/segments", ["reader/segments/segments.h"]),
        (
            "reader/code",
            ["reader/code/code.h", "reader/code/method.h", "reader/code/types.h", "reader/code/arithmetic_plan.h"],
        ),
        ("reader/derive", ["reader/derive/derive.h"]),
        ("reader/stream", ["reader/stream/stream.h"]),
        ("reader/replay", ["reader/replay/replay.h"]),
        ("reader/index", ["reader/index/index.h", "reader/index/flights.h"]),
        ("reader/cursor", ["reader/cursor/cursor.h"]),
        ("reader/execute", ["reader/execute/execute.h"]),
        (
            "reader/query",
            [
                "reader/query/absences.h",
                "reader/query/expression_objects.h",
                "reader/query/location.h",
                "reader/query/past_heap.h",
            ],
        ),
        ("reader/threads", []),
        ("reader/session", ["reader/session/session.h"]),
        ("reader/compare", []),
        ("reader/fsck", []),
        ("reader/command", None),
        ("reader/answers", None),
        ("reader/tables", None),
        ("reader/analysis", None),
        ("reader/export", None),
        ("reader/fleet", None),
        ("reader/serve", None),
        ("reader/cli", []),
        ("reader/man", []),
        ("reader/examples", []),
    ],
}
# All trees use formats/. Beyond that: file or folder, and what of other trees it may include and call.
ACROSS = [
    ("logging/agent", "weaver/weave.h"),
    ("logging/agent", "weaver/filter.h"),
    ("logging/agent", "weaver/generated.h"),
    ("logging/agent", "weaver/saved.h"),
    ("logging/agent", "weaver/redact.h"),
    ("logging/agent", "weaver/verify/verify.h"),
    ("reader/cli/cmd_attach.c", "logging/control/attach.h"),
    ("reader/cli/cmd_attach.c", "logging/control/control.h"),
    ("reader/cli/cmd_control.c", "logging/control/control.h"),
    ("reader/cli/cmd_recover.c", "logging/recording/recover.c"),  # by formats/recover.h
    ("reader/command/session.c", "logging/recording/recover.c"),
    ("reader/cli/until_fail.c", "logging/recording/recover.c"),
    ("reader/cli/cmd_expand.c", "logging/recording/expand.c"),  # by formats/expand.h
    ("reader/cli/cmd_expand.c", "reader/derive/derive.h"),
    ("reader/cli/secrets.c", "logging/recording/redact_trace.c"),  # by formats/redact_trace.h
    ("reader/cli/secrets.c", "reader/derive/derive.h"),
    ("reader/cli/secrets.c", "reader/code/code.h"),  # for formats/redact_trace.h
    ("reader/cli/drop_tests.c", "logging/recording/drop.c"),  # by formats/drop.h
    ("reader/cli/drop_tests.c", "reader/derive/derive.h"),
    ("reader/cli/drop_tests.c", "reader/query/passed.h"),  # what it keeps, for formats/drop.h
    ("reader/cli/drop_tests.c", "reader/threads/left_threads.h"),  # the same
    ("reader/cli/failure_around.c", "reader/query/passed.h"),
    ("reader/cli/cmd_info.c", "reader/derive/derive.h"),
    ("reader/cli/cmd_compact.c", "logging/recording/compact.c"),  # by formats/compact.h
    ("reader/cli/pack.c", "logging/recording/compact.c"),  # the same
    ("reader/fleet/push.c", "logging/store/running.c"),  # by formats/running.h
    ("reader/fleet/running.c", "logging/control/control.h"),
    ("reader/cli/cmd_weave.c", "weaver/tool/offline.h"),
    ("reader/serve", "reader/session/session.h"),
]
# These know a trace by reader/trace.h alone, as any other program would.
THIN = [
    "reader/command",
    "reader/answers",
    "reader/tables",
    "reader/analysis",
    "reader/export",
    "reader/fleet",
    "reader/serve",
    "reader/cli",
    "reader/examples",
]
# Headers that not everybody may include, and who may. What is not here (the C library, POSIX) all may include.
OUTSIDE = {
    "lmdb.h": ["logging/store", "reader/trace/env.h"],
    "pcre2.h": ["logging/capture/patterns.c"],
    "zip.h": ["weaver/tool", "reader/command/source.c", "reader/command/source_find.c"],
    "zstd.h": ["formats", "logging", "reader/segments", "reader/index", "reader/export"],
    "sqlite3.h": ["reader/tables", "reader/export", "reader/fleet", "reader/cli"],
    "xxhash.h": ["formats", "weaver", "logging", "reader"],
    "cjson/cJSON.h": ["reader/command", "reader/serve", "reader/fleet", "reader/cli"],
    "civetweb.h": ["reader/serve"],
    "jvmti.h": ["logging/agent"],
    "jni.h": ["logging/agent"],
    "jni_md.h": ["logging/agent"],
    "classfile_constants.h": ["logging/agent"],
    "dlfcn.h": ["logging/agent", "reader/command/library.c"],
    "curl/curl.h": ["reader/command/http.c"],
    "libxml/xmlreader.h": ["reader/fleet/xml.c"],
    "hook_classes.h": ["logging/agent"],  # generated by the build
    "weaver_hash.h": ["weaver/saved.c"],  # the same
}
# Headers that are installed include each other by their place beside each other: they have no other root there.
INSTALLED = ["reader/trace.h", "reader/api"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
ROOMS = {folder: (tree, rank, doors) for tree, rooms in TREES.items() for rank, (folder, doors) in enumerate(rooms)}


def lies_in(file, place):
    return file == place or file.startswith(place + "/")


def room_of(file):
    """The room of a file: the nearest folder that is one."""
    folder = os.path.dirname(file)
    while folder and folder not in ROOMS:
        folder = os.path.dirname(folder)
    return folder


def sources(root):
    for tree in TREES:
        for folder, _, names in os.walk(os.path.join(root, tree)):
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def is_upward(file, used):
    """Is `used` a file that `file` may not include, door or not?"""
    tree, rank, _ = ROOMS[room_of(file)]
    used_tree, used_rank, _ = ROOMS[room_of(used)]
    if (
        any(lies_in(file, thin) for thin in THIN)
        and used_tree == "reader"
        and not any(lies_in(used, thin) for thin in THIN)
    ):
        return used != "reader/trace.h"
    if used_tree == tree:
        return used_rank > rank
    return used_tree != "formats"


def check_include(file, quote, name, root, report):
    """Reports what is wrong with one line; the file that it includes if that is ours."""
    beside = os.path.join(os.path.dirname(file), name)
    if any(lies_in(file, place) for place in INSTALLED) and os.path.exists(os.path.join(root, beside)):
        return beside
    if name.split("/")[0] in TREES and os.path.exists(os.path.join(root, name)):
        if any(n == name and lies_in(file, f) for f, n in ACROSS):
            return name
        doors = ROOMS[room_of(name)][2]
        if is_upward(file, name):
            report("upward", f"{file}: includes {name}, which stands above it or in another tree")
        elif room_of(name) != room_of(file) and doors is not None and name not in doors:
            report(
                "private",
                f"{file}: includes {name}, which is private to {room_of(name)}/; its door is "
                + (" or ".join(doors) or "nothing"),
            )
        return name
    if name in OUTSIDE:
        if not any(lies_in(file, place) for place in OUTSIDE[name]):
            report("outside", f"{file}: includes {name}, which belongs to {', '.join(OUTSIDE[name])}")
    elif quote == '"' or ".." in name.split("/") or name.split("/")[0] in ("test", "bench"):
        report("outside", f'{file}: includes "{name}": write the path of a file of the product from the root')
    return None


def read_includes(root, report):
    graph, lines = {}, 0
    for file in sources(root):
        with open(os.path.join(root, file), encoding="utf-8", errors="replace") as f:
            text = f.read()
        for quote, name in INCLUDE.findall(text):
            lines += 1
            used = check_include(file, quote, name, root, report)
            if used is not None:
                graph.setdefault(file, {})[used] = "includes"
    return graph, lines


def objects_of(root, build):
    """Source file -> an object made from it. Objects of files that are gone are left out."""
    found = {}
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            source = path.split(".dir/", 1)[-1][:-2] if ".dir/" in path else ""
            if name.endswith(".c.o") and source.split("/")[0] in TREES and os.path.exists(os.path.join(root, source)):
                found.setdefault(source, path)
    return found


def read_symbols(root, build, graph, report):
    objects = objects_of(root, build)
    if not objects:
        return 0
    source_of = {path: source for source, path in objects.items()}
    listing = subprocess.run(["nm", "-A", "-P", "-g", *source_of], capture_output=True, text=True, check=True).stdout
    defined, used = {}, []
    for line in listing.splitlines():
        path, rest = line.split(": ", 1)
        symbol, kind = rest.split()[:2]
        if kind == "U":
            used.append((source_of[path], symbol))
        elif kind in "TDBRVW":
            defined.setdefault(symbol, []).append(source_of[path])
    arrows = {}
    for file, symbol in used:
        # libraries that are never linked with each other may have a name twice: the own tree's is meant
        tree = file.split("/")[0]
        found = sorted(defined.get(symbol, []), key=lambda other: other.split("/")[0] != tree)
        if found:
            arrows.setdefault((file, found[0]), symbol)
    for (file, other), symbol in sorted(arrows.items()):
        graph.setdefault(file, {})[other] = f"calls {symbol} of"
        if may_call(file, other):
            continue
        report("upward", f"{file}: uses {symbol} of {other}, which stands above it or in another tree")
    return len(arrows)


def may_call(file, other):
    """As for includes; whoever may include a door may use what stands behind it."""
    tree, rank, _ = ROOMS[room_of(file)]
    other_tree, other_rank, _ = ROOMS[room_of(other)]
    if tree == other_tree:
        return other_rank <= rank
    return other_tree == "formats" or any(lies_in(file, f) and room_of(n) == room_of(other) for f, n in ACROSS)


def circles(graph):
    """Groups of files of which each reaches each (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in graph.get(file, {}):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            group = stack[stack.index(file) :]
            del stack[stack.index(file) :]
            if len(group) > 1:
                found.append(sorted(group))

    for file in sorted(graph):
        if file not in number:
            visit(file)
    return found


def check(root, build, report):
    graph, lines = read_includes(root, report)
    arrows = read_symbols(root, build, graph, report) if build else 0
    for group in circles(graph):
        edges = [f"{a} {graph[a][b]} {b}" for a in group for b in sorted(graph.get(a, {})) if b in group]
        report("circle", f"circle of {len(group)} files: " + "; ".join(edges))
    return lines, arrows


def self_test():
    """A tree with one fault of each kind; the number of kinds that were not reported."""
    files = {
        "formats/a.h": "int a(void);\n",
        "formats/a.c": '#include "formats/a.h"\nint a(void) { return 1; }\n',
        "reader/trace.h": "int hs(void);\n",
        "reader/trace/open_trace.h": '#include "formats/a.h"\n#include "reader/trace.h"\nint t(void);\nint u(void);\n',
        "reader/trace/inner.h": "int t(void);\n",
        # an upward include
        "reader/trace/low.c": (
            '#include "reader/query/q.h"\n#include "reader/trace/open_trace.h"\n' 'int t(void) { return a(); }\n'
        ),
        # an upward symbol, without an include
        "reader/trace/calls.c": "int q(void);\nint u(void);\nint u(void) { return q(); }\n",
        "reader/query/q.h": "int q(void);\n",
        # a private header, and a circle with p.c
        "reader/query/q.c": (
            '#include "reader/query/q.h"\n#include "reader/trace/inner.h"\n'
            'int p(void);\nint q(void) { return p(); }\n'
        ),
        "reader/query/p.c": (
            '#include "reader/query/q.h"\n#include <lmdb.h>\n' 'int p(void);\nint p(void) { return q(); }\n'
        ),
        # the command knows trace.h only
        "reader/cli/c.c": (
            '#include "reader/query/q.h"\n#include "reader/trace.h"\n' 'int c(void);\nint c(void) { return 1; }\n'
        ),
        # another tree
        "weaver/w.c": '#include "reader/trace.h"\nint w(void);\nint w(void) { return 1; }\n',
    }
    expected = [
        ("upward", "reader/trace/low.c: includes reader/query/q.h"),
        ("upward", "reader/trace/calls.c: uses q of reader/query/q.c"),
        ("upward", "reader/cli/c.c: includes reader/query/q.h"),
        ("upward", "weaver/w.c: includes reader/trace.h"),
        ("private", "reader/query/q.c: includes reader/trace/inner.h"),
        ("outside", "reader/query/p.c: includes lmdb.h"),
        ("circle", "circle of 2 files: reader/query/p.c calls q of reader/query/q.c"),
    ]
    with tempfile.TemporaryDirectory() as root:
        objects = os.path.join(root, "build", "all.dir")
        for file, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(file)), exist_ok=True)
            with open(os.path.join(root, file), "w", encoding="utf-8") as f:
                f.write(text)
        for file in files:
            if file.endswith(".c"):
                os.makedirs(os.path.join(objects, os.path.dirname(file)), exist_ok=True)
                text = re.sub(r"#include <lmdb.h>\n", "", files[file])
                subprocess.run(
                    [
                        os.environ.get("CC", "cc"),
                        "-I",
                        root,
                        "-x",
                        "c",
                        "-c",
                        "-o",
                        os.path.join(objects, file + ".o"),
                        "-",
                    ],
                    input=text,
                    text=True,
                    check=True,
                    cwd=root,
                )
        told = []
        check(root, os.path.join(root, "build"), lambda kind, text: told.append((kind, text)))
    missing = [(k, t) for k, t in expected if not any(kind == k and t in text for kind, text in told)]
    extra = [(k, t) for k, t in told if not any(kind == k and text in t for kind, text in expected)]
    for kind, text in missing:
        print(f"layering: self-test: not reported: {kind}: {text}")
    for kind, text in extra:
        print(f"layering: self-test: wrongly reported: {kind}: {text}")
    if not missing and not extra:
        print(f"layering: self-test: {len(expected)} faults of four kinds are reported, and nothing else")
    return len(missing) + len(extra)


def main():
    arguments = sys.argv[1:]
    if "--self-test" in arguments:
        return 1 if self_test() else 0
    build = os.environ.get("HINDSIGHT_BUILD")
    if "--build" in arguments:
        at = arguments.index("--build")
        build = arguments[at + 1]
        del arguments[at : at + 2]
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    told = []
    lines, arrows = check(root, build, lambda kind, text: told.append(f"{kind}: {text}"))
    for line in told:
        print(line)
    if lines == 0:
        print(f"layering: no include lines found in {root}")
        return 2
    if arrows == 0:
        print("layering: no build: symbols are not looked at")
    if not told:
        print(f"layering: {lines} includes, {arrows} uses of symbols: no arrow upwards, no circle")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
