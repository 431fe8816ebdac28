"""page.py HINDSIGHT TRACE SOURCES REPORT: `hindsight failure` of the tests of PageTests.java: what differs, why nothing
was thrown, the run that passed, threads; and as HTML, in the report of the build, and as annotations of GitHub, of
names, values and messages that are hostile to each of these."""
import html.parser, json, os, re, subprocess, sys
import xml.etree.ElementTree as xml

hindsight, trace, sources, report = sys.argv[1:5]
HOSTILE = "</pre><script>alert(1)</script>]]>&amp;'\"\\n::error file=x,line=1::100%0A"
TAGS = set("html head meta style title body h1 h2 h3 p table tr td b div small br pre i u a".split())
bad = []


def run(*words, status=0):
    r = subprocess.run([hindsight, "failure", trace, *words], capture_output=True, check=False)
    if r.returncode != status:
        bad.append("failure %s: status %d: %s" % (" ".join(words), r.returncode, r.stderr.decode()[:200]))
    return r.stdout.decode()


def page(test):
    return json.loads(run("PageTests." + test, "--json"))


def want(what, got, expected):
    if got != expected:
        bad.append("%s: %s, not %s" % (what, got, expected))


def text(value):
    return value.get("string", value.get("name")) if isinstance(value, dict) else value


def differences(test):
    return {d["path"]: (text(d.get("expected")), text(d.get("actual"))) for d in page(test).get("differences", [])}


# ---- parts of the page ----
got = differences("parts")
want("parts", got.get('["tea"].cents'), (300, 290))
want("parts", got.get('["tea"].tags[1]'), ("fresh", None))
want("parts: keys", sorted(k for k in got if k.count("[") == 1 and "." not in k), ['["cup"]', '["pot"]'])
want("fields", differences("fields"), {".weight": (5, 6)})
want("arrays", differences("arrays"), {"[1]": (2, 5)})
marked = page("hostile")["differences"][0]
want("text", marked["equal_begin"], HOSTILE.index("100%") - 1)
refused = page("refused")
want("not thrown", [(r["line"], r["decision"]["condition"]) for r in refused["not_thrown"]], [(23, "weight <= 0")])
failed = page("repeated")
want("passed run", failed["passed_run"]["here"]["method"], "half")
waits = page("waits")
want("what was not wanted", ("expected" in waits, "actual" in waits), (False, True))
want("threads", "holder" in [t["name"] for t in page("waits").get("threads", [])], True)
source = open(sources + "/PageTests.java").read().split("\n")
caught = page("caught")
want("an assertion in try", (text(caught.get("expected")), text(caught.get("actual"))), (2, 5))
step = page("slow")["origin"][0]
want("the line that threw", source[step["line"] - 1].strip().startswith("assertTimeoutPreemptively"), True)
WAITED = {
    "starved": [("java.util.concurrent.BlockingQueue", "take"), ("java.lang.Thread", "sleep")],
    "slow": [("java.util.concurrent.CountDownLatch", "await")],
}
for name, calls in WAITED.items():
    inside = [t.get("inside", {}) for t in page(name).get("threads", [])]
    for call in calls:
        want("where threads of " + name + " were", call in [(x.get("class"), x.get("method")) for x in inside], True)
origin = 1 + [n for n, line in enumerate(source) if "int origin" in line][0]
want("a value that was passed on 12 times", f"PageTests.copied:{origin}" in run("PageTests.copied"), True)
steps = [s for s in page("missed")["origin"] if "the key of" in s["because"]]
keys = [(text(s["value"]), s["because"].split(";")[0]) for s in steps]
want("the key that was missed", keys, [("pot", "the key of java.util.Map.getOrDefault, which gave its default")])
deep = run("PageTests.deep")
want("a stack that overflowed", (len(deep) < 6000, bool(re.search(r"\(\d{3,} times\)", deep))), (True, True))
for test in ("deep", "mutual"):
    data = page(test)
    rows = data["frames"]
    most = max(r.get("times", 1) for r in rows)
    want("frames of " + test, (len(rows) < 25, most > 100, len(json.dumps(data)) < 9000), (True, True, True))
both = [f["method"] for f in page("mutual")["frames"] if f.get("times", 1) > 100]
want("frames of two that call each other", sorted(both), ["even", "odd"])

distant = page("distant")
want("frames of a long way", len(distant["frames"]) + distant["more_frames"], 62)
more = r"and %d more frames: hindsight locals" % distant["more_frames"]
want("the text says so, too", bool(re.search(more, run("PageTests.distant"))), True)


def line_of(comment):
    return 1 + [n for n, line in enumerate(source) if line.endswith("// " + comment)][0]


def steps_of(test):
    return [(s["line"], s.get("of", {}).get("line")) for s in page(test)["origin"]]


want("what chose an operand", line_of("asked") in [line for line, _ in steps_of("chosen")], True)
want("a near line beside a long way", line_of("near") in [line for line, _ in steps_of("wide")], True)
want("deep in maps", list(differences("nests")), ['["in"]' * 7])
THROWN = [("ConstructorTests", "in a constructor"), ("InitializerTests", "in an initializer")]
for test, comment in THROWN + [("ConvertedTests.given", "in a converter")]:
    top = json.loads(run(test, "--json"))
    want("where it threw " + comment, top.get("frames", [{}])[0].get("line"), line_of(comment))
