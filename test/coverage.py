"""coverage.py BUILD [--missing PATH]: the lines that ran, by folder, from the counters in BUILD/coverage.

Lines and counts are clang's (`llvm-cov export -format=lcov`), added up over all programs of the build. Fails if less
than LEAST percent of one of the folders REQUIRED ran. With --missing: the lines below PATH that did not run, instead.
"""

import argparse
import collections
import os
import shutil
import subprocess
import sys

LEAST = 90
REQUIRED = ("weaver", "formats", "reader")
FOLDERS = REQUIRED + ("logging",)
NOT_COUNTED = ("reader/examples/", "reader/man/")  # programs of the documents and of the build


def tool(name):
    found = shutil.which(name) or shutil.which(name + "-14")
    if found is None:
        sys.exit("coverage.py: %s is not installed (package llvm)" % name)
    return found


def programs(build):
    """The binaries of the build that have counters; one of each when a name is a link to another."""
    seen = set()
    for folder in ("bin", "lib", "test"):
        top = os.path.join(build, folder)
        for name in sorted(os.listdir(top)):
            path = os.path.realpath(os.path.join(top, name))
            if path in seen or not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                binary = f.read(4) == b"\x7fELF"
            if binary:
                seen.add(path)
                yield path


def lines_that_ran(build):
    """{file: {line: count}}"""
    counters = os.path.join(build, "coverage")
    raw = [os.path.join(counters, n) for n in sorted(os.listdir(counters)) if n.endswith(".profraw")]
    if not raw:
        sys.exit("coverage.py: no counters in %s: no test ran" % counters)
    profile = os.path.join(counters, "all.profdata")
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-failure-mode=all", "-o", profile] + raw, check=True)
    objects = [word for path in programs(build) for word in ("-object", path)]
    export = subprocess.Popen(
        [tool("llvm-cov"), "export", "-format=lcov", "-skip-functions", "-instr-profile", profile] + objects[1:],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a warning for each function of another build
        text=True,
    )
    # names of sources are relative to the folder of the build (-ffile-prefix-map)
    root = os.path.relpath(build, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + "/"
    files, lines = collections.defaultdict(dict), {}
    for text in export.stdout:
        key, _, value = text.rstrip("\n").partition(":")
        if key == "SF":
            lines = files[os.path.normpath(value.removeprefix(root))]
        elif key == "DA":
            line, count = value.split(",")[:2]
            lines[int(line)] = max(lines.get(int(line), 0), int(count))
    if export.wait() != 0:
        sys.exit("coverage.py: llvm-cov: exit status %d" % export.returncode)
    return {
        name: lines
        for name, lines in files.items()
        if name.split("/")[0] in FOLDERS and not name.startswith(NOT_COUNTED)
    }


def show_missing(files, below):
    for name, lines in sorted(files.items()):
        missing = sorted(line for line, count in lines.items() if count == 0)
        if not missing or not name.startswith(below):
            continue
        runs = []
        for line in missing:
            if runs and line == runs[-1][1] + 1:
                runs[-1][1] = line
            else:
                runs.append([line, line])
        print("%s: %d of %d:" % (name, len(missing), len(lines)), end=" ")
        print(" ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in runs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--missing", metavar="PATH")
    args = parser.parse_args()
    files = lines_that_ran(args.build)
    if args.missing is not None:
        show_missing(files, args.missing)
        return
    total, ran = collections.Counter(), collections.Counter()
    for name, lines in files.items():
        folder = os.path.dirname(name)
        for key in {name.split("/")[0] + "/", folder}:
            total[key] += len(lines)
            ran[key] += sum(1 for count in lines.values() if count > 0)
    low = False
    print("%-28s %8s %8s %7s" % ("folder", "lines", "ran", "%"))
    for key in sorted(total):
        whole, share = key.endswith("/"), 100.0 * ran[key] / total[key]
        print("%-28s %8d %8d %7.1f" % (key + (" in all" if whole else ""), total[key], ran[key], share))
        if whole and key[:-1] in REQUIRED and share < LEAST:
            low = True
            print("FAILED: less than %d %% of the lines of %s ran" % (LEAST, key))
    for folder in FOLDERS:
        if total[folder + "/"]:
            print(
                "figure: lines of %s that tests run, in %%: %.1f"
                % (folder, 100 * ran[folder + "/"] / total[folder + "/"])
            )
    sys.exit(low)


main()
