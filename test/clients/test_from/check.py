"""check.py HINDSIGHT TRACE CLASSES JARS JUNIT CALLS SEED: random calls of a recording, at most three of a method, as
tests: how many compile against the same classes and pass, and why there is no test of the others. A test that fails
beside others runs once more alone, since others may have left static fields behind. Exit status 1: one does not
compile, or fails without that a doubt was told, or says nothing."""

import heapq
import json
import os
import subprocess
import sys
import zlib

HINDSIGHT, TRACE, CLASSES, JARS, JUNIT = sys.argv[1:6]
CALLS, SEED = map(int, sys.argv[6:])
CLASS_PATH = f"made:{CLASSES}:{JARS}"
JAVA = os.path.join(os.environ["JDK"], "bin", "")
CONSOLE = (
    "org.junit.platform.console.ConsoleLauncher --disable-banner --details=tree --disable-ansi-colors "
    "--details-theme=ascii"
).split()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def calls():
    """So many calls, each with the same chance, but at most three of a method. Which ones does not depend on the order
    in which threads ran: it follows from the seed, the method and how many calls of it come before."""
    seen, of_method, out = {}, {}, []

    def chances(lines):
        for line in lines:
            place = line[line.index(b'"class"') : line.index(b'"desc"')]
            if not place.startswith(b'"class":"java.'):
                seen[place] = seen.get(place, 0) + 1
                chance = zlib.crc32(b"%d %s %d" % (SEED, place, seen[place]))
                yield chance, place, seen[place], line

    command = [HINDSIGHT, "print", TRACE, "--event", "METHOD_ENTRY", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as entries:
        kept = heapq.nsmallest(10 * CALLS, chances(entries.stdout))
    for r in (json.loads(line) for *_, line in kept):
        place = r["class"], r["method"], r["desc"]
        of_method[place] = of_method.get(place, 0) + 1
        if of_method[place] <= 3 and len(out) < CALLS:
            out.append(r)
    return out


def compiled(tests):
    """Compiles them; gives the first error of each of those that do not."""
    wrong, left = {}, dict(tests)
    while left:
        paths = [path for path, _ in left.values()]
        quiet = ("-J-XX:TieredStopAtLevel=1", "-nowarn", "-Xlint:none", "-proc:none")
        javac = run(JAVA + "javac", *quiet, "-cp", CLASS_PATH, "-d", "made", *paths)
        if javac.returncode == 0:
            break
        for name in [n for n, (path, _) in left.items() if path + ":" in javac.stderr] or list(left):
            line = [x for x in javac.stderr.splitlines() if x.startswith(left[name][0])] or [javac.stderr[:300]]
            wrong[name] = line[0].split(": ", 1)[-1]
            del left[name]
    return wrong


def passed(names):
    """Which of these tests pass, in one JVM."""
    if JUNIT == "4":
        out = run(JAVA + "java", "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH, "org.junit.runner.JUnitCore", *names)
        failed = {n for n in names for line in out.stdout.splitlines() if line.endswith(f"({n})")}
        ran = "OK (" in out.stdout or "Tests run: " in out.stdout
        return ({n for n in names if n not in failed} if ran else set()), out.stdout
    classes = [x for n in names for x in ("-c", n)]
    out = run(JAVA + "java", "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH, *CONSOLE, *classes)
    ok = {n for n in names for line in out.stdout.splitlines() if f" {n.split('.')[-1]} [OK]" in line}
    failed = {n for n in names for line in out.stdout.splitlines() if f"className = '{n}'" in line}
    return ok - failed, out.stdout


def main():
    tests, none, bad = {}, [], []
    for r in calls():
        answer = run(HINDSIGHT, "test-from", str(r["seq"]), TRACE, "--junit", JUNIT, "--json")
        t = json.loads(answer.stdout) if answer.returncode in (0, 3) else {"why": answer.stderr}
        if "source" not in t:
            none.append(f"{r['class']}.{r['method']}: {t.get('why', '')}")
            if answer.returncode != 3 or not t.get("why") or "\n" in t["why"]:
                bad.append(f"{r['seq']}: exit status {answer.returncode}, {t}")
            continue
        package = t.get("package", "")
        folder = os.path.join("made", *filter(None, package.split(".")))
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, t["test"] + ".java")
        with open(path, "w", encoding="ascii") as f:
            f.write(t["source"])
        tests[(package + "." if package else "") + t["test"]] = path, t
    asked = len(tests) + len(none)
    for name, error in compiled(tests).items():
        bad.append(f"{name} does not compile: {error}")
        del tests[name]
    ok, _ = passed(list(tests)) if tests else (set(), "")
    for name in [n for n in tests if n not in ok]:
        alone, said = passed([name])
        ok |= alone
        if not alone:
            doubts = tests[name][1].get("doubts")
            text = [line.strip() for line in said.splitlines() if "expected" in line or "Exception" in line][:2]
            (none if doubts else bad).append(f"{name} fails: {text}; {doubts}")
    for line in none:
        print("no test:", line)
    for line in bad:
        print("WRONG:", line)
    print(f"{len(ok)} of {asked} calls have a test that passes")
    sys.exit(1 if bad else 0)


main()
