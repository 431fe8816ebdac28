"""builds.py HINDSIGHT NAME JVMS REPORTS TRACE...

The rows of `hindsight tests` of all traces together are the tests of the XML reports of the build (FOLDER/TEST-*.xml);
each of JVMS traces has some of them. Of those that failed `failure` names the lines of PAGES."""
import glob, json, os, subprocess, sys
import xml.etree.ElementTree as xml

hindsight, _, jvms, reports = sys.argv[1:5]
traces = sys.argv[5:]
# CLASS.METHOD -> expected, actual, ends of lines that the page must name
PAGES = {
    "OrderTest.three": ("360", "348", ["// rebate", "// tax"]),
    "OrderTest.unknown": (None, None, ["// rebate"]),
    "MockedTest.two": ("208", "207", ["// rebate"]),
    "ParallelTest.wrong": ("3", "2", ["// tax"]),
}


def ask(*words):
    out = subprocess.run([hindsight, *words, "--json"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


def reported():
    """(class, method, status). Surefire, Gradle and Ant write one form; of an assumption that does not hold Maven and
    Gradle say that the test was skipped, and so does Ant."""
    for path in glob.glob(os.path.join(reports, "TEST-*.xml")):
        for case in xml.parse(path).getroot().iter("testcase"):
            status = "failed" if case.find("failure") is not None or case.find("error") is not None else "passed"
            status = "skipped" if case.find("skipped") is not None else status
            yield case.get("classname"), case.get("name").split("(")[0], status


bad, got, of_test = [], [], {}
for trace in traces:
    rows = [r for r in ask("tests", trace) if not r.get("container")]
    if not rows:
        bad.append("%s has no tests" % trace)
    for r in rows:
        got.append((r["class"], r["method"], "skipped" if r["status"] == "aborted" else r["status"]))
        of_test[r["class"].split(".")[-1] + "." + r["method"]] = trace
want = sorted(reported())
if sorted(got) != want:
    bad.append("the report has %s\n  the traces %s" % (sorted(set(want) - set(got)), sorted(set(got) - set(want))))
if len(want) < 11:
    bad.append("only %d tests in the report" % len(want))
if len(traces) != int(jvms):
    bad.append("%d traces, not %s: %s" % (len(traces), jvms, traces))
for name, (expected, actual, lines) in PAGES.items():
    if name not in of_test:
        bad.append("%s is in no trace" % name)
        continue
    page = ask("failure", of_test[name], name)[0]
    if expected is not None and (str(page.get("expected")), str(page.get("actual"))) != (expected, actual):
        bad.append("%s: expected %s, actual %s" % (name, page.get("expected"), page.get("actual")))
    text = subprocess.run([hindsight, "failure", of_test[name], name], stdout=subprocess.PIPE, check=True).stdout
    bad += ["%s: the page has no line %s" % (name, line) for line in lines if line not in text.decode()]
print("\n".join(bad[:8]) or "%d tests" % len(got))
sys.exit(bool(bad))
