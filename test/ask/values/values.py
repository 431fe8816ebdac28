"""values.py COMMAND TRACE: each value of the trace, as `print` shows it, finds the events that show it so."""

import json, re, subprocess, sys

command, trace = sys.argv[1:]
bad = 0


def run(*args):
    global bad
    r = subprocess.run([command, "print", trace, *args], capture_output=True, text=True, timeout=60)
    if r.returncode != 0:
        bad += 1
        print("FAILED: print %s: exit status %d: %s" % (args, r.returncode, r.stderr.strip()))
    return r.stdout.splitlines()


events = {e["seq"]: e for e in map(json.loads, run("--json"))}
shown = {}  # text of the value column -> seqs
for line in run()[1:]:
    e = events[int(line[:12])]
    where = line.rindex(" %s.%s" % (e["class"], e["method"]))
    text = line[len("%12s %6s  %-26s " % ("", "", "")) : where].rstrip()  # where is padded
    if "value" in e:
        shown.setdefault(text, set()).add(e["seq"])
assert len(shown) > 50, len(shown)


def found(value):
    return {e["seq"] for e in map(json.loads, run("--json", "--value=" + value))}


def unboxed(v):  # what a box or a BigDecimal stands for
    stands = v.get("value") if isinstance(v, dict) else v
    return stands if isinstance(stands, (bool, int, float)) or re.fullmatch(r"[-\d.]+", str(stands)) else v


def number(v):  # a JSON value as a number, None for others
    v = unboxed(v)
    return None if isinstance(v, (bool, dict)) or v is None else float(v)


for text, want in sorted(shown.items()):
    have = found(text)
    # 7 is also 7.0, and the code of a character; nothing else may be there
    meant = (
        lambda v: unboxed(v) is False
        if text == "false"
        else number(v) is not None and number(v) == number(events[min(want)]["value"])
    )
    more = {s for s in have - want if not meant(events[s].get("value"))}
    if want - have or more:
        bad += 1
        print("FAILED: --value %s: not found: %s, too many: %s" % (text, sorted(want - have)[:5], sorted(more)[:5]))


def string(v):
    return v.get("string") if isinstance(v, dict) else None


def chosen(condition):
    return [events[json.loads(line)["seq"]] for line in run("--json", "--where", condition)]


for text, want in sorted(shown.items()):  # a word is also a text: 7 the character; 1 is also true
    have = {e["seq"] for e in chosen("value == " + text)}
    same_number = lambda v: number(v) is not None and number(v) == number(events[min(want)]["value"])
    truth = {"0": False, "false": False, "1": True}.get(text, ())
    meant = lambda v: string(v) == text or v == ord(text[0]) or same_number(v) or unboxed(v) is truth
    more = {s for s in have - want if not meant(events[s]["value"])}
    if want - have or more:
        bad += 1
        print(
            "FAILED: --where value == %s: not found: %s, too many: %s"
            % (text, sorted(want - have)[:5], sorted(more)[:5])
        )


def same(value, test):
    global bad
    want, have = {s for s, e in events.items() if "value" in e and test(e["value"], e)}, found(value)
    if want != have:
        bad += 1
        different = [events[s] for s in sorted(want ^ have)]
        print("FAILED: --value %s: %d events, not %d: %s" % (value, len(have), len(want), different[:2]))
    if not want:
        bad += 1
        print("FAILED: nothing to find for %s" % value)


integer = lambda v: isinstance(v, int) and not isinstance(v, bool)


# the first parameter is the byte, and so on: kinds are known there
def param(e, letter):
    return e["event"] == "METHOD_PARAM" and e["method"] == "take" and "BSCIJFDZL"[e["attr"]["index"]] == letter


