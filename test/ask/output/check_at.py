"""check_at.py HINDSIGHT TRACE: from a text and a time to the moment, with `at` and with --at, as `output` has them."""
import datetime
import json
import subprocess
import sys

hindsight, trace = sys.argv[1:]
bad = []


def ask(*words, status=0):
    p = subprocess.run([hindsight, *words], capture_output=True, text=True)
    if p.returncode != status:
        bad.append(f"{words}: status {p.returncode}: {p.stderr}")
    return p


def rows(*words):
    return [json.loads(line) for line in ask(*words, "--json").stdout.splitlines()]


lines = rows("output", trace)
for text in ("println @", "by a framework", "named", "at exit", "0 @"):
    want = [x for x in lines if text in x["text"]]
    seen = rows("at", text, trace, "--limit", "1000")
    if [(x["seq"], x["text"]) for x in seen] != [(x["seq"], x["text"]) for x in want] or not want:
        bad.append(f"at {text!r}: {len(seen)} moments, not {len(want)}")
    for x, y in zip(seen, want):
        top = x["frames"][0]
        if (top["class"], top["method"], top["line"]) != (y["class"], y["method"], y["line"]):
            bad.append(f"at {text!r}: {top}, not {y}")
    by_text, by_seq = ask("locals", trace, "--at", text), ask("locals", trace, "--at", str(want[0]["seq"]))
    if by_text.stdout != by_seq.stdout:
        bad.append(f"locals --at {text!r}: {by_text.stdout}")
    if ("is taken" in by_text.stderr) != (len(want) > 1):
        bad.append(f"locals --at {text!r}: note {by_text.stderr!r} of {len(want)} lines")
# a part of a line leads to its own call
three = next(x for x in lines if len(x.get("parts", [])) == 3)
if rows("at", "three @", trace)[0]["seq"] != three["parts"][2]["seq"]:
    bad.append("the third part of a line has another moment")

info = json.loads(ask("info", trace, "--json").stdout)
start = datetime.datetime.fromisoformat(info["started"][:19] + "+00:00")
fraction = float("0" + info["started"][19:].rstrip("Z"))
events = rows("print", trace, "--limit", "1000000")
times = [x["time"] for x in events]
for ns in (times[0], times[len(times) // 3], times[-1] // 2):
    at = ns + 1000  # times are given in microseconds
    want = max((x["seq"] for x in events if x["time"] <= at), default=0)
    whole = start + datetime.timedelta(seconds=fraction + at / 1e9)
    for form in (f"+{at}ns", whole.isoformat()[:26] + "Z", whole.astimezone().isoformat()[11:26]):
        seen = rows("at", form, trace)
        if len(seen) != 1 or abs(seen[0]["time"] - events[want]["time"]) > 2000:
            bad.append(f"at {form}: {seen}, not {events[want]}")
if rows("at", "-0ms", trace)[0]["seq"] != events[-1]["seq"]:
    bad.append("the end is not the last event")
# --from and --to take the same forms
third = events[len(events) // 3]
for command in (["print"], ["output"], ["calls", "Says.*"]):
    for option, form in (("--from", "println @"), ("--to", "println @"), ("--from", "+%dns" % (third["time"] + 1000))):
        seq = rows("at", form, trace)[0]["seq"]
        words = [*command, trace, "--limit", "1000000", option]
        if ask(*words, form).stdout != ask(*words, str(seq)).stdout:
            bad.append(f"{command} {option} {form!r} is not {seq}")
for form, status, part in (
    ("+1h", 1, "after the recording"),
    ("-1h", 1, "before the recording"),
    ("no such text", 1, "no line of the output"),
    ("", 2, "MOMENT|SEQ"),
):
    said = ask("at", form, trace, status=status).stderr
    if not any(p in said for p in part.split("|")) or said.count("\n") != 1:
        bad.append(f"at {form!r}: {said}")
for b in bad[:20]:
    print("FAILED:", b)
print(f"{len(lines)} lines, {len(events)} events")
sys.exit(len(bad) > 0)