cause = json.loads(run("InitializerTests", "--json")).get("cause", {})
want("the cause of an error of an initializer", cause.get("type"), "java.lang.ArithmeticException")
want("the text says so", "caused by ArithmeticException#" in run("InitializerTests"), True)
want("what decided that it counted", any(of for _, of in steps_of("counted")), True)
made = [(c["line"], c["times"]) for c in page("counted")["changes"] if c["call"] == "made"]
made = made or [(line, 1) for line, _ in steps_of("counted") if line == line_of("made")]
want("where the collection was made", made, [(line_of("made"), 1)])
want("an array of an array", differences("cells"), {"[1]": (5, 2)})
shown = [line for line in run("PageTests.copied", "--source", sources).split("\n") if "times == 0" in line]
want("a line of the source is shown once", len(shown), 1)

# ---- HTML ----


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.shown, self.policy, self.ids, self.links = "", "", set(), set()

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            bad.append("html: a tag %s" % tag)
        for name, value in attrs:
            if name not in "lang charset http-equiv content name class id href style".split():
                bad.append("html: %s has %s=%s" % (tag, name, value))
            self.policy += value if name == "content" else ""
            self.ids |= {value} if name == "id" else set()
            self.links |= {value} if name == "href" else set()

    def handle_data(self, data):
        self.shown += data


run("PageTests.hostile", "--html", "page.html", "--source", sources)
p = Page()
p.feed(open("page.html", encoding="utf-8").read())
want("html: text", HOSTILE in p.shown, True)
want("html: source", "String said = HOSTILE.replace" in p.shown, True)
want("html: policy", "default-src 'none'" in p.policy and "script" not in p.policy, True)
want("html: links", [l for l in p.links if not l.startswith("#")], [])
want("html: links", sorted(l for l in p.links if l[1:] not in p.ids), [])

# ---- the report of the build ----
before = open(report, "rb").read()


def cases(data):
    """Class, name and the content of each test, without what we add."""
    for case in xml.fromstring(data).iter("testcase"):
        added = [e for e in case.findall("system-out") if (e.text or "").startswith("hindsight failure\n")]
        yield (case.get("classname"), case.get("name")), added, [xml.tostring(e) for e in case if e not in added]


run("--junit-xml", report)
after = open(report, "rb").read()
old, new = {k: e for k, _, e in cases(before)}, {k: e for k, _, e in cases(after)}
want("report: the rest", new, old)
failures = {k[1] for k, _, e in cases(before) if any(b"<failure" in x or b"<error" in x for x in e)}
want("report: added to", {k[1] for k, a, _ in cases(after) if len(a) == 1}, failures)
want("report: enough", len(failures) >= 6, True)
hostile = [a[0].text for k, a, _ in cases(after) if k[1].startswith("hostile")]
want("report: text", HOSTILE in "".join(hostile), True)
run("--junit-xml", report)
want("report: twice", open(report, "rb").read() == after, True)
DAMAGED = {
    "cut": before[: len(before) // 2],
    "empty": b"",
    "no end": before.replace(b"</testsuite>", b""),
    "crossed": before.replace(b"</testsuite>", b"</testsuites>"),
    "document type": b"<!DOCTYPE testsuite [<!ENTITY a 'b'>]>" + before[before.index(b"<testsuite") :],
    "UTF-16": before.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
    "a quotation mark": before.replace(b'name="refused()"', b'name="refused()', 1),
    "text": b"no report",
}
for name, data in DAMAGED.items():
    open("damaged.xml", "wb").write(data)
    if data == before:
        bad.append("report, %s: nothing is damaged" % name)
    run("--junit-xml", "damaged.xml", status=1)
    want("report, %s" % name, open("damaged.xml", "rb").read() == data, True)
# an end tag that is none: in CDATA, in a comment, in an attribute
at = before.index(b'name="refused()"')
at = before.index(b">", at) + 1
open("odd.xml", "wb").write(before[:at] + b"<![CDATA[</testcase>]]><!-- </testcase> --><x a='/>'/>" + before[at:])
run("--junit-xml", "odd.xml")
want("odd report", [len(a) for k, a, _ in cases(open("odd.xml", "rb").read()) if k[1] == "refused()"], [1])
run("--junit-xml", "none.xml", status=1)
want("no report is made", os.path.exists("none.xml"), False)

# ---- GitHub ----
lines = run("--github", "--source", sources).splitlines()
FORM = re.compile(r"::(error|notice) file=([^:,]*),line=(\d+),title=([^:,]*)::([^\r\n]*)")
for line in lines:
    if not FORM.fullmatch(line):
        bad.append("github: " + line[:200])
errors = [m for m in map(FORM.fullmatch, lines) if m is not None and m.group(1) == "error"]
want("github: one for each", len(errors), len(failures))
for m in errors:
    if not os.path.exists(m.group(2)):
        bad.append("github: there is no %s" % m.group(2))
    if re.search("%(?!25|0A|0D|3A|2C)", m.group(4) + m.group(5)):
        bad.append("github: a %% that is not escaped: %s" % m.group(0))

print("\n".join(bad[:12]) or "%d failures" % len(failures))
sys.exit(bool(bad))