same("true", lambda v, e: v is True)
same("null", lambda v, e: v is None)
same('"t"', lambda v, e: string(v) == "t")
same('"NaN"', lambda v, e: string(v) == "NaN")
same('"text"', lambda v, e: string(v) == "text")
same('"a long"...', lambda v, e: (string(v) or "").startswith("a long"))
same('"\\u20ac \\ud83d\\ude00 \\ud83d"', lambda v, e: (string(v) or "").startswith("\u20ac"))
same("NaN", lambda v, e: v == "NaN")
same("-Infinity", lambda v, e: v == "-Infinity")
same("8", lambda v, e: v == 8 and v is not True)
same("-7", lambda v, e: v == -7)
same("0x2a", lambda v, e: integer(v) and v == 42)
same("0x8000000000000000", lambda v, e: v == -(1 << 63))
# a backslash that means nothing belongs to the pattern; "text"... is how a string begins; a float is compared as one
for condition, test in (
    (r'value =~ "quotes\" and \\ and \t and [^x]$"', lambda v: "quotes" in (string(v) or "")),
    (r'value =~ "^t\w\wt$"', lambda v: string(v) in ("text", "that")),
    (r'value =~ "n\.t"', lambda v: False),
    (r'value == "with \"quotes"...', lambda v: (string(v) or "").startswith("with")),
    (r'value == "\u20ac \ud83d\ude00 \ud83d"', lambda v: (string(v) or "").startswith("\u20ac")),
    (r'value == "with \"quotes\" and \\ and \t and "', lambda v: False),
    ("value == 0.1", lambda v: isinstance(v, float) and abs(v - 0.1) < 1e-7),
):
    want, have = [e for e in events.values() if test(e.get("value"))], chosen(condition)
    if want != have:
        bad += 1
        print("FAILED: --where %s: %d events, not %d" % (condition, len(have), len(want)))
# --where: a number is no boolean but 0 and 1, and has no order among texts
for condition in "value == 42", "value > 5", "value < 5", "value >= 0.5":
    have = chosen(condition)
    wrong = [e for e in have if number(e["value"]) is None]
    if wrong or not have:
        bad += 1
        print("FAILED: --where %s: %d events, %s" % (condition, len(have), wrong[:2]))
# a number is the code of a character, but of == and != a digit is the character; =~ sees a number as it is shown
for condition, test in (
    ("value > 5", lambda v: v > 5),
    ("!(value > 5)", lambda v: v <= 5),
    ("value < 1e3", lambda v: v < 1000),
    ("value == 116.0", lambda v: v == 116),
    ("value == '5'", lambda v: v == 53),
    ("value == 5", lambda v: v == 53),
):
    want = [s for s, e in events.items() if param(e, "C") and test(e["value"])]
    have = [e["seq"] for e in chosen(condition) if param(e, "C")]
    if want != have:
        bad += 1
        print("FAILED: --where %s of characters: %s, not %s" % (condition, have[:5], want[:5]))
for text, want in sorted(shown.items()):
    if all(isinstance(events[s]["value"], float) for s in want):
        have = {e["seq"] for e in chosen("value =~ %s" % json.dumps("^%s$" % re.sub("[.+]", "[\\g<0>]", text)))}
        if not want <= have:
            bad += 1
            print("FAILED: --where value =~ %s: not found: %s" % (text, sorted(want - have)))
# bits of a negative value of that width
for letter, value, hexed in (("I", -7, "0xfffffff9"), ("S", -300, "0xfed4"), ("B", -1, "0xff")):
    if not {s for s, e in events.items() if param(e, letter) and e["value"] == value} <= found(hexed):
        bad += 1
        print("FAILED: --value %s" % hexed)
t = {s for s, e in events.items() if e.get("value") is True or param(e, "C") and e["value"] == 116}
if not t <= found("t"):
    bad += 1
    print("FAILED: --value t misses %d events" % len(t - found("t")))
if not {s for s, e in events.items() if param(e, "C") and e["value"] == 0x20AC} <= found("'\u20ac'"):
    bad += 1
    print("FAILED: the character of the euro")
box = next(
    e["value"] for e in events.values() if isinstance(e.get("value"), dict) and e["value"]["type"].endswith("Box")
)
for name in ("Values$Box#%d", "#%d"):
    same(name % box["id"], lambda v, e: isinstance(v, dict) and v["id"] == box["id"])
print("%d values are found as they are shown" % len(shown))
sys.exit(bad != 0)
