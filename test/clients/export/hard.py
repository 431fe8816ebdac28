"""hard.py HINDSIGHT TRACE JFR - values that are hard to carry, through every format that has values: the arguments of
Sampler.echo in their order, as the client of each format reads them, against what Sampler.java passes.

    numbers    -0.0, NaN, infinities, the ends of long and int, 2^53+1; all exact but for printed digits of a client
    texts      quotes, newlines, control characters, NUL, lone surrogates, ; and |

How a format writes a text is the column of FORMATS: `exact`; `utf8`, where an unpaired surrogate is U+FFFD; `shown`,
as print shows it, between quotes with escapes, and with the id behind it."""

import ast
import csv
import io
import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys

from visible import visible

HINDSIGHT, TRACE, JFR = sys.argv[1:4]
INF = math.inf
DOUBLES = [0.0, -0.0, math.nan, INF, -INF, 5e-324, 1.7976931348623157e308, 0.1, 1e300]
FLOATS = [-0.0, math.nan, 1.401298464324817e-45, 3.4028234663852886e38, 0.10000000149011612]
LONGS = [2**63 - 1, -(2**63), -1, 0, 2**53 + 1]
INTS = [2**31 - 1, -(2**31), -1, 0]
TEXTS = ["", "plain", 'a"quote"', "line\nfeed", "tab\tcr\r", "nul\0end", "\u0001\u001b[31m", "\U0001f600"]
TEXTS += ["lone\ud800", "\udc00lone", "a,b;c|d", "<b>&amp;</b>", "'single'", "back\\slash", "\u00e4\u4e2d"]
TEXTS += ["\u202ertl", "]]>", "%s %d"]
VALUES = DOUBLES + FLOATS + LONGS + INTS + TEXTS
THREADS = {'worker; <0> "q"', 'worker; <1> "q"'}


def export(to, *more):
    return subprocess.run([HINDSIGHT, "export", TRACE, "--to", to, *more], check=True, capture_output=True).stdout


def jsonl():
    for line in export("jsonl", "-m", "echo", "-e", "METHOD_PARAM").splitlines():
        v = json.loads(line)["value"]
        yield v["string"] if isinstance(v, dict) and "string" in v else v


def cells(row):
    for name in ("value_int", "value_double", "value_string"):
        if row[name] not in (None, "") or (name == "value_string" and row["value_kind"] == "L"):
            return row[name]


def from_csv():
    text = export("csv", "-m", "echo", "-e", "METHOD_PARAM").decode()
    return map(cells, csv.DictReader(io.StringIO(text, newline="")))


def sqlite():
    export("sqlite", "-o", "hard.db")
    db = sqlite3.connect("hard.db")
    db.row_factory = sqlite3.Row
    return map(cells, db.execute("SELECT * FROM events WHERE method = 'echo' AND event = 'METHOD_PARAM' ORDER BY seq"))


def appmap():
    export("appmap", "-m", "echo", "-o", "hard.appmap")
    for e in json.load(open("hard.appmap/selected.appmap.json"))["events"]:
        if e["event"] == "call" and e["method_id"] == "echo":
            yield e["parameters"][0]["value"]


def jfr():
    open("hard.jfr", "wb").write(export("jfr", "-m", "echo"))
    out = subprocess.run([JFR, "print", "--json", "--events", "hindsight.Call", "hard.jfr"], capture_output=True)
    events = [e["values"] for e in json.loads(out.stdout)["recording"]["events"]]
    return (e["arguments"] for e in sorted(events, key=lambda e: e["seq"]) if e["method"]["name"] == "echo")


def perfetto():
    proto = re.sub("[^/]*$", "", sys.argv[0])
    command = ["protoc", "-I" + proto, "--decode=perfetto.protos.Trace", proto + "perfetto.proto"]
    out = subprocess.run(command, input=export("perfetto", "-m", "echo"), check=True, capture_output=True).stdout
    for value in re.findall(rb"array_values \{\s*\w+_value: (.*)\n", out):
        yield ast.literal_eval("b" + value.decode()).decode() if value[:1] == b'"' else value.decode()


def ctf():
    export("ctf", "-m", "echo", "-e", "METHOD_PARAM", "-o", "hard.ctf")
    out = subprocess.run(["babeltrace2", "hard.ctf"], check=True, capture_output=True).stdout.decode()
    for value in re.findall(r"METHOD_PARAM: .*, value = \{ (.*) \} \}$", out, re.M):
        yield ast.literal_eval(value) if value[:1] == '"' else value


# format: reader, how a text is written, a program that is needed
FORMATS = {
    "jsonl": (jsonl, "exact", None),
    "csv": (from_csv, "utf8", None),
    "sqlite": (sqlite, "utf8", None),
    "appmap": (appmap, "shown", None),
    "jfr": (jfr, "shown", JFR),
    "perfetto": (perfetto, "shown", "protoc"),
    "ctf": (ctf, "shown", "babeltrace2"),
}
DIGITS = {"perfetto", "ctf"}  # their clients print fewer than a double has


def same(to, form, got, want):
    if isinstance(want, str):
        utf8 = want.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = {"exact": want, "utf8": utf8, "shown": '"%s"' % visible(want)}[form]
        return (re.sub(r"#\d+$", "", got) if form == "shown" else got) == text
    if isinstance(want, int):
        return str(got) == str(want)
    number = float(got)
    if math.isnan(want) or math.isinf(want) or want == 0:
        return repr(number) == repr(want)
    return math.isclose(number, want, rel_tol=1e-5 if to in DIGITS or want in FLOATS else 0)


failed = False
for to, (read, form, program) in FORMATS.items():
    if program and not shutil.which(program):
        print("    left out: %s, %s is not installed" % (to, program))
        continue
    got = list(read())
    if len(got) < len(VALUES):
        sys.exit("FAILED: %s: %d values, not %d" % (to, len(got), len(VALUES)))
    for i, (g, w) in enumerate(zip(got, VALUES)):
        if not same(to, form, g, w):
            failed = True
            print("FAILED: %s: value %d is %r, not %r" % (to, i, g, w))

# a name with ; < > " and spaces
db = sqlite3.connect("hard.db")
names = {
    "sqlite": {n for (n,) in db.execute("SELECT name FROM threads")},
    "csv": {r["name"] for r in csv.DictReader(io.StringIO(export("csv", "--table", "threads").decode(), newline=""))},
    "chrome": {e["args"]["name"] for e in json.loads(export("chrome"))["traceEvents"] if e["name"] == "thread_name"},
}
for to, found in names.items():
    if not THREADS <= found:
        failed = True
        print("FAILED: %s: the threads are called %r" % (to, found))
print("    %d values in each of %s" % (len(VALUES), ", ".join(FORMATS)))
sys.exit(failed)
