"""check.py TRACE OUT ERR SOURCE: `output` against what the program wrote, captured in two files: the same bytes, and
each part of a line that has @LINE was written there, by the thread that /NAME names. Prints how many there were."""
import json
import re
import subprocess
import sys

hindsight, trace, out, err = sys.argv[1:5]
bad = []


def ask(*words):
    p = subprocess.run([hindsight, *words], capture_output=True)
    if p.returncode not in (0, 3):
        bad.append(f"{words}: status {p.returncode}: {p.stderr.decode()}")
    return p.stdout


captured = {"stdout": open(out, "rb").read(), "stderr": open(err, "rb").read()}
captured["stderr"] = re.sub(rb"^hindsight: .*\n(    hindsight .*\n)*", b"", captured["stderr"], flags=re.M)
for stream, want in captured.items():
    got = ask("output", trace, "--raw", "--stream", stream)
    if got != want:
        i = next((i for i in range(min(len(got), len(want))) if got[i] != want[i]), min(len(got), len(want)))
        bad.append(
            f"{stream}: {len(got)} bytes, not {len(want)}: at {i}: {got[i - 20:i + 40]} for {want[i - 20:i + 40]}"
        )

names = {}
for line in ask("threads", trace, "--json").splitlines():
    row = json.loads(line)
    names[row["thread"]] = row.get("name")
raw = {s: captured[s].split(b"\n") for s in captured}
lines = [json.loads(line) for line in ask("output", trace, "--json").splitlines()]
checked = 0
number = {"stdout": 0, "stderr": 0}
last = 0
for x in lines:
    whole = raw[x["stream"]][number[x["stream"]]]
    number[x["stream"]] += 1
    want = whole[:-1] if whole.endswith(b"\r") and "unended" not in x else whole
    if x["text"] != want.decode("latin1" if trace == "charset" else "utf-8", errors="replace").replace("\0", "\u0000"):
        bad.append(f"text {x['text']!r}, not {want!r}")
    parts = x.get("parts", [dict(x, at=0)])
    ends = [p["at"] for p in parts[1:]] + [len(whole)]
    for p, end in zip(parts, ends):
        mark = re.search(rb"@(\d+)(?:/(\w+))?", whole[p["at"] : end])
        if mark is None:
            continue
        checked += 1
        if p.get("class", "").partition("$")[0] != "Says" or p.get("line") != int(mark[1]):
            bad.append(f"{whole!r}: by {p.get('class')}.{p.get('method')}:{p.get('line')}")
        if mark[2] is not None and names[p["thread"]] != mark[2].decode():
            bad.append(f"{whole!r}: by thread {names[p['thread']]}")
marks = sum(len(re.findall(rb"@\d", c)) for c in captured.values())
if checked != marks:
    bad.append(f"{checked} of {marks} marks are in a part of their own")
for b in bad[:20]:
    print("FAILED:", b)
print(f"{len(lines)} lines, {checked} writes at their lines")
sys.exit(len(bad) > 0)
