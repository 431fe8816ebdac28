"""tests.py HINDSIGHT SOURCES TRACE REPORTS CLASS:METHOD...

The rows of `hindsight tests` are those of the XML report of the framework itself in the folder REPORTS (-: there is
none), and of each named test that failed `failure` has the values and lines that FAILURES says."""
import glob, json, os, re, subprocess, sys
import xml.etree.ElementTree as xml

hindsight, sources, trace, reports = sys.argv[1:5]
# test -> expected, actual, the line where it failed, lines that the origin must name (ends of lines of the sources)
FAILURES = {
    "JupiterTests:three": (900, 890, "// three", ["// total", "// rebate"]),
    "JupiterTests:absent": (None, None, "// null", ["// absent"]),
    "JupiterTests:count": (600, 300, "// parsed", ["// total"]),
    "OldTests:rebate": (0, 10, "// old", ["// rebate"]),
    "ThreeTests:testRebate": (0, 10, "// three of JUnit 3", ["// rebate"]),
    "NgTests:rebate": (0, 10, "// ng", ["// rebate"]),
    # what the framework or the JVM threw, for an exception of the program
    "OldTests:ruled": (None, None, "// ruled", ["// absent"]),
    "OldTests:wrongType": (None, None, "// refused", ["// refused"]),
    "OldTests:collected": (0, 10, "// collected", ["// rebate"]),
    "OldTests:collectedTwice": (0, 10, "// collected first", ["// rebate"]),
    "OldTests:started": (None, None, "// initializer", ["// initializer"]),
    "OldTests:startedAgain": (None, None, "// initializer", ["// initializer"]),
    "JupiterTests:all": (900, 890, "// first of all", ["// rebate"]),
    "JupiterTests:wrongType": (None, None, "// refused", ["// refused"]),
    "NgSetUpTests:prepare": (None, None, "// prepare", ["// absent"]),
    "NgOtherTests:wrongType": (None, None, "// refused", ["// refused"]),
}


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


def of_platform():
    """(class, status) of each test of JUnit's legacy XML, and (class, method, status) where the name has the method."""
    for path in glob.glob(os.path.join(reports, "TEST-*.xml")):
        for case in xml.parse(path).getroot().iter("testcase"):
            skipped = case.find("skipped")
            # an assumption that failed is skipped there, too: with the trace of its exception
            aborted = skipped is not None and "Aborted" in (skipped.text or "") + str(skipped.attrib)
            aborted |= skipped is not None and "AssumptionViolated" in (skipped.text or "") + str(skipped.attrib)
            status = "failed" if case.find("failure") is not None or case.find("error") is not None else "passed"
            status = "aborted" if aborted else "skipped" if skipped is not None else status
            yield case.get("classname"), re.match(r"\w+", case.get("name")).group(), status


# an exception that was expected and did not come
NOT_THROWN = {"OldTests:ruledNothing", "NgOtherTests:nothing"}


def of_testng(config):
    for of_class in xml.parse(os.path.join(reports, "testng-results.xml")).getroot().iter("class"):
        for method in of_class.iter("test-method"):
            if (method.get("is-config") == "true") == config:
                status = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}[method.get("status")]
                yield of_class.get("name"), method.get("name"), status


def line_of(end):
    for path in glob.glob(os.path.join(sources, "*.java")):
        for number, line in enumerate(open(path), 1):
            if line.rstrip().endswith(end):
                return os.path.basename(path)[:-5], number
    raise KeyError(end)


def plain(value):
    return value.get("value") if isinstance(value, dict) else value


def outer(name):
    return name.split("$")[0] if name else name


bad = []
rows = ask("tests", trace)
if reports != "-":
    testng = os.path.exists(reports + "/testng-results.xml")
    want = sorted(of_testng(False) if testng else of_platform())
    # where a class failed or was skipped, the report has that for each of its tests, which never ran
    whole = {(r["class"], r["status"]) for r in rows if r.get("container")}
    want = [w for w in want if not any(w[2] == s and (w[0] + "$").startswith(c + "$") for c, s in whole)]
    got = sorted((r["class"], r["method"], r["status"]) for r in rows if not r.get("container"))
    if got != want:
        bad.append("the report has %s\n  the trace %s" % (sorted(set(want) - set(got)), sorted(set(got) - set(want))))
    set_ups = {(r["class"], r.get("method"), r["status"]) for r in rows if r.get("container")}
    if testng and set_ups != {row for row in of_testng(True) if row[2] == "failed"}:
        bad.append("set-ups that failed: %s" % set_ups)
    if len(want) < 5:
        bad.append("only %d tests in the report" % len(want))
for r in rows:
    if r["status"] in ("passed", "failed", "aborted") and not r["begin"] < r["end"]:
        bad.append("begin and end of %s" % r)
    if r["status"] == "failed" and "exception" not in r:
        bad.append("%s has no exception" % r)
if reports == "platform" and not any(r.get("container") and r["status"] == "failed" for r in rows):
    bad.append("a class whose set-up failed is missing")
for name in sys.argv[5:]:
    if name in NOT_THROWN:
        page = ask("failure", trace, name.replace(":", "."))[0]
        reasons = [(r.get("line"), r.get("decision", {}).get("condition")) for r in page.get("not_thrown", [])]
        if reasons != [(line_of("// refused")[1], "count <= 2")]:
            bad.append("%s: not thrown: %s" % (name, reasons))
        continue
    expected, actual, at, steps = FAILURES[name]
    page = ask("failure", trace, name.replace(":", "."))[0]
    if (plain(page.get("expected")), plain(page.get("actual"))) != (expected, actual) and expected is not None:
        bad.append("%s: expected %s, actual %s" % (name, page.get("expected"), page.get("actual")))
    top = (page.get("frames") or [{}])[0]
    if (outer(top.get("class")), top.get("line")) != line_of(at):
        bad.append("%s: failed at %s:%s, not %s" % (name, top.get("class"), top.get("line"), line_of(at)))
    lines = {(outer(s.get("class")), s.get("line")) for s in page.get("origin", [])}
    for step in steps:
        if line_of(step) not in lines:
            bad.append("%s: the line `%s` is not among %s" % (name, step, sorted(lines, key=str)))
    decided = [s.get("under", {}).get("condition") for s in page.get("origin", [])]
    if "// rebate" in steps and "count > 2" not in decided:
        bad.append("%s: the 10 stands under count > 2, not under %s" % (name, decided))
    text = subprocess.run([hindsight, "failure", trace, name.replace(":", ".")], stdout=subprocess.PIPE, check=True)
    for command in page["next"]:
        if command not in text.stdout.decode():
            bad.append("%s: the text has not %s" % (name, command))
        if subprocess.run(
            ["bash", "-c", '"$0" ' + command.split(" ", 1)[1], hindsight], stdout=subprocess.DEVNULL
        ).returncode:
            bad.append("%s: %s fails" % (name, command))
    if name == "JupiterTests:count" and line_of("// swallowed")[0] not in str(page.get("swallowed")):
        bad.append("%s: the exception that was swallowed: %s" % (name, page.get("swallowed")))
print("\n".join(bad[:8]) or "%d tests" % len(rows))
sys.exit(bool(bad))
