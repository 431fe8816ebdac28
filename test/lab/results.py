# results.py FOLDER CELLS: the results of an experiment agree with its runs.
import csv, json, math, statistics, sys, xml.dom.minidom

folder, printed = sys.argv[1:]
runs = [json.loads(l) for l in open(folder + "/runs.jsonl")]
assert len(runs) == 36 and len({json.dumps([r["repetition"], r["cell"]]) for r in runs}) == 36, len(runs)
cells = json.load(open(folder + "/cells.json"))["cells"]
assert cells == [json.loads(l) for l in open(printed)] and len(cells) == 18
for cell in cells:
    wanted = (cell["format"], cell["groups"], cell["options"])
    own = [
        r
        for r in runs
        if dict(r["cell"][2]) == cell["parameters"] and (r["cell"][3] or "plain", r["cell"][4], r["cell"][5]) == wanted
    ]
    assert len(own) == cell["runs"] == 2 and cell["failed"] == 0
    if cell["format"] == "plain":
        continue
    plain = {
        r["repetition"]: r["result"]["wall_s"]
        for r in runs
        if r["cell"][3] == "" and dict(r["cell"][2]) == cell["parameters"]
    }
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
