"""check.py HINDSIGHT TRACE CLASSES JARS JUNIT CALLS SEED: random calls of a recording, at most three of a method, as
tests: how many compile against the same classes and pass, and why there is no test of the others. A test that fails
beside others runs once more alone, since others may have left static fields behind. Exit status 1: one does not
compile, or fails without that a doubt was told, or says nothing."""

import json
import os
import random
import subprocess
import sys

HINDSIGHT, TRACE, CLASSES, JARS, JUNIT, CALLS, SEED = sys.argv[1:]
CLASS_PATH = f"made:{CLASSES}:{JARS}"
JAVA = os.path.join(os.environ["JDK"], "bin", "")
CONSOLE = (
    "org.junit.platform.console.ConsoleLauncher --disable-banner --details=tree --disable-ansi-colors "
    "--details-theme=ascii"
).split()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def calls():
    rows = [
        json.loads(x) for x in run(HINDSIGHT, "print", TRACE, "--event", "METHOD_ENTRY", "--json").stdout.splitlines()
    ]
    rows = [r for r in rows if not r["class"].startswith("java.")]
    random.Random(int(SEED)).shuffle(rows)
    of_method = {}
    for r in rows:
        place = r["class"], r["method"], r["desc"]
        of_method[place] = of_method.get(place, 0) + 1
        if of_method[place] <= 3:
            yield r


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
    for r in list(calls())[: int(CALLS)]:
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
    if tests:
        paths = [path for path, _ in tests.values()]
        javac = run(JAVA + "javac", "-nowarn", "-Xlint:none", "-cp", CLASS_PATH, "-d", "made", *paths)
        if javac.returncode != 0:
            print("javac:", javac.stderr[:2000])
            sys.exit(1)
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
    asked = len(tests) + len([x for x in none if " fails: " not in x])
    print(f"{len(ok)} of {asked} calls have a test that passes")
    sys.exit(1 if bad else 0)


main()
