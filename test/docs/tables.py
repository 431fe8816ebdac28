"""tables.py ROOT [--update]: the tables of docs/ are what they should be, in the folder where pages.py has recorded.

docs/events.md: the rows of formats/events.def, each with the first line of docs/programs/Events.java that gives such an
event. docs/agent-options.md: the default of each option is that of formats/options.def. docs/json.md: the keys of
the answers of each command, and no other, as the commands of its table answer."""
import json, os, re, subprocess, sys

root, update = sys.argv[1], "--update" in sys.argv[2:]
bad = 0


def run(command):
    r = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode not in (0, 3):
        sys.exit("%s: status %d: %s" % (command, r.returncode, r.stderr))
    return [json.loads(line) for line in r.stdout.splitlines()]


def compare(name, head, rows):
    """The table below the line `head` of a page has these rows; with --update it gets them."""
    global bad
    path = os.path.join(root, "docs", name)
    lines = open(path, encoding="utf-8").read().split("\n")
    first = lines.index(head) + 2
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    old = lines[first:last]
    if old == rows:
        return
    if update:
        open(path, "w", encoding="utf-8").write("\n".join(lines[:first] + rows + lines[last:]))
        return
    bad += 1
    print("docs/%s is not what test/docs/run.sh --update makes:" % name)
    print("\n".join(["  - " + r for r in old if r not in rows] + ["  + " + r for r in rows if r not in old]))


def catalogue():
    text = open(os.path.join(root, "formats", "events.def"), encoding="utf-8").read()
    text = text[text.index("*/") :]
    for row in re.split(r"^EVENT\(", text, flags=re.M)[1:]:
        number, name, condition = re.match(r" *(\d+), (\w+),\s*(\w+\([^)]*\))", row).groups()
        kind, groups = condition.rstrip(")").split("(")
        joint = " and " if kind == "BOTH" else " or "
        yield number, name, joint.join(re.findall(r"\w+", groups)), "".join(
            re.findall(r'"([^"]*)"', re.search(r'(?:"[^"]*"\s*)+\)\s*$', row).group())
        )


def events_page():
    run("hindsight record -o events-trace --format omni --option quiet=true -- java -cp classes Events")
    source = open(os.path.join(root, "docs", "programs", "Events.java"), encoding="utf-8").read().split("\n")
    first = {}
    for e in run("hindsight print events-trace --json"):
        line = source[e["line"] - 1].strip() if "line" in e else ""
        if e["event"] not in first or first[e["event"]] in ("", "}"):
            first[e["event"]] = line
    rows = []
    for number, name, groups, meaning in catalogue():
        example = first.get(name)
        rows.append(
            "| %s | `%s` | %s | %s | %s |"
            % (number, name, groups, meaning, "`%s`" % example.replace("|", "\\|") if example else "")
        )
    missing = [r for r in rows if r.endswith("|  |")]
    if len(missing) > 8:
        sys.exit(
            "%d event types have no example: %s" % (len(missing), " ".join(re.findall(r"`(\w+)`", " ".join(missing))))
        )
    compare("events.md", "| no | event | group | meaning | for example at |", rows)


def options_page():
    global bad
    rows = {}
    for line in open(os.path.join(root, "docs", "agent-options.md"), encoding="utf-8"):
        cells = re.split(r" (?<!\\)\| ", line.strip())
        if cells[0].startswith("| `") and len(cells) == 3:
            rows.update({name: cells[1].strip("`") for name in re.findall(r"`(\w+)=", cells[0])})
    text = open(os.path.join(root, "formats", "options.def"), encoding="utf-8").read()
    options = re.findall(r'^OPTION\((\w+), .*?, (?:"[^"]*"|[A-Z_]+), "([^"]*)",\s+"', text, re.M)
    if len(options) < 20:
        sys.exit("only %d options found" % len(options))
    for name, default in options:
        told = rows.get(name, "no row")
        if told != (default or "none") and not (default == "" and name in ("i", "e", "logsave")):
            bad += 1
            print("docs/agent-options.md: %s has the default %s, the page says %s" % (name, default or "none", told))


def keys_page():
    path = os.path.join(root, "docs", "json.md")
    head = "| command | keys |"
    lines = open(path, encoding="utf-8").read().split("\n")
    rows = []
    for line in lines[lines.index(head) + 2 :]:
        m = re.match(r"\| `([^`]+)` \|", line)
        if m is None:
            break
        answers = run("hindsight %s --json" % m.group(1))
        if not answers:
            sys.exit("docs/json.md: %s answers nothing" % m.group(1))
        keys = list(dict.fromkeys(k for a in answers for k in a))
        same = sorted(re.findall(r"`(\w+)`", line[m.end() :])) == sorted(keys)  # in which order does not matter
        rows.append(line if same else "| `%s` | %s |" % (m.group(1), " ".join("`%s`" % k for k in keys)))
    if len(rows) < 20:
        sys.exit("only %d commands in docs/json.md" % len(rows))
    compare("json.md", head, rows)


options_page()
events_page()
keys_page()
print("tables: %d with other rows" % bad)
sys.exit(bad != 0)
