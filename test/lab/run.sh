#!/bin/bash
# lab/run.sh: `hindsight lab` with a small program: every cell is run, an interrupted experiment goes on, the files
# agree with the runs, and what is wrong with an experiment file is said in one line.
#
# test: lab
# labels: lab slow
# limit: 300 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 2
export PATH=$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT
"${JAVAC[@]}" -d . "$ROOT"/bench/lab/experiments/Threads.java || exit 2
cat >try.toml <<'T'
name = "try"
repetitions = 2
formats = ["omni", "freq"]
groups = ["ALL", "EXEC"]
options = ["", "string=false"]
analyses = ["rings"]
[parameters]
threads = [1, 2]
[[programs]]
name = "calls"
command = ["java", "-cp", "PLACE", "Threads", "{threads}", "50"]
T
sed -i "s#PLACE#$WORK#" try.toml

"$HINDSIGHT" lab try.toml >table 2>err || fail "lab: exit status $?: $(tail -n 1 err)"
grep -qE '^0 of [0-9]+: ' err || fail "before the first run nothing is known of the time: $(head -n 1 err)"
[ "$(wc -l <try.lab/runs.jsonl)" = 36 ] || fail "36 runs expected, $(wc -l <try.lab/runs.jsonl) there"

# what a crash leaves: ten runs and half a line. Only the others are run again.
head -n 10 try.lab/runs.jsonl >kept
{ cat kept; head -c 40 <(tail -n 1 try.lab/runs.jsonl); } >try.lab/runs.cut && mv try.lab/runs.cut try.lab/runs.jsonl
"$HINDSIGHT" lab try.toml --json >cells 2>err || fail "lab, continued: exit status $?: $(tail -n 1 err)"
cmp -s kept <(head -n 10 try.lab/runs.jsonl) || fail "runs that were there changed"
python3 - try.lab cells <<'PY' || fail "the results do not agree"
import csv, json, math, statistics, sys, xml.dom.minidom
folder, printed = sys.argv[1:]
runs = [json.loads(l) for l in open(folder + "/runs.jsonl")]
assert len(runs) == 36 and len({json.dumps([r["repetition"], r["cell"]]) for r in runs}) == 36, len(runs)
cells = json.load(open(folder + "/cells.json"))["cells"]
assert cells == [json.loads(l) for l in open(printed)] and len(cells) == 18
for cell in cells:
    wanted = (cell["format"], cell["groups"], cell["options"])
    own = [r for r in runs if dict(r["cell"][2]) == cell["parameters"]
           and (r["cell"][3] or "plain", r["cell"][4], r["cell"][5]) == wanted]
    assert len(own) == cell["runs"] == 2 and cell["failed"] == 0
    if cell["format"] == "plain":
        continue
    plain = {r["repetition"]: r["result"]["wall_s"] for r in runs
             if r["cell"][3] == "" and dict(r["cell"][2]) == cell["parameters"]}
    ratios = [r["result"]["wall_s"] / plain[r["repetition"]] for r in own]
    assert math.isclose(cell["slowdown"]["mean"], math.sqrt(ratios[0] * ratios[1]), rel_tol=1e-9)
    half = 12.706 * statistics.stdev(map(math.log, ratios)) / math.sqrt(2)
    above = math.log(cell["slowdown"]["high"]) - math.log(cell["slowdown"]["mean"])
    assert math.isclose(above, half, rel_tol=1e-6, abs_tol=1e-9)
    assert cell["events"] == statistics.median(r["result"]["events"] for r in own) and cell["events"] > 0
    if cell["groups"] == "EXEC":
        assert set(cell["by_group"]) <= {"EXEC"}, cell["by_group"]
    if cell["format"] == "omni":
        assert cell["analyses"]["rings"]["kept_1024"] == 1 > cell["analyses"]["rings"]["kept_8"] > 0
table = list(csv.DictReader(open(folder + "/cells.csv")))
assert len(table) == 18 and all(row["program"] == "calls" for row in table)
assert len(list(csv.DictReader(open(folder + "/runs.csv")))) == 36
assert open(folder + "/table.tex").read().count("\\\\") == 17
import glob, shutil
plots = glob.glob(folder + "/*.svg")
assert not shutil.which("gnuplot") or len(plots) == 3
for plot in plots:
    xml.dom.minidom.parse(plot)
PY

# the tables of docs/costs.md: every one has a function, and one is made from results
mkdir experiments && cp -r "$ROOT/bench/lab/experiments/." experiments && cp "$ROOT/docs/costs.md" . || exit 2
sed -i 's/repetitions = 10/repetitions = 2/' experiments/costs/startup.toml
"$HINDSIGHT" lab experiments/costs/startup.toml >out 2>err || fail "startup: exit status $?: $(tail -n 1 err)"
python3 "$ROOT/bench/lab/costs.py" . costs.md || fail "costs.py: exit status $?"
python3 - "$ROOT" <<'PY' || fail "the tables of docs/costs.md"
import json, re, sys
root = sys.argv[1]
name = r"<!-- lab (\w+) -->"
before, after = open(root + "/docs/costs.md").read(), open("costs.md").read()
assert re.findall(name, before) == re.findall(name, after) and len(re.findall(name, before)) == 6
table = re.search(r"<!-- lab startup -->\n(.*?)<!-- end -->", after, re.S).group(1)
rows = [[w.strip() for w in l.strip("|").split("|")] for l in table.splitlines() if l.startswith("| `")]
cells = json.load(open("startup.lab/cells.json"))["cells"]
plain = cells[0]["wall_s"]
want = [["`%s`" % c["format"], "%.0f ms" % (1000 * c["wall_s"] - 1000 * plain)] for c in cells[1:]]
assert [r[:2] for r in rows] == want and len(want) == 5, (rows, want)
assert all(r[2].startswith("%.1fx" % c["slowdown"]["mean"]) for r, c in zip(rows, cells[1:])), rows
block = r"<!-- lab startup -->.*?<!-- end -->"  # what is not in the marks of this table stays
assert re.sub(block, "", before, flags=re.S) == re.sub(block, "", after, flags=re.S)
PY
sed 's/lab rows/lab colums/' costs.md >other.md
python3 "$ROOT/bench/lab/costs.py" . other.md 2>err && fail "a table that is none is not told"
grep -q "no table is called 'colums'" err || fail "$(head -n 1 err)"

wrong() { # FILE EXPECTED
    "$HINDSIGHT" lab "$1" >out 2>err; local status=$?
    [ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$2" err ||
        fail "$1: status $status, '$(head -n 1 err)', expected '$2'"
}
wrong missing.toml "No such file"
echo 'repetitions = "x"' >a.toml; wrong a.toml "repetitions must be a whole number"
echo 'repetition = 1' >b.toml; wrong b.toml "unknown key 'repetition'"
echo '[[programs]]' >c.toml; wrong c.toml "needs a name"
echo 'x = [' >d.toml; wrong d.toml "not TOML"
printf 'jvms = ["99"]\n[[programs]]\nname = "a"\nrun = "true"\n' >e.toml; wrong e.toml "no JVM '99'"
sed 's/repetitions = 2/repetitions = 3/' try.toml >try2.toml; mv try2.toml try.toml; wrong try.toml "has changed"
printf 'name = "bad"\nrepetitions = 1\n[[programs]]\nname = "f"\nrun = "exit 7"\n' >bad.toml
"$HINDSIGHT" lab bad.toml >out 2>err
[ $? = 3 ] && grep -q 'exit status 7' err || fail "a program that fails is not told"
finish "36 runs, continued after ten; 8 mistakes"
